/**
 * @module Query string as a nested value → QueryParams. Rejects unknown parameters and malformed values; `plan/` resolves
 * keys.
 */

import { invalid, invalidKey } from '../../common/errors.ts';
import { isObject } from '../../common/json.ts';
import type { Limits, Settings } from '../../schema/settings/config.ts';
import { parseFacets } from './facets.ts';
import { type Fields, parseFields } from './fields.ts';
import { type Filter, parseFilters } from './filters.ts';
import { type Page, parsePage, rejectRootPagination } from './pagination.ts';
import { type PopulateTree, parsePopulate } from './populate.ts';
import { PUBLICATION_FILTERS, type PublicationFilter } from './publication-filters.ts';
import { isEmpty, type RawQuery, type RawValue } from './query-string.ts';
import { parseWords } from './search-words.ts';
import { byRank, parseSort, type SortTerm } from './sort.ts';

export type Status = 'published' | 'draft';

export interface QueryParams {
  /** `filters[title][$eq]=x` */
  readonly filters?: Filter;
  readonly sort: readonly SortTerm[];
  /** `fields=title,slug`; absent and `*` both mean all. */
  readonly fields?: Fields;
  readonly populate?: PopulateTree;
  readonly page: Page;
  /** `status=draft`; absent: the default of the method. */
  readonly status?: Status;
  /** Is the text of `status` exactly `draft`? */
  readonly namesDraft: boolean;
  /** `locale=fr`, `locale=*`, `locale[]=fr&locale[]=en`; absent: the default locale. */
  readonly locale?: string | readonly string[];
  /** `_q=text` */
  readonly search?: string;
  /** `search=words`, in lower case. */
  readonly words?: readonly string[];
  /** `highlights=true`: has the response the texts in which the words are? */
  readonly highlights?: true;
  readonly publicationFilter?: PublicationFilter;
  /** `fallback=true`: does the first locale of its chain stand in where a document has no row in it? */
  readonly fallback?: {
    /** Does the request ask for a total, which reads every row of the chain? */
    readonly withCount: boolean;
  };
  /** `facets=category,format`, of a list: attributes whose values are counted. */
  readonly facets?: readonly string[];
  /** `private=true`, of one document: are private attributes shown? */
  readonly showsPrivate?: true;
}

const KNOWN = new Set(['filters', 'sort', 'fields', 'populate', 'pagination', 'status', 'locale', '_q']);
for (const name of ['page', 'pageSize', 'start', 'limit', 'count', 'ordering']) KNOWN.add(name);
for (const name of ['publicationFilter', 'hasPublishedVersion']) KNOWN.add(name);
/** Of lists, beside Strapi's. */
const OF_LISTS = new Set(['facets', 'search', 'highlights']);

const LOCALE = /^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*$/;
const MAX_LOCALE_LENGTH = 35;

/** @throws ApiError 400 that names the first unknown parameter */
export function rejectUnknownParams(raw: RawQuery, isKnown: (name: string) => boolean): void {
  const key = Object.keys(raw).find((name) => !isKnown(name));
  if (key !== undefined) throw invalidKey(key, null, { source: 'query', param: key });
}

/** Like Strapi, reads any other value as `draft`. */
function parseStatus(raw: RawValue | undefined, strict: boolean): Status | undefined {
  if (raw === undefined) return undefined;
  if (isEmpty(raw)) return 'draft';
  if (raw === 'published' || raw === 'draft') return raw;
  if (!strict) return 'draft';
  throw invalid(`Invalid parameter at 'status'. Expected 'published' or 'draft', received: ${String(raw)}`);
}

function checkLocale(value: string, at: string, strict: boolean): string {
  if (value === '*' || !strict) return value;
  if (value.length > MAX_LOCALE_LENGTH)
    throw invalid(`Invalid parameter at '${at}'. Locale exceeds maximum length of ${MAX_LOCALE_LENGTH} characters.`);
  if (LOCALE.test(value)) return value;
  throw invalid(`Invalid parameter at '${at}'. Locale must be a valid BCP 47 format (e.g. en, en-US, zh-Hans).`);
}

function parseLocale(raw: RawValue | undefined, strict: boolean): string | readonly string[] | undefined {
  if (isEmpty(raw)) return undefined;
  if (typeof raw === 'string') return checkLocale(raw, 'locale', strict);
  if (isObject(raw))
    throw invalid(
      "Invalid parameter at 'locale'. Expected a string, array of strings, empty string, null, or undefined; received: object",
      { received: raw },
    );
  const given = raw.filter((item): item is string => typeof item === 'string' && item !== '');
  return given.length === 0 ? undefined : given.map((item, index) => checkLocale(item, `locale[${index}]`, strict));
}

