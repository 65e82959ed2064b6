/**
 * @module A local D1 with the tables of the bench content types, `size` articles, true counters and one API token.
 */
import { join } from 'node:path';
import { getPlatformProxy } from 'wrangler';
import { literal } from '../cli/core/sql/sql-text.ts';
import { sha256 } from '../src/common/digest.ts';
import type { Registry } from '../src/schema/model.ts';
import { COUNTER_TABLE } from '../src/schema/names.ts';
import { createSchemaSql } from '../test/support/schema-sql.ts';
import { TOKEN } from './rows.ts';
import { type SeedStep, seedSteps } from './seed-sql.ts';

/** `wrangler dev --persist-to DIR` keeps its data one level below DIR. */
const STATE_VERSION = 'v3';

/** Runs `work` with the local bindings under `state`, as `wrangler dev --persist-to` of the same project would see them. */
export async function withBindings<T>(config: string, state: string, work: (env: Env) => Promise<T>): Promise<T> {
  const proxy = await getPlatformProxy<Env>({ configPath: config, persist: { path: join(state, STATE_VERSION) } });
  try {
    return await work(proxy.env);
  } finally {
    await proxy.dispose();
  }
}

/** Runs `work` on the local D1 under `state`. */
export const withDatabase = <T>(
  config: string,
  state: string,
  work: (database: D1Database) => Promise<T>,
): Promise<T> => withBindings(config, state, ({ DB }) => work(DB));

/** Counted from the rows themselves. */
function counterStep(registry: Registry): SeedStep {
  const statements = [...registry.contentTypes.values()].map(
    ({ uid, table }) => `insert into "${COUNTER_TABLE}" ("type", "locale", "status", "total")
    select ${literal(uid)}, "locale", iif("published_at" is null, 'draft', 'published'), count(*) from "${table}" group by 2, 3`,
  );
  return { progress: 'counters', statements };
}

function tokenStep(): SeedStep {
  const key = literal(sha256(TOKEN));
  const statement = `insert into "strapi_api_tokens" ("document_id", "name", "type", "access_key", "created_at", "updated_at", "published_at")
    values ('k00000000000000000000000', 'bench', 'full-access', ${key}, 0, 0, 0)`;
  return { progress: 'token', statements: [statement] };
}

/** Makes the tables in the empty database under `state`, and the token. */
export async function seedTables(config: string, state: string, registry: Registry): Promise<void> {
  const { statements } = tokenStep();
  const all = [...(await createSchemaSql(registry)), ...statements];
  await withDatabase(config, state, (database) => database.batch(all.map((statement) => database.prepare(statement))));
}

/** Makes the tables in the empty database under `state`, and fills them. */
export async function seed(
  config: string,
  state: string,
  registry: Registry,
  size: number,
  report: (progress: string) => void,
): Promise<void> {
  const tables = { progress: 'tables', statements: await createSchemaSql(registry) };
  await fill(config, state, [tables, ...contentSteps(registry, size)], report);
}

/** Documents, their counters and the token. */
export const contentSteps = (registry: Registry, size: number): readonly SeedStep[] => [
  ...seedSteps(size),
  counterStep(registry),
  tokenStep(),
];

/** @param report is told each step before it runs. */
export async function fill(
  config: string,
  state: string,
  steps: readonly SeedStep[],
  report: (progress: string) => void,
): Promise<void> {
  await withDatabase(config, state, async (database) => {
    for (const { progress, statements } of steps) {
      report(progress);
      await database.batch(statements.map((statement) => database.prepare(statement)));
    }
  });
}
