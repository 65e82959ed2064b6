/**
 * @module ReadPlan → statements: the page, and the count if it is asked for.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { ReadPlan } from '../plan/read-plan.ts';
import type { ScalarAttribute } from '../registry/model.ts';
import { COUNTER_TABLE, OVERFLOW_COLUMN } from '../registry/names.ts';
import { compileCondition, compileOrder, compileVersions } from './conditions.ts';
import { balanced, columnOf, commaList, type Statement, toStatement, valuesOf } from './statement.ts';

/** Columns of a page: id, document_id, then the shown attributes. Whole numbers beyond 2^53 come as text. */
function selectList(attributes: readonly ScalarAttribute[], table: string): SQL {
  const columns = [columnOf(table, 'id'), columnOf(table, 'document_id')];
  for (const attribute of attributes) {
    if (attribute.overflow) continue;
    const column = columnOf(table, attribute.column);
    columns.push(
      attribute.type === 'biginteger' ? sql`cast(${column} as text) as ${sql.identifier(attribute.column)}` : column,
    );
  }
  if (attributes.some(({ overflow }) => overflow)) columns.push(columnOf(table, OVERFLOW_COLUMN));
  return commaList(columns);
}

function compileWhere(plan: ReadPlan): SQL {
  const { table } = plan.type;
  const terms = compileVersions(plan.versions, table);
  if (plan.documentId !== undefined) terms.push(sql`${columnOf(table, 'document_id')} = ${plan.documentId}`);
  if (plan.where) terms.push(compileCondition(plan.where, table));
  return balanced(terms, 'and');
}

/** Rows beyond 2^53 do not exist; SQLite refuses offsets that are no 64-bit integer. */
const integer = (value: number): SQL => sql`cast(${Math.min(value, Number.MAX_SAFE_INTEGER)} as integer)`;

function compilePage(plan: ReadPlan): SQL {
  const { table } = plan.type;
  const { limit, start } = plan.page;
  return sql`select ${selectList(plan.attributes, table)} from ${sql.identifier(table)} where ${compileWhere(plan)} order by ${compileOrder(plan.order, table)} limit ${integer(limit)} offset ${integer(start)}`;
}

function compileCounter({ type, versions }: ReadPlan): SQL {
  const locales = versions.locales ? sql` and "locale" in ${valuesOf(versions.locales)}` : sql``;
  return sql`select coalesce(sum("total"), 0) as "total" from ${sql.identifier(COUNTER_TABLE)} where "type" = ${type.uid} and "status" = ${versions.status}${locales}`;
}

const compileCount = (plan: ReadPlan): SQL =>
  sql`select count(*) as "total" from ${sql.identifier(plan.type.table)} where ${compileWhere(plan)}`;

/** `[page]`, or `[page, count]`; the count is one row with the column `total`. */
export function compileRead(plan: ReadPlan): readonly Statement[] {
  const page = toStatement(compilePage(plan));
  if (plan.count === 'none') return [page];
  return [page, toStatement(plan.count === 'counter' ? compileCounter(plan) : compileCount(plan))];
}
