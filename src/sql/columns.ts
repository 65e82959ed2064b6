/**
 * @module Where the values of attributes stand in a row: in a column of their own, or in the overflow column.
 */
import type { ColumnAttribute } from '../plan/validate-input.ts';
import { OVERFLOW_COLUMN } from '../registry/names.ts';
import { identifier, type SQL, sql } from './fragment.ts';
import { columnOf } from './statement.ts';

export const isOverflow = (attribute: ColumnAttribute): boolean => attribute.kind === 'scalar' && attribute.overflow;

/** Whole numbers come as text where they may pass 2^53. */
function selected(attribute: ColumnAttribute, table: string): SQL {
  const column = columnOf(table, attribute.column);
  const exact = attribute.kind === 'scalar' && attribute.type === 'biginteger';
  return exact ? sql`cast(${column} as text) as ${identifier(attribute.column)}` : column;
}

/** The columns that hold the attributes, each once. */
export function selectedColumns(attributes: readonly ColumnAttribute[], table: string): readonly SQL[] {
  const columns = attributes
    .filter((attribute) => !isOverflow(attribute))
    .map((attribute) => selected(attribute, table));
  return attributes.some(isOverflow) ? [...columns, columnOf(table, OVERFLOW_COLUMN)] : columns;
}
