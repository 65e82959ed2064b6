/**
 * @module Parses `populate`, in every notation, into a tree. `plan/` resolves its names; malformed parts stay in the tree,
 * since an unknown name before them is reported first.
 */

import { ApiError } from '../../common/errors.ts';
import { isObject } from '../../common/json.ts';
import { kindOf } from '../../common/kinds.ts';
import { type Fields, parseFields } from './fields.ts';
import { type Filter, parseFilters } from './filters.ts';
import { type RawQuery, type RawValue, switchOf } from './query-string.ts';
import { parseSort, type SortTerm } from './sort.ts';

export type PopulateTree =
  /** `populate=*` */
  | { readonly kind: 'everything' }
  | PopulatePaths
  /** `populate[author][fields]=name` */
  | { readonly kind: 'entries'; readonly entries: readonly PopulateEntry[] }
  | { readonly kind: 'malformed' };

/** `populate=author.avatar,seo`, or a list of such texts. */
export interface PopulatePaths {
  readonly kind: 'paths';
  readonly texts: readonly string[];
}

/** The value under the name of an attribute, or, in `on`, of a component. */
export interface PopulateEntry {
  readonly name: string;
  readonly value: PopulateValue;
  /** As sent, for errors. */
  readonly written: RawValue;
}

export type PopulateValue =
  /** `true` or `false` */
  | { readonly kind: 'switch'; readonly on: boolean }
  /** `*`, but not in a list */
  | { readonly kind: 'star' }
  /** The first of a list that does not read as a switch */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'options'; readonly options: PopulateOptions }
  | { readonly kind: 'malformed' };

export const isSwitch = kindOf('switch');
export const isStar = kindOf('star');
export const isText = kindOf('text');
export const isOptions = kindOf('options');
export const isMalformed = kindOf('malformed');
export const isEverything = kindOf('everything');

/** A parsed option, or the error to throw when `plan/` reaches it. */
export type Deferred<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'rejection'; readonly rejection: ApiError };

export interface PopulateOptions {
  /** All keys in order, except those that read as a switch, and a `populate` without a value. */
  readonly keys: readonly string[];
  readonly fields: Deferred<Fields | undefined>;
  readonly filters: Deferred<Filter | undefined>;
  readonly sort: Deferred<readonly SortTerm[]>;
  readonly populate: PopulateTree | undefined;
  /** Undefined if malformed. */
  readonly count: boolean | undefined;
  /** Is `count` the text `true`? No other text counts what links to several types. */
  readonly isCountTrue: boolean;
  /** `[limit]`, `[start]` and `[withCount]` as sent, which Strapi does not have. */
  readonly limit: RawValue | undefined;
  readonly start: RawValue | undefined;
  readonly withCount: RawValue | undefined;
  /** `[on][blocks.quote]…`; null without a value, `empty` for an empty text. */
  readonly on: readonly PopulateEntry[] | 'malformed' | 'empty' | null | undefined;
}

export const OPTIONS: ReadonlySet<string> = new Set(['fields', 'filters', 'sort', 'populate', 'count', 'on']);

/** `populate[0]=tags` beside `populate[author]=true`: Strapi passes over a key that reads as a switch. */
export const isPassedOver = (key: string): boolean => switchOf(key) !== undefined;

function deferred<T>(parse: (raw: RawValue | undefined) => T, raw: RawValue | undefined): Deferred<T> {
  try {
    return { kind: 'value', value: parse(raw) };
  } catch (rejection) {
    if (rejection instanceof ApiError) return { kind: 'rejection', rejection };
    throw rejection;
  }
}

/** @throws ApiError the deferred error. */
export function unwrap<T>(part: Deferred<T>): T {
  if (part.kind === 'rejection') throw part.rejection;
  return part.value;
}

function fragmentsOf(raw: RawValue | undefined): PopulateOptions['on'] {
  if (raw === undefined || raw === null) return raw;
  if (typeof raw === 'object') return entriesOf(raw);
  return raw === '' ? 'empty' : 'malformed';
}

const optionsOf = (raw: RawQuery): PopulateOptions => ({
  keys: Object.keys(raw).filter((key) => !isPassedOver(key) && (key !== 'populate' || raw[key] !== null)),
  fields: deferred(parseFields, raw.fields),
  // Unlike at the top of the query, an empty text is not a filter.
  filters: deferred(parseFilters, raw.filters === '' ? undefined : raw.filters),
  sort: deferred(parseSort, raw.sort),
  populate: parsePopulate(raw.populate),
  count: raw.count === undefined ? false : switchOf(raw.count),
  isCountTrue: raw.count === 'true',
  limit: raw.limit,
  start: raw.start,
  withCount: raw.withCount,
  on: fragmentsOf(raw.on),
});

function populateValue(raw: RawValue): PopulateValue {
  if (isObject(raw)) return { kind: 'options', options: optionsOf(raw) };
  const on = switchOf(raw);
  if (on !== undefined) return { kind: 'switch', on };
  if (raw === '*') return { kind: 'star' };
  const text = [raw].flat().find((item) => typeof item !== 'string' || !isPassedOver(item));
  return typeof text === 'string' ? { kind: 'text', text } : { kind: 'malformed' };
}

const entriesOf = (raw: RawQuery | readonly RawValue[]): readonly PopulateEntry[] =>
  Object.entries(raw).map(([name, written]) => ({ name, value: populateValue(written), written }));

/** `populate=@card` → `card`; undefined for a populate that names no preset of the settings. */
export function presetNamedBy(tree: PopulateTree | undefined): string | undefined {
  if (tree?.kind !== 'paths' || tree.texts.length !== 1) return undefined;
  return /^@(\w+)$/.exec(tree.texts[0] ?? '')?.[1];
}

/** Levels of `@deep`. */
export const MAX_DEPTH = 5;

/** `populate=@deep:3` → `3`, as sent; undefined for any other populate. */
export function depthNamedBy(tree: PopulateTree): string | undefined {
  if (tree.kind !== 'paths' || tree.texts.length !== 1) return undefined;
  return /^@deep:([^,]*)$/.exec(tree.texts[0] ?? '')?.[1];
}

/** `author.avatar,seo` → the names of each path, without empty ones. */
export function pathsIn(text: string): readonly (readonly string[])[] {
  const paths = text.split(',').map((path) => path.trim().split('.'));
  return paths.map((path) => path.filter((name) => name !== '')).filter((path) => path.length > 0);
}

/** Returns undefined without a value. */
export function parsePopulate(raw: RawValue | undefined): PopulateTree | undefined {
  if (raw === undefined || raw === null) return undefined;
  if (raw === '*') return { kind: 'everything' };
  if (typeof raw === 'string') return { kind: 'paths', texts: [raw] };
  if (isObject(raw)) return { kind: 'entries', entries: entriesOf(raw) };
  return raw.every((item) => typeof item === 'string') ? { kind: 'paths', texts: raw } : { kind: 'malformed' };
}
