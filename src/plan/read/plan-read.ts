/**
 * @module QueryParams → ReadPlan, step by step.
 */
import type { Grants } from '../../auth/grants.ts';
import { defaultLocale, type Settings } from '../../config.ts';
import { forbidden } from '../../errors.ts';
import { FIELDS } from '../../registry/fields.ts';
import type { ContentType, Registry } from '../../registry/model.ts';
import type { QueryParams, Status } from '../../request/query-params.ts';
import { allOf } from '../model/condition.ts';
import type { Condition, Order, ReadPlan, Selection, Versions } from '../model/read-plan.ts';
import { DOCUMENT_ID, identityOf, type Source } from '../model/resolve.ts';
import { cohortCondition, effectiveStatus, listVersions, oneVersion } from '../model/versions.ts';
import { planCursor } from './cursor.ts';
import { planFields, shownScalars } from './fields.ts';
import { planFilters } from './filters.ts';
import { mayReadDrafts, type PlanContext, scopeOf } from './name-scope.ts';
import { planPopulate } from './populate.ts';
import { endInId, planSort } from './sort.ts';

/** What planning may know of the caller and the deployment. */
export interface Reader {
  readonly registry: Registry;
  readonly settings: Settings;
  readonly grants: Grants;
  /** The answer to a write shows what was written, a draft too; but no other draft. */
  readonly isWriter?: boolean;
  /** Is the answer one without a body? Then nothing is read that only a body would show. */
  readonly bodiless?: boolean;
}

const NOTHING: Selection = { attributes: [], populate: [] };

const FILTERS: Source = { source: 'query', param: 'filters' };
const SORT: Source = { source: 'query', param: 'sort' };
const FIELDS_SOURCE: Source = { source: 'query', param: 'fields' };

const contextOf = ({ registry, grants, settings }: Reader, status: Status | undefined): PlanContext => ({
  registry,
  grants,
  limits: settings.api.rest.limits,
  status: status ?? 'published',
});

function planSearch(text: string, type: ContentType): Condition {
  const numeric = !Number.isNaN(Number(text));
  const attributes = shownScalars(scopeOf(type)).filter(({ type: kind, searchable }) => {
    const { search } = FIELDS[kind];
    return searchable !== false && (search === 'text' || (search === 'number' && numeric));
  });
  return { kind: 'search', attributes: [DOCUMENT_ID, ...attributes], text };
}

/**
 * `filters`, `_q` and `publicationFilter` together; undefined when none of them is given.
 * @throws ApiError 400 for keys and values that do not fit the type, 403 for drafts that the caller may not read.
 */
export function planWhere(params: QueryParams, type: ContentType, reader: Reader): Condition | undefined {
  const status = effectiveStatus(type, params.status);
  const conditions = [
    params.filters && planFilters(params.filters, scopeOf(type), contextOf(reader, params.status), FILTERS),
    params.search !== undefined && planSearch(params.search, type),
    params.publicationFilter && cohortCondition(type, status, params.publicationFilter),
  ];
  return allOf(conditions.filter((condition) => typeof condition === 'object'));
}

/**
 * What an answer shows of a document.
 * @throws ApiError 400 for keys that do not fit the type, 403 for drafts behind it that the caller may not read.
 */
export function planSelection(params: QueryParams, type: ContentType, reader: Reader): Selection {
  const scope = scopeOf(type);
  const attributes = planFields(params.fields, scope, FIELDS_SOURCE);
  const context = { ...contextOf(reader, params.status), publicationFilter: params.publicationFilter };
  return { attributes, populate: planPopulate(params.populate, scope, context) };
}

/** Who may not read drafts may not ask which published documents differ from theirs either. */
function refuseDrafts(params: QueryParams, { status }: Versions, type: ContentType, reader: Reader): void {
  const asksForDrafts = status === 'draft' || params.publicationFilter !== undefined;
  if (!asksForDrafts || !type.draftAndPublish || reader.isWriter === true) return;
  if (!mayReadDrafts(type, reader)) throw forbidden();
}

/**
 * `filters` and `sort` of a write have no effect; what they name must be there all the same.
 * @throws ApiError 400
 */
export function refuseUnknownKeys({ filters, sort }: QueryParams, type: ContentType, reader: Reader): void {
  const context = contextOf(reader, undefined);
  if (filters) planFilters(filters, scopeOf(type), context, FILTERS);
  planSort(
    sort.map(({ path }) => ({ path })),
    scopeOf(type),
    context,
    SORT,
  );
}

function joins(condition: Condition | undefined): boolean {
  switch (condition?.kind) {
    case 'and':
    case 'or':
      return condition.conditions.some(joins);
    case 'not':
      return joins(condition.condition);
    default:
      return condition?.kind === 'related';
  }
}

/** What is sorted by is shown beside `fields` where a filter leads through a relation or component, as in the reference. */
function withSorted(selection: Selection, order: readonly Order[], where: Condition | undefined): Selection {
  if (!joins(where) || order.some(({ steps }) => steps.length > 0)) return selection;
  const sorted = order.map(({ attribute }) => attribute).filter((attribute) => !identityOf(attribute.name));
  return { ...selection, attributes: [...new Set([...selection.attributes, ...sorted])] };
}

function planRows(params: QueryParams, type: ContentType, versions: Versions, reader: Reader) {
  refuseDrafts(params, versions, type, reader);
  const where = planWhere(params, type, reader);
  const order = endInId(planSort(params.sort, scopeOf(type), contextOf(reader, params.status), SORT));
  const { answerRows: rows, answerBytes: bytes } = reader.settings.api.rest.limits;
  const ceiling = { rows, bytes };
  const selection = withSorted(planSelection(params, type, reader), order, where);
  return { type, versions, order, ceiling, selection, ...(where && { where }) };
}

/** The same, without what only a body would show. */
export const withoutBody = (plan: ReadPlan): ReadPlan => ({ ...plan, selection: NOTHING, count: 'none' });

const planFor = ({ bodiless }: Reader, plan: ReadPlan): ReadPlan => (bodiless ? withoutBody(plan) : plan);

/**
 * The plan of a list.
 * @throws ApiError 400 for keys and values that do not fit the type, 403 for drafts that the caller may not read.
 */
export function planList(params: QueryParams, type: ContentType, reader: Reader): ReadPlan {
  const rows = planRows(params, type, listVersions(type, params, defaultLocale(reader.settings)), reader);
  const { page } = params;
  const count = page.withCount ? (rows.where ? 'query' : 'counter') : 'none';
  const cursor = planCursor(params, type, rows.versions, rows.order);
  return planFor(reader, { ...rows, page, count, ...(cursor && { cursor }) });
}

/** The plan of a read of one document; `documentId` is absent for single types. */
export function planOne(
  params: QueryParams,
  type: ContentType,
  documentId: ReadPlan['documentId'],
  reader: Reader,
): ReadPlan {
  const rows = planRows(params, type, oneVersion(type, params, defaultLocale(reader.settings)), reader);
  const page = { start: 0, limit: 1, mode: 'page', withCount: false } as const;
  return planFor(reader, { ...rows, page, count: 'none', ...(documentId !== undefined && { documentId }) });
}
