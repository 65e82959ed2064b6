/**
 * @module Splits a populate that is too long for one statement into two, which read the same rows, and merges their values.
 */
import { sql } from 'drizzle-orm';
import { readList } from '../../../common/json.ts';
import { inSlice, type Slice } from '../../../common/slice.ts';
import type {
  Populate,
  PopulatedBlocks,
  PopulatedRows,
  PopulatedTypes,
  Selection,
} from '../../plan/model/read-plan.ts';
import { instancesOf } from './instances.ts';

type Values = readonly unknown[];

export interface SplitPopulate {
  readonly halves: readonly [readonly Populate[], readonly Populate[]];
  /** Merges the values of both halves, in the order of `populateValues`. */
  merge(first: Values, second: Values): Values;
}

function halvesOf<T>(list: readonly T[]): readonly [readonly T[], readonly T[]] {
  const middle = Math.ceil(list.length / 2);
  return [list.slice(0, middle), list.slice(middle)];
}

const joinValues = (first: Values, second: Values): Values => [...first, ...second];

/** id, documentId, locale, as `ownValues` lists them before the scalars. */
const IDENTITY = 3;

const idOf = (row: unknown): unknown => readList(row).flat()[0];

/** Splits the populate of rows, of which only the first half has the scalars. */
function splitSelection({ attributes, populate }: Selection) {
  const split = splitPopulate(populate);
  if (!split) return undefined;
  const own = IDENTITY + attributes.length;
  const [first, second] = split.halves;
  const selections: readonly [Selection, Selection] = [
    { attributes, populate: first },
    { attributes: [], populate: second },
  ];
  const mergeRow = (one: unknown, other: unknown): Values => {
    const [values, more] = [readList(one).flat(), readList(other).flat()];
    return [[...values.slice(0, own), ...split.merge(values.slice(own), more.slice(IDENTITY))]];
  };
  /** @param one a list of rows, and `other` the same rows: those that a sort does not tell apart may stand in another order */
  const mergeLists = (one: unknown, other: unknown): Values => {
    const rows = new Map(readList(other).map((row) => [idOf(row), row]));
    return readList(one).map((row) => mergeRow(row, rows.get(idOf(row))));
  };
  return { selections, mergeLists };
}

/** Splits a list from the number of its rows, which has its filter, too. */
const splitCount = <N extends PopulatedRows | PopulatedTypes>(node: N): SplitPopulate => ({
  halves: [[{ ...node, withCount: false }], [{ ...node, withCount: false, count: true }]],
  merge: joinValues,
});

function splitRows(node: PopulatedRows): SplitPopulate | undefined {
  if (node.withCount) return splitCount(node);
  const split = node.count ? undefined : splitSelection(node.selection);
  if (!split) return undefined;
  const [first, second] = split.selections;
  return {
    halves: [[{ ...node, selection: first }], [{ ...node, selection: second }]],
    merge: ([one], [other]) => [split.mergeLists(one, other)],
  };
}

/** Each part has the rows that may be in the slice of all. */
const widened = ({ start, limit }: Slice): Slice => ({
  start: 0,
  ...(limit !== undefined && { limit: start + limit }),
});

/** Entries of a split list have their places. */
const inOrder = (entries: Values): readonly Values[] =>
  entries.map(readList).sort((a, b) => Number(a[1]) - Number(b[1]) || Number(a[2]) - Number(b[2]));

function splitTypes(node: PopulatedTypes): SplitPopulate | undefined {
  const { parts, count, slice, only = parts } = node;
  if (node.withCount) return splitCount(node);
  if (only.length < 2) return undefined;
  const [first, second] = halvesOf(only);
  const half = slice ? { ...node, slice: widened(slice) } : node;
  return {
    halves: [[{ ...half, only: first }], [{ ...half, only: second }]],
    merge([one], [other]) {
      if (count) return [Number(one) + Number(other)];
      const entries = inSlice(inOrder([...readList(one), ...readList(other)]), slice);
      return [node.only ? entries : entries.map(([entry]) => entry)];
    },
  };
}

/** Splits the rows that the components of a column link to. Both halves have its JSON and the ids of its instances. */
function splitBlocks(node: PopulatedBlocks): SplitPopulate | undefined {
  const { shared = [] } = node;
  const repeated = 1 + instancesOf(node, sql``, '').length;
  const [only, ...others] = shared;
  if (others.length > 0) {
    const [first, second] = halvesOf(shared);
    return {
      halves: [[{ ...node, shared: first }], [{ ...node, shared: second }]],
      merge: (one, other) => [...one, ...other.slice(repeated)],
    };
  }
  const split = only && splitSelection(only.selection);
  if (!split) return undefined;
  const [first, second] = split.selections;
  return {
    halves: [
      [{ ...node, shared: [{ ...only, selection: first }] }],
      [{ ...node, shared: [{ ...only, selection: second }] }],
    ],
    merge: (one, other) => [...one.slice(0, repeated), split.mergeLists(one[repeated], other[repeated])],
  };
}

function splitNode(node: Populate): SplitPopulate | undefined {
  switch (node.kind) {
    case 'related': {
      const [first, second] = halvesOf(node.uses);
      if (second.length === 0) return undefined;
      return { halves: [[{ ...node, uses: first }], [{ ...node, uses: second }]], merge: joinValues };
    }
    case 'polymorphic':
      return splitTypes(node);
    case 'component':
    case 'dynamiczone':
      return splitBlocks(node);
    case 'link':
    case 'reference':
    case 'localizations':
      return splitRows(node);
    default:
      return node satisfies never;
  }
}

/** Returns undefined for a populate of which nothing can be read apart. */
export function splitPopulate(populate: readonly Populate[]): SplitPopulate | undefined {
  const [node] = populate;
  if (populate.length > 1) return { halves: halvesOf(populate), merge: joinValues };
  return node && splitNode(node);
}
