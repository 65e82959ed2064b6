/**
 * @module `npm run bench -- --cost`: measures what the requests of a site read and write at three sizes, and prints the
 * tables of docs/cost.md.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDeployment } from '../src/deployment.ts';
import { cronHandler } from '../src/http/cron.ts';
import type { Registry } from '../src/schema/model.ts';
import { parseSettings } from '../src/schema/settings/config.ts';
import { databaseCost, observedCosts, productHandler } from './database-cost.ts';
import { type Measured, type ReadName, requestTable, SITES, siteTable } from './month.ts';
import { progress } from './report.ts';
import { type BenchRow, POPULATE, ROWS } from './rows.ts';
import { makeScratch, type Scratch } from './scratch.ts';
import { seed, withBindings } from './seed.ts';
import settings from './settings.ts';

/** Where the figures of docs/cost.md are kept. */
const RESULT = join(import.meta.dirname, 'results', 'cost.json');

/** Query strings of the site, each below `/api/`. */
const PATHS: Readonly<Record<ReadName, string>> = {
  front: `articles?pagination[pageSize]=25&${POPULATE}`,
  article: `articles?filters[slug][$eq]=article-51&${POPULATE}`,
  tag: `articles?filters[tags][slug][$eq]=tag-4&pagination[pageSize]=25&fields=title,slug`,
  search: 'stories?_q=signal 91',
};

const readRow = (name: ReadName, again: boolean): BenchRow => ({
  name,
  title: name,
  requests: () => [{ method: 'GET', path: encodeURI(`/api/${PATHS[name]}`), ...(again && { again: true as const }) }],
});

const rowNamed = (name: string): BenchRow => {
  const row = ROWS.find((one) => one.name === name);
  if (!row) throw new Error(`There is no row ${name}`);
  return row;
};

/** One run of the cron trigger with nothing to do. */
async function cronCost(registry: Registry, bindings: Env) {
  const handler = cronHandler(createDeployment({ registry, settings: parseSettings(settings) }));
  const { env, rowsRead, rowsWritten } = observedCosts(bindings);
  const background: Promise<unknown>[] = [];
  const context = { waitUntil: (work: Promise<unknown>) => background.push(work) } as unknown as ExecutionContext;
  await handler(undefined, env, context);
  await Promise.all(background);
  return { read: rowsRead(), written: rowsWritten() };
}

async function measure({ registry }: Scratch, size: number, bindings: Env): Promise<Measured> {
  const handler = productHandler(registry);
  const cost = async (row: BenchRow) => (await databaseCost(handler, row, size, bindings.DB)).cost;
  const reads = {} as Record<ReadName, { recomputed: number; cached: number }>;
  for (const name of Object.keys(PATHS) as ReadName[]) {
    const recomputed = await cost(readRow(name, false));
    const cached = await cost(readRow(name, true));
    reads[name] = { recomputed: recomputed.rowsRead, cached: cached.rowsRead };
  }
  const save = await cost(rowNamed('update'));
  const { meta } = await bindings.DB.prepare('select 1').run();
  return {
    size,
    databaseBytes: meta.size_after,
    reads,
    save: { read: save.rowsRead, written: save.rowsWritten },
    cron: await cronCost(registry, bindings),
  };
}

/** Measures, keeps the figures, and prints both tables. */
export async function siteCosts(): Promise<void> {
  const scratch = await makeScratch();
  const config = scratch.configs.product;
  const all: Measured[] = [];
  for (const { size } of SITES) {
    progress(`${size.toLocaleString('en')} articles`);
    const state = join(scratch.root, 'state', `cost-${size}`);
    await seed(config, state, scratch.registry, size, () => undefined);
    all.push(await withBindings(config, state, (bindings) => measure(scratch, size, bindings)));
    rmSync(state, { recursive: true });
  }
  writeFileSync(RESULT, `${JSON.stringify(all, null, 2)}\n`);
  process.stdout.write(`${requestTable(all)}\n\n${siteTable(all)}\n`);
}
