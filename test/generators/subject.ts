/**
 * @module What requests are about: the content types of a world as one of its callers knows them. Each fuzzer describes its
 * world by this, and so has the requests of every feature.
 */
import fc from 'fast-check';
import { PUBLICATION_FILTERS } from '../../src/content/request/publication-filters.ts';
import type { ContentType, Registry } from '../../src/schema/model.ts';
import type { Data } from './bodies.ts';
import type { Planned } from './step.ts';

/** A document as requests name it. */
export interface Named {
  readonly documentId: string;
  /** The numeric id of one of its rows, or its documentId. */
  readonly row: fc.Arbitrary<string>;
  /** Locales in which it may be written. */
  readonly locales: readonly string[];
}

/** What the attributes of a type allow in a query string. */
export interface Grammar {
  readonly filter: fc.Arbitrary<string>;
  readonly sort: fc.Arbitrary<string>;
  readonly populate: fc.Arbitrary<string>;
  readonly fields: fc.Arbitrary<string>;
}

export interface Subject {
  readonly registry: Registry;
  /** Has the caller the grant for any type? */
  may(action: string): boolean;
  /** Collection types for which the caller has the grant, and now and then another one. */
  typeFor(action: string, isFitting?: (type: ContentType) => boolean): fc.Arbitrary<ContentType>;
  /** A document of a collection type; one that may go, if it is to be deleted or unpublished. */
  documentOf(type: ContentType, isDeleted?: boolean): fc.Arbitrary<Named>;
  grammarOf(type: ContentType): Grammar;
  bodyOf(type: ContentType, action: 'create' | 'update'): fc.Arbitrary<Data>;
  /** Ids of files: of those that may go, if they are to be deleted. */
  fileId(isDeleted?: boolean): fc.Arbitrary<string>;
  /** Ids of entries of schedules that the caller is not to see. */
  readonly hiddenEntry: fc.Arbitrary<string>;
  /** Words to search for. */
  readonly words: readonly string[];
  /** Other callers. */
  readonly others: readonly string[];
}

export type Requests = (subject: Subject) => fc.Arbitrary<Planned>;

export const either = <T>(weight: number, most: fc.Arbitrary<T>, rare: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight, arbitrary: most }, { weight: 1, arbitrary: rare });

export const withQuery = (path: string, ...queries: readonly string[]): string => {
  const query = queries.filter(Boolean).join('&');
  return query ? `${path}?${query}` : path;
};

export const hasDrafts = ({ draftAndPublish }: ContentType): boolean => draftAndPublish;

/** The path of a type. */
export const pathOf = ({ kind, singularName, pluralName }: ContentType): string =>
  `/api/${kind === 'singleType' ? singularName : pluralName}`;

export const isSingle = ({ kind, system }: ContentType): boolean => kind === 'singleType' && !system;

export const singleOf = ({ registry }: Subject): fc.Arbitrary<ContentType> =>
  fc.constantFrom(...[...registry.contentTypes.values()].filter(isSingle));

/** A type, and the path of one of its documents. */
export interface Target {
  readonly type: ContentType;
  readonly path: string;
  readonly locales: readonly string[];
}

export const documentFor = (
  subject: Subject,
  action: string,
  isFitting?: (type: ContentType) => boolean,
): fc.Arbitrary<Target> =>
  subject
    .typeFor(action, isFitting)
    .chain((type) =>
      subject
        .documentOf(type, action === 'delete' || action === 'unpublish')
        .map(({ documentId, locales }) => ({ type, path: `${pathOf(type)}/${documentId}`, locales })),
    );

/** A locale to write, as a parameter. */
export const localeIn = (locales: readonly string[]): fc.Arbitrary<string> =>
  fc.constantFrom('', '', '', ...locales.map((locale) => `locale=${locale}`));

/** The rows of a page as large as may be are counted before they are read. */
const page = fc.constantFrom(
  ...['', '', '', 'pagination[pageSize]=2', 'pagination[pageSize]=2&pagination[page]=2', 'pagination[withCount]=false'],
  ...['pagination[limit]=1&pagination[after]=', 'pagination[pageSize]=100'],
);
const LOCALES = ['', '', '', 'locale=fr', 'locale=de', 'locale=fr&fallback=true', 'locale=de&fallback=true'];
const status = fc.constantFrom('', '', '', '', 'status=draft', 'status=published');
const none = fc.constant('');
const cohort = fc.constantFrom(...PUBLICATION_FILTERS).map((name) => `publicationFilter=${name}`);
const publication = either(8, none, cohort);

const joined = (parts: readonly (string | readonly string[])[]): string => parts.flat().filter(Boolean).join('&');
const optional = (arbitrary: fc.Arbitrary<string>, weight: number) => either(weight, none, arbitrary);

const searchOf = ({ words }: Subject): fc.Arbitrary<string> => fc.constantFrom(...words).map((word) => `_q=${word}`);

/** A query of a list. */
export function listQuery(subject: Subject, type: ContentType): fc.Arbitrary<string> {
  const { filter, sort, populate, fields } = subject.grammarOf(type);
  return fc
    .tuple(
      either(
        3,
        optional(filter, 1),
        fc.tuple(filter, filter).map((both) => both.join('&')),
      ),
      optional(sort, 2),
      optional(populate, 1),
      optional(fields, 8),
      ...[page, fc.constantFrom(...LOCALES, 'locale=*', 'locale[]=fr&locale[]=en'), status, publication],
      optional(searchOf(subject), 5),
    )
    .map(joined);
}

/** One parameter alone, which nothing else keeps from having an effect, of published documents or of drafts. */
export function plainQuery(subject: Subject, type: ContentType): fc.Arbitrary<string> {
  const { filter, sort, populate } = subject.grammarOf(type);
  const ofDrafts = fc.tuple(cohort, fc.constantFrom('status=draft', '')).map(joined);
  const one = fc.oneof(
    ...[filter, sort].map((arbitrary) => ({ weight: 3, arbitrary })),
    ...[populate, searchOf(subject), ...(hasDrafts(type) && subject.may('readDrafts') ? [ofDrafts] : [])],
  );
  return either(
    5,
    one,
    one.map((query) => `status=draft&${query}`),
  );
}

/** A query of one document, or of the response to a write. */
export function documentQuery(subject: Subject, type: ContentType): fc.Arbitrary<string> {
  const { populate, fields } = subject.grammarOf(type);
  return fc.tuple(optional(populate, 1), optional(fields, 8)).map(joined);
}

export const readQuery = (subject: Subject, type: ContentType): fc.Arbitrary<string> =>
  fc.tuple(documentQuery(subject, type), fc.constantFrom(...LOCALES), status, publication).map(joined);
