/**
 * @module `npm run bench -- --startup`: what a Worker with 50 content types does before its first request, by the CPU
 * profile of `wrangler check startup`.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { median } from './median.ts';
import { makeScratch } from './scratch.ts';

const COUNT = 50;
const TIMES = 5;
const MODEL = join(import.meta.dirname, '..', '.scratch', 'bench-startup');
const WRANGLER = join(import.meta.dirname, '..', 'node_modules', 'wrangler', 'bin', 'wrangler.js');

/** Copies of the article, each under a name of its own, with all that it has but the way back from other types. */
function makeModel(): void {
  const own = join(import.meta.dirname, 'content-types');
  const { attributes, info, ...rest } = JSON.parse(readFileSync(join(own, 'article', 'schema.json'), 'utf8'));
  rmSync(MODEL, { recursive: true, force: true });
  cpSync(own, join(MODEL, 'content-types'), { recursive: true });
  for (let number = 1; number <= COUNT; number += 1) {
    const folder = join(MODEL, 'content-types', `copy-${number}`);
    const names = { singularName: `copy-${number}`, pluralName: `copies-${number}`, displayName: `Copy ${number}` };
    const { author: _, tags: __, ...others } = attributes;
    const schema = { ...rest, collectionName: `copies_${number}`, info: { ...info, ...names }, attributes: others };
    mkdirSync(folder);
    writeFileSync(join(folder, 'schema.json'), JSON.stringify(schema));
  }
}

interface Profile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: { readonly functionName: string } }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Milliseconds that the profile spent in anything but waiting. */
function busyTime({ nodes, samples, timeDeltas }: Profile): number {
  const idle = new Set(
    nodes.filter(({ callFrame }) => /^\(idle|program\)/.test(callFrame.functionName)).map(({ id }) => id),
  );
  const busy = samples.map((node, index) => (idle.has(node) ? 0 : (timeDeltas[index] ?? 0)));
  return busy.reduce((sum, delta) => sum + delta, 0) / 1000;
}

/** Prints the median of several starts. */
export async function startupTime(): Promise<void> {
  makeModel();
  const { root } = await makeScratch(MODEL);
  const outfile = join(root, 'startup.cpuprofile');
  const times = Array.from({ length: TIMES }, () => {
    execFileSync(process.execPath, [WRANGLER, 'check', 'startup', '--outfile', outfile], { cwd: root, stdio: 'pipe' });
    return busyTime(JSON.parse(readFileSync(outfile, 'utf8')));
  });
  process.stdout.write(
    `${COUNT} content types beside those of the benchmark: ${median(times).toFixed(1)} ms of CPU at the start\n`,
  );
  rmSync(MODEL, { recursive: true, force: true });
}
