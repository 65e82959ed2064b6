/**
 * @module Questions of a write → statements of one read batch.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Questions } from '../plan/questions.ts';
import type { ColumnAttribute } from '../plan/validate-input.ts';
import type { RowRef } from '../plan/write-plan.ts';
import type { ContentType } from '../registry/model.ts';
import { OVERFLOW_COLUMN } from '../registry/names.ts';
import { CONFLICT, type Row } from './batch.ts';
import { LINK, presentLinks, TARGET, targetRows } from './links.ts';
import { assert, columnOf, commaList, identifier, type Statement, toStatement } from './statement.ts';
import { uniqueValues } from './unique.ts';
import { isDocument, rowCondition } from './versions.ts';

const isOverflow = (attribute: ColumnAttribute): boolean => attribute.kind === 'scalar' && attribute.overflow;

/** Which version a row is, and the time of its last change. */
const VERSION = ['document_id', 'locale', 'published_at', 'updated_at'] as const;

/** Whole numbers come as text where they may pass 2^53. */
function selected(attribute: ColumnAttribute, table: string): SQL {
  const column = columnOf(table, attribute.column);
  const exact = attribute.kind === 'scalar' && attribute.type === 'biginteger';
  return exact ? sql`cast(${column} as text) as ${sql.identifier(attribute.column)}` : column;
}

/** A version that appears, goes or is written changes one of these. */
const CHANGED = ['document_id', 'locale', 'updated_at'] as const;

/** One question, and the columns of its answer that tell whether it is still true. */
interface Question {
  readonly query: SQL;
  readonly stamps: readonly string[];
}

/** Every column of the row that is to be updated, or of every version of its document. */
function versionsOf(row: RowRef, attributes: readonly ColumnAttribute[], alone: boolean): SQL {
  const { table } = row.type;
  const columns = attributes
    .filter((attribute) => !isOverflow(attribute))
    .map((attribute) => selected(attribute, table));
  if (attributes.some(isOverflow)) columns.push(columnOf(table, OVERFLOW_COLUMN));
  return sql`
    select ${commaList([...VERSION.map((column) => columnOf(table, column)), ...columns])}
    from ${identifier(table)}
    where ${alone ? rowCondition(row) : isDocument(row)}
    order by ${columnOf(table, 'published_at')} desc, ${columnOf(table, 'id')}`;
}

/** In the order in which `readCurrent` takes the answers: the versions, the unique values, the targets, the links. */
function asked({ row, versions, columns, unique, targets, links }: Questions): readonly Question[] {
  return [
    ...(versions === 'none' ? [] : [{ query: versionsOf(row, columns, versions === 'row'), stamps: CHANGED }]),
    ...unique.map((group) => ({ query: uniqueValues(group, row), stamps: [] })),
    ...targets.map((lookup) => ({ query: targetRows(lookup), stamps: TARGET })),
    ...links.map(({ table, owner }) => ({ query: presentLinks(row, table, owner), stamps: LINK })),
  ];
}

export const compileQuestions = (questions: Questions): readonly Statement[] =>
  asked(questions).map(({ query }) => toStatement(query));

/**
 * Assertions for the batch of the write: what was answered before it was planned is the answer still. Unique values
 * have their own.
 */
export function compileUnchanged(questions: Questions, answers: readonly (readonly Row[])[]): readonly Statement[] {
  return asked(questions).flatMap(({ query, stamps }, index) => {
    if (stamps.length === 0) return [];
    const answer = (answers[index] ?? []).map((row) => stamps.map((stamp) => row[stamp]));
    const columns = commaList(stamps.map((stamp) => identifier(stamp)));
    const now = sql`(select json_group_array(json_array(${columns})) from (${query}))`;
    return [toStatement(assert(sql`${now} = ${JSON.stringify(answer)}`, CONFLICT))];
  });
}

/** The same for a row that is known by its number. */
export const compileUnchangedRow = ({ table }: ContentType, id: number, updatedAt: number): Statement =>
  toStatement(
    assert(
      sql`exists (select 1 from ${identifier(table)} where "id" = ${id} and "updated_at" = ${updatedAt})`,
      CONFLICT,
    ),
  );
