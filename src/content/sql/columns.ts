/**
 * @module The columns of attributes: their own, or the overflow column.
 */
import { type SQL, sql } from 'drizzle-orm';
import { memoized } from '../../common/cache.ts';
import { isScalar } from '../../schema/attribute-kinds.ts';
import { FIELDS } from '../../schema/fields.ts';
import type { ColumnAttribute, ScalarAttribute } from '../../schema/model.ts';
import { OVERFLOW_COLUMN } from '../../schema/names.ts';
import { columnOf } from './pieces.ts';

/** Memoizes pieces by attributes and table or alias: plans that select every attribute share one list. */
export function onceFor<T, A extends ColumnAttribute = ScalarAttribute>(
  make: (attributes: readonly A[], table: string) => T,
): typeof make {
  const ofTables = memoized(
    (attributes: readonly A[]) => memoized((table: string) => make(attributes, table)),
    new WeakMap(),
  );
  return (attributes, table) => ofTables(attributes)(table);
}

export const isOverflow = (attribute: ColumnAttribute): boolean => isScalar(attribute) && attribute.overflow;

function selected(attribute: ColumnAttribute, table: string): SQL {
  const column = columnOf(table, attribute.column);
  const exact = isScalar(attribute) && FIELDS[attribute.type].exact;
  return exact ? sql`cast(${column} as text) as ${sql.identifier(attribute.column)}` : column;
}

/** Returns the columns that hold the attributes, each once. */
export function selectedColumns(attributes: readonly ColumnAttribute[], table: string): readonly SQL[] {
  const columns = attributes
    .filter((attribute) => !isOverflow(attribute))
    .map((attribute) => selected(attribute, table));
  return attributes.some(isOverflow) ? [...columns, columnOf(table, OVERFLOW_COLUMN)] : columns;
}
