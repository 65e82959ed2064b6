/**
 * @module Drafts and locales: which rows of a document reads and writes use.
 */
import { invalid } from '../../../common/errors.ts';
import type { ContentType } from '../../../schema/model.ts';
import { stampName } from '../../../schema/names.ts';
import { isKey } from '../../request/filters.ts';
import type { PublicationFilter } from '../../request/publication-filters.ts';
import type { QueryParams, Status } from '../../request/query-params.ts';
import type { Condition, Versions } from './read-plan.ts';

/** The locale of the rows of a type without locales. */
export const NO_LOCALE = '';

const BOTH = ['draft', 'published'] as const;

/** Returns the names of the version stamps of types. */
export const stampsOf = (types: readonly ContentType[], statuses: readonly Status[] = BOTH): readonly string[] =>
  types.flatMap(({ uid }) => statuses.map((status) => stampName(uid, status)));

export const effectiveStatus = (type: ContentType, status: Status | undefined): Status =>
  type.draftAndPublish ? (status ?? 'published') : 'published';

/** Like in Strapi, a filter on `locale` at the top of `filters` replaces the parameter and the default. */
const filtersLocale = ({ filters = [] }: QueryParams): boolean =>
  filters.some((node) => isKey(node) && node.key === 'locale');

export function listVersions(type: ContentType, params: QueryParams, defaultLocale: string): Versions {
  const status = effectiveStatus(type, params.status);
  if (!type.localized) return { status, locales: [NO_LOCALE] };
  if (params.locale === '*' || filtersLocale(params)) return { status };
  const { locale = defaultLocale } = params;
  return { status, locales: typeof locale === 'string' ? [locale] : locale };
}

/** Returns the versions of a read of one document. @throws ApiError 400 for a list of locales. */
export function oneVersion(type: ContentType, params: QueryParams, defaultLocale: string): Versions {
  const status = effectiveStatus(type, params.status);
  const locale = singleLocale(type, params, defaultLocale);
  return type.localized && filtersLocale(params) ? { status } : { status, locales: [locale] };
}

/**
 * Returns the versions of a read with `fallback=true`.
 * @param versions those without it
 * @param chainOf returns the locales that stand in for one, itself the first
 * @throws ApiError 400 for several locales, and for a filter on `locale`
 */
export function chainVersions(
  type: ContentType,
  { status, locales = [] }: Versions,
  chainOf: (locale: string) => readonly string[],
): Versions {
  if (!type.localized) return { status, locales };
  const [locale, ...others] = locales;
  if (locale === undefined || locale === '*' || others.length > 0)
    throw invalid("Invalid parameter at 'fallback'. Expected one locale, and no filter on it", {
      source: 'query',
      param: 'fallback',
    });
  return { status, locales: chainOf(locale) };
}

/** @throws ApiError 400 for a list of locales. */
function singleLocale(type: ContentType, params: QueryParams, defaultLocale: string): string {
  if (!type.localized) return NO_LOCALE;
  const { locale = defaultLocale } = params;
  if (typeof locale === 'string') return locale;
  throw invalid(`Invalid locale param ${locale.join(',')} provided. Document locales must be strings.`);
}

/** Returns the locale of a write. @throws ApiError 400 for a list of locales and for `*`. */
export function writtenLocale(type: ContentType, params: QueryParams, defaultLocale: string): string {
  const locale = singleLocale(type, params, defaultLocale);
  if (locale === '*') throw invalid('Invalid locale param * provided. Document locales must be strings.');
  return locale;
}

type OtherVersion = Omit<Extract<Condition, { kind: 'other-version' }>, 'kind' | 'status' | 'visible'>;
type Cohort = Partial<Record<Status, OtherVersion>>;

const both = (rule: OtherVersion): Cohort => ({ draft: rule, published: rule });

/** What each status requires of the other version; an absent status selects nothing. */
const COHORTS: Readonly<Record<PublicationFilter, Cohort>> = {
  'never-published': { draft: { exists: false, scope: 'version' } },
  'has-published-version': both({ exists: true, scope: 'version' }),
  modified: both({ exists: true, scope: 'version', modified: true }),
  unmodified: both({ exists: true, scope: 'version', modified: false }),
  'never-published-document': { draft: { exists: false, scope: 'document' } },
  'has-published-version-document': both({ exists: true, scope: 'document' }),
  'published-without-draft': { published: { exists: false, scope: 'version' } },
  'published-with-draft': { published: { exists: true, scope: 'version' } },
};

/**
 * Returns the condition of a `publicationFilter`; undefined on types without drafts.
 * @param visibleRows returns the condition of those that the caller may see
 */
export function cohortCondition(
  type: ContentType,
  status: Status,
  filter: PublicationFilter,
  visibleRows: (type: ContentType, status: Status) => Condition | undefined,
): Condition | undefined {
  if (!type.draftAndPublish) return undefined;
  const rule = COHORTS[filter][status];
  if (!rule) return { kind: 'never' };
  const visible = visibleRows(type, status === 'draft' ? 'published' : 'draft');
  return { kind: 'other-version', status, ...rule, ...(visible && { visible }) };
}
