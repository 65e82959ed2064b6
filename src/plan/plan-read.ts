/**
 * @module QueryParams → ReadPlan, step by step.
 */
import { defaultLocale, type Settings } from '../config.ts';
import { forbidden, invalid } from '../errors.ts';
import { FIELDS } from '../registry/fields.ts';
import type { ContentType, ScalarAttribute } from '../registry/model.ts';
import type { QueryParams, SortTerm, Status } from '../request/query-params.ts';
import { allOf, planFilters } from './plan-filters.ts';
import type { Condition, Order, ReadPlan, Versions } from './read-plan.ts';
import {
  childPath,
  DOCUMENT_ID,
  ID,
  identityOf,
  invalidKey,
  isHidden,
  type Source,
  shownAttributes,
} from './resolve.ts';
import { cohortCondition, listVersions, singleLocale, statusOf } from './versions.ts';

/** What planning may know of the caller. */
export interface Caller {
  /** Drafts need a credential, unless a setting opens them. */
  readonly mayReadDrafts: boolean;
}

const FIELDS_SOURCE: Source = { source: 'query', param: 'fields' };
const SORT_SOURCE: Source = { source: 'query', param: 'sort' };

function shownAttribute(name: string, type: ContentType): ScalarAttribute | undefined {
  if (identityOf(name)) return undefined;
  const attribute = type.attributes.get(name);
  if (!attribute) throw invalidKey(name, null, FIELDS_SOURCE);
  if (attribute.kind !== 'scalar' || isHidden(attribute)) throw invalidKey(name, name, FIELDS_SOURCE);
  return attribute;
}

/** `fields`, resolved; without it all that may be shown. @throws ApiError 400 "Invalid key". */
export function planFields(fields: readonly string[] | undefined, type: ContentType): readonly ScalarAttribute[] {
  if (!fields) return shownAttributes(type);
  return fields.map((name) => shownAttribute(name, type)).filter((attribute) => attribute !== undefined);
}

function planSortTerm({ path, descending }: SortTerm, type: ContentType): Order {
  const [key = '', ...rest] = path;
  const attribute = identityOf(key) ?? type.attributes.get(key);
  if (!attribute) throw invalidKey(key, null, SORT_SOURCE);
  if (attribute.kind !== 'scalar' || isHidden(attribute)) throw invalidKey(key, childPath(null, key), SORT_SOURCE);
  if (rest[0] !== undefined) throw invalidKey(rest[0], key, SORT_SOURCE);
  return { attribute, descending };
}

function planOrder(
  terms: readonly SortTerm[],
  type: ContentType,
  limits: { readonly sortTerms: number },
): readonly Order[] {
  if (terms.length > limits.sortTerms)
    throw invalid(`Too many sort terms. Expected at most ${limits.sortTerms}`, { ...SORT_SOURCE, limit: 'sortTerms' });
  const order = terms.map((term) => planSortTerm(term, type));
  return order.some(({ attribute }) => attribute === ID) ? order : [...order, { attribute: ID, descending: false }];
}

function planSearch(text: string, type: ContentType): Condition {
  const numeric = !Number.isNaN(Number(text));
  const attributes = shownAttributes(type).filter(({ type: kind }) => {
    const { search } = FIELDS[kind];
    return search === 'text' || (search === 'number' && numeric);
  });
  return { kind: 'search', attributes: [DOCUMENT_ID, ...attributes], text };
}

/** `filters`, `_q` and `publicationFilter` together; undefined when none of them is given. */
export function planWhere(
  params: QueryParams,
  type: ContentType,
  status: Status,
  settings: Settings,
): Condition | undefined {
  const conditions = [
    params.filters && planFilters(params.filters, type, settings.api.rest.limits),
    params.search !== undefined && planSearch(params.search, type),
    params.publicationFilter && cohortCondition(type, status, params.publicationFilter),
  ];
  return allOf(conditions.filter((condition) => typeof condition === 'object'));
}

function refuseDrafts(versions: Versions, type: ContentType, caller: Caller): void {
  if (versions.status === 'draft' && type.draftAndPublish && !caller.mayReadDrafts) throw forbidden();
}

/**
 * The plan of a list.
 * @throws ApiError 400 for keys and values that do not fit the type, 403 for drafts without a credential.
 */
export function planList(params: QueryParams, type: ContentType, caller: Caller, settings: Settings): ReadPlan {
  const versions = listVersions(type, params, defaultLocale(settings));
  refuseDrafts(versions, type, caller);
  const where = planWhere(params, type, versions.status, settings);
  const order = planOrder(params.sort, type, settings.api.rest.limits);
  const attributes = planFields(params.fields, type);
  const { page } = params;
  const count = page.withCount ? (where ? 'query' : 'counter') : 'none';
  return { type, attributes, versions, order, page, count, ...(where && { where }) };
}

/** The plan of a read of one document; `documentId` is absent for single types. */
export function planOne(
  params: QueryParams,
  type: ContentType,
  documentId: string | undefined,
  caller: Caller,
  settings: Settings,
): ReadPlan {
  const locale = singleLocale(type, params, defaultLocale(settings));
  const versions = { status: statusOf(type, params.status), locales: [locale] };
  refuseDrafts(versions, type, caller);
  const where = planWhere(params, type, versions.status, settings);
  const order = planOrder(params.sort, type, settings.api.rest.limits);
  const attributes = planFields(params.fields, type);
  const page = { start: 0, limit: 1, mode: 'page', withCount: false } as const;
  return {
    type,
    attributes,
    versions,
    order,
    page,
    count: 'none',
    ...(documentId !== undefined && { documentId }),
    ...(where && { where }),
  };
}
