/**
 * @module `npm run bench -- --strapi`: the product beside a Strapi with the same content, on the same machine, by turns.
 */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Round, runRound } from './load.ts';
import { type Effort, type Side, sideOf } from './measure.ts';
import { alignedTable, fixed, pair, progress } from './report.ts';
import { type BenchRow, headersOf, ROWS } from './rows.ts';
import { assertEqual } from './same-answers.ts';
import { makeScratch } from './scratch.ts';
import { seed } from './seed.ts';
import { type Server, startServer } from './server.ts';
import { startStrapi } from './strapi-server.ts';

/** Strapi numbers rows anew when it takes them in, keeps files elsewhere, and its SQLite rounds integers beyond 2^53. */
const comparable = (text: string): string =>
  JSON.stringify(
    JSON.parse(text, (key, value) => {
      if (key === 'id' || key === 'provider') return undefined;
      return typeof value === 'string' && /^\d{16,}$/.test(value) ? Number(value) : value;
    }),
  );

/** @throws Error that shows where the two tell other documents, or in another order. */
async function assertSameDocuments(row: BenchRow, size: number, servers: readonly Server[]): Promise<void> {
  const [request] = row.requests(size);
  if (!request || request.body) return;
  const answers = servers.map(async ({ url }) => {
    const response = await fetch(url + request.path, { headers: headersOf(request) });
    return comparable(await response.text());
  });
  const [left = '', right = ''] = await Promise.all(answers);
  assertEqual(`${row.title}: ${request.path}`, left, right, 'Strapi');
}

/** Cursors and tags of answers are the product's own. */
const SHARED_ROWS = ROWS.filter(({ name, walks }) => !walks && name !== 'revalidate');

interface Sides {
  readonly product: Side;
  readonly strapi: Side;
}

async function measureRow(servers: readonly Server[], row: BenchRow, size: number, effort: Effort): Promise<Sides> {
  const requests = row.requests(size);
  for (const server of servers) await runRound(server, requests, { ...effort, seconds: effort.warmup });
  const rounds = servers.map((): Round[] => []);
  for (let round = 0; round < effort.rounds; round += 1)
    for (const [index, server] of servers.entries()) rounds[index]?.push(await runRound(server, requests, effort));
  const [product = [], strapi = []] = rounds;
  return { product: sideOf(product), strapi: sideOf(strapi) };
}

const HEAD = ['documents', 'row', 'requests/s', 'ratio', 'p50 ms', 'CPU ms', 'ratio'];

const cellsOf = ({ title }: BenchRow, size: number, { product, strapi }: Sides): readonly string[] => [
  size.toLocaleString('en'),
  title,
  pair(product.perSecond, strapi.perSecond, 0),
  fixed(product.perSecond / strapi.perSecond, 1),
  pair(product.p50, strapi.p50, 1),
  pair(product.cpu, strapi.cpu, 2),
  fixed((strapi.cpu ?? Number.NaN) / (product.cpu ?? Number.NaN), 1),
];

async function linesOf(servers: readonly Server[], size: number, effort: Effort) {
  const lines: (readonly string[])[] = [HEAD];
  for (const row of SHARED_ROWS) {
    progress(row.title);
    await assertSameDocuments(row, size, servers);
    lines.push(cellsOf(row, size, await measureRow(servers, row, size, effort)));
  }
  return lines;
}

/** Prints what both do in a second, and what a request costs each. */
export async function besideStrapi(size: number, effort: Effort): Promise<void> {
  const scratch = await makeScratch();
  const { root, configs, registry } = scratch;
  const [seeded, served] = ['seeded', 'product'].map((name) => join(root, 'state', name)) as [string, string];
  progress(`${size.toLocaleString('en')} documents: seeding`);
  await seed(configs.product, seeded, registry, size, () => undefined);
  cpSync(seeded, served, { recursive: true });
  const strapi = await startStrapi(scratch, seeded, progress);
  try {
    const headers = headersOf({ method: 'GET', path: '/' });
    const product = await startServer({ config: configs.product, state: served, path: '/api/articles', headers });
    const table = alignedTable(await linesOf([product, strapi], size, effort));
    const { rounds, seconds, connections } = effort;
    process.stdout.write(
      `${table}\n\nEdgewise / Strapi; ${rounds} rounds of ${seconds} s each, ${connections} connections, medians.\n`,
    );
  } finally {
    strapi.stop();
    rmSync(join(root, 'state'), { recursive: true, force: true });
  }
}
