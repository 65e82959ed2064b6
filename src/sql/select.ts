/**
 * @module ReadPlan → statements: the page, and the count if it is asked for.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Keys } from '../plan/cursor.ts';
import type { ReadPlan } from '../plan/read-plan.ts';
import type { ScalarAttribute } from '../registry/model.ts';
import { COUNTER_TABLE } from '../registry/names.ts';
import { adviceFor } from './advice.ts';
import type { Row } from './batch.ts';
import { bytesOf, isWithin, type Share, shareOf, unless } from './ceiling.ts';
import { selectedColumns } from './columns.ts';
import { asked, type Compiled, mapped, together } from './compiled.ts';
import { compileCondition, compileOrder, compileVersions } from './conditions.ts';
import { keyOf, rangesBehind, rowsBehind } from './keyset.ts';
import { compileMeasure } from './measure.ts';
import { isOrdered, isSought } from './order-index.ts';
import { jsonRow, populateValues } from './populate.ts';
import { rowScope } from './scope.ts';
import { candidates } from './search-index.ts';
import { balanced, columnOf, commaList, identifier, type Statement, toStatement, valuesOf } from './statement.ts';

/** Column of a page: the locale of the row, then the values of what is populated. */
export const POPULATED = '$populated';

/** Column of the total, where it was counted, and of what a cursor goes by. D1 stops at 100 columns. */
const ABOUT = '$about';

/** Columns of a page: document_id, then the shown attributes. */
const selectList = (attributes: readonly ScalarAttribute[], table: string): readonly SQL[] => [
  columnOf(table, 'document_id'),
  ...selectedColumns(attributes, table),
];

function compileWhere(plan: ReadPlan): SQL {
  const { table } = plan.type;
  const terms = compileVersions(plan.versions, table);
  if (plan.documentId !== undefined) terms.push(sql`${columnOf(table, 'document_id')} = ${plan.documentId}`);
  if (plan.where) terms.push(...candidates(plan.where, plan.type), compileCondition(plan.where, rowScope(plan.type)));
  return balanced(terms, 'and');
}

/** Rows beyond 2^53 do not exist; SQLite refuses offsets that are no 64-bit integer. */
const integer = (value: number): SQL => sql`cast(${Math.min(value, Number.MAX_SAFE_INTEGER)} as integer)`;

/** Rows of a page; with a cursor one more, which tells whether there is another page. */
const rowLimit = ({ page, cursor }: ReadPlan): SQL => integer(page.limit + (cursor ? 1 : 0));

const windowOf = (plan: ReadPlan, order: SQL): SQL =>
  sql`order by ${order} limit ${rowLimit(plan)} offset ${integer(plan.page.start)}`;

/** Behind the cursor, if there is one. */
function behindCursor({ cursor, order, type }: ReadPlan): SQL {
  return cursor?.after ? rowsBehind(order, cursor.after, rowScope(type)) : sql`1`;
}

/** The rows of a page: everything from `from` on. */
const rowsOf = (plan: ReadPlan, order: SQL): SQL => sql`from ${identifier(plan.type.table)}
  where ${balanced([compileWhere(plan), ...(plan.cursor?.after ? [behindCursor(plan)] : [])], 'and')}
  ${windowOf(plan, order)}`;

/**
 * Is a page found by the ids of its rows, which are read in full afterwards? A sort then carries ids alone, and what is
 * counted depends on how many there are.
 */
const goesById = (plan: ReadPlan): boolean => plan.count === 'query' || !isOrdered(plan) || seeks(plan);

/** Is the place of a cursor found in an index, range by range? */
const seeks = (plan: ReadPlan): boolean => plan.cursor?.after !== undefined && isSought(plan);

/** The ids of a page, each with its row; beyond the first page at least one line, so that a total has its place. */
function numberedRows({ type, page, count, cursor }: ReadPlan): SQL {
  const table = identifier(type.table);
  const isRow = sql`${columnOf(type.table, 'id')} = "$page"."id"`;
  if (count === 'query' && (page.start > 0 || cursor))
    return sql`from (select 1) left join "$page" on 1 left join ${table} on ${isRow}`;
  return sql`from "$page" cross join ${table} on ${isRow}`;
}

/** Ids of a page among the rows that match, range by range where a cursor is sought in an index. */
function idsOf(plan: ReadPlan, order: SQL): SQL {
  const { type, cursor } = plan;
  const matching = sql`select ${columnOf(type.table, 'id')} from "$match" as ${identifier(type.table)}`;
  if (!cursor?.after) return sql`${matching} ${windowOf(plan, order)}`;
  if (!seeks(plan)) return sql`${matching} where ${behindCursor(plan)} ${windowOf(plan, order)}`;
  const ranges = rangesBehind(plan.order, cursor.after, rowScope(type)).map(
    (range) => sql`select * from (${matching} where ${range} ${windowOf(plan, order)})`,
  );
  return sql`select * from (${sql.join(ranges, sql` union all `)}) limit ${rowLimit(plan)}`;
}

/**
 * The ids of a page, as `$page`. What matches has its condition once, as `$match`: a name for it that SQLite puts into
 * every place by itself.
 */
function withIds(plan: ReadPlan, order: SQL, page: SQL): SQL {
  const table = identifier(plan.type.table);
  const id = columnOf(plan.type.table, 'id');
  if (plan.count !== 'query' && !seeks(plan))
    return sql`with "$page" ("id") as materialized (select ${id} ${rowsOf(plan, order)}) ${page}`;
  return sql`
    with "$match" as not materialized (select * from ${table} where ${compileWhere(plan)}),
      "$page" ("id") as materialized (${idsOf(plan, order)})
    ${page}`;
}