function parseSearch(raw: RawValue | undefined): string | undefined {
  if (isEmpty(raw)) return undefined;
  if (typeof raw === 'string') return raw;
  throw invalid("Invalid parameter at '_q'. Expected a string", { source: 'query', param: '_q' });
}

export function parsePublicationFilter(raw: RawValue | undefined): PublicationFilter | undefined {
  if (raw === undefined || raw === null) return undefined;
  const mode = PUBLICATION_FILTERS.find((name) => name === raw);
  const message = `Invalid value for 'publicationFilter'. Expected one of: ${PUBLICATION_FILTERS.join(', ')}.`;
  if (!mode) throw invalid(message, { source: 'query', param: 'publicationFilter' });
  return mode;
}

/** The boolean predecessor of `publicationFilter`. */
function parseHasPublishedVersion(raw: RawValue | undefined): PublicationFilter | undefined {
  if (raw === undefined || raw === null) return undefined;
  if (raw === 'true') return 'has-published-version-document';
  if (raw === 'false') return 'never-published-document';
  throw invalid("Invalid value for 'hasPublishedVersion'. Expected boolean or 'true'/'false' string.");
}

function parseFlag(param: string, raw: RawValue | undefined): boolean {
  if (raw === undefined || raw === 'false') return false;
  if (raw === 'true') return true;
  throw invalid(`Invalid parameter at '${param}'. Expected 'true' or 'false'`, { source: 'query', param });
}

/** @throws ApiError 400 in a write, and for a former version, whatever its value */
function parseFallback(raw: RawValue | undefined, isWrite: boolean): boolean {
  const message = "Invalid parameter at 'fallback'. Expected none: this request is about one locale";
  if (isWrite && raw !== undefined) throw invalid(message, { source: 'query', param: 'fallback' });
  return parseFlag('fallback', raw);
}

/** Parses `search` and `highlights` of a list. @throws ApiError 400 for highlights without a search */
function parseWordSearch(raw: RawQuery, limits: Limits): Pick<QueryParams, 'words' | 'highlights'> {
  const words = parseWords(raw.search, limits);
  const highlights = parseFlag('highlights', raw.highlights);
  const message = "Invalid parameter at 'highlights'. Expected 'search' beside it";
  if (highlights && !words) throw invalid(message, { source: 'query', param: 'highlights' });
  return { ...(words && { words }), ...(highlights && { highlights }) };
}

/** @throws ApiError 400 that names the parameter. */
export function parseQueryParams(raw: RawQuery, scope: 'list' | 'one' | 'write', settings: Settings): QueryParams {
  const { rest } = settings.api;
  const publicationFilter = parsePublicationFilter(raw.publicationFilter);
  const isKnown = (name: string) =>
    KNOWN.has(name) ||
    (name === 'private' && scope === 'one') ||
    (rest.extensions && (name === 'fallback' || (scope === 'list' && OF_LISTS.has(name))));
  if (rest.strictParams) rejectUnknownParams(raw, isKnown);
  const filters = parseFilters(raw.filters);
  const extendsList = rest.extensions && scope === 'list';
  const searched = extendsList ? parseWordSearch(raw, rest.limits) : {};
  const terms = parseSort(raw.sort);
  const sort = extendsList ? byRank(terms, searched.words !== undefined) : terms;
  const fields = parseFields(raw.fields);
  const populate = parsePopulate(raw.populate);
  const fallback = rest.extensions && parseFallback(raw.fallback, scope === 'write');
  const pagination = scope === 'list' ? raw.pagination : undefined;
  const page = parsePage(pagination, rest);
  const status = parseStatus(raw.status, rest.strictParams);
  const locale = parseLocale(raw.locale, rest.strictParams);
  rejectRootPagination(raw, scope === 'list' ? 'list' : 'one', rest.strictParams);
  // Strapi always rejects it: it once reached the database.
  if (raw.lookup !== undefined) throw invalid("Invalid params: 'lookup'");
  const search = parseSearch(raw._q);
  const facets = extendsList ? parseFacets(raw.facets) : undefined;
  const hasPublishedVersion = parseHasPublishedVersion(raw.hasPublishedVersion);
  const cohort = publicationFilter ?? hasPublishedVersion;
  return {
    sort,
    page,
    namesDraft: raw.status === 'draft',
    ...(filters && { filters }),
    ...(fields && { fields }),
    ...(populate && { populate }),
    ...(status && { status }),
    ...(locale !== undefined && { locale }),
    ...(search !== undefined && { search }),
    ...searched,
    ...(fallback && { fallback: { withCount: parsePage(pagination, { ...rest, withCount: false }).withCount } }),
    ...(facets && { facets }),
    ...(cohort && { publicationFilter: cohort }),
    ...(scope === 'one' && parseFlag('private', raw.private) && { showsPrivate: true }),
  };
}
