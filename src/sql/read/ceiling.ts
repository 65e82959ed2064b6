/**
 * @module How much one answer may hold, checked in SQL before it leaves the database. Each row of a page is compared with
 * its fair share of the answer, which costs next to nothing. Only when one exceeds it is the read repeated with the whole
 * answer measured first.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Ceiling, Populate, PopulatedRows, Selection } from '../../plan/model/read-plan.ts';
import { FIELDS } from '../../registry/fields.ts';
import type { ScalarAttribute } from '../../registry/model.ts';
import { OVERFLOW_COLUMN } from '../../registry/names.ts';
import { onceFor } from '../columns.ts';
import { balanced, columnOf } from '../pieces.ts';
import { SHARE } from '../statement.ts';
import { isBlocks } from './references.ts';

/** Bytes of a row in an answer, and of each of its values, besides its texts. */
const ROW_BYTES = 60;
const VALUE_BYTES = 20;

const SHORT_TEXTS = new Set(['date', 'time', 'enumeration']);
const isLong = ({ type }: ScalarAttribute): boolean => FIELDS[type].affinity === 'text' && !SHORT_TEXTS.has(type);

const lengthOf = (table: string, column: string): SQL => sql`ifnull(octet_length(${columnOf(table, column)}), 0)`;

/** Bytes of the scalars of a row: of what may be long its length, which `octet_length` tells without reading the text. */
const bytesOfScalars = onceFor((attributes, table) => {
  const columns = attributes
    .filter((attribute) => attribute.overflow || isLong(attribute))
    .map(({ overflow, column }) => (overflow ? OVERFLOW_COLUMN : column));
  const lengths = [...new Set(columns)].map((column) => lengthOf(table, column));
  return balanced([sql`${ROW_BYTES + VALUE_BYTES * attributes.length}`, ...lengths], '+');
});

/** Bytes of a row of a table, without what is populated. */
export function bytesOf({ attributes, populate }: Selection, table: string): SQL {
  const components = new Set(populate.filter(isBlocks).map(({ attribute }) => attribute.column));
  return balanced(
    [bytesOfScalars(attributes, table), ...[...components].map((column) => lengthOf(table, column))],
    '+',
  );
}

const isRows = (node: Populate): node is PopulatedRows => node.kind !== 'related' && !isBlocks(node);

const selectionsOf = (node: Populate): readonly Selection[] => {
  if (node.kind === 'related') return [];
  return node.kind === 'dynamiczone' ? [...node.parts.values()] : [node.selection];
};

const below = (node: Populate): readonly Populate[] => selectionsOf(node).flatMap(({ populate }) => populate);

/** Does the database look at rows of a list that the answer does not show? */
const looksFurther = (node: Populate): boolean => isRows(node) && (node.where !== undefined || node.count);

/** Lists of which more is looked at than is shown, and how many lists stand inside one another there at the most. */
function furtherLists(nodes: readonly Populate[], depth = 1): { readonly lists: number; readonly depth: number } {
  const found = nodes.map((node) => {
    const inner = furtherLists(below(node), depth + Number(isRows(node) && node.multiple));
    const own = Number(looksFurther(node));
    return { lists: inner.lists + own, depth: Math.max(inner.depth, own * depth) };
  });
  return {
    lists: found.reduce((sum, { lists }) => sum + lists, 0),
    depth: Math.max(1, ...found.map((each) => each.depth)),
  };
}

/** What a row of a page may have, with all that is populated, without a look at the others. */
export interface Share {
  readonly bytes: number;
  readonly rows: number;
  /** Rows that one list with a filter or a count may look at. */
  readonly looks: number;
}

/** Bytes of the JSON of the smallest populated row. */
const LEAST_ROW = 32;
/** So few rows may be looked at for each row that is shown. */
const LEAST_LOOKS = 16;

export function shareOf(ceiling: Ceiling, { populate }: Selection, limit: number): Share {
  const rows = Math.max(0, Math.floor(ceiling.rows / limit) - 1);
  const { lists, depth } = furtherLists(populate);
  const looks = Math.max(LEAST_LOOKS, Math.floor(rows ** (1 / depth) / Math.max(1, lists)));
  return { bytes: Math.floor(ceiling.bytes / limit), rows, looks };
}

const exceeded = sql`json_extract('{}', ${SHARE})`;

/** A value, where the share is not exceeded. */
export const unless = (holds: SQL, value: SQL): SQL => sql`case when ${holds} then ${value} else ${exceeded} end`;

/** Every populated row begins with two brackets; only JSON of some size can have too many. */
export function isWithin(json: SQL, bytes: SQL, share: Share): SQL {
  const size = sql`octet_length(${json})`;
  const brackets = sql`(${size} - octet_length(replace(${json}, '[[', ''))) / 2`;
  const few = sql`(${size} <= ${share.rows * LEAST_ROW} or ${brackets} <= ${share.rows})`;
  return sql`${size} + ${bytes} <= ${share.bytes} and ${few}`;
}

/** `LIMIT answerRows 20000`: what `batch.ts` turns into a refusal. */
const excess = (limit: string, most: number): SQL => sql`json_extract('{}', ${`LIMIT ${limit} ${most}`})`;

/** 1, unless the answer has too many rows or bytes: then reading it fails with the name of the limit. */
export const fitting = ({ rows, bytes }: Ceiling, counted: SQL, weighed: SQL): SQL => sql`case
  when ${counted} > ${rows} then ${excess('answerRows', rows)}
  when ${weighed} > ${bytes} then ${excess('answerBytes', bytes)}
  else 1
end`;
