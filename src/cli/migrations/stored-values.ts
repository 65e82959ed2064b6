/**
 * @module SQL for the value of an attribute in its own column or in the overflow column.
 */
import { FIELDS } from '../../registry/fields.ts';
import type { ScalarType } from '../../registry/model.ts';
import { OVERFLOW_COLUMN } from '../../registry/names.ts';
import { columnIn, identifier, jsonPath } from '../core/sql/sql-text.ts';
import type { Place } from './layout.ts';
import { countOf, formerColumn, formerKey, formerTable, type Work } from './migration-work.ts';

export type ColumnPlace = Exclude<Place, { kind: 'links' }>;

export const OVERFLOW = identifier(OVERFLOW_COLUMN);

/**
 * In the overflow column whole numbers of 64 bits are texts, since JSON readers round them, and so is JSON. A
 * concatenation is plain text: the result of a JSON function would go in as an object, even through a CAST.
 */
export const packed = (type: ScalarType, x: string): string =>
  FIELDS[type].affinity === 'text' || type === 'biginteger' ? `(${x} || '')` : x;

export const unpacked = (type: ScalarType, column: string, path: string): string =>
  type === 'biginteger' ? `CAST(${column} ->> ${path} AS INTEGER)` : `(${column} ->> ${path})`;

export const intoOverflow = (path: string, x: string): string => `json_set(coalesce(${OVERFLOW}, '{}'), ${path}, ${x})`;

/** SQL for the stored value of an attribute before the migration, in the form that a column of its own would hold. */
export function formerValue(work: Work, table: string, name: string, from: ColumnPlace): string {
  const former = formerTable(work, table);
  if (from.kind !== 'scalar' || !from.overflow) return columnIn(former, formerColumn(work, table, from.column));
  return unpacked(from.type, columnIn(former, OVERFLOW_COLUMN), jsonPath(formerKey(work, table, name)));
}

/** Statements that count the rows with a value; empty lists are none. */
export function holders(work: Work, table: string, name: string, from: Place): readonly string[] {
  if (from.kind === 'links') return [countOf(work, from.table)];
  const value = formerValue(work, table, name, from);
  const list = from.kind === 'dynamiczone' || (from.kind === 'component' && from.repeatable);
  return [countOf(work, table, `${value} ${list ? `<> '[]'` : 'IS NOT NULL'}`)];
}

/** Removes a value from the overflow column. */
export function removeKey(table: string, name: string): string {
  const path = jsonPath(name);
  return `UPDATE ${identifier(table)} SET ${OVERFLOW} = json_remove(${OVERFLOW}, ${path}) WHERE ${OVERFLOW} ->> ${path} IS NOT NULL`;
}
