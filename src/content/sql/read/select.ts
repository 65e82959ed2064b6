/**
 * @module ReadPlan → statements: the page, and the total if the plan counts.
 */
import { type SQL, sql } from 'drizzle-orm';
import { memoized } from '../../../common/cache.ts';
import { responseTooLarge } from '../../../common/errors.ts';
import { type JsonObject, readList } from '../../../common/json.ts';
import type { Keys } from '../../plan/model/page-cursor.ts';
import type { ReadPlan } from '../../plan/model/read-plan.ts';
import { onceFor, selectedColumns } from '../columns.ts';
import { type Compiled, constant, mapped, query, together } from '../compiled.ts';
import { withValue } from '../drizzle-pieces.ts';
import { columnOf, commaList, integer } from '../pieces.ts';
import { filled, rendered, toStatement } from '../render.ts';
import { rowScope } from '../scope.ts';
import type { MeasuredPage, PageStatement, Results, Row, ValueStatement } from '../statement.ts';
import { counters } from '../system-tables.ts';
import { adviceFor } from './advice.ts';
import { bytesOf, bytesOfScalars, ifFits, isWithin, type Share, shareOf } from './ceiling.ts';
import { compileOrder } from './conditions.ts';
import { compileFacets } from './facets.ts';
import { orderKey } from './keyset.ts';
import { compileMeasure } from './measure.ts';
import {
  alwaysReturnsRow,
  numberedRows,
  orderOfPage,
  rowLimit,
  rowsOf,
  scansOnce,
  selectsIdsFirst,
  withPageTables,
} from './page-rows.ts';
import { jsonRow, ownValues, plainRow, populateValues } from './populate.ts';
import { type SplitPopulate, splitPopulate } from './split.ts';

/** Columns of a page: `ownValues` as JSON; the locale and the values of the populate; the total and cursor values. */
const ROW = '$row';
const POPULATED = '$populated';
const PAGE_INFO = '$about';

/** `ownValues` as columns, without the id. */
const otherColumns = onceFor((attributes, table): readonly SQL[] => [
  columnOf(table, 'document_id'),
  ...selectedColumns(attributes, table),
]);

/** The `plainRow` of a row that has as many bytes as the placeholder, or less. */
const rowWithin = onceFor((attributes, table) => {
  const [id, ...others] = ownValues(attributes, table);
  const fits = sql`${bytesOfScalars(attributes, table)} <= ${sql.placeholder('bytes')}`;
  return rendered(jsonRow([ifFits(fits, id as SQL), ...others]));
});

/** The values of a measured row, whose JSON may exceed the size of a value. */
const measuredRow = ({ selection, type }: ReadPlan, id: SQL): readonly SQL[] => [
  sql`${id} as "id"`,
  ...otherColumns(selection.attributes, type.table),
];

/**
 * The values of a row as JSON in one column, since D1 takes longer to build an object of twenty columns than SQLite to
 * write JSON.
 */
function jsonOf(plan: ReadPlan, row: SQL): readonly SQL[] {
  const id = columnOf(plan.type.table, 'id');
  return [sql`${alwaysReturnsRow(plan) ? sql`iif(${id} is null, null, ${row})` : row} as ${sql.identifier(ROW)}`];
}

/** The total; null on the last page, whose rows show it. A page that is not full is the last one. */
function totalOf(plan: ReadPlan): SQL {
  const {
    page: { start, limit },
    cursor,
  } = plan;
  if (start === 0 && scansOnce(plan)) return sql`"$page"."$total"`;
  const all = sql`(select count(*) from "$match")`;
  if (cursor) return all;
  const isLast = sql`(select count(*) from "$page") between ${sql`${start > 0 ? 1 : 0}`} and ${integer(limit - 1)}`;
  return sql`iif(${isLast}, null, ${all})`;
}

function aboutPage(plan: ReadPlan): readonly SQL[] {
  const counts = plan.count === 'query';
  if (!counts && !plan.cursor) return [];
  const keys = plan.cursor ? plan.order.map((term) => orderKey(term, rowScope(plan.type))) : [];
  const about = sql`json_array(${commaList([counts ? totalOf(plan) : sql`null`, ...keys])})`;
  return [sql`${about} as ${sql.identifier(PAGE_INFO)}`];
}

/** @param share of each row; undefined if the response is measured first */
function plainPage(plan: ReadPlan, order: SQL, share: Share | undefined) {
  const { type, selection } = plan;
  const own = share
    ? jsonOf(plan, withValue(rowWithin(selection.attributes, type.table), share.bytes))
    : measuredRow(plan, columnOf(type.table, 'id'));
  const columns = [...own, ...aboutPage(plan)];
  const from = selectsIdsFirst(plan) ? sql`${numberedRows(plan)} order by ${order}` : rowsOf(plan, order);
  return { sql: sql`select ${commaList(columns)} ${from}`, width: columns.length };
}

/** Selects the page first, and populates only its rows. */
function populatedPage(plan: ReadPlan, order: SQL, share: Share | undefined) {
  const { type, selection } = plan;
  const scope = rowScope(type);
  const json = sql`${sql.identifier(POPULATED)}`;
  const populated = [
    columnOf(type.table, 'locale'),
    ...populateValues(selection.populate, scope, share?.maxScannedRows),
  ];
  const columns = [
    ...(share
      ? jsonOf(plan, plainRow(selection.attributes, type.table))
      : measuredRow(plan, columnOf(type.table, 'id'))),
    sql`${jsonRow(populated)} as ${json}`,
    ...(share ? [sql`${bytesOf(selection, type.table)} as "$bytes"`] : []),
    ...aboutPage(plan),
  ];
  const from = selectsIdsFirst(plan)
    ? numberedRows(plan)
    : sql`from (select * ${rowsOf(plan, order)}) as ${sql.identifier(type.table)}`;
  // The limit and the condition keep SQLite from building the JSON once for each use.
  const page = sql`(
    select ${commaList(columns)}
    ${from}
    order by ${order}
    limit ${rowLimit(plan)}
  )`;
  const fits = share ? sql` where ${ifFits(isWithin(json, sql`"$bytes"`, share), sql`1`)}` : sql``;
  return { sql: sql`select * from ${page}${fits}`, width: columns.length };
}

