/**
 * @module `npm run mutants`: changes the code in one place at a time, and keeps which test files notice.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { count } from '../support/count.ts';
import { filesReaching, readImporters } from './reach.ts';
import { type Mutant, sampleOf } from './sample.ts';
import { isRun, type Result, summaryOf } from './summary.ts';
import { check, git, listTests, openTree, type TestFile } from './tree.ts';

interface Options {
  readonly sample: number;
  readonly seed: number;
  readonly minutes: number;
  readonly summary?: string;
}

const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** Gives a mutant its verdict. */
async function judge(root: string, mutant: Mutant, tests: readonly TestFile[]): Promise<Result> {
  const started = Date.now();
  const path = join(root, mutant.file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.slice(0, mutant.start) + mutant.to + text.slice(mutant.end));
  const verdict = await check(root, tests);
  writeFileSync(path, text);
  return { ...mutant, ...verdict, seconds: Math.round((Date.now() - started) / 1000) };
}

/** @throws Error if a test fails without any mutant. */
async function run({ sample, seed, minutes, summary }: Options): Promise<void> {
  const end = Date.now() + minutes * 60_000;
  const folder = join(import.meta.dirname, '../../.scratch/mutants', String(seed));
  const [root, path] = [join(folder, 'tree'), join(folder, 'results.jsonl')];
  openTree(root);
  const tests = await listTests(root);
  if (!existsSync(path)) {
    print(`${tests.length} test files without a mutant …`);
    const { outcome, killers } = await check(root, tests);
    if (outcome !== 'survived') throw new Error(`Without a mutant: ${outcome}, ${JSON.stringify(killers)}`);
  }
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
  const results: Result[] = lines.map((line) => JSON.parse(line));
  const done = new Set(results.map(({ id }) => id));
  const importers = readImporters(root);
  for (const mutant of sampleOf(root, seed).filter(({ id }) => !done.has(id))) {
    if (Date.now() > end || results.filter(isRun).length >= sample) break;
    const reaching = filesReaching(mutant.file, importers);
    const result = await judge(
      root,
      mutant,
      tests.filter(({ file }) => reaching.has(file)),
    );
    results.push(result);
    appendFileSync(path, `${JSON.stringify(result)}\n`);
    print(`${result.seconds} s, ${result.outcome}: ${mutant.file}:${mutant.line} ${mutant.kind}`);
  }
  const page = summaryOf(`Commit \`${git(root, 'rev-parse', '--short', 'HEAD')}\`, seed ${seed}.`, results);
  if (summary === undefined) print(page);
  else writeFileSync(summary, page);
}

// Ends what runs.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

await new Command('mutants')
  .description('Changes the code in one place at a time, and shows which mutants the tests do not notice.')
  .option('--sample <number>', 'mutants that run', count, 40)
  .option('--seed <number>', 'of the sample; the same one goes on where it ended, at its commit', count, 1)
  .option('--minutes <number>', 'after which none begins', count, 60)
  .option('--summary <file>', 'writes the results by room to this file')
  .action(run)
  .parseAsync();
