/**
 * @module Questions of a write → statements of one read batch.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Questions } from '../plan/questions.ts';
import type { ColumnAttribute } from '../plan/validate-input.ts';
import type { RowRef } from '../plan/write-plan.ts';
import { OVERFLOW_COLUMN } from '../registry/names.ts';
import { compilePresentLinks, compileTargets, rowCondition } from './links.ts';
import { columnOf, commaList, identifier, type Statement, toStatement } from './statement.ts';
import { compileUniqueLookups } from './unique.ts';

const isOverflow = (attribute: ColumnAttribute): boolean => attribute.kind === 'scalar' && attribute.overflow;

/** Whole numbers come as text where they may pass 2^53. */
function selected(attribute: ColumnAttribute, table: string): SQL {
  const column = columnOf(table, attribute.column);
  const exact = attribute.kind === 'scalar' && attribute.type === 'biginteger';
  return exact ? sql`cast(${column} as text) as ${sql.identifier(attribute.column)}` : column;
}

/** Every column of the row that is to be updated. */
function compileCurrent(row: RowRef, attributes: readonly ColumnAttribute[]): Statement {
  const { table } = row.type;
  const columns = attributes
    .filter((attribute) => !isOverflow(attribute))
    .map((attribute) => selected(attribute, table));
  if (attributes.some(isOverflow)) columns.push(columnOf(table, OVERFLOW_COLUMN));
  return toStatement(
    sql`select ${commaList([columnOf(table, 'updated_at'), ...columns])} from ${identifier(table)} where ${rowCondition(row)}`,
  );
}

/** In the order in which `readCurrent` takes the answers: the row, the unique values, the targets, the links. */
export function compileQuestions({ row, update, columns, unique, targets, links }: Questions): readonly Statement[] {
  return [
    ...(update ? [compileCurrent(row, columns)] : []),
    ...(unique.length > 0 ? [compileUniqueLookups(unique, row)] : []),
    ...targets.map(compileTargets),
    ...links.map(({ table, owner }) => compilePresentLinks(row, table, owner)),
  ];
}
