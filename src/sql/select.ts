/**
 * @module ReadPlan → statements: the page, and the count if it is asked for.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { ReadPlan } from '../plan/read-plan.ts';
import type { ScalarAttribute } from '../registry/model.ts';
import { COUNTER_TABLE, OVERFLOW_COLUMN } from '../registry/names.ts';
import type { Row } from './batch.ts';
import { asked, type Compiled, mapped, together } from './compiled.ts';
import { compileCondition, compileOrder, compileVersions } from './conditions.ts';
import { jsonRow, populateValues } from './populate.ts';
import { rowScope, type Scope } from './scope.ts';
import { balanced, columnOf, commaList, toStatement, valuesOf } from './statement.ts';

/** Columns of a page that what is populated goes by: its values, and the locale of the row. */
export const POPULATED = '$populated';
export const ROW_LOCALE = '$locale';

/** Columns of a page: id, document_id, locale, then the shown attributes. Whole numbers beyond 2^53 come as text. */
function selectList(attributes: readonly ScalarAttribute[], table: string): SQL[] {
  const columns = [columnOf(table, 'id'), columnOf(table, 'document_id')];
  for (const attribute of attributes) {
    if (attribute.overflow) continue;
    const column = columnOf(table, attribute.column);
    columns.push(
      attribute.type === 'biginteger' ? sql`cast(${column} as text) as ${sql.identifier(attribute.column)}` : column,
    );
  }
  if (attributes.some(({ overflow }) => overflow)) columns.push(columnOf(table, OVERFLOW_COLUMN));
  return columns;
}

function compileWhere(plan: ReadPlan): SQL {
  const { table } = plan.type;
  const terms = compileVersions(plan.versions, table);
  if (plan.documentId !== undefined) terms.push(sql`${columnOf(table, 'document_id')} = ${plan.documentId}`);
  if (plan.where) terms.push(compileCondition(plan.where, rowScope(plan.type)));
  return balanced(terms, 'and');
}

/** Rows beyond 2^53 do not exist; SQLite refuses offsets that are no 64-bit integer. */
const integer = (value: number): SQL => sql`cast(${Math.min(value, Number.MAX_SAFE_INTEGER)} as integer)`;

/** The page comes first: what is populated is looked up for its rows alone, not for those a sort discards. */
function compilePage(plan: ReadPlan): SQL {
  const { type, selection, page } = plan;
  const table = sql.identifier(type.table);
  const scope = rowScope(type) as Extract<Scope, { kind: 'row' }>;
  const order = compileOrder(plan.order, scope);
  const rows = sql`from ${table}
    where ${compileWhere(plan)}
    order by ${order}
    limit ${integer(page.limit)} offset ${integer(page.start)}`;
  const columns = selectList(selection.attributes, type.table);
  if (selection.populate.length === 0) return sql`select ${commaList(columns)} ${rows}`;
  const populated = sql`${jsonRow(populateValues(selection.populate, scope))} as ${sql.identifier(POPULATED)}`;
  const locale = sql`${columnOf(type.table, 'locale')} as ${sql.identifier(ROW_LOCALE)}`;
  return sql`
    select ${commaList([...columns, locale, populated])}
    from (select * ${rows}) as ${table}
    order by ${order}`;
}

function compileCounter({ type, versions }: ReadPlan): SQL {
  const locales = versions.locales ? sql` and "locale" in ${valuesOf(versions.locales)}` : sql``;
  return sql`
    select coalesce(sum("total"), 0) as "total"
    from ${sql.identifier(COUNTER_TABLE)}
    where "type" = ${type.uid} and "status" = ${versions.status}${locales}`;
}

const compileCount = (plan: ReadPlan): SQL =>
  sql`
    select count(*) as "total"
    from ${sql.identifier(plan.type.table)}
    where ${compileWhere(plan)}`;

export interface Found {
  readonly rows: readonly Row[];
  /** Absent when the plan does not count. */
  readonly total?: number;
}

/** The page of a plan, and how many rows there are in all if it counts them. */
export function compileRead(plan: ReadPlan): Compiled<Found> {
  const page = asked(toStatement(compilePage(plan)), (rows) => ({ rows }));
  if (plan.count === 'none') return page;
  const count = toStatement(plan.count === 'counter' ? compileCounter(plan) : compileCount(plan));
  const total = asked(count, ([row]) => Number(row?.total ?? 0));
  return mapped(together<[Found, number]>([page, total]), ([found, all]) => ({ ...found, total: all }));
}
