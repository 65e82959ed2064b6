/**
 * @module SQL for the value of an attribute in its own column or in the overflow column.
 */
import { FIELDS } from '../../registry/fields.ts';
import type { ScalarType } from '../../registry/model.ts';
import { OVERFLOW_COLUMN } from '../../registry/names.ts';
import { columnIn, identifier, jsonPath } from '../core/sql/sql-text.ts';
import { nameOfType, type Place } from './layout.ts';
import { countOf, formerColumn, formerKey, formerTable, keptTypes, type Work } from './migration-work.ts';

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

/** An attribute of a type that stays; `table` is that of the type after the migration. */
export interface Subject {
  readonly work: Work;
  readonly table: string;
  readonly name: string;
  /** What it is called in messages: `article.lead`. */
  readonly owned: string;
}

/** The attributes that the types had, with what becomes of them. */
export const subjectsOf = (work: Work) =>
  keptTypes(work).flatMap(({ uid, before, type }) =>
    Object.entries(before.attributes).map(([name, from]) => ({
      ...{ work, table: type.table, name, owned: `${nameOfType(uid)}.${name}` },
      ...{ before, type, from, to: type.attributes[name] },
    })),
  );

/** SQL for the stored value of an attribute before the migration, in the form that a column of its own would hold. */
export function formerValue({ work, table, name }: Subject, from: ColumnPlace): string {
  const former = formerTable(work, table);
  if (from.kind !== 'scalar' || !from.overflow) return columnIn(former, formerColumn(work, table, from.column));
  return unpacked(from.type, columnIn(former, OVERFLOW_COLUMN), jsonPath(formerKey(work, table, name)));
}

/** A statement that counts the rows with a value; empty lists are none. */
export function holders(subject: Subject, from: Place): string {
  const { work, table } = subject;
  if (from.kind === 'links') return countOf(work, from.table);
  const list = from.kind === 'dynamiczone' || (from.kind === 'component' && from.repeatable);
  return countOf(work, table, `${formerValue(subject, from)} ${list ? `<> '[]'` : 'IS NOT NULL'}`);
}

/** Removes a value from the overflow column. */
export function removeKey(table: string, name: string): string {
  const path = jsonPath(name);
  return `UPDATE ${identifier(table)} SET ${OVERFLOW} = json_remove(${OVERFLOW}, ${path}) WHERE ${OVERFLOW} ->> ${path} IS NOT NULL`;
}
