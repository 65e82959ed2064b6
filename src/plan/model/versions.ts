/**
 * @module Drafts and locales: which row of a document is meant. The rule stands here once, for reads and writes.
 */
import { invalid } from '../../errors.ts';
import type { ContentType } from '../../registry/model.ts';
import { namesAtTop } from '../../request/filters.ts';
import type { PublicationFilter } from '../../request/publication-filters.ts';
import type { QueryParams, Status } from '../../request/query-params.ts';
import type { Condition, Versions } from './read-plan.ts';

/** The locale of the rows of a type without locales. */
export const NO_LOCALE = '';

export const effectiveStatus = (type: ContentType, status: Status | undefined): Status =>
  type.draftAndPublish ? (status ?? 'published') : 'published';

/** A filter on `locale` at the top of `filters` takes the place of the parameter and of the default, as in the reference. */
const filtersLocale = ({ filters }: QueryParams): boolean => filters !== undefined && namesAtTop(filters, 'locale');

/** Rows that a list reads. */
export function listVersions(type: ContentType, params: QueryParams, defaultLocale: string): Versions {
  const status = effectiveStatus(type, params.status);
  if (!type.localized) return { status, locales: [NO_LOCALE] };
  if (params.locale === '*' || filtersLocale(params)) return { status };
  const { locale = defaultLocale } = params;
  return { status, locales: typeof locale === 'string' ? [locale] : locale };
}

/** The rows among which a read finds its one document. @throws ApiError 400 for a list of locales. */
export function oneVersion(type: ContentType, params: QueryParams, defaultLocale: string): Versions {
  const status = effectiveStatus(type, params.status);
  const locale = singleLocale(type, params, defaultLocale);
  return type.localized && filtersLocale(params) ? { status } : { status, locales: [locale] };
}

/** The one locale that a read of a single document, or a write, is about. @throws ApiError 400 for a list of them. */
export function singleLocale(type: ContentType, params: QueryParams, defaultLocale: string): string {
  if (!type.localized) return NO_LOCALE;
  const { locale = defaultLocale } = params;
  if (typeof locale === 'string') return locale;
  throw invalid(`Invalid locale param ${locale.join(',')} provided. Document locales must be strings.`);
}

/** Like `singleLocale`, for writes, which cannot mean every locale. */
export function writtenLocale(type: ContentType, params: QueryParams, defaultLocale: string): string {
  const locale = singleLocale(type, params, defaultLocale);
  if (locale === '*') throw invalid('Invalid locale param * provided. Document locales must be strings.');
  return locale;
}

type Cohort = Partial<Record<Status, Omit<Extract<Condition, { kind: 'counterpart' }>, 'kind' | 'status'>>>;

const both = (rule: NonNullable<Cohort['draft']>): Cohort => ({ draft: rule, published: rule });

/** For each status what its rows must have beside them; a status that is left out selects nothing. */
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

/** `publicationFilter` as a condition; it has no effect on types without drafts. */
export function cohortCondition(type: ContentType, status: Status, filter: PublicationFilter): Condition | undefined {
  if (!type.draftAndPublish) return undefined;
  const rule = COHORTS[filter][status];
  return rule ? { kind: 'counterpart', status, ...rule } : { kind: 'never' };
}
