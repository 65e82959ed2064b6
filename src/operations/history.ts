/**
 * @module The former versions of a document: their list, one of them, and its restoration.
 */
import { actionId, requireGrant, ruleOf } from '../auth/grants.ts';
import type { Rule } from '../auth/rule.ts';
import { forbidden, invalid, notFound } from '../common/errors.ts';
import type { Body } from '../document/format-v5.ts';
import { shownVersion } from '../document/former-version.ts';
import { isLinkAttribute, targetUid } from '../plan/model/links.ts';
import { canReadDrafts } from '../plan/read/name-scope.ts';
import { planOne } from '../plan/read/plan-read.ts';
import {
  type Entry,
  type IsThere,
  type KeptTarget,
  keptTargets,
  parseEntry,
  restoredData,
} from '../plan/write/restored.ts';
import type { InputData } from '../request/body.ts';
import { parseQueryParams, type QueryParams } from '../request/query-params.ts';
import type { ShownBody } from '../runtime/caches.ts';
import { type Authorized, readerOf } from '../runtime/call.ts';
import { type Caller, withCredential } from '../runtime/caller.ts';
import type { ContentCall } from '../runtime/content-call.ts';
import { keptVersions } from '../settings/derived.ts';
import { type Compiled, constant, mapped, query, together } from '../sql/compiled.ts';
import {
  asOf,
  type FormerVersion,
  type HistoryScope,
  selectEntry,
  selectFormer,
  selectHistory,
} from '../sql/read/history.ts';
import { typesOf } from '../sql/read/history-entry.ts';
import { compileRead } from '../sql/read/select.ts';
import { toStatement } from '../sql/render.ts';
import { compileGranted } from '../sql/write/granted.ts';
import { targetRows } from '../sql/write/present-links.ts';
import { changeConditions, mayRead, readRule, visibleTargets } from './grant-check.ts';
import { oneWithoutRevision, responseWork } from './response.ts';
import { write } from './write.ts';

type HistoryAction = 'history' | 'restore';

/** @throws ApiError 404 for a type without a history, 403 without the grant or the right to read */
function scopeFor(call: ContentCall, caller: Caller, action: HistoryAction): HistoryScope {
  const { type, settings, documentId } = call;
  if (!keptVersions(settings, type.uid)) throw notFound();
  requireGrant(caller.grants, actionId(type.uid, action));
  if (!mayRead(call, caller)) throw forbidden();
  const seesDrafts = type.draftAndPublish && canReadDrafts(type, caller);
  return { type, documentId, versions: seesDrafts ? ['draft', 'published'] : ['published'] };
}

type IsPresent = (former: FormerVersion) => boolean;

/**
 * For a caller whose grants have conditions: is the present row of a former version one that the caller sees? So what is
 * hidden, or gone, has no history.
 */
function presentRows(call: ContentCall, caller: Caller, action: HistoryAction): Compiled<IsPresent> {
  const { type, documentId } = call;
  const conditions = changeConditions(call, caller, action);
  if (!conditions) return constant(() => true);
  return mapped(
    compileGranted({ type, ...(documentId !== undefined && { documentId }), ...conditions }),
    ({ rows }) => {
      const seen = rows.filter(({ allowed, visible }) => allowed === 1 && visible === 1);
      const keys = new Set(seen.map(({ locale, published }) => `${locale} ${published === 1 ? 'published' : 'draft'}`));
      return ({ locale, version }) => keys.has(`${locale} ${version}`);
    },
  );
}

const versionOf = ({ version, locale }: FormerVersion): Pick<QueryParams, 'status' | 'locale'> => ({
  status: version,
  ...(locale !== '' && { locale }),
});

const IDENTITY = { sort: [], page: { start: 0, limit: 1, mode: 'page', withCount: false }, namesDraft: false } as const;

/** Do the values of a former version meet the conditions of the caller's grants? */
function isVisible(call: ContentCall, caller: Caller, action: HistoryAction, former: FormerVersion): Compiled<boolean> {
  const { type } = call;
  if (!changeConditions(call, caller, action)) return constant(true);
  if (!former.isKept) return constant(false);
  const rules = [readRule(call, caller), ruleOf(caller.grants, type.uid, action)];
  const checks = rules.map((rule) => {
    const params = { ...IDENTITY, fields: { names: [], everything: false }, ...versionOf(former) };
    const plan = planOne(params, type, former.documentId, { ...readerOf(call, caller), rule: unlimited(rule) });
    return mapped(asOf(compileRead(plan), type, former), ({ rows }) => rows.length > 0);
  });
  return mapped(together(checks), (results) => (results as readonly boolean[]).every(Boolean));
}

