/**
 * @module The limits of a response, asserted in SQL. Each row of a page is compared with its fair share of them, which
 * costs next to nothing. If one exceeds it, the read is repeated with the whole response measured first.
 */
import { type SQL, sql } from 'drizzle-orm';
import { FIELDS } from '../../../schema/fields.ts';
import type { ScalarAttribute } from '../../../schema/model.ts';
import { isBlocks, isMixedNode, isUsage, selectionsOf } from '../../plan/model/node-kinds.ts';
import type { Ceiling, Populate, PopulatedRows, PopulatedTypes, Selection } from '../../plan/model/read-plan.ts';
import { onceFor } from '../columns.ts';
import { balanced, columnOf } from '../pieces.ts';
import { rendered } from '../render.ts';
import { storedExpression } from '../scope.ts';
import { SHARE } from '../statement.ts';

/** Estimated bytes of a row, and of each of its values, without long texts. */
const ROW_BYTES = 60;
const VALUE_BYTES = 20;

const isLong = ({ type }: ScalarAttribute): boolean => FIELDS[type].length !== 'short';

const bytesOfValue = (value: SQL): SQL => sql`ifnull(octet_length(${value}), 0)`;
const lengthOf = (table: string, column: string): SQL => bytesOfValue(columnOf(table, column));

/** Estimated bytes of the scalars of a row; `octet_length` reads no text. */
export const bytesOfScalars = onceFor((attributes, table) => {
  const lengths = attributes.filter(isLong).map((attribute) => bytesOfValue(storedExpression(attribute, table)));
  return rendered(balanced([sql`${ROW_BYTES + VALUE_BYTES * attributes.length}`, ...lengths], '+'));
});

/** Estimated bytes of a row without populated rows. */
export function bytesOf({ attributes, populate }: Selection, table: string): SQL {
  const components = new Set(populate.filter(isBlocks).map(({ attribute }) => attribute.column));
  return balanced(
    [bytesOfScalars(attributes, table), ...[...components].map((column) => lengthOf(table, column))],
    '+',
  );
}

const below = (node: Populate): readonly Populate[] => selectionsOf(node).flatMap(({ populate }) => populate);

/** Does the database read more rows of the list than the response has? */
export function readsMore(node: PopulatedRows | PopulatedTypes): boolean {
  const isFiltered = isMixedNode(node) ? node.parts.some(({ where }) => where) : node.where !== undefined;
  if (isFiltered || node.count || node.withCount) return true;
  // A slice skips rows, or all are read to sort them.
  return node.slice !== undefined && (node.slice.start > 0 || (!isMixedNode(node) && node.order.length > 0));
}

/** Depths, among lists, of all lists of which it reads more rows. */
function filteredDepths(nodes: readonly Populate[], depth = 1): readonly number[] {
  return nodes.flatMap((node) => {
    if (isUsage(node) || isBlocks(node)) return filteredDepths(below(node), depth);
    const own = readsMore(node) ? [depth] : [];
    return [...own, ...filteredDepths(below(node), depth + Number(node.multiple))];
  });
}

/** The limits of one row of a page, with its populated rows. */
export interface Share {
  readonly bytes: number;
  readonly rows: number;
  /** Rows that one list with a filter or a count may read. */
  readonly maxScannedRows: number;
}

/** Bytes of the JSON of the smallest populated row. */
const MIN_ROW = 32;
const MIN_SCANNED_ROWS = 16;

export function shareOf(ceiling: Ceiling, { populate }: Selection, limit: number): Share {
  const rows = Math.max(0, Math.floor(ceiling.rows / limit) - 1);
  const depths = filteredDepths(populate);
  const maxScannedRows = Math.max(
    MIN_SCANNED_ROWS,
    Math.floor(rows ** (1 / Math.max(1, ...depths)) / Math.max(1, depths.length)),
  );
  return { bytes: Math.floor(ceiling.bytes / limit), rows, maxScannedRows };
}

const failure = (code: string): SQL => sql`json_extract('{}', ${code})`;

const EXCEEDED = failure(SHARE);

/** Returns the value, or fails if the share is exceeded. */
export const ifFits = (fits: SQL, value: SQL): SQL => sql`case when ${fits} then ${value} else ${EXCEEDED} end`;

/** Every populated row begins with two brackets. They are counted only in JSON that is long enough for too many. */
export function isWithin(json: SQL, bytes: SQL, share: Share): SQL {
  const size = sql`octet_length(${json})`;
  const brackets = sql`(${size} - octet_length(replace(${json}, '[[', ''))) / 2`;
  const few = sql`(${size} <= ${share.rows * MIN_ROW} or ${brackets} <= ${share.rows})`;
  return sql`${size} + ${bytes} <= ${share.bytes} and ${few}`;
}

/** Returns 1, or fails with the code of the limit that the response exceeds, such as `LIMIT answerRows 20000`. */
export const assertCeiling = (ceiling: Ceiling, rows: SQL, bytes: SQL): SQL => sql`case
  when ${rows} > ${ceiling.rows} then ${failure(`LIMIT answerRows ${ceiling.rows}`)}
  when ${bytes} > ${ceiling.bytes} then ${failure(`LIMIT answerBytes ${ceiling.bytes}`)}
  else 1
end`;
