/**
 * @module What differs between two versions of a document: texts by word, lists by entry.
 */
import { type Change, diffLines, diffWordsWithSpace } from 'diff';
import { sameFor } from '../../src/common/same-for.ts';
import type { AttributeType } from '../../src/schema/model.ts';
import { attributesOf, componentOf, entriesOf } from '../document/fields/entries.ts';
import { displayText } from '../document/text-of.ts';
import { type Attribute, isNeverShown, isPopulated } from '../model/attribute.ts';
import type { Model, Values } from '../model/model.ts';
import type { NamedAttribute } from '../model/readable.ts';

/** A related document, a file or a component that is not the same in both versions, or not in the same order. */
export interface EntryDifference {
  readonly title: string;
  readonly changes: readonly ('added' | 'removed' | 'moved' | 'changed')[];
  /** Places in the lists, from 1. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** What a component that was added or removed has in it. */
  readonly text: string;
  /** Of a component that changed. */
  readonly inside: readonly Difference[];
}

/** An attribute that differs. */
export interface Difference {
  readonly name: string;
  readonly attribute: Attribute;
  readonly before: string;
  readonly after: string;
  /** Of relations, media, components and zones. */
  readonly entries: readonly EntryDifference[] | undefined;
}

type KeyOf = (entry: Values) => string | undefined;

const idOf: KeyOf = ({ __component, id }) => (id === undefined ? undefined : `${__component} ${id}`);
const contentOf: KeyOf = (entry) => JSON.stringify(entry, (name, value) => (name === 'id' ? undefined : value));
const componentName: KeyOf = ({ __component }) => String(__component);
const targetOf: KeyOf = ({ __type, documentId }) => `${__type} ${documentId}`;

/** How entries are recognized: components by id, then by content, then by their order, since copies have new ids. */
const keysOf = ({ type }: Attribute): readonly KeyOf[] => {
  if (type === 'relation') return [targetOf];
  return type === 'media' ? [idOf] : [idOf, contentOf, componentName];
};

/** Returns the index in `before` of each entry of `after` that is there. */
function matches(keys: readonly KeyOf[], before: readonly Values[], after: readonly Values[]) {
  const found = new Map<number, number>();
  const left = new Set(before.keys());
  for (const keyOf of keys) {
    const byKey = Map.groupBy(left, (index) => keyOf(before[index] ?? {}));
    for (const [index, entry] of after.entries()) {
      const key = found.has(index) ? undefined : keyOf(entry);
      const place = key === undefined ? undefined : byKey.get(key)?.shift();
      if (place === undefined) continue;
      found.set(index, place);
      left.delete(place);
    }
  }
  return found;
}

/** Returns the numbers of a longest run that ascends. */
export function longestRun(numbers: readonly number[]): ReadonlySet<number> {
  const at = (index: number | undefined): number => numbers[index ?? -1] ?? Number.NEGATIVE_INFINITY;
  /** By length: the index of the least number that ends such a run; and by index: that of the number before. */
  const ends: number[] = [];
  const previous: (number | undefined)[] = [];
  for (const index of numbers.keys()) {
    const shorter = ends.findIndex((end) => at(end) > at(index));
    const length = shorter < 0 ? ends.length : shorter;
    previous[index] = ends[length - 1];
    ends[length] = index;
  }
  const run = new Set<number>();
  for (let index = ends.at(-1); index !== undefined; index = previous[index]) run.add(at(index));
  return run;
}

interface Pair {
  readonly from?: number;
  readonly to?: number;
  readonly isMoved?: boolean;
}

/** Returns the entries of both lists in the order of the second, those that only the first has where they were. */
function pairsOf(keys: readonly KeyOf[], before: readonly Values[], after: readonly Values[]): readonly Pair[] {
  const places = matches(keys, before, after);
  const inPlace = longestRun([...after.keys()].flatMap((index) => places.get(index) ?? []));
  const matched = new Set(places.values());
  const pairs: Pair[] = [];
  let next = 0;
  const passRemoved = () => {
    for (; next < before.length && !inPlace.has(next); next++) if (!matched.has(next)) pairs.push({ from: next });
  };
  passRemoved();
  for (const to of after.keys()) {
    const from = places.get(to);
    const isMoved = from !== undefined && !inPlace.has(from);
    pairs.push({ to, isMoved, ...(from !== undefined && { from }) });
    if (from === undefined || isMoved) continue;
    next = from + 1;
    passRemoved();
  }
  return pairs;
}