/** The conditions of a rule without its `fields`. */
function unlimited(rule: Rule | undefined): Rule | undefined {
  if (!rule) return undefined;
  const { fields: _, ...conditions } = rule;
  return conditions;
}

/** @throws ApiError 400 for other parameters */
function pageOf(call: ContentCall) {
  const raw = call.query();
  const { strictParams } = call.settings.api.rest;
  const key = strictParams ? Object.keys(raw).find((name) => name !== 'pagination') : undefined;
  if (key !== undefined) throw invalid(`Invalid key ${key}`, { key, path: null, source: 'query', param: key });
  const { page } = parseQueryParams(raw, 'list', call.settings);
  if (page.start > 0)
    throw invalid("Invalid parameter at 'pagination'. Expected pagination[after]", {
      source: 'query',
      param: 'pagination',
    });
  return { limit: page.limit, after: page.after || undefined };
}

/** Versions of one document that are checked for a caller whose grants have conditions. */
const MAX_CHECKED = 200;

/** `GET …/:documentId/history`: the newest first. @throws ApiError 404 for a document that never was, or is hidden */
export const listHistory = (call: ContentCall) =>
  withCredential(call, { source: 'primary' }, async (caller) => {
    const scope = scopeFor(call, caller, 'history');
    const { limit, after } = pageOf(call);
    const isLimited = changeConditions(call, caller, 'history') !== undefined;
    // What is hidden from the caller takes no place of a page.
    const most = isLimited ? MAX_CHECKED : limit;
    const read = together([presentRows(call, caller, 'history'), selectHistory(scope, { limit: most, after })]);
    const [isPresent, all] = await caller.read(read);
    const found = all.filter(isPresent);
    if (found.length === 0 && after === undefined) throw notFound();
    const seen = await caller.read(together(found.map((each) => isVisible(call, caller, 'history', each))));
    const shown = found.filter((_, index) => (seen as readonly boolean[])[index]);
    const page = shown.slice(0, limit);
    const next = shown.length > limit ? (page.at(-1)?.id ?? null) : null;
    const data = page.map(shownVersion);
    return { data, meta: { pagination: { limit, next } } };
  });

interface Found {
  readonly former: FormerVersion;
  readonly entry: Entry;
}

/** @throws ApiError 404 for a version that is not there, is hidden, or has no values */
async function readFormer(call: ContentCall, caller: Caller, action: HistoryAction, revision: string): Promise<Found> {
  const scope = scopeFor(call, caller, action);
  const read = [
    presentRows(call, caller, action),
    selectFormer(scope, revision),
    selectEntry(scope, revision),
  ] as const;
  const [isPresent, [former], json] = await caller.read(together(read));
  if (!former || json === undefined || !isPresent(former)) throw notFound();
  return { former, entry: parseEntry(json) };
}

interface Targets {
  readonly isThere: IsThere;
  /** May the caller be told that it is gone? Of a type that the caller sees in part, it might be hidden. */
  readonly isTold: IsThere;
}

/** Reads which targets are there, as far as the caller may find them. */
function readTargets(
  call: ContentCall,
  caller: Authorized,
  locale: string,
  targets: readonly KeptTarget[],
): Compiled<Targets> {
  const visible = visibleTargets(call, caller);
  const byUid = Map.groupBy(targets, ({ uid }) => uid);
  const told = new Set<string>();
  const reads = [...byUid].flatMap(([uid, named]) => {
    const type = call.registry.contentTypes.get(uid);
    const condition = type && visible(type);
    if (!type || condition?.kind === 'never') return [];
    if (!condition) told.add(uid);
    const documentIds = [...new Set(named.map(({ documentId }) => documentId))];
    const statement = toStatement(targetRows({ type, documentIds, ids: [], ...(condition && { visible: condition }) }));
    return [query(statement, (rows) => rows.map((row) => `${uid} ${row.document_id} ${row.locale}`))];
  });
  const localeOf = ({ uid, locale: own }: KeptTarget) =>
    call.registry.contentTypes.get(uid)?.localized ? own || locale : '';
  return mapped(together(reads), (found) => {
    const all = new Set((found as readonly (readonly string[])[]).flat());
    return {
      isThere: (target) => all.has(`${target.uid} ${target.documentId} ${localeOf(target)}`),
      isTold: ({ uid }) => told.has(uid),
    };
  });
}

const shownTarget = ({ path, documentId }: KeptTarget) => ({ path, documentId });

/** @throws ApiError 400 */
function rejectVersionParams({ query: raw }: ContentCall): void {
  const key = ['status', 'locale'].find((name) => Object.hasOwn(raw(), name));
  if (key !== undefined)
    throw invalid(`Invalid parameter at '${key}'. A former version has its own`, { source: 'query', param: key });
}

