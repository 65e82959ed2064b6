/**
 * @module The former versions that a caller may see, and their targets.
 */
import { actionId, requireGrant } from '../auth/grants.ts';
import { forbidden, invalid, notFound } from '../common/errors.ts';
import { canReadDrafts } from '../plan/read/name-scope.ts';
import { withTodaysNames } from '../plan/write/renamed-entry.ts';
import type { Entry, IsThere, KeptTarget } from '../plan/write/restored.ts';
import type { ContentType, Registry } from '../registry/model.ts';
import type { QueryParams } from '../request/query-params.ts';
import type { Authorized } from '../runtime/call.ts';
import type { Caller } from '../runtime/caller.ts';
import type { ContentCall } from '../runtime/content-call.ts';
import { keptVersions } from '../settings/derived.ts';
import { type Compiled, constant, mapped, query, together } from '../sql/compiled.ts';
import { asOf, type FormerVersion, type HistoryScope, selectEntry, selectFormer } from '../sql/read/history.ts';
import { toStatement } from '../sql/render.ts';
import type { Row } from '../sql/statement.ts';
import { compileGranted } from '../sql/write/granted.ts';
import { targetRows } from '../sql/write/present-links.ts';
import { changeConditions, mayRead, visibleTargets } from './grant-check.ts';

/** What a caller does with former versions. */
type HistoryAction = 'history' | 'restore';

/** A call about documents of a type. */
export type TypeCall = Pick<ContentCall, 'registry' | 'settings' | 'type'>;

/** The versions of a type that a caller may see. */
export function versionsFor({ type }: TypeCall, caller: Authorized): HistoryScope {
  const seesDrafts = type.draftAndPublish && canReadDrafts(type, caller);
  return { type, versions: seesDrafts ? ['draft', 'published'] : ['published'] };
}

/** @throws ApiError 404 for a type without a history, 403 without the grant or the right to read */
export function scopeFor(call: ContentCall, caller: Caller, action: HistoryAction): HistoryScope {
  const { type, settings, documentId } = call;
  if (!keptVersions(settings, type.uid)) throw notFound();
  requireGrant(caller.grants, actionId(type.uid, action));
  if (!mayRead(call, caller)) throw forbidden();
  return { ...versionsFor(call, caller), documentId };
}

type IsPresent = (former: FormerVersion) => boolean;

/** A row that is visible to the caller, and that the grant of the action covers. */
const isSeen = ({ allowed, visible }: Row): boolean => allowed === 1 && visible === 1;

const versionOfRow = ({ locale, published }: Row): string => `${locale} ${published === 1 ? 'published' : 'draft'}`;

const rowVersion = ({ locale, version }: FormerVersion): string => `${locale} ${version}`;

/** Which rows of a document does the caller see today? */
export const seenRows = (
  call: TypeCall,
  caller: Authorized,
  action: HistoryAction,
  documentId: string | undefined,
): Compiled<ReadonlySet<string>> => {
  const conditions = changeConditions(call, caller, action) ?? { allowed: undefined, visible: undefined };
  const granted = compileGranted({ type: call.type, documentId, ...conditions });
  return mapped(granted, ({ rows }) => new Set(rows.filter(isSeen).map(versionOfRow)));
};

/**
 * For a caller whose grants have conditions: is the present row of a former version one that the caller sees? So what is
 * hidden or deleted has no history.
 */
export function presentRows(
  call: TypeCall,
  caller: Authorized,
  action: HistoryAction,
  documentId: string | undefined,
): Compiled<IsPresent> {
  if (!changeConditions(call, caller, action)) return constant(() => true);
  return mapped(seenRows(call, caller, action, documentId), (seen) => (former) => seen.has(rowVersion(former)));
}

/** The parameters that select the version. */
export const versionOf = ({ version, locale }: FormerVersion): Pick<QueryParams, 'status' | 'locale'> => ({
  status: version,
  ...(locale !== '' && { locale }),
});

/** Do the values of a former version meet the conditions of the caller's grants? */
export function isVisible(
  call: TypeCall,
  caller: Authorized,
  action: HistoryAction,
  former: FormerVersion,
): Compiled<boolean> {
  if (!changeConditions(call, caller, action)) return constant(true);
  if (!former.isKept) return constant(false);
  const asItWas = asOf(seenRows(call, caller, action, former.documentId), call.type, former);
  return mapped(asItWas, (seen) => seen.has(rowVersion(former)));
}

interface Found {
  readonly former: FormerVersion;
  /** Under the names of today. */
  readonly entry: Entry;
}

function foundWith(json: string, former: FormerVersion, registry: Registry): Found {
  const stored = JSON.parse(json) as Entry;
  const entry = withTodaysNames(stored, registry.contentTypes.get(former.type) as ContentType, registry);
  return { former: entry === stored ? former : { ...former, entry: JSON.stringify(entry) }, entry };
}

/** Adds entries under the names of today to those former versions that have others. */
export async function underTodaysNames(
  { registry }: Pick<TypeCall, 'registry'>,
  caller: Caller,
  formers: readonly FormerVersion[],
): Promise<readonly FormerVersion[]> {
  if (!registry.renames?.length) return formers;
  const reads = formers.map(({ id, type: uid, documentId, version }) =>
    selectEntry({ type: registry.contentTypes.get(uid) as ContentType, documentId, versions: [version] }, id),
  );
  const entries = (await caller.read(together(reads))) as readonly (string | undefined)[];
  return formers.map((former, index) => {
    const json = entries[index];
    return json === undefined ? former : foundWith(json, former, registry).former;
  });
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
    presentRows(call, caller, action, call.documentId),
    selectFormer(scope, revision),
    selectEntry(scope, revision),
  ] as const;
  const [isPresent, [former], json] = await caller.read(together(read));
  if (!former || json === undefined || !isPresent(former)) throw notFound();
  return foundWith(json, former, call.registry);
}

interface Targets {
  readonly isThere: IsThere;
  /** May a response name it as missing? Of a type that the caller sees in part, it might be hidden. */
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

/** A missing target, as a response names it. */
export const shownTarget = ({ path, documentId }: KeptTarget) => ({ path, documentId });

/** @throws ApiError 400 */
export function rejectVersionParams({ query: raw }: ContentCall): void {
  const key = ['status', 'locale'].find((name) => Object.hasOwn(raw(), name));
  if (key !== undefined)
    throw invalid(`Invalid parameter at '${key}'. A former version has its own`, { source: 'query', param: key });
}
