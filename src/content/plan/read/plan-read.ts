/**
 * @module QueryParams → ReadPlan.
 */
import { actionId, type Grants, requireGrant, ruleOf } from '../../../access/grants.ts';
import type { Rule } from '../../../access/rule.ts';
import { notFound } from '../../../common/errors.ts';
import { type DocumentRef, single } from '../../../schema/document-ref.ts';
import type { ContentType, Registry, ScalarAttribute } from '../../../schema/model.ts';
import type { Settings } from '../../../schema/settings/config.ts';
import { defaultLocale, localeChain } from '../../../schema/settings/derived.ts';
import type { RowName } from '../../request/plain-params.ts';
import type { QueryParams, Status } from '../../request/query-params.ts';
import { allOf, isGroup, isStep } from '../model/condition.ts';
import type {
  Condition,
  DocumentPlaceholder,
  LookupPlan,
  Order,
  ReadPlan,
  TopSelection,
  Versions,
} from '../model/read-plan.ts';
import { ID, identityOf, RANK } from '../model/resolve.ts';
import { chainVersions, cohortCondition, effectiveStatus, listVersions, oneVersion } from '../model/versions.ts';
import { planCursor } from './cursor.ts';
import { planFacets } from './facets.ts';
import { planFields } from './fields.ts';
import { planFilters } from './filters.ts';
import { canReadDrafts, lacksDrafts, type PlanContext, revealed, scopeOf } from './name-scope.ts';
import { planPopulate } from './populate.ts';
import { presetFields } from './populate-presets.ts';
import { ruleCondition } from './rule-condition.ts';
import { planSearch, planWords, withHighlights } from './search.ts';
import { endInId, planSort } from './sort.ts';

/** The caller and the deployment, as planning sees them. */
export interface Reader {
  readonly registry: Registry;
  readonly settings: Settings;
  readonly grants: Grants;
  /** Limits the documents that a read returns, and their attributes. */
  readonly rule?: Rule | undefined;
  /** Does the response show a written document, which may be a draft? */
  readonly isWriter?: boolean;
  /** Has the response no body? */
  readonly bodiless?: boolean;
}

type Param = 'filters' | 'sort' | 'fields' | 'populate' | 'facets';

const extensionsOf = ({ api: { rest }, populates }: Settings): Pick<PlanContext, 'extensions'> =>
  rest.extensions ? { extensions: { maxLimit: rest.maxLimit, deepPopulate: rest.deepPopulate, populates } } : {};

const contextOf = ({ registry, grants, settings }: Reader, status: Status | undefined, param: Param): PlanContext => ({
  registry,
  grants,
  limits: settings.api.rest.limits,
  ...extensionsOf(settings),
  status: status ?? 'published',
  source: { source: 'query', param },
  visible: (type, rows, rule = ruleOf(grants, type.uid, 'find')) =>
    ruleCondition(rule, type, rows, { registry, settings, grants }),
});

/**
 * Combines `filters`, `_q` and `publicationFilter`.
 * @throws ApiError 400 for keys and values that do not fit the type; 403 for drafts that the caller may not read
 */
export function planWhere(params: QueryParams, type: ContentType, reader: Reader): Condition | undefined {
  const status = effectiveStatus(type, params.status);
  const scope = scopeOf(type, reader.rule);
  const { visible } = contextOf(reader, params.status, 'filters');
  const conditions = [
    params.filters && planFilters(params.filters, scope, contextOf(reader, params.status, 'filters')),
    params.search !== undefined && planSearch(params.search, scope),
    params.publicationFilter &&
      cohortCondition(type, status, params.publicationFilter, (target, rows) => visible(target, rows, scope.rule)),
  ];
  return allOf(conditions.filter((condition) => typeof condition === 'object'));
}

