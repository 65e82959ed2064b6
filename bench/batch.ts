/**
 * @module `npm run bench -- --batch`: 100 creates in one batch, beside 100 requests of one client, one after another.
 */
import { join } from 'node:path';
import { articleInput } from './bodies.ts';
import { nextUnique } from './load.ts';
import { median } from './median.ts';
import { cpuTime } from './processes.ts';
import { TOKEN } from './rows.ts';
import { makeScratch } from './scratch.ts';
import { seed } from './seed.ts';
import { type Server, startServer } from './server.ts';

const SIZE = 1_000;
const REQUESTS = 100;
const WARMUP = 3;
const ROUNDS = 9;
const HEADERS = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };

/** Name → path and body of a create. */
const CREATES: Readonly<Record<string, readonly [path: string, body: (unique: number) => unknown]>> = {
  tags: ['/api/tags', (unique) => ({ data: { name: `Tag ${unique}`, slug: `batch-tag-${unique}` } })],
  'published articles': ['/api/articles', articleInput],
};

async function send({ url }: Server, path: string, body: unknown): Promise<void> {
  const response = await fetch(url + path, { method: 'POST', headers: HEADERS, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`);
}

/** Milliseconds of the clock, and of the runtime's CPU. */
async function timed({ pid = 0 }: Server, work: () => Promise<void>) {
  const before = { clock: performance.now(), cpu: cpuTime(pid) ?? Number.NaN };
  await work();
  return { clock: performance.now() - before.clock, cpu: (cpuTime(pid) ?? Number.NaN) - before.cpu };
}

async function inTurn(server: Server, path: string, bodies: readonly unknown[]): Promise<void> {
  for (const body of bodies) await send(server, path, body);
}

/** Prints the medians for each create, one client at a time. */
export async function batches(): Promise<void> {
  const scratch = await makeScratch();
  const state = join(scratch.root, 'state', 'batch');
  await seed(scratch.configs.product, state, scratch.registry, SIZE, () => undefined);
  const server = await startServer({ config: scratch.configs.product, state, path: '/api/articles', headers: HEADERS });
  for (const [name, [path, bodyOf]] of Object.entries(CREATES)) {
    const bodies = () => Array.from({ length: REQUESTS }, () => bodyOf(nextUnique()));
    const rounds = [];
    for (let round = 0; round < WARMUP + ROUNDS; round += 1) {
      const single = await timed(server, () => inTurn(server, path, bodies()));
      const requests = bodies().map((body) => ({ method: 'POST', path, body }));
      rounds.push({ single, batch: await timed(server, () => send(server, '/api/batch', { requests })) });
    }
    const kept = rounds.slice(WARMUP);
    const ms = (of: (round: (typeof kept)[number]) => number) => median(kept.map(of)).toFixed(1).padStart(7);
    const ratio = median(kept.map(({ single, batch }) => single.clock / batch.clock)).toFixed(1);
    process.stdout.write(
      `${name}: 100 requests ${ms(({ single }) => single.clock)} ms (CPU ${ms(({ single }) => single.cpu)}), ` +
        `a batch ${ms(({ batch }) => batch.clock)} ms (CPU ${ms(({ batch }) => batch.cpu)}), ${ratio} x\n`,
    );
  }
}