function entryDifferences(model: Model, attribute: Attribute, before: unknown, after: unknown) {
  const [old, now] = [entriesOf(before), entriesOf(after)];
  const isComponent = attribute.type === 'component' || attribute.type === 'dynamiczone';
  return pairsOf(keysOf(attribute), old, now).flatMap(({ from, to, isMoved }): readonly EntryDifference[] => {
    const [was, is] = [old[from ?? -1], now[to ?? -1]];
    const entry = is ?? was ?? {};
    const uid = String(componentOf(attribute, entry));
    const inside =
      isComponent && was && is ? differencesOf(model, Object.entries(attributesOf(model, uid)), was, is) : [];
    const text = displayText(model, isComponent ? { type: 'component', component: uid } : attribute, entry);
    const changes = [
      ...(was ? [] : (['added'] as const)),
      ...(is ? [] : (['removed'] as const)),
      ...(isMoved ? (['moved'] as const) : []),
      ...(inside.length > 0 ? (['changed'] as const) : []),
    ];
    if (changes.length === 0) return [];
    return [
      {
        title: isComponent ? (model.components.get(uid)?.name ?? uid) : text,
        changes,
        from: from === undefined ? undefined : from + 1,
        to: to === undefined ? undefined : to + 1,
        text: isComponent && !(was && is) ? text : '',
        inside,
      },
    ];
  });
}

const valueAt = (values: Values, name: string): unknown => (Object.hasOwn(values, name) ? values[name] : null);

interface Compared {
  /** Are texts compared word by word? Else they are replaced whole. */
  readonly isProse?: true;
  /** May values differ that are the same as text? */
  readonly isFormatted?: true;
}

const DIFFERENCES: Readonly<Record<AttributeType, Compared>> = {
  ...sameFor(['string', 'text', 'richtext', 'json'], { isProse: true } as const),
  blocks: { isProse: true, isFormatted: true },
  ...sameFor(['email', 'uid', 'password', 'enumeration', 'boolean', 'date', 'time', 'datetime'], {}),
  ...sameFor(['integer', 'biginteger', 'decimal', 'float'], {}),
  ...sameFor(['relation', 'media', 'component', 'dynamiczone'], {}),
};

/**
 * Returns the attributes that differ. Blocks may have the same text in another format. What one version does not show,
 * such as a private attribute of a former one, is not compared.
 */
export function differencesOf(
  model: Model,
  attributes: readonly NamedAttribute[],
  before: Values,
  after: Values,
): readonly Difference[] {
  return attributes.flatMap(([name, attribute]) => {
    if (isNeverShown(attribute) && ![before, after].every((values) => Object.hasOwn(values, name))) return [];
    const [old, now] = [valueAt(before, name), valueAt(after, name)];
    const entries = isPopulated(attribute) ? entryDifferences(model, attribute, old, now) : undefined;
    const [was, is] = [old, now].map((value) => displayText(model, attribute, value));
    const isSameValue = !DIFFERENCES[attribute.type].isFormatted || JSON.stringify(old) === JSON.stringify(now);
    const isSame = entries ? entries.length === 0 : was === is && isSameValue;
    return isSame ? [] : [{ name, attribute, before: was ?? '', after: is ?? '', entries }];
  });
}

/** Longer texts are compared by lines. */
const MOST_CHARACTERS = 20_000;
/** Words, or lines, that are looked for at most: texts that have more of them in one alone are replaced whole. */
const LIMITS = { maxEditLength: 1000 };

/** Returns the pieces of both texts: words, or lines of long ones; other values are replaced whole. */
export function piecesOf({
  attribute,
  before,
  after,
}: Difference): readonly Pick<Change, 'added' | 'removed' | 'value'>[] {
  const isLong = before.length + after.length > MOST_CHARACTERS;
  const pieces = DIFFERENCES[attribute.type].isProse
    ? (isLong ? undefined : diffWordsWithSpace(before, after, LIMITS)) || diffLines(before, after, LIMITS)
    : undefined;
  return (
    pieces ?? [
      { value: before, removed: true, added: false },
      { value: after, removed: false, added: true },
    ]
  );
}
