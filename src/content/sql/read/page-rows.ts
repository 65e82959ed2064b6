/**
 * @module The rows of a page.
 */
import { type SQL, sql } from 'drizzle-orm';
import { isIndexable } from '../../../schema/indexes.ts';
import type { ReadPlan } from '../../plan/model/read-plan.ts';
import { ID } from '../../plan/model/resolve.ts';
import { joined } from '../drizzle-pieces.ts';
import { balanced, columnOf, commaList, integer, withTables } from '../pieces.ts';
import { rowScope } from '../scope.ts';
import { compileVersions } from '../versions.ts';
import { compileCondition, compileOrder, sortedValue } from './conditions.ts';
import { rangesBehind, rowsBehind } from './keyset.ts';
import { isOrdered, isSought } from './order-index.ts';
import { candidates, looksForText, searchTables } from './search-index.ts';

/** Conditions but that of the chain. */
function compileMatch(plan: ReadPlan): SQL {
  const { table } = plan.type;
  const terms = compileVersions(plan.versions, table);
  if (plan.documentId !== undefined) terms.push(sql`${columnOf(table, 'document_id')} = ${plan.documentId}`);
  if (plan.lookup) terms.push(sql`${columnOf(table, plan.lookup.attribute.column)} = ${plan.lookup.value}`);
  if (plan.where) terms.push(...candidates(plan.where, plan.type), compileCondition(plan.where, rowScope(plan.type)));
  return balanced(terms, 'and');
}

/** The rows of all pages. */
export const compileWhere = (plan: ReadPlan): SQL =>
  balanced([compileMatch(plan), ...(plan.chain ? [compileCondition(plan.chain, rowScope(plan.type))] : [])], 'and');

/** With a cursor one more row, which shows whether there is another page. */
export const rowLimit = ({ page, cursor }: ReadPlan): SQL => integer(page.limit + (cursor ? 1 : 0));

const windowOf = (plan: ReadPlan, order: SQL): SQL =>
  sql`order by ${order} limit ${rowLimit(plan)} offset ${integer(plan.page.start)}`;

const behindCursor = ({ cursor, order, type }: ReadPlan): readonly SQL[] =>
  cursor?.after ? [rowsBehind(order, cursor.after, rowScope(type))] : [];

/** Of one document, of which one row remains, the first locale of the chain is looked at first. */
function orderOfChain({ type, documentId, versions }: ReadPlan, order: SQL): SQL {
  if (documentId === undefined && type.kind !== 'singleType') return order;
  const ranks = (versions.locales ?? []).map((locale, rank) => sql`when ${locale} then ${integer(rank)}`);
  return sql`case ${columnOf(type.table, 'locale')} ${joined(ranks, sql` `)} end`;
}

/** The rows of a page, as SQL from `from` on. */
export function rowsOf(plan: ReadPlan, order: SQL): SQL {
  const table = sql.identifier(plan.type.table);
  const matching = sql`from ${table}
  where ${balanced([compileMatch(plan), ...behindCursor(plan)], 'and')}`;
  if (!plan.chain)
    return sql`${matching}
  ${windowOf(plan, order)}`;
  const [id, document, locale] = ['id', 'document_id', 'locale'].map((name) => columnOf(plan.type.table, name));
  // The limit keeps SQLite from looking for earlier locales of rows behind the page.
  const ids = sql`
    select "id"
    from (select ${id}, ${document}, ${locale} ${matching} order by ${orderOfChain(plan, order)} limit -1) as ${table}
    where ${compileCondition(plan.chain, rowScope(plan.type))}
    limit ${rowLimit(plan)} offset ${integer(plan.page.start)}`;
  // D1 limits the depth of expressions: the conditions of a list add to it, unless they are in its `from`.
  return sql`from ${table}
  where ${id} in (select "id" from (${ids}))
  order by ${order}`;
}

/** Does the page select the ids of its rows first? A sort then moves only ids, and a total is counted if needed. */
export const selectsIdsFirst = (plan: ReadPlan): boolean => plan.count === 'query' || !isOrdered(plan) || seeks(plan);

/** Does an index find the rows behind the cursor, range by range? */
const seeks = (plan: ReadPlan): boolean => plan.cursor?.after !== undefined && isSought(plan);

