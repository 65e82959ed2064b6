/**
 * @module ReadPlan → statements: the page, and the count if it is asked for.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { ReadPlan } from '../plan/read-plan.ts';
import { ID } from '../plan/resolve.ts';
import type { ScalarAttribute } from '../registry/model.ts';
import { COUNTER_TABLE, OVERFLOW_COLUMN } from '../registry/names.ts';
import type { Row } from './batch.ts';
import { bytesOf, isWithin, type Share, shareOf, unless } from './ceiling.ts';
import { asked, type Compiled, mapped, together } from './compiled.ts';
import { compileCondition, compileOrder, compileVersions } from './conditions.ts';
import { compileMeasure } from './measure.ts';
import { jsonRow, populateValues } from './populate.ts';
import { rowScope, type Scope } from './scope.ts';
import { candidates } from './search-index.ts';
import { balanced, columnOf, commaList, identifier, type Statement, toStatement, valuesOf } from './statement.ts';

/** Column of a page: the locale of the row, then the values of what is populated. */
export const POPULATED = '$populated';

/** Column of what is said of the page as a whole: the total, where it was counted. D1 stops at 100 columns. */
const ABOUT = '$about';

/** Columns of a page: document_id, then the shown attributes. Whole numbers beyond 2^53 come as text. */
function selectList(attributes: readonly ScalarAttribute[], table: string): SQL[] {
  const columns = [columnOf(table, 'document_id')];
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
  if (plan.where) terms.push(...candidates(plan.where, plan.type), compileCondition(plan.where, rowScope(plan.type)));
  return balanced(terms, 'and');
}

/** Rows beyond 2^53 do not exist; SQLite refuses offsets that are no 64-bit integer. */
const integer = (value: number): SQL => sql`cast(${Math.min(value, Number.MAX_SAFE_INTEGER)} as integer)`;

const windowOf = ({ page: { limit, start } }: ReadPlan, order: SQL): SQL =>
  sql`order by ${order} limit ${integer(limit)} offset ${integer(start)}`;

/** The rows of a page: everything from `from` on. */
const rowsOf = (plan: ReadPlan, order: SQL): SQL => sql`from ${identifier(plan.type.table)}
  where ${compileWhere(plan)}
  ${windowOf(plan, order)}`;

/**
 * Is a page found by the ids of its rows, which are read in full afterwards? A sort then carries ids alone, and what is
 * counted depends on how many there are.
 */
const goesById = ({ order, count }: ReadPlan): boolean => count === 'query' || order[0]?.attribute !== ID;

/** The ids of a page, each with its row; beyond the first page at least one line, so that a total has its place. */
function numberedRows({ type, page, count }: ReadPlan): SQL {
  const table = identifier(type.table);
  const isRow = sql`${columnOf(type.table, 'id')} = "$page"."id"`;
  if (count === 'query' && page.start > 0)
    return sql`from (select 1) left join "$page" on 1 left join ${table} on ${isRow}`;
  return sql`from "$page" cross join ${table} on ${isRow}`;
}

/**
 * The ids of a page, as `$page`. What is counted has its condition once, as `$match`: a name for it that SQLite puts into
 * both places by itself.
 */
function withIds(plan: ReadPlan, order: SQL, page: SQL): SQL {
  const table = identifier(plan.type.table);
  const id = columnOf(plan.type.table, 'id');
  if (plan.count !== 'query')
    return sql`with "$page" ("id") as materialized (select ${id} ${rowsOf(plan, order)}) ${page}`;
  return sql`
    with "$match" as not materialized (select * from ${table} where ${compileWhere(plan)}),
      "$page" ("id") as materialized (select ${id} from "$match" as ${table} ${windowOf(plan, order)})
    ${page}`;
}

/** How many rows there are in all, where the rows of the page do not tell: a page that is not full is the last one. */
function aboutPage(plan: ReadPlan): readonly SQL[] {
  if (plan.count !== 'query') return [];
  const { start, limit } = plan.page;
  const least = start > 0 ? sql`1` : sql`0`;
  const isLast = sql`(select count(*) from "$page") between ${least} and ${integer(limit - 1)}`;
  return [sql`iif(${isLast}, null, (select count(*) from "$match")) as ${sql.identifier(ABOUT)}`];
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
  const scope = rowScope(type) as Extract<Scope, { kind: 'row' }>;
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
  const most = integer(plan.page.limit);
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
}

const found = (rows: readonly Row[], { count, page }: ReadPlan): Found => {
  if (count !== 'query') return { rows };
  const there = rows.filter(({ id }) => id !== null);
  const counted = rows[0]?.[ABOUT] ?? null;
  return { rows: there, total: counted === null ? page.start + there.length : Number(counted) };
};

/** The page of a plan, and how many rows there are in all if it counts them. */
export function compileRead(plan: ReadPlan): Compiled<Found> {
  const share = shareOf(plan.ceiling, plan.selection, plan.page.limit);
  const measured = () => compilePage(plan, undefined);
  const statement = share.rows > 0 ? { ...compilePage(plan, share), measured } : measured();
  const page = asked(statement, (rows) => found(rows, plan));
  if (plan.count !== 'counter') return page;
  const total = asked(toStatement(compileCounter(plan)), ([row]) => Number(row?.total ?? 0));
  return mapped(together<[Found, number]>([page, total]), ([there, all]) => ({ ...there, total: all }));
}