/** `GET …/:documentId/history/:revision`: the document as it was, by the rights of today. */
export const showHistory = (call: ContentCall, revision: string): Promise<Body> =>
  withCredential(call, { source: 'primary' }, async (caller) => {
    const { type } = call;
    scopeFor(call, caller, 'history');
    rejectVersionParams(call);
    const params = parseQueryParams(call.query(), 'one', call.settings);
    const { former, entry } = await readFormer(call, caller, 'history', revision);
    const reader = { ...readerOf(call, caller), rule: readRule(call, caller) };
    const plan = planOne({ ...params, ...versionOf(former) }, type, former.documentId, reader);
    const shown = responseWork(call, plan, oneWithoutRevision).work as Compiled<ShownBody<Body>>;
    const targets = keptTargets(entry, type, call.registry);
    const visible = isVisible(call, caller, 'history', former);
    const asItWas = asOf(shown, type, former);
    const [isSeen, { isThere, isTold }, { body }] = await caller.read(
      together([visible, readTargets(call, caller, former.locale, targets), asItWas]),
    );
    if (!isSeen) throw notFound();
    const isShown = ({ path }: KeptTarget) => Object.hasOwn(body.data ?? {}, path.split('.')[0] ?? '');
    const missing = targets.filter((target) => isShown(target) && isTold(target) && !isThere(target)).map(shownTarget);
    const { data: _, ...about } = { data: null, ...shownVersion(former) };
    return { ...body, meta: { ...body.meta, history: about, missing } };
  });

export interface RestoreCall extends ContentCall {
  readonly revision: string;
  /** For a document that is gone. */
  readonly newDocumentId: string;
}

/** What a restoration writes. */
interface Restoration {
  readonly documentId: string;
  readonly isGone: boolean;
  readonly locale: string;
  readonly data: InputData;
  readonly missing: readonly KeptTarget[];
  readonly changed: readonly string[];
}

/** Leaves out what the caller may not write: attributes beyond its `fields`, and relations to types that it may not list. */
function writable(data: InputData, call: ContentCall, caller: Authorized): InputData {
  const { type, registry } = call;
  const fields = ruleOf(caller.grants, type.uid, 'update')?.fields;
  const visible = visibleTargets(call, caller);
  const isListed = (name: string): boolean => {
    const attribute = type.attributes.get(name);
    if (!isLinkAttribute(attribute) || attribute.kind === 'polymorphic') return true;
    const target = registry.contentTypes.get(targetUid(attribute));
    return target === undefined || visible(target)?.kind !== 'never';
  };
  return Object.fromEntries(Object.entries(data).filter(([name]) => fields?.has(name) !== false && isListed(name)));
}

/** `POST …/actions/restore`: writes the former version into the draft, or the only version of a type without drafts. */
export async function restore(call: RestoreCall): Promise<ShownBody<Body>> {
  const { type, registry } = call;
  const restoration = await withCredential(call, { source: 'primary' }, async (caller): Promise<Restoration> => {
    scopeFor(call, caller, 'restore');
    rejectVersionParams(call);
    const { former, entry } = await readFormer(call, caller, 'restore', call.revision);
    const targets = keptTargets(entry, type, registry);
    const rowsNow = targetRows({ type, documentIds: [former.documentId], ids: [] });
    const present = query(toStatement(rowsNow), (rows) => rows.length > 0);
    const read = [
      isVisible(call, caller, 'restore', former),
      readTargets(call, caller, former.locale, targets),
      present,
    ] as const;
    const [isSeen, { isThere, isTold }, isPresent] = await caller.read(together(read));
    if (!isSeen) throw notFound();
    const restored = restoredData(entry, type, typesOf(type), registry, isThere);
    const missing = restored.missing.filter(isTold);
    const data = writable(restored.data, call, caller);
    return { ...restored, data, missing, documentId: former.documentId, isGone: !isPresent, locale: former.locale };
  });
  const { documentId, isGone, locale, data, missing, changed } = restoration;
  const raw = call.query();
  const written = { ...raw, ...(type.draftAndPublish && { status: 'draft' }), ...(locale && { locale }) };
  const { documentId: _, ...rest } = call;
  const isCreate = isGone && type.kind !== 'singleType';
  const own = {
    ...(isCreate ? rest : call),
    newDocumentId: isGone ? documentId : call.newDocumentId,
    search: `${call.search}${call.search ? '&' : '?'}restore=${type.draftAndPublish ? 'draft' : ''}-${locale}`,
    query: () => written,
    data: () => data,
    isRestoring: true as const,
  };
  const { body, revision } = await write(own, isCreate ? 'create' : 'update');
  const meta = { ...body.meta, missing: missing.map(shownTarget), changed };
  return { body: { ...body, meta }, ...(revision !== undefined && { revision }) };
}
