/**
 * @module Which rows of an archive are newer than those that the database has of the same versions.
 */
import { identifier } from '../core/sql/sql-text.ts';
import type { RowForm } from './rows.ts';
import { ROW, type Staging } from './staging.ts';

interface Candidate {
  /** In the archive. */
  readonly id: number;
  /** Its values in the order of the form's columns. */
  readonly json: string;
}

const keyOf = (documentId: unknown, locale: unknown, published: boolean): string =>
  JSON.stringify([documentId, locale, published]);

/**
 * Leaves out rows that the database has newer, or as new; the staging area notes them, so that their links are left out
 * as well.
 * @param orEqual takes rows that are as new again: an import that goes on has written some itself.
 */
export async function newerRows<T extends Candidate>(
  db: D1Database,
  staging: Staging,
  uid: string,
  { type, columns }: RowForm,
  rows: readonly T[],
  orEqual: boolean,
): Promise<readonly T[]> {
  const at = (name: string) => columns.indexOf(name);
  const [document, locale, published, updated] = ['document_id', 'locale', 'published_at', 'updated_at'].map(at);
  const parsed = rows.map((row) => ({ row, values: JSON.parse(row.json) as readonly unknown[] }));
  const ids = [...new Set(parsed.map(({ values }) => values[document ?? -1]))];
  const { results } = await db
    .prepare(
      `select "document_id", "locale", "published_at" is not null as "published", "updated_at" from ${identifier(type.table)} where "document_id" in (select value from json_each(?))`,
    )
    .bind(JSON.stringify(ids))
    .all();
  const present = new Map(
    results.map((row) => [keyOf(row.document_id, row.locale, row.published === 1), Number(row.updated_at)]),
  );
  const mark = staging.prepare(`update rows set state = ${ROW.older} where type = ? and id = ?`);
  return parsed.flatMap(({ row, values }) => {
    const key = keyOf(values[document ?? -1], values[locale ?? -1], values[published ?? -1] !== null);
    const before = present.get(key) ?? Number.NEGATIVE_INFINITY;
    const own = Number(values[updated ?? -1]);
    if (before < own || (orEqual && before === own)) return [row];
    mark.run(staging.numberOf(uid), row.id);
    return [];
  });
}
