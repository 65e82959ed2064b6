/**
 * @module Declared indexes: `indexes` and `search` of the settings → terms and weights of a content type.
 */
import { isHidden, isScalar } from './attribute-kinds.ts';
import { FIELDS } from './fields.ts';
import type { ContentType, IndexTerm, ScalarAttribute } from './model.ts';

/** `indexes: { 'api::article.article': [['rating:desc', 'title']] }` */
export type DeclaredIndexes = Readonly<Record<string, readonly (readonly string[])[]>>;

/**
 * The types with a search index: `['api::article.article']`, or with the weights of the attributes that `search` looks
 * into: `{ 'api::article.article': { title: 4, body: 1 } }`.
 */
export type DeclaredSearch = readonly string[] | Readonly<Record<string, Readonly<Record<string, number>>>>;

const isList = (search: DeclaredSearch): search is readonly string[] => Array.isArray(search);

/** Returns the uids. */
export const searchedTypes = (search: DeclaredSearch = []): readonly string[] =>
  isList(search) ? search : Object.keys(search);

type Report = (key: string, expected: string) => void;

/** Front ends sort by these by default. */
const DEFAULTS: DeclaredIndexes[string] = [['createdAt:desc'], ['publishedAt:desc']];

/** More columns serve no list, and are written with every document. */
const MOST_TERMS = 8;

const TERM = /^([^:]+)(?::(asc|desc))?$/i;

/** Returns what was expected in place of an attribute that cannot be in an index. */
function invalidTerm(name: string, { attributes }: ContentType): string | undefined {
  const attribute = attributes.get(name);
  if (!attribute) return `an attribute that exists; "${name}" does not`;
  if (!isScalar(attribute)) return `an attribute with values of its own; "${name}" is a ${attribute.kind}`;
  if (isHidden(attribute)) return `an attribute that lists may be sorted by; "${name}" is private`;
  // A row of an index holds values in full.
  if (FIELDS[attribute.type].length === 'any')
    return `short values; "${name}" is a ${attribute.type}, which may be of any length`;
  if (attribute.overflow) return `an attribute with a column of its own; "${name}" came after the first 90`;
  return name === 'locale' ? 'other attributes; every index begins with the locale' : undefined;
}

export const isIndexable = (name: string, type: ContentType): boolean => invalidTerm(name, type) === undefined;

function termsOf(type: ContentType, terms: readonly string[], key: string, report: Report): readonly IndexTerm[] {
  const seen = new Set<string>();
  if (terms.length === 0 || terms.length > MOST_TERMS) report(key, `1 to ${MOST_TERMS} attributes`);
  return terms.flatMap((term) => {
    const [, name, direction = 'asc'] = TERM.exec(term) ?? [];
    const wrong = name === undefined ? `"name", "name:asc" or "name:desc"; not "${term}"` : invalidTerm(name, type);
    if (wrong !== undefined) report(key, wrong);
    else if (seen.has(name ?? '')) report(key, `each attribute once; "${name}" comes twice`);
    seen.add(name ?? '');
    const attribute = type.attributes.get(name ?? '');
    if (!isScalar(attribute)) return [];
    return [{ name: attribute.name, column: attribute.column, descending: direction.toLowerCase() === 'desc' }];
  });
}

const nameOf = (terms: readonly IndexTerm[]): string =>
  terms.map(({ name, descending }) => `${name}${descending ? ':desc' : ''}`).join(',');

/** Returns the default indexes of a type, then its declared ones. Reports invalid ones. */
export function indexesOf(
  type: ContentType,
  declared: DeclaredIndexes[string] = [],
  report: Report,
): ContentType['indexes'] {
  const defaults = DEFAULTS.filter(([term = '']) => isIndexable(term.split(':')[0] ?? '', type));
  const indexes = new Map(
    defaults.map((each) => termsOf(type, each, '', report)).map((terms) => [nameOf(terms), terms]),
  );
  for (const [place, given] of declared.entries()) {
    const key = `indexes.${type.uid}.${place}`;
    const terms = termsOf(type, given, key, report);
    if (indexes.has(nameOf(terms))) report(key, `another index; "${nameOf(terms)}" is there already`);
    indexes.set(nameOf(terms), terms);
  }
  return [...indexes.values()];
}

/** Returns the texts and numbers that `_q` searches in addition to the documentId. A search index holds these. */
export const searchedAttributes = ({ attributes }: Pick<ContentType, 'attributes'>): readonly ScalarAttribute[] =>
  [...attributes.values()].filter(
    (attribute): attribute is ScalarAttribute =>
      isScalar(attribute) &&
      !isHidden(attribute) &&
      attribute.searchable !== false &&
      FIELDS[attribute.type].search !== undefined,
  );

/** Returns those that a search by words may look into: no word is the locale. */
export const worded = (type: ContentType): readonly ScalarAttribute[] =>
  searchedAttributes(type).filter(({ name }) => name !== 'locale');

/** Returns the weights of a type, if the settings have any. Reports attributes that are not searched. */
export function weightsOf(type: ContentType, search: DeclaredSearch = [], report: Report): ContentType['weights'] {
  const declared = isList(search) ? undefined : search[type.uid];
  if (!declared) return undefined;
  const names = worded(type).map(({ name }) => name);
  for (const name of Object.keys(declared))
    if (!names.includes(name)) report(`search.${type.uid}.${name}`, `one of ${names.join(', ')}`);
  return new Map(Object.entries(declared));
}
