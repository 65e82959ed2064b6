/**
 * @module The rows of a page: which match, which of them are shown, and where they are found.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { ReadPlan } from '../../plan/model/read-plan.ts';
import { ID } from '../../plan/model/resolve.ts';
import { isIndexable } from '../../registry/indexes.ts';
import { balanced, columnOf, commaList, integer } from '../pieces.ts';
import { rowScope } from '../scope.ts';
import { compileCondition, compileVersions, sortedValue } from './conditions.ts';
import { rangesBehind, rowsBehind } from './keyset.ts';
import { isOrdered, isSought } from './order-index.ts';
import { candidates, looksForText } from './search-index.ts';

function compileWhere(plan: ReadPlan): SQL {
  const { table } = plan.type;
  const terms = compileVersions(plan.versions, table);
  if (plan.documentId !== undefined) terms.push(sql`${columnOf(table, 'document_id')} = ${plan.documentId}`);
  if (plan.where) terms.push(...candidates(plan.where, plan.type), compileCondition(plan.where, rowScope(plan.type)));
  return balanced(terms, 'and');
}

/** Rows of a page; with a cursor one more, which tells whether there is another page. */
export const rowLimit = ({ page, cursor }: ReadPlan): SQL => integer(page.limit + (cursor ? 1 : 0));

const windowOf = (plan: ReadPlan, order: SQL): SQL =>
  sql`order by ${order} limit ${rowLimit(plan)} offset ${integer(plan.page.start)}`;

/** Behind the cursor, if there is one. */
function behindCursor({ cursor, order, type }: ReadPlan): SQL {
  return cursor?.after ? rowsBehind(order, cursor.after, rowScope(type)) : sql`1`;
}

/** The rows of a page: everything from `from` on. */
export const rowsOf = (plan: ReadPlan, order: SQL): SQL => sql`from ${sql.identifier(plan.type.table)}
  where ${balanced([compileWhere(plan), ...(plan.cursor?.after ? [behindCursor(plan)] : [])], 'and')}
  ${windowOf(plan, order)}`;

/**
 * Is a page found by the ids of its rows, which are read in full afterwards? A sort then carries ids alone, and what is
 * counted depends on how many there are.
 */
export const goesById = (plan: ReadPlan): boolean => plan.count === 'query' || !isOrdered(plan) || seeks(plan);

/** Is the place of a cursor found in an index, range by range? */
const seeks = (plan: ReadPlan): boolean => plan.cursor?.after !== undefined && isSought(plan);

/** Has a page a line even where it has no row? So beyond the first one, so that a total has its place. */
export const hasAlwaysLine = ({ page, count, cursor }: ReadPlan): boolean =>
  count === 'query' && (page.start > 0 || cursor !== undefined);

/** The ids of a page, each with its row. */
export function numberedRows(plan: ReadPlan): SQL {
  const { type } = plan;
  const table = sql.identifier(type.table);
  const isRow = sql`${columnOf(type.table, 'id')} = "$page"."id"`;
  if (hasAlwaysLine(plan)) return sql`from (select 1) left join "$page" on 1 left join ${table} on ${isRow}`;
  return sql`from "$page" cross join ${table} on ${isRow}`;
}

/** Ids of a page among the rows that match, range by range where a cursor is sought in an index. */
function idsOf(plan: ReadPlan, order: SQL): SQL {
  const { type, cursor } = plan;
  const matching = sql`select ${columnOf(type.table, 'id')} from "$match" as ${sql.identifier(type.table)}`;
  if (!cursor?.after) return sql`${matching} ${windowOf(plan, order)}`;
  if (!seeks(plan)) return sql`${matching} where ${behindCursor(plan)} ${windowOf(plan, order)}`;
  const ranges = rangesBehind(plan.order, cursor.after, rowScope(type)).map(
    (range) => sql`select * from (${matching} where ${range} ${windowOf(plan, order)})`,
  );
  return sql`select * from (${sql.join(ranges, sql` union all `)}) limit ${rowLimit(plan)}`;
}

/**
 * Is each row looked into once, for the page and the total together? So where its texts are read, and the page needs all
 * rows that match since it is sorted, by values that are short.
 */
function looksOnce(plan: ReadPlan): boolean {
  const { count, cursor, where, order, type } = plan;
  if (count !== 'query' || cursor || !where || !looksForText(where) || isOrdered(plan)) return false;
  return order.every(
    ({ steps, attribute }) => steps.length === 0 && (attribute === ID || isIndexable(attribute.name, type)),
  );
}

/** The ids of all that matches, each with what it is sorted by, and of these the ids of the page. */
function idsLookedOnce(plan: ReadPlan, page: SQL): SQL {
  const { type, order } = plan;
  const keys = order.map((_, place) => sql.identifier(`$k${place}`));
  const values = order.map((term) => sortedValue(term, rowScope(type)));
  const sorted = keys.map((key, place) => (order[place]?.descending ? sql`${key} desc` : key));
  return sql`
    with "$match" ("id", ${commaList(keys)}) as materialized (
        select ${columnOf(type.table, 'id')}, ${commaList(values)}
        from ${sql.identifier(type.table)}
        where ${compileWhere(plan)}
      ),
      "$page" ("id") as materialized (select "id" from "$match" ${windowOf(plan, commaList(sorted))})
    ${page}`;
}

/**
 * The ids of a page, as `$page`. What matches has its condition once, as `$match`: a name for it that SQLite puts into
 * every place by itself.
 */
export function withIds(plan: ReadPlan, order: SQL, page: SQL): SQL {
  if (looksOnce(plan)) return idsLookedOnce(plan, page);
  const table = sql.identifier(plan.type.table);
  const id = columnOf(plan.type.table, 'id');
  if (plan.count !== 'query' && !seeks(plan))
    return sql`with "$page" ("id") as materialized (select ${id} ${rowsOf(plan, order)}) ${page}`;
  return sql`
    with "$match" as not materialized (select * from ${table} where ${compileWhere(plan)}),
      "$page" ("id") as ${plan.count === 'query' ? sql`materialized` : sql`not materialized`} (${idsOf(plan, order)})
    ${page}`;
}
