/**
 * @module What reads of lists have beyond Strapi's: parts of populated lists with the numbers of all, facets, searches by
 * words, presets of the settings, and all levels.
 */
import fc from 'fast-check';
import { hasFacet } from '../../../src/content/plan/read/facets.ts';
import { isDocumentList, isHidden, isScalar } from '../../../src/schema/attribute-kinds.ts';
import type { ContentType, Registry } from '../../../src/schema/model.ts';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import type { Planned } from '../step.ts';
import { either, listQuery, pathOf, plainQuery, type Requests, withQuery } from '../subject.ts';

const listsOf = ({ attributes }: ContentType): readonly string[] =>
  [...attributes.values()].filter(isDocumentList).map(({ name }) => name);

const isListed = (type: ContentType): boolean => listsOf(type).length > 0;

/** Parts of populated lists, with the numbers of all. */
export const slices: Requests = (subject) =>
  subject.typeFor('find', isListed).chain((type) => {
    const options = fc.tuple(
      fc.constantFrom('[limit]=0', '[limit]=1', '[limit]=2', '[start]=1', '[limit]=100'),
      fc.constantFrom('', '[withCount]=true'),
      fc.constantFrom('', '[sort]=id:desc', '[sort]=documentId'),
    );
    const [first = 'none', ...others] = listsOf(type);
    return fc.tuple(fc.constantFrom(first, ...others), options).map(([name, some]): Planned => {
      const query = some.flatMap((option) => (option ? `populate[${name}]${option}` : [])).join('&');
      return { method: 'GET', path: withQuery(pathOf(type), query) };
    });
  });

/** Facets, now and then of an attribute without any, or of one that does not exist. */
export const facets: Requests = (subject) =>
  subject.typeFor('find').chain((type) => {
    const all = [...type.attributes.values()];
    const counted = all.filter((each) => hasFacet(each) && !isHidden(each)).map(({ name }) => name);
    const some = fc.subarray(counted, {
      minLength: Math.min(1, counted.length),
      maxLength: Math.min(4, counted.length),
    });
    const wrong = fc.constantFrom('none', ...all.map(({ name }) => name)).map((name) => [name]);
    return fc
      .tuple(either(8, some, wrong), either(2, plainQuery(subject, type), listQuery(subject, type)))
      .map(([names, query]): Planned => ({ method: 'GET', path: withQuery(pathOf(type), `facets=${names}`, query) }));
  });

/** A word as it is, its beginning, and with another letter. */
const written = fc.constantFrom(
  (word: string) => word,
  (word: string) => word.slice(0, 4),
  (word: string) => `${word.slice(0, 1)}x${word.slice(2)}`,
);

/** Searches by words, also of types without a search index. */
export const searches: Requests = (subject) => {
  const word = fc.tuple(fc.constantFrom(...subject.words), written).map(([text, write]) => write(text));
  const more = fc.constantFrom('', '', 'highlights=true', 'sort=_rank:asc', 'sort=_rank&pagination[after]=');
  return either(
    8,
    subject.typeFor('find', ({ searchable }) => searchable),
    subject.typeFor('find'),
  ).chain((type) =>
    fc
      .tuple(fc.array(word, { minLength: 1, maxLength: 2 }), more, either(2, fc.constant(''), listQuery(subject, type)))
      .map(
        ([words, ...rest]): Planned => ({
          method: 'GET',
          path: withQuery(pathOf(type), `search=${encodeURIComponent(words.join(' '))}`, ...rest),
        }),
      ),
  );
};

const ALL = 'all';
const PARTS = 'parts';

/** Two presets of each type: everything, and one document of each list with two attributes, whoever may see them. */
export function presetsOf({ contentTypes }: Registry): SettingsInput {
  const types = [...contentTypes.values()].filter(({ system }) => !system);
  const presets = types.map((type) => {
    const scalars = [...type.attributes.values()].filter((each) => isScalar(each) && !isHidden(each));
    const fields = scalars.slice(0, 2).map(({ name }) => name);
    const lists = listsOf(type).map((name) => [name, { limit: 1, withCount: true }] as const);
    return [type.uid, { [ALL]: { populate: '*' }, [PARTS]: { fields, populate: Object.fromEntries(lists) } }] as const;
  });
  return { populates: Object.fromEntries(presets) };
}

export const presets: Requests = (subject) =>
  subject
    .typeFor('find')
    .chain((type) =>
      fc
        .tuple(fc.constantFrom(ALL, PARTS), fc.constantFrom('', 'fields=documentId', 'status=draft'))
        .map(([name, more]): Planned => ({ method: 'GET', path: withQuery(pathOf(type), `populate=@${name}`, more) })),
    );

export const allLevels: Requests = (subject) =>
  subject
    .typeFor('find', ({ system }) => !system)
    .chain((type) =>
      fc
        .tuple(fc.integer({ min: 1, max: 5 }), fc.constantFrom('', 'fields=documentId', 'status=draft', 'locale=fr'))
        .map(
          ([depth, more]): Planned => ({
            method: 'GET',
            path: withQuery(pathOf(type), `populate=@deep:${depth}`, more),
          }),
        ),
    );
