/**
 * @module All that is stored, to be compared with what is stored later.
 */
import { env } from 'cloudflare:workers';
import { tablesOf } from '../../cli/migrations/tables.ts';
import type { Registry } from '../../src/schema/model.ts';

/** Tokens note when they were last used. */
const IGNORED = new Set(['strapi_api_tokens']);

const inOrder = (rows: readonly unknown[]): readonly unknown[] => {
  const texts = rows.map((row) => JSON.stringify(row)).sort();
  return texts.map((text) => JSON.parse(text));
};

/** The rows of every table, by its name. */
export async function everything(registry: Registry): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const names = tablesOf(registry)
    .map(({ name }) => name)
    .filter((name) => !IGNORED.has(name));
  const results = await env.DB.batch(names.map((name) => env.DB.prepare(`select * from "${name}"`)));
  return Object.fromEntries(names.map((name, index) => [name, inOrder(results[index]?.results ?? [])]));
}