/** @throws ApiError 400 for keys that do not fit the type; 403 for populated drafts, and private attributes, that the caller may not read. */
export function planSelection(params: QueryParams, type: ContentType, reader: Reader): TopSelection {
  if (params.showsPrivate) requireGrant(reader.grants, actionId(type.uid, 'readPrivate'));
  const scope = params.showsPrivate ? revealed(scopeOf(type, reader.rule)) : scopeOf(type, reader.rule);
  const context = { ...contextOf(reader, params.status, 'populate'), publicationFilter: params.publicationFilter };
  const fields = params.fields ?? presetFields(params.populate, scope, context);
  const attributes = planFields(fields, scope, { source: 'query', param: 'fields' });
  return { attributes, ...planPopulate(params.populate, scope, context) };
}

/** `publicationFilter` reveals which published documents differ from their drafts. */
function rejectDrafts(params: QueryParams, { status }: Versions, type: ContentType, reader: Reader): void {
  const readsDrafts = status === 'draft' || params.publicationFilter !== undefined;
  if (!readsDrafts || !type.draftAndPublish || reader.isWriter === true) return;
  if (!reader.rule?.drafts && !canReadDrafts(type, reader)) throw lacksDrafts(type);
}

/** Checks the names in `filters` and `sort` of a write, where they have no effect. @throws ApiError 400 */
export function rejectUnknownKeys({ filters, sort }: QueryParams, type: ContentType, reader: Reader): void {
  const terms = sort.map(({ path }) => ({ path }));
  const scope = scopeOf(type, reader.rule);
  if (filters) planFilters(filters, scope, contextOf(reader, undefined, 'filters'));
  planSort(terms, scope, contextOf(reader, undefined, 'sort'));
}

/** Negations stand below relations and groups. */
const joinsTable = (condition: Condition): boolean =>
  isStep(condition) || (isGroup(condition) && condition.conditions.some(joinsTable));

/** Like Strapi, selects the attributes of `sort`, too, if a filter joins another table. */
function withSorted(selection: TopSelection, order: readonly Order[], where: Condition | undefined): TopSelection {
  const { attributes } = selection;
  if (!where || !joinsTable(where) || order.some(({ steps }) => steps.length > 0)) return selection;
  const isOfRow = (attribute: ScalarAttribute) => attribute !== RANK && !identityOf(attribute.name);
  const sorted = order.map(({ attribute }) => attribute).filter(isOfRow);
  const added = sorted.filter((attribute) => !attributes.includes(attribute));
  // What is rendered once is known by the list of all attributes.
  return added.length === 0 ? selection : { ...selection, attributes: [...attributes, ...new Set(added)] };
}

/** Returns the rows of the type that the caller may see, by the rule of the read and that of lists. */
function visibleRows(type: ContentType, { status }: Versions, { rule, ...reader }: Reader, listed: Rule | undefined) {
  const rules = listed?.key === rule?.key ? [rule] : [rule, listed];
  const conditions = rules.map((each) => ruleCondition(each, type, status, reader));
  return allOf(conditions.filter((condition) => condition !== undefined));
}

/** Of rows in several locales of a chain, the first one that the caller may see. */
function firstOfChain({ fallback }: QueryParams, versions: Versions, visible: Condition | undefined) {
  const { status, locales = [] } = versions;
  if (!fallback || locales.length < 2) return {};
  const chain: Condition = { kind: 'first-locale', locales, status, ...(visible && { visible }) };
  return { chain };
}

/** @param of returns the versions without `fallback` */
function versionsOf(params: QueryParams, type: ContentType, { settings }: Reader, of: typeof listVersions): Versions {
  const versions = of(type, params, defaultLocale(settings));
  return params.fallback ? chainVersions(type, versions, (locale) => localeChain(settings, locale)) : versions;
}

/** @param listed the rule of lists, if it limits a read of one document, too */
function planRows(params: QueryParams, type: ContentType, versions: Versions, reader: Reader, listed?: Rule) {
  rejectDrafts(params, versions, type, reader);
  const where = planWhere(params, type, reader);
  const visible = reader.isWriter ? undefined : visibleRows(type, versions, reader, listed ?? reader.rule);
  const scope = scopeOf(type, reader.rule);
  const words = params.words && planWords(params.words, type, scope, { versions, visible });
  const order = endInId(planSort(params.sort, scope, contextOf(reader, params.status, 'sort'), words));
  const { answerRows: rows, answerBytes: bytes } = reader.settings.api.rest.limits;
  const ceiling = { rows, bytes };
  const selection = withSorted(planSelection(params, type, reader), order, where);
  const shown = words && params.highlights ? withHighlights(words, selection, scope) : { selection };
  const chosen = firstOfChain(params, versions, visible);
  const all = allOf([visible, where, words].filter((condition) => condition !== undefined));
  return { type, versions, order, ceiling, ...shown, ...(all && { where: all }), ...chosen };
}

