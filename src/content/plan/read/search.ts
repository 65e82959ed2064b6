/**
 * @module `_q` and `search` → conditions.
 */
import { invalid } from '../../../common/errors.ts';
import { isHidden, isScalar } from '../../../schema/attribute-kinds.ts';
import { FIELDS } from '../../../schema/fields.ts';
import { worded } from '../../../schema/indexes.ts';
import type { ContentType } from '../../../schema/model.ts';
import type { Condition, Highlights, Selection, Versions, WordSearch } from '../model/read-plan.ts';
import { DOCUMENT_ID } from '../model/resolve.ts';
import { shownScalars } from './fields.ts';
import type { NameScope } from './name-scope.ts';

/** Attributes of a type that `search` looks into: a statement names each several times. */
const MAX_SEARCHED = 40;

const DETAILS = { source: 'query', param: 'search' };

export function planSearch(text: string, scope: NameScope): Condition {
  const numeric = !Number.isNaN(Number(text));
  const attributes = shownScalars(scope).filter(({ type: kind, searchable }) => {
    const { search } = FIELDS[kind];
    return searchable !== false && (search === 'text' || (search === 'number' && numeric));
  });
  return { kind: 'search', attributes: [DOCUMENT_ID, ...attributes], text };
}

/**
 * Plans a search of the attributes that the caller may see.
 * @param rows those in which the words are looked for, as far as the caller may see them
 * @throws ApiError 400 for a type that the setting `search` does not have, or of which it has too many attributes
 */
export function planWords(
  words: readonly string[],
  type: ContentType,
  scope: NameScope,
  rows: { readonly versions: Versions; readonly visible?: Condition | undefined },
): WordSearch {
  const expected = (what: string) => invalid(`Invalid parameter at 'search'. Expected ${what}`, DETAILS);
  const uid = `'${type.uid}'`;
  if (!type.searchable) throw expected(`${uid} in the setting 'search'`);
  const searched = worded(type);
  const weights = type.weights ?? new Map(searched.map(({ name }) => [name, 1]));
  if (weights.size > MAX_SEARCHED)
    throw expected(`weights of at most ${MAX_SEARCHED} attributes at ${uid} in the setting 'search'`);
  const seen = searched.filter(({ name }) => scope.attributes.has(name));
  const texts = [...new Set(weights.values())].map((weight) => ({
    weight,
    attributes: seen.filter(({ name }) => weights.get(name) === weight),
  }));
  const { versions, visible } = rows;
  return {
    kind: 'words',
    type,
    words,
    texts: texts.filter(({ attributes }) => attributes.length > 0),
    versions,
    ...(visible && { visible }),
  };
}

/** Returns the selection with the texts of a search, and the locale that its highlights name. */
export function withHighlights(search: WordSearch, selection: Selection, { attributes }: NameScope) {
  const locale = attributes.get('locale');
  const ofLocale = isScalar(locale) && !isHidden(locale) ? [locale] : [];
  const needed = [...search.texts.flatMap((texts) => texts.attributes), ...ofLocale];
  const added = needed.filter((attribute) => !selection.attributes.includes(attribute));
  const highlights: Highlights = { search, added };
  return { highlights, selection: { ...selection, attributes: [...selection.attributes, ...added] } };
}
