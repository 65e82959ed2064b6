/**
 * @module The former versions that a caller may see, and their targets.
 */
import { actionId, requireGrant, ruleOf } from '../auth/grants.ts';
import type { Rule } from '../auth/rule.ts';
import { forbidden, invalid, notFound } from '../common/errors.ts';
import { canReadDrafts } from '../plan/read/name-scope.ts';
import { planOne } from '../plan/read/plan-read.ts';
import { type Entry, type IsThere, type KeptTarget, parseEntry } from '../plan/write/restored.ts';
import type { QueryParams } from '../request/query-params.ts';
import { type Authorized, readerOf } from '../runtime/call.ts';
import type { Caller } from '../runtime/caller.ts';
import type { ContentCall } from '../runtime/content-call.ts';
import { keptVersions } from '../settings/derived.ts';
import { type Compiled, constant, mapped, query, together } from '../sql/compiled.ts';
import { asOf, type FormerVersion, type HistoryScope, selectEntry, selectFormer } from '../sql/read/history.ts';
import { compileRead } from '../sql/read/select.ts';
import { toStatement } from '../sql/render.ts';
import { compileGranted } from '../sql/write/granted.ts';
import { targetRows } from '../sql/write/present-links.ts';
import { changeConditions, mayRead, readRule, visibleTargets } from './grant-check.ts';

/** What a caller does with former versions. */
type HistoryAction = 'history' | 'restore';

/** @throws ApiError 404 for a type without a history, 403 without the grant or the right to read */
export function scopeFor(call: ContentCall, caller: Caller, action: HistoryAction): HistoryScope {
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
export function presentRows(call: ContentCall, caller: Caller, action: HistoryAction): Compiled<IsPresent> {
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

/** The parameters that select the version. */
export const versionOf = ({ version, locale }: FormerVersion): Pick<QueryParams, 'status' | 'locale'> => ({
  status: version,
  ...(locale !== '' && { locale }),
});

const IDENTITY = { sort: [], page: { start: 0, limit: 1, mode: 'page', withCount: false }, namesDraft: false } as const;

/** Do the values of a former version meet the conditions of the caller's grants? */
export function isVisible(
  call: ContentCall,
  caller: Caller,
  action: HistoryAction,
  former: FormerVersion,
): Compiled<boolean> {
  const { type } = call;
  if (!changeConditions(call, caller, action)) return constant(true);
  if (!former.isKept) return constant(false);
  const rules = [readRule(call, caller), ruleOf(caller.grants, type.uid, action)].filter((rule) => rule !== undefined);
  const checks = rules.map((rule) => {
    const params = { ...IDENTITY, fields: { names: [], everything: false }, ...versionOf(former) };
    const plan = planOne(params, type, former.documentId, { ...readerOf(call, caller), rule: withoutFields(rule) });
    return mapped(asOf(compileRead(plan), type, former), ({ rows }) => rows.length > 0);
  });
  return mapped(together(checks), (results) => (results as readonly boolean[]).every(Boolean));
}

/** The conditions of a rule alone. */
function withoutFields({ fields: _, ...conditions }: Rule): Rule {
  return conditions;
}

interface Found {
  readonly former: FormerVersion;
  readonly entry: Entry;
}

/** @throws ApiError 404 for a version that is not there, is hidden, or has no values */
export async function readFormer(
  call: ContentCall,
  caller: Caller,
  action: HistoryAction,
  scope: HistoryScope,
  revision: string,
): Promise<Found> {
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
  /** May a response name it as gone? Of a type that the caller sees in part, it might be hidden. */
  readonly mayName: IsThere;
}

/** Reads which targets are there, as far as the caller may find them. */
export function readTargets(
  call: ContentCall,
  caller: Authorized,
  locale: string,
  targets: readonly KeptTarget[],
): Compiled<Targets> {
  const visible = visibleTargets(call, caller);
  const byUid = Map.groupBy(targets, ({ uid }) => uid);
  const whole = new Set<string>();
  const reads = [...byUid].flatMap(([uid, named]) => {
    const type = call.registry.contentTypes.get(uid);
    const condition = type && visible(type);
    if (!type || condition?.kind === 'never') return [];
    if (!condition) whole.add(uid);
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
      mayName: ({ uid }) => whole.has(uid),
    };
  });
}

/** A target that is gone, as a response names it. */
export const shownTarget = ({ path, documentId }: KeptTarget) => ({ path, documentId });

/** @throws ApiError 400 */
export function rejectVersionParams({ query: raw }: ContentCall): void {
  const key = ['status', 'locale'].find((name) => Object.hasOwn(raw(), name));
  if (key !== undefined)
    throw invalid(`Invalid parameter at '${key}'. A former version has its own`, { source: 'query', param: key });
}