/** Must an empty page return a row, for the total? */
export const alwaysReturnsRow = ({ page, count, cursor }: ReadPlan): boolean =>
  count === 'query' && (page.start > 0 || cursor !== undefined);

/** The ids of a page with their rows, as SQL from `from` on. */
export function numberedRows(plan: ReadPlan): SQL {
  const { type } = plan;
  const table = sql.identifier(type.table);
  const isRow = sql`${columnOf(type.table, 'id')} = "$page"."id"`;
  if (alwaysReturnsRow(plan)) return sql`from (select 1) left join "$page" on 1 left join ${table} on ${isRow}`;
  return sql`from "$page" cross join ${table} on ${isRow}`;
}

function idsOf(plan: ReadPlan, order: SQL): SQL {
  const { type, cursor } = plan;
  const matching = sql`select ${columnOf(type.table, 'id')} from "$match" as ${sql.identifier(type.table)}`;
  if (!cursor?.after) return sql`${matching} ${windowOf(plan, order)}`;
  if (!seeks(plan)) return sql`${matching} where ${balanced(behindCursor(plan), 'and')} ${windowOf(plan, order)}`;
  const ranges = rangesBehind(plan.order, cursor.after, rowScope(type)).map(
    (range) => sql`select * from (${matching} where ${range} ${windowOf(plan, order)})`,
  );
  return sql`select * from (${joined(ranges, sql` union all `)}) limit ${rowLimit(plan)}`;
}

/** Does one scan serve page and total? For text searches sorted by short values, which need all rows that match. */
export function scansOnce(plan: ReadPlan): boolean {
  const { count, cursor, where, order, type } = plan;
  if (count !== 'query' || cursor || !where || !looksForText(where) || isOrdered(plan)) return false;
  return order.every(
    ({ steps, attribute, rank }) =>
      steps.length === 0 && (attribute === ID || rank || isIndexable(attribute.name, type)),
  );
}

const keyOf = (index: number): SQL => sql`${sql.identifier(`$k${index}`)}`;

/** The order of a page: where one scan serves it, by the values that the scan has. */
export function orderOfPage(plan: ReadPlan): SQL {
  if (!scansOnce(plan)) return compileOrder(plan.order, rowScope(plan.type));
  return commaList(plan.order.map(({ descending }, index) => (descending ? sql`${keyOf(index)} desc` : keyOf(index))));
}

/** The ids of all rows that match, with their sort values, and of these the page, with the total. */
function scannedIds(plan: ReadPlan, order: SQL): readonly SQL[] {
  const { type } = plan;
  const values = plan.order.map((term, index) => sql`${sortedValue(term, rowScope(type))} as ${keyOf(index)}`);
  return [
    sql`"$match" as materialized (
      select ${columnOf(type.table, 'id')} as "id", ${commaList(values)}
      from ${sql.identifier(type.table)}
      where ${compileWhere(plan)}
    )`,
    sql`"$page" as materialized (select *, count(*) over () as "$total" from "$match" ${windowOf(plan, order)})`,
  ];
}

/** Tables that name the ids of a page `$page`, and the rows that match `$match`, which SQLite inlines. */
function pageTables(plan: ReadPlan, order: SQL): readonly SQL[] {
  if (!selectsIdsFirst(plan)) return [];
  if (scansOnce(plan)) return scannedIds(plan, order);
  const table = sql.identifier(plan.type.table);
  const id = columnOf(plan.type.table, 'id');
  if (plan.count !== 'query' && !seeks(plan))
    return [sql`"$page" ("id") as materialized (select ${id} ${rowsOf(plan, order)})`];
  return [
    sql`"$match" as not materialized (select * from ${table} where ${compileWhere(plan)})`,
    sql`"$page" ("id") as ${plan.count === 'query' ? sql`materialized` : sql`not materialized`} (${idsOf(plan, order)})`,
  ];
}

/** Returns a page with the tables that it needs. */
export const withPageTables = (plan: ReadPlan, order: SQL, page: SQL): SQL =>
  withTables([...searchTables(plan.where), ...pageTables(plan, order)], page);
