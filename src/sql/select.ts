/**
 * @module ReadPlan → statements: the page, and the count if it is asked for.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { ReadPlan } from '../plan/read-plan.ts';
import type { ScalarAttribute } from '../registry/model.ts';
import { COUNTER_TABLE } from '../registry/names.ts';
import type { Row } from './batch.ts';
import { bytesOf, isWithin, type Share, shareOf, unless } from './ceiling.ts';
import { selectedColumns } from './columns.ts';
import { asked, type Compiled, mapped, together } from './compiled.ts';
import { compileCondition, compileOrder, compileVersions } from './conditions.ts';
import { compileMeasure } from './measure.ts';
import { jsonRow, populateValues } from './populate.ts';
import { rowScope } from './scope.ts';
import { balanced, columnOf, commaList, identifier, type Statement, toStatement, valuesOf } from './statement.ts';

/** Columns of a page that what is populated goes by: its values, and the locale of the row. */
export const POPULATED = '$populated';
const ROW_LOCALE = '$locale';

/** Columns of a page: document_id, then the shown attributes. */
const selectList = (attributes: readonly ScalarAttribute[], table: string): readonly SQL[] => [
  columnOf(table, 'document_id'),
  ...selectedColumns(attributes, table),
];

function compileWhere(plan: ReadPlan): SQL {
  const { table } = plan.type;
  const terms = compileVersions(plan.versions, table);
  if (plan.documentId !== undefined) terms.push(sql`${columnOf(table, 'document_id')} = ${plan.documentId}`);
  if (plan.where) terms.push(compileCondition(plan.where, rowScope(plan.type)));
  return balanced(terms, 'and');
}

/** Rows beyond 2^53 do not exist; SQLite refuses offsets that are no 64-bit integer. */
const integer = (value: number): SQL => sql`cast(${Math.min(value, Number.MAX_SAFE_INTEGER)} as integer)`;

/** The rows of a page: everything from `from` on. */
function rowsOf(plan: ReadPlan, order: SQL): SQL {
  const { type, page } = plan;
  return sql`from ${identifier(type.table)}
    where ${compileWhere(plan)}
    order by ${order}
    limit ${integer(page.limit)} offset ${integer(page.start)}`;
}

/** @param share of each row; undefined where the answer is measured first. */
function plainPage(plan: ReadPlan, rows: SQL, share: Share | undefined): SQL {
  const { type, selection } = plan;
  const fits = share ? sql`${bytesOf(selection, type.table)} <= ${share.bytes}` : compileMeasure(plan, rows);
  const id = unless(fits, columnOf(type.table, 'id'));
  return sql`select ${id} as "id", ${commaList(selectList(selection.attributes, type.table))} ${rows}`;
}

/** The page comes first: what is populated is looked up for its rows alone, not for those a sort discards. */
function populatedPage(plan: ReadPlan, rows: SQL, order: SQL, share: Share | undefined): SQL {
  const { type, selection } = plan;
  const scope = rowScope(type);
  const json = sql.identifier(POPULATED);
  const columns = [
    sql`${columnOf(type.table, 'id')} as "id"`,
    ...selectList(selection.attributes, type.table),
    sql`${columnOf(type.table, 'locale')} as ${sql.identifier(ROW_LOCALE)}`,
    sql`${jsonRow(populateValues(selection.populate, scope, share?.looks))} as ${json}`,
    ...(share ? [sql`${bytesOf(selection, type.table)} as "$bytes"`] : []),
  ];
  // A limit is known before the first row is read.
  const most = integer(plan.page.limit);
  const limit = share ? most : sql`iif(${compileMeasure(plan, rows)}, ${most}, 0)`;
  // The limit and the condition keep SQLite from making the JSON once for each place where it is named.
  const page = sql`(
    select ${commaList(columns)}
    from (select * ${rows}) as ${identifier(type.table)}
    order by ${order}
    limit ${limit}
  )`;
  if (!share) return sql`select * from ${page}`;
  const fits = isWithin(sql`${json}`, sql`"$bytes"`, share);
  return sql`select * from ${page} where ${unless(fits, sql`1`)}`;
}

function compilePage(plan: ReadPlan, share: Share | undefined): Statement {
  const order = compileOrder(plan.order, rowScope(plan.type));
  const rows = rowsOf(plan, order);
  const isPlain = plan.selection.populate.length === 0;
  return toStatement(isPlain ? plainPage(plan, rows, share) : populatedPage(plan, rows, order, share));
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
  const share = shareOf(plan.ceiling, plan.selection, plan.page.limit);
  const measured = () => compilePage(plan, undefined);
  const statement = share.rows > 0 ? { ...compilePage(plan, share), measured } : measured();
  const page = asked(statement, (rows) => ({ rows }));
  if (plan.count === 'none') return page;
  const count = toStatement(plan.count === 'counter' ? compileCounter(plan) : compileCount(plan));
  const total = asked(count, ([row]) => Number(row?.total ?? 0));
  return mapped(together<[Found, number]>([page, total]), ([found, all]) => ({ ...found, total: all }));
}