/** How many rows there are in all, where the rows of the page do not tell: a page that is not full is the last one. */
function totalOf({ page: { start, limit }, cursor }: ReadPlan): SQL {
  const all = sql`(select count(*) from "$match")`;
  if (cursor) return all;
  const isLast = sql`(select count(*) from "$page") between ${sql`${start > 0 ? 1 : 0}`} and ${integer(limit - 1)}`;
  return sql`iif(${isLast}, null, ${all})`;
}

/** The total, and with a cursor the values by which each row is sorted. */
function aboutPage(plan: ReadPlan): readonly SQL[] {
  const counts = plan.count === 'query';
  if (!counts && !plan.cursor) return [];
  const keys = plan.cursor ? plan.order.map((term) => keyOf(term, rowScope(plan.type))) : [];
  const about = sql`json_array(${commaList([counts ? totalOf(plan) : sql`null`, ...keys])})`;
  return [sql`${about} as ${sql.identifier(ABOUT)}`];
}

/** A page, and where its rows come from: in order, or together with the ids that were found first. */
interface Source {
  readonly plan: ReadPlan;
  readonly order: SQL;
  readonly rows: SQL;
}

/** @param share of each row; undefined where the answer is measured first. */
function plainPage({ plan, order, rows }: Source, share: Share | undefined): SQL {
  const { type, selection } = plan;
  const fits = share ? sql`${bytesOf(selection, type.table)} <= ${share.bytes}` : compileMeasure(plan, rows);
  const id = unless(fits, columnOf(type.table, 'id'));
  const columns = [sql`${id} as "id"`, ...selectList(selection.attributes, type.table), ...aboutPage(plan)];
  if (!goesById(plan)) return sql`select ${commaList(columns)} ${rows}`;
  return sql`select ${commaList(columns)} ${numberedRows(plan)} order by ${order}`;
}

/** The page comes first: what is populated is looked up for its rows alone, not for those a sort discards. */
function populatedPage({ plan, order, rows }: Source, share: Share | undefined): SQL {
  const { type, selection } = plan;
  const scope = rowScope(type);
  const json = sql.identifier(POPULATED);
  const populated = [columnOf(type.table, 'locale'), ...populateValues(selection.populate, scope, share?.looks)];
  const columns = [
    sql`${columnOf(type.table, 'id')} as "id"`,
    ...selectList(selection.attributes, type.table),
    sql`${jsonRow(populated)} as ${json}`,
    ...(share ? [sql`${bytesOf(selection, type.table)} as "$bytes"`] : []),
    ...aboutPage(plan),
  ];
  // A limit is known before the first row is read.
  const most = rowLimit(plan);
  const limit = share ? most : sql`iif(${compileMeasure(plan, rows)}, ${most}, 0)`;
  const from = goesById(plan) ? numberedRows(plan) : sql`from (select * ${rows}) as ${identifier(type.table)}`;
  // The limit and the condition keep SQLite from making the JSON once for each place where it is named.
  const page = sql`(
    select ${commaList(columns)}
    ${from}
    order by ${order}
    limit ${limit}
  )`;
  if (!share) return sql`select * from ${page}`;
  const fits = isWithin(sql`${json}`, sql`"$bytes"`, share);
  return sql`select * from ${page} where ${unless(fits, sql`1`)}`;
}

function compilePage(plan: ReadPlan, share: Share | undefined): Statement {
  const order = compileOrder(plan.order, rowScope(plan.type));
  const source = { plan, order, rows: rowsOf(plan, order) };
  const isPlain = plan.selection.populate.length === 0;
  const page = isPlain ? plainPage(source, share) : populatedPage(source, share);
  return toStatement(goesById(plan) ? withIds(plan, order, page) : page);
}

function compileCounter({ type, versions }: ReadPlan): SQL {
  const locales = versions.locales ? sql` and "locale" in ${valuesOf(versions.locales)}` : sql``;
  return sql`
    select coalesce(sum("total"), 0) as "total"
    from ${sql.identifier(COUNTER_TABLE)}
    where "type" = ${type.uid} and "status" = ${versions.status}${locales}`;
}

export interface Found {
  readonly rows: readonly Row[];
  /** Absent when the plan does not count. */
  readonly total?: number;
  /** Where the next page begins; absent for the last one. */
  readonly next?: Keys;
}

type About = readonly [total: number | null, ...keys: Keys];

const aboutOf = (row: Row | undefined): About => (row ? JSON.parse(String(row[ABOUT])) : [null]);

function found(rows: readonly Row[], { count, page, cursor }: ReadPlan): Found {
  if (count !== 'query' && !cursor) return { rows };
  const there = rows.filter(({ id }) => id !== null);
  const shown = there.slice(0, page.limit);
  const [counted] = aboutOf(rows[0]);
  const [, ...keys] = aboutOf(shown.at(-1));
  return {
    rows: shown,
    ...(count === 'query' && { total: counted ?? page.start + shown.length }),
    ...(cursor && there.length > shown.length && { next: keys }),
  };
}

/** The page of a plan, and how many rows there are in all if it counts them. */
export function compileRead(plan: ReadPlan): Compiled<Found> {
  const share = shareOf(plan.ceiling, plan.selection, plan.page.limit);
  const measured = () => compilePage(plan, undefined);
  const advice = () => adviceFor(plan);
  const statement = share.rows > 0 ? { ...compilePage(plan, share), measured, advice } : { ...measured(), advice };
  const page = asked(statement, (rows) => found(rows, plan));
  if (plan.count !== 'counter') return page;
  const total = asked(toStatement(compileCounter(plan)), ([row]) => Number(row?.total ?? 0));
  return mapped(together<[Found, number]>([page, total]), ([there, all]) => ({ ...there, total: all }));
}
