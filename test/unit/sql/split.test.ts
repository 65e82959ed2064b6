/**
 * @module A populate that is read in parts has, merged, the values of one that is read at once.
 */
import { expect, it } from 'vitest';
import type { Populate } from '../../../src/content/plan/model/read-plan.ts';
import { splitPopulate } from '../../../src/content/sql/read/split.ts';

interface Node {
  readonly kind: string;
  readonly name: string;
  readonly selection: { readonly attributes: readonly string[]; readonly populate: readonly Node[] };
  readonly parts?: readonly Node[];
  readonly only?: readonly Node[];
  readonly slice?: { readonly start: number; readonly limit?: number };
  readonly shared?: readonly { readonly selection: Node['selection'] }[];
  readonly uses?: readonly string[];
  readonly count?: boolean;
  readonly withCount?: boolean;
  readonly order?: readonly unknown[];
}

let reads = 0;

/** Each read lists rows that no sort tells apart in another order. */
const turned = <T>(list: readonly T[]): readonly T[] => (reads % 2 === 0 ? list.toReversed() : list);

const rowOf = (id: number, { attributes, populate }: Node['selection']): unknown => [
  [id, `d${id}`, 'en', ...attributes.map((name) => `${name} ${id}`), ...valuesOf(populate)],
];

function typedRows({ parts = [], only, slice, count }: Node): unknown {
  const entries = parts.flatMap((part, index) =>
    (only ?? parts).includes(part)
      ? [
          { place: index, tie: 0, entry: [index, rowOf(index, part.selection)] },
          { place: 5, tie: -index, entry: [index, rowOf(10 + index, part.selection)] },
        ]
      : [],
  );
  if (count) return entries.length;
  const sorted = entries.toSorted((a, b) => a.place - b.place || a.tie - b.tie);
  const shown = slice ? sorted.slice(slice.start, slice.limit && slice.start + slice.limit) : sorted;
  return shown.map(({ entry, place, tie }) => (only ? [entry, place, tie] : entry));
}

/** What the database has for a populate. */
function valuesOf(populate: readonly Node[]): readonly unknown[] {
  return populate.flatMap((node) => {
    const { kind, name, selection, shared = [], uses = [], count, withCount, order = [] } = node;
    if (kind === 'related') return uses.map((use) => [`uses of ${use}`]);
    if (kind === 'component') {
      const lists = shared.map((each) => turned([1, 2]).map((id) => rowOf(id, each.selection)));
      return [`json of ${name}`, ...order.map(() => `ids of ${name}`), ...lists];
    }
    const value =
      kind === 'polymorphic' ? typedRows(node) : count ? 2 : turned([1, 2]).map((id) => rowOf(id, selection));
    return withCount ? [value, kind === 'polymorphic' ? typedRows({ ...node, count: true }) : 2] : [value];
  });
}

let parts = 0;

function readInParts(populate: readonly Node[]): readonly unknown[] {
  const split = splitPopulate(populate as unknown as readonly Populate[]);
  if (!split) {
    parts += 1;
    reads += 1;
    return valuesOf(populate);
  }
  const [first, second] = split.halves as unknown as readonly [readonly Node[], readonly Node[]];
  const one = readInParts(first);
  return split.merge(one, readInParts(second));
}

const isRow = (value: unknown): value is readonly [readonly [number, ...unknown[]]] =>
  Array.isArray(value) && Array.isArray(value[0]) && String(value[0][1]) === `d${value[0][0]}`;

/** Sorts lists of rows, and no list of entries of several types. */
function inOrderOfIds(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const items = value.map(inOrderOfIds);
  return items.every(isRow) ? items.toSorted(([a], [b]) => a[0] - b[0]) : items;
}

const selecting = (...populate: readonly Node[]) => ({ attributes: ['title', 'year'], populate });
const link = (name: string, more: Partial<Node> = {}): Node => ({
  kind: 'link',
  name,
  selection: selecting(),
  ...more,
});
const two = selecting(link('a'), link('b'));
const typed = (count: number, more: Partial<Node> = {}): Node => ({
  ...link('typed', { kind: 'polymorphic', ...more }),
  parts: Array.from({ length: count }, (_, index) => link(`type ${index}`)),
});
const block = (shared: readonly Node['selection'][]): Node => {
  const attribute = { repeatable: true };
  const more = { attribute, order: [{}], shared: shared.map((selection) => ({ selection })) };
  return { ...link('block', { kind: 'component' }), ...more };
};

it.each<[string, number, readonly Node[]]>([
  ['nothing', 1, []],
  ['a list of nothing', 1, [link('x')]],
  ['three lists', 3, [link('x'), link('y'), link('z')]],
  ['a list of two', 2, [link('x', { selection: two })]],
  ['a list of a list of two', 2, [link('x', { selection: selecting(link('y', { selection: two })) })]],
  ['lists of lists', 4, [link('x', { selection: two }), link('y', { selection: two })]],
  ['a list that is counted', 1, [link('x', { count: true, selection: two })]],
  ['a list with its number', 2, [link('x', { withCount: true })]],
  ['a list of two with its number', 3, [link('x', { withCount: true, selection: two })]],
  ['one type', 1, [typed(1)]],
  ['three types', 3, [typed(3)]],
  ['three types that are counted', 3, [typed(3, { count: true })]],
  ['three types with their number', 6, [typed(3, { withCount: true })]],
  ['a slice of three types', 3, [typed(3, { slice: { start: 1, limit: 3 } })]],
  ['three types behind the first', 3, [typed(3, { slice: { start: 1 } })]],
  ['uses in one type', 1, [{ ...link('x', { kind: 'related' }), uses: ['a'] }]],
  ['uses in three types', 3, [{ ...link('x', { kind: 'related' }), uses: ['a', 'b', 'c'] }]],
  ['a component of no links', 1, [block([])]],
  ['a component of links to nothing more', 1, [block([selecting()])]],
  ['a component of links to two', 2, [block([two])]],
  ['a component of three kinds of links', 3, [block([selecting(), selecting(), selecting()])]],
  ['a component of two kinds of links, one of which leads to two', 3, [block([selecting(), two])]],
])('%s, in %i parts', (_, count, populate) => {
  [reads, parts] = [0, 0];
  const whole = valuesOf(populate);
  expect(inOrderOfIds(readInParts(populate))).toEqual(inOrderOfIds(whole));
  expect(parts).toBe(count);
});

it('a slice of several types is read in each part as far as the slice goes, however often it is split', () => {
  const halfOf = (node: Node): Node => {
    const split = splitPopulate([node] as unknown as readonly Populate[]);
    return split?.halves[0][0] as unknown as Node;
  };
  const half = halfOf(typed(4, { slice: { start: 1, limit: 3 } }));
  expect([half.slice, halfOf(half).slice]).toEqual([
    { start: 0, limit: 4 },
    { start: 0, limit: 4 },
  ]);
  expect(halfOf(typed(4, { slice: { start: 1 } })).slice).toStrictEqual({ start: 0 });
});
