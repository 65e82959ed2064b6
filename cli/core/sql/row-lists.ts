/**
 * @module Statements that put many rows into a table at once. Rows travel as one JSON list, which counts as one
 * parameter; a row that is too large for a list travels value by value.
 */

import type { Rendered } from '../../../src/content/sql/statement.ts';
import type { Stored } from '../../../src/schema/fields.ts';
import { identifier } from './sql-text.ts';

/** Characters of a list of rows; as many bytes, or up to three times as many in other scripts: D1 binds 2 MB. */
export const LIST_CHARACTERS = 480_000;
/** A row whose JSON is longer travels alone. */
const MAX_LISTED = 600_000;

/** Splits texts of JSON into chunks that a list has room for. */
export function* listsOf(values: Iterable<string>): Generator<readonly string[]> {
  let chunk: string[] = [];
  let characters = 0;
  for (const value of values) {
    const length = value.length + 1;
    if (chunk.length > 0 && characters + length > LIST_CHARACTERS) {
      yield chunk;
      chunk = [];
      characters = 0;
    }
    chunk.push(value);
    characters += length;
  }
  if (chunk.length > 0) yield chunk;
}

export const columnList = (names: readonly string[]): string => names.map(identifier).join(', ');

/** Statements that insert rows, each the JSON of a list of its values. */
type RowInserter = (rows: readonly string[]) => readonly Rendered[];

/**
 * @param columns of each row, in order.
 * @param conflict what stands behind the rows: `on conflict …`.
 */
export function rowInserter(table: string, columns: readonly string[], conflict = ''): RowInserter {
  const into = `insert into ${identifier(table)} (${columnList(columns)})`;
  const listed = `${into} select ${columns.map((_, index) => `value ->> ${index}`).join(', ')} from json_each(?) where true ${conflict}`;
  const single = `${into} values (${columns.map(() => '?').join(', ')}) ${conflict}`;
  return (rows) => {
    const small = rows.filter((row) => row.length <= MAX_LISTED);
    const large = rows.filter((row) => row.length > MAX_LISTED);
    return [
      ...[...listsOf(small)].map((some) => ({ sql: listed, params: [`[${some.join(',')}]`] })),
      ...large.map((row) => ({ sql: single, params: JSON.parse(row) as Stored[] })),
    ];
  };
}