function compilePage(plan: ReadPlan, share: Share | undefined): PageStatement {
  const order = orderOfPage(plan);
  const pageOf = plan.selection.populate.length === 0 ? plainPage : populatedPage;
  const { sql: page, width } = pageOf(plan, order, share);
  return { ...toStatement(withPageTables(plan, order, page)), kind: 'page', width };
}

/** Without locales, the total of all. */
const counterOf = memoized((hasLocales: boolean) => {
  const ofLocales = sql` and ${counters.locale} in (select value from json_each(${sql.placeholder('locales')}))`;
  return toStatement(sql`
    select coalesce(sum(${counters.total}), 0) as "total"
    from ${counters}
    where ${counters.type} = ${sql.placeholder('type')} and ${counters.status} = ${sql.placeholder('status')}${hasLocales ? ofLocales : sql``}`);
});

function compileCounter({ type, versions: { status, locales } }: ReadPlan): ValueStatement {
  const values = { type: type.uid, status, locales: JSON.stringify(locales) };
  return { ...filled(counterOf(locales !== undefined), values), kind: 'value', columns: ['total'], unguarded: false };
}

export interface FoundPage {
  readonly rows: readonly Row[];
  /** Absent if the plan does not count. */
  readonly total?: number;
  /** Absent if the plan has none. */
  readonly facets?: JsonObject;
  /** The start of the next page; absent on the last one. */
  readonly next?: Keys;
}

type About = readonly [total: number | null, ...keys: Keys];

const aboutOf = (row: Row | undefined): About => (row ? JSON.parse(String(row[PAGE_INFO])) : [null]);

function decodePage(rows: readonly Row[], { count, page, cursor }: ReadPlan): FoundPage {
  if (count !== 'query' && !cursor) return { rows };
  const found = rows.filter(({ id, [ROW]: row = id }) => row !== null);
  const shown = found.slice(0, page.limit);
  const [counted] = aboutOf(rows[0]);
  const [, ...keys] = aboutOf(shown.at(-1));
  return {
    rows: shown,
    ...(count === 'query' && { total: counted ?? page.start + shown.length }),
    ...(cursor && found.length > shown.length && { next: keys }),
  };
}

function measuredPage(plan: ReadPlan): MeasuredPage {
  const measure = compileMeasure(plan, rowsOf(plan, compileOrder(plan.order, rowScope(plan.type))));
  return [toStatement(measure), compilePage(plan, undefined)];
}

interface PartialPage extends FoundPage {
  /** Characters of the populated values. */
  readonly size: number;
}

/** Reads a page in one statement, or in two with the one that measures the response. */
function pageInOne(plan: ReadPlan) {
  const { selection, ceiling, page } = plan;
  const share = shareOf(ceiling, selection, page.limit);
  const measured = () => measuredPage(plan);
  const advice = () => adviceFor(plan);
  const statements = share.rows > 0 ? [{ ...compilePage(plan, share), measured }] : measured();
  const own = statements.at(-1) as PageStatement;
  const decode = (results: Results): PartialPage => {
    const found = decodePage(results.at(-1) ?? [], plan);
    const size = found.rows.reduce((sum, row) => sum + String(row[POPULATED] ?? '').length, 0);
    return { ...found, size };
  };
  return { length: own.sql.length, statements: [...statements.slice(0, -1), { ...own, advice }], decode };
}

const valuesIn = (row: Row | undefined): readonly unknown[] => readList(row?.[POPULATED]).flat();

function mergePages(first: PartialPage, second: PartialPage, { merge }: SplitPopulate): PartialPage {
  const rows = first.rows.map((row, index) => {
    const [[locale, ...values], [, ...others]] = [valuesIn(row), valuesIn(second.rows[index])];
    return { ...row, [POPULATED]: [[locale, ...merge(values, others)]] };
  });
  return { ...first, rows, size: first.size + second.size };
}

/** Characters of a page beyond which the populates are read apart: its measure may take twice as many. */
const MAX_PAGE = 40_000;

/** Reads a page, in several statements that read the same rows if one would be too long. */
function readPage(plan: ReadPlan): Compiled<PartialPage> {
  const { selection, ceiling } = plan;
  const whole = pageInOne(plan);
  const split = whole.length > MAX_PAGE ? splitPopulate(selection.populate) : undefined;
  if (!split) return whole;
  const [first, second] = split.halves;
  const halves = [
    readPage({ ...plan, selection: { ...selection, populate: first } }),
    readPage({ ...plan, selection: { attributes: [], populate: second }, count: 'none' }),
  ] as const;
  return mapped(together([...halves]), ([one, other]) => {
    const merged = mergePages(one, other, split);
    // `answerRows` applies to each half.
    if (merged.size > ceiling.bytes) throw responseTooLarge('answerBytes', ceiling.bytes);
    return merged;
  });
}

export function compileRead(plan: ReadPlan): Compiled<FoundPage> {
  const total =
    plan.count === 'counter'
      ? query(compileCounter(plan), ([row]) => ({ total: Number(row?.total ?? 0) }))
      : constant({});
  return mapped(together([readPage(plan), total, compileFacets(plan)]), ([found, ...more]) =>
    Object.assign({}, found, ...more),
  );
}
