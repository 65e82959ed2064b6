/**
 * @module What must hold of search indexes: each row is in its index with all that `_q` looks into, and nothing else is.
 */
import { searchedAttributes } from '../../src/schema/indexes.ts';
import type { ContentType } from '../../src/schema/model.ts';
import { OVERFLOW_COLUMN, searchTable } from '../../src/schema/names.ts';
import type { ContentRow } from './stored-world.ts';

/** More than this many trigrams of a row are not looked for. */
const TRIGRAMS = 150;

function textsOf(row: ContentRow, type: ContentType): readonly string[] {
  const overflow = JSON.parse(String(row[OVERFLOW_COLUMN] ?? '{}')) as Record<string, unknown>;
  const values = searchedAttributes(type).map((each) => (each.overflow ? overflow[each.name] : row[each.column]));
  return [row.document_id, ...values].filter((value) => typeof value === 'string');
}

function trigramsOf(text: string): readonly string[] {
  const characters = [...text.replaceAll('\0', '')];
  return characters.slice(2).map((_, at) => characters.slice(at, at + 3).join(''));
}

/** The plus: numbers bind as REAL, by which an FTS5 table finds no row. */
const find = (db: D1Database, index: string, id: unknown, trigrams: readonly string[]): D1PreparedStatement => {
  const question = trigrams.map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ');
  return db.prepare(`select 1 from "${index}" where "${index}" match ? and +"rowid" = ?`).bind(question, id);
};

export async function searchComplaints(
  db: D1Database,
  type: ContentType,
  rows: readonly ContentRow[],
): Promise<readonly string[]> {
  if (!type.searchable) return [];
  const index = searchTable(type.table);
  const { results } = await db.prepare(`select "id" from "${index}_docsize"`).all<{ id: number }>();
  const indexed = new Set(results.map(({ id }) => id));
  const complaints = rows.filter(({ id }) => !indexed.has(id)).map(({ id }) => `${index}: row ${id} is not in it`);
  const ids = new Set(rows.map(({ id }) => id));
  for (const id of indexed) if (!ids.has(id)) complaints.push(`${index}: row ${id} is gone`);
  const searched = rows
    .map((row) => [row.id, [...new Set(textsOf(row, type).flatMap(trigramsOf))]] as const)
    .filter(([, trigrams]) => trigrams.length > 0);
  if (searched.length === 0) return complaints;
  const found = await db.batch(searched.map(([id, trigrams]) => find(db, index, id, trigrams.slice(0, TRIGRAMS))));
  for (const [at, [id]] of searched.entries())
    if (found[at]?.results.length !== 1) complaints.push(`${index}: row ${id} is not found by its texts`);
  return complaints;
}
