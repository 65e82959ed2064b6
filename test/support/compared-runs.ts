/**
 * @module Runs of the same requests that are to come to the same responses and rows, by different ways.
 */
import { env } from 'cloudflare:workers';
import { tablesOf } from '../../cli/migrations/tables.ts';
import type { Registry } from '../../src/schema/model.ts';
import { everything } from './everything.ts';
import { createToken } from './recorded.ts';

/** Documents of the two files that there are. */
export const FILES = ['first', 'second'] as const;

/** Empties all tables, for a run with the same numbers as the last. `rights` are those of the token `narrow`. */
export async function startAnew(registry: Registry, rights: readonly string[]): Promise<void> {
  const names = tablesOf(registry)
    .map(({ name }) => name)
    .filter((name) => !/^(edgewise_stamps|up_roles)$/.test(name));
  // The last is where SQLite counts rows.
  await env.DB.batch([...names, 'sqlite_sequence'].map((name) => env.DB.prepare(`delete from "${name}"`)));
  await createToken('full', 'full-access');
  await createToken('narrow', 'custom', rights);
  const insert = `insert into files (document_id, locale, published_at, created_at, updated_at, name, mime, url) values (?1, '', 1, 1, 1, ?1, 'image/png', '/a')`;
  await env.DB.batch(FILES.map((name) => env.DB.prepare(insert).bind(name)));
}

/** A text without what chance and time put into it; documents are called by the order in which they came. */
export function plainTexts(): (value: unknown) => string {
  const names = new Map<string, string>();
  const nameOf = (id: string): string => {
    names.set(id, names.get(id) ?? `document ${names.size}`);
    return names.get(id) as string;
  };
  return (value) =>
    JSON.stringify(value)
      .replaceAll(/\b[a-z][a-z0-9]{23}\b/g, nameOf)
      .replaceAll(/scrypt\$[^"]+/g, 'hash')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
      .replaceAll(/\b\d{10,}\b/g, 'number');
}

/** The rows of each table, as such texts. */
export async function plainRows(registry: Registry, plain: (value: unknown) => string): Promise<readonly string[]> {
  const tables = Object.entries(await everything(registry)).filter(([name]) => name !== 'edgewise_stamps');
  return tables.map(([name, rows]) => `${name}: ${rows.map(plain).sort().join('\n')}`);
}
