/**
 * @module Slices of lists: SQL of the rows that one has, chosen by their ids before any is read in full.
 */
import { type SQL, type SQLChunk, sql } from 'drizzle-orm';
import type { Slice } from '../../../common/slice.ts';
import type { PopulatedRows } from '../../plan/model/read-plan.ts';
import { columnOf, commaList, integer } from '../pieces.ts';
import type { RowScope } from '../scope.ts';
import { ifFits } from './ceiling.ts';
import { compileCondition, sortedValue } from './conditions.ts';
import { aliases, type Joined, joinOf, seenLinks, type TypedParts, typedLinks } from './joins.ts';

/** Rows that one list may read where it reads more than it shows; undefined if that was measured. */
export type ScanLimit = number | undefined;

interface List extends Pick<Joined, 'from' | 'where'> {
  readonly slice: Slice;
  readonly id: SQL;
  /** The stored order, which an index has, or that of a sort. */
  readonly keys: readonly SQL[];
  readonly isSorted: boolean;
  /** For each key. */
  readonly directions: readonly SQL[];
  /** Absent: all rows are shown. */
  readonly shown?: SQL | undefined;
  /** Does a filter of the request hide some? */
  readonly isFiltered: boolean;
  /** Null for a row that the caller may not see, which is not counted; absent: all are seen. */
  readonly seen?: SQL;
}

const keyOf = (index: number): string => `k${index}`;

const limitOf = ({ limit, start }: Slice): SQL =>
  sql`limit ${limit === undefined ? sql`-1` : integer(limit)} offset ${integer(start)}`;

/**
 * Selects the ids and keys of a slice. In the stored order SQLite stops after its last row. A list that may read more than
 * it shows numbers its rows, and fails at the first beyond the limit.
 */
function chosen(list: List, maxScannedRows: ScanLimit): SQL {
  const { slice, id, keys, isSorted, directions, shown, isFiltered, seen, from, where } = list;
  const columns = commaList([
    sql`${id} as "id"`,
    ...keys.map((key, index) => sql`${key} as ${sql.identifier(keyOf(index))}`),
  ]);
  const order = (values: readonly SQLChunk[]) =>
    commaList(values.map((value, index) => sql`${value}${directions[index]}`));
  const isBounded = maxScannedRows !== undefined && (isSorted || isFiltered || slice.start > maxScannedRows);
  if (!isBounded) {
    const all = shown ? sql`(${where} and ${shown})` : where;
    return sql`select ${columns} from ${from} where ${all} order by ${order(keys)} ${limitOf(slice)}`;
  }
  const names = keys.map((_, index) => sql.identifier(keyOf(index)));
  // Rows come in the order of the window, so that no sort has to read them all first.
  const window = isSorted ? sql`` : sql`order by ${order(keys)}`;
  const number = seen
    ? sql`count(${seen}) over (${window} rows unbounded preceding)`
    : sql`row_number() over (${window})`;
  const rows = sql`
    select ${columns}, ${shown ?? sql`1`} as "shown", ${number} as "number"
    from ${from}
    where ${where}`;
  return sql`
    select ${commaList([sql`"id"`, ...names])}
    from (${rows})
    where ${ifFits(sql`"number" <= ${maxScannedRows}`, sql`"shown"`)}
    ${isSorted ? sql`order by ${order(names)}` : sql``} ${limitOf(slice)}`;
}

/** Selects the ids of the rows of a slice, and what they are sorted by. @param joined the list */
function chosenRows({ order, where }: PopulatedRows, slice: Slice, joined: Joined, maxScannedRows: ScanLimit) {
  const { scope } = joined;
  const isSorted = order.length > 0;
  const keys = isSorted ? order.map((term) => sortedValue(term, scope)) : joined.rank;
  const directions = keys.map((_, index) => (order[index]?.descending ? sql` desc` : sql``));
  const shown = where && compileCondition(where, scope);
  const list = {
    ...joined,
    slice,
    id: columnOf(scope.alias, 'id'),
    keys,
    isSorted,
    directions,
    shown,
    isFiltered: shown !== undefined,
  };
  return { rows: chosen(list, maxScannedRows), directions };
}

const isIn = (id: SQL, rows: SQL): SQL => sql`${id} in (select "id" from (${rows}))`;

/** The rows of a slice, in its order. */
export function slicedRows(node: PopulatedRows, slice: Slice, outer: RowScope, maxScannedRows: ScanLimit): Joined {
  const joined = joinOf(node, outer, compileCondition);
  const { rows, directions } = chosenRows(node, slice, joined, maxScannedRows);
  const { alias, type } = joined.scope;
  const { chosen: list } = aliases(outer);
  return {
    from: sql`(${rows}) as ${sql.identifier(list)}
      cross join ${sql.identifier(type.table)} as ${sql.identifier(alias)} on ${columnOf(alias, 'id')} = ${columnOf(list, 'id')}`,
    where: sql`1`,
    rank: directions.map((direction, index) => sql`${columnOf(list, keyOf(index))}${direction}`),
    scope: joined.scope,
  };
}

/** The same without an order, to be joined to rows of `outer` in one `from`. */
export function rowsInSlice(node: PopulatedRows, slice: Slice, outer: RowScope): Omit<Joined, 'rank'> {
  const joined = joinOf(node, outer, compileCondition);
  const { alias, type } = joined.scope;
  return {
    from: sql`${sql.identifier(type.table)} as ${sql.identifier(alias)}`,
    where: isIn(columnOf(alias, 'id'), chosenRows(node, slice, joined, undefined).rows),
    scope: joined.scope,
  };
}

/** Is a link of `outer` one of a slice of its links to several types? */
export function isLinkInSlice(parts: TypedParts, slice: Slice, outer: RowScope, maxScannedRows: ScanLimit): SQL {
  const isFiltered = parts.some((part) => part.where);
  const { value, rank, ...links } = typedLinks(parts, outer, compileCondition, (part, target) =>
    part.where ? sql`iif(${compileCondition(part.where, target)}, 1, null)` : sql`1`,
  );
  const id = columnOf(aliases(outer).link, 'rowid');
  const list = { ...links, slice, id, keys: rank, directions: rank.map(() => sql``), isSorted: false };
  const seen = seenLinks(parts, outer, compileCondition);
  return isIn(id, chosen({ ...list, shown: sql`${value} is not null`, isFiltered, seen }, maxScannedRows));
}
