/**
 * @module Questions of a write → statements of one read batch.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Questions } from '../plan/questions.ts';
import type { ColumnAttribute } from '../plan/validate-input.ts';
import type { RowRef } from '../plan/write-plan.ts';
import { OVERFLOW_COLUMN } from '../registry/names.ts';
import { compilePresentLinks, compileTargets, isDocument, rowCondition } from './links.ts';
import { columnOf, commaList, identifier, type Statement, toStatement } from './statement.ts';
import { compileUniqueLookups } from './unique.ts';

const isOverflow = (attribute: ColumnAttribute): boolean => attribute.kind === 'scalar' && attribute.overflow;

/** Which version a row is. */
const VERSION = ['document_id', 'locale', 'published_at', 'updated_at'] as const;

/** Whole numbers come as text where they may pass 2^53. */
function selected(attribute: ColumnAttribute, table: string): SQL {
  const column = columnOf(table, attribute.column);
  const exact = attribute.kind === 'scalar' && attribute.type === 'biginteger';
  return exact ? sql`cast(${column} as text) as ${sql.identifier(attribute.column)}` : column;
}

/** Every column of the row that is to be updated, or of every version of its document. */
function compileVersions(row: RowRef, attributes: readonly ColumnAttribute[], alone: boolean): Statement {
  const { table } = row.type;
  const columns = attributes
    .filter((attribute) => !isOverflow(attribute))
    .map((attribute) => selected(attribute, table));
  if (attributes.some(isOverflow)) columns.push(columnOf(table, OVERFLOW_COLUMN));
  return toStatement(
    sql`select ${commaList([...VERSION.map((column) => columnOf(table, column)), ...columns])} from ${identifier(table)} where ${alone ? rowCondition(row) : isDocument(row)} order by ${columnOf(table, 'published_at')} desc`,
  );
}

/** In the order in which `readCurrent` takes the answers: the versions, the unique values, the targets, the links. */
export function compileQuestions({ row, versions, columns, unique, targets, links }: Questions): readonly Statement[] {
  return [
    ...(versions === 'none' ? [] : [compileVersions(row, columns, versions === 'row')]),
    ...(unique.length > 0 ? [compileUniqueLookups(unique, row)] : []),
    ...targets.map(compileTargets),
    ...links.map(({ table, owner }) => compilePresentLinks(row, table, owner)),
  ];
}
