/**
 * @module What the generators of requests have in common: types that the caller may name, paths, queries.
 */
import fc from 'fast-check';
import type { ContentType } from '../../../src/schema/model.ts';
import { PATHS } from './content.ts';
import { grantOf, registry, uidOf } from './model.ts';
import { type CallerName, documentIdOf, HIDDEN_FRENCH, TYPE_NAMES } from './names.ts';
import { type Grammar, grammarOf } from './queries.ts';
import type { Planned } from './step.ts';

export type Requests = (caller: CallerName) => fc.Arbitrary<Planned>;

export const either = <T>(weight: number, most: fc.Arbitrary<T>, rare: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight, arbitrary: most }, { weight: 1, arbitrary: rare });

export const withQuery = (path: string, ...queries: readonly string[]): string => {
  const query = queries.filter(Boolean).join('&');
  return query ? `${path}?${query}` : path;
};

/** Types by how much there is to find out about them. */
const WEIGHTED = [...TYPE_NAMES, 'story', 'story', 'story', 'chapter', 'remark', 'child', 'menu', 'poster', 'poster'];
const anyType = fc.constantFrom(...WEIGHTED);

/** A type for which the caller has the grant, and now and then another one. */
export function typeFor(caller: CallerName, action: string, names: readonly string[] = WEIGHTED): fc.Arbitrary<string> {
  const granted = names.filter((name) => grantOf(caller, action, uidOf(name)));
  return granted.length > 0 ? either(20, fc.constantFrom(...granted), anyType) : anyType;
}

function typeWith(uid: string): ContentType {
  const type = registry.contentTypes.get(uid);
  if (!type) throw new Error(`there is no type ${uid}`);
  return type;
}

export const grammarNamed = (type: string, caller: CallerName): Grammar => grammarOf(typeWith(uidOf(type)), caller);
export const systemGrammar = (uid: string, caller: CallerName): Grammar => grammarOf(typeWith(uid), caller);

export const collection = (type: string): string => `/api/${PATHS[type]}`;
export const documentPath = (type: string, name: string): string => `${collection(type)}/${documentIdOf(name)}`;

/** A locale to write: whether a hidden one is there cannot be hidden from who may create it. */
export const writtenLocale = (name: string): fc.Arbitrary<string> =>
  HIDDEN_FRENCH.includes(name)
    ? fc.constantFrom('', '', '', 'locale=de', 'locale=en')
    : fc.constantFrom('', '', '', 'locale=fr', 'locale=de');

/** Single types. */
export const SINGLES = ['home', 'notice'] as const;