/** Drops what only a body shows. */
export const withoutBody = (plan: ReadPlan): ReadPlan => ({
  ...plan,
  selection: { attributes: [], populate: [] },
  count: 'none',
  facets: undefined,
  highlights: undefined,
});

const planFor = ({ bodiless }: Reader, plan: ReadPlan): ReadPlan => (bodiless ? withoutBody(plan) : plan);

/** @throws ApiError 400 for keys and values that do not fit the type; 403 for drafts that the caller may not read. */
export function planList(params: QueryParams, type: ContentType, reader: Reader): ReadPlan {
  const rows = planRows(params, type, versionsOf(params, type, reader, listVersions), reader);
  const { page } = params;
  const withCount = rows.chain ? params.fallback?.withCount : page.withCount;
  const count = withCount ? (rows.where || rows.chain ? 'query' : 'counter') : 'none';
  const cursor = planCursor(params, type, rows.versions, rows.order);
  const scope = scopeOf(type, reader.rule);
  const facets = params.facets && planFacets(params.facets, scope, contextOf(reader, params.status, 'facets'));
  return planFor(reader, { ...rows, page, count, ...(cursor && { cursor }), ...(facets && { facets }) });
}

const ONE_ROW = { start: 0, limit: 1, mode: 'page', withCount: false } as const;

function planRow(params: QueryParams, type: ContentType, reader: Reader, listed?: Rule): ReadPlan {
  const rows = planRows(params, type, versionsOf(params, type, reader, oneVersion), reader, listed);
  return planFor(reader, { ...rows, page: ONE_ROW, count: 'none' });
}

const isPlaceholder = (document: DocumentRef | DocumentPlaceholder): document is DocumentPlaceholder =>
  'name' in document;

function documentOf(document: DocumentRef, type: ContentType): Pick<ReadPlan, 'documentId'> {
  switch (document.kind) {
    case 'named':
      return { documentId: document.documentId };
    case 'single':
      single(type);
      return {};
    default:
      return document satisfies never;
  }
}

/** Plans the read of a document. @throws Error for a collection type without a document, whose first row would be read */
export function planOne(
  params: QueryParams,
  type: ContentType,
  document: DocumentRef | DocumentPlaceholder,
  reader: Reader,
): ReadPlan {
  const named = isPlaceholder(document) ? { documentId: document } : documentOf(document, type);
  return { ...planRow(params, type, reader), ...named };
}

/**
 * Plans the read of the document with a unique value, among those that a list with this filter has.
 * @param listed the rule of lists; the reader has that of the read
 * @throws ApiError 404 for an attribute that the caller may not see, or not filter by
 */
export function planLookup(
  params: QueryParams,
  type: ContentType,
  lookup: LookupPlan,
  reader: Reader,
  listed: Rule | undefined,
): ReadPlan {
  const isSeen = [reader.rule, listed].every((rule) => scopeOf(type, rule).attributes.has(lookup.attribute.name));
  if (!isSeen) throw notFound();
  const plan = planRow(params, type, reader, listed);
  // A row of another document shows that the value is not unique.
  const ofOne = plan.versions.locales ? 1 : reader.settings.i18n.locales.length;
  return { ...plan, lookup, page: { ...ONE_ROW, limit: ofOne + 1 } };
}

/** Plans the read of a user or a file. */
export function planNamed(params: QueryParams, type: ContentType, row: RowName, reader: Reader): ReadPlan {
  const plan = planRow(params, type, reader);
  if (typeof row === 'string') return { ...plan, documentId: row };
  const own: Condition = { kind: 'compare', attribute: ID, operator: '$eq', operands: [row] };
  return { ...plan, where: plan.where ? { kind: 'and', conditions: [own, plan.where] } : own };
}
