/**
 * @module The former versions that a caller may see, and their targets.
 */
import { actionId, requireGrant } from '../../access/grants.ts';
import { forbidden, invalid, notFound } from '../../common/errors.ts';
import { changeConditions, mayRead, type TypeCall, visibleTargets } from '../../content/operations/grant-check.ts';
import { isNever } from '../../content/plan/model/condition.ts';
import { canReadDrafts } from '../../content/plan/read/name-scope.ts';
import type { Authorized } from '../../content/runtime/call.ts';
import type { Caller } from '../../content/runtime/caller.ts';
import type { DocumentCall } from '../../content/runtime/content-call.ts';
import { type Compiled, constant, mapped, query, together } from '../../content/sql/compiled.ts';
import { toStatement } from '../../content/sql/render.ts';
import { fenced } from '../../content/sql/stamps.ts';
import { compileGranted } from '../../content/sql/write/granted.ts';
import { targetRows } from '../../content/sql/write/present-links.ts';
import { namedDocument } from '../../schema/document-ref.ts';
import { keptVersions } from '../../schema/settings/derived.ts';
import { type IsThere, type KeptTarget, restored } from './restored.ts';
import { asOf, type FormerVersion, type HistoryScope, selectFormer } from './sql/read.ts';

/** What a caller does with former versions. */
type HistoryAction = 'history' | 'restore';

/** The versions of a type that a caller may see. */
export function versionsFor(call: TypeCall, caller: Authorized, action: HistoryAction): HistoryScope {
  const { type } = call;
  const seesDrafts = type.draftAndPublish && canReadDrafts(type, caller);
  return { type, document: 'all', seesDrafts, conditions: changeConditions(call, caller, action) };
}

/** @throws ApiError 404 for a type without a history, 403 without the grant or the right to read */
export function scopeFor(call: DocumentCall, caller: Caller, action: HistoryAction): HistoryScope {
  const { type, settings, document } = call;
  if (!keptVersions(settings, type.uid)) throw notFound();
  requireGrant(caller.grants, actionId(type.uid, action));
  if (!mayRead(call, caller)) throw forbidden();
  return { ...versionsFor(call, caller, action), document };
}

interface PresentRows {
  /** Has the document any? */
  readonly isThere: boolean;
  /** Versions with their locales: those that the caller sees today, and that the grant of the action covers. */
  readonly seen: readonly Pick<FormerVersion, 'locale' | 'version'>[];
}

export const presentRows = (
  call: TypeCall & Pick<DocumentCall, 'document'>,
  caller: Authorized,
  action: HistoryAction,
): Compiled<PresentRows> => {
  const { type, document } = call;
  const conditions = changeConditions(call, caller, action) ?? { allowed: undefined, visible: undefined };
  return mapped(compileGranted({ kind: 'document', type, document, ...conditions }), ({ rows }) => ({
    isThere: rows.length > 0,
    seen: rows
      .filter(({ allowed, visible }) => allowed && visible)
      .map(({ locale, published }) => ({ locale: locale as string, version: published ? 'published' : 'draft' })),
  }));
};

/**
 * May a caller see a former version of what it sees today? If its grants have conditions, the values of then meet them, too.
 * So what is hidden or deleted has no history.
 */
export function isVisible(
  call: TypeCall,
  caller: Authorized,
  action: HistoryAction,
  former: FormerVersion,
): Compiled<boolean> {
  if (!changeConditions(call, caller, action)) return constant(true);
  return mapped(
    asOf(presentRows({ ...call, document: namedDocument(former.documentId) }, caller, action), call.type, former),
    ({ seen }) => seen.some(({ locale, version }) => locale === former.locale && version === former.version),
  );
}

/**
 * @param revisionOf called once the grant was checked
 * @throws ApiError 404 for a version that is not there, is hidden, or has no values; 400 for parameters that name another
 */
export async function readFormer(call: DocumentCall, caller: Caller, action: HistoryAction, revisionOf: () => string) {
  const scope = scopeFor(call, caller, action);
  const revision = revisionOf();
  const key = ['status', 'locale'].find((name) => Object.hasOwn(call.query(), name));
  if (key !== undefined)
    throw invalid(`Invalid parameter at '${key}'. A former version has its own`, { source: 'query', param: key });
  const [stored] = await caller.read(fenced(call.registry.fences, selectFormer(scope, revision)));
  if (!stored?.entry) throw notFound();
  const { entry, missing: targets, changed } = restored(stored.entry, call.type, call);
  const former = { ...stored, entry };
  // Before any error that depends on the version.
  if (!(await caller.read(isVisible(call, caller, action, former)))) throw notFound();
  return { former, targets, changed };
}

/** `sections.0.author` → `sections` */
export const ownerOf = (path: string): string => path.split('.')[0] ?? '';

interface Targets {
  readonly isThere: IsThere;
  /** Returns the missing targets that a response may name. Of a type that the caller sees in part, one might be hidden. */
  shownMissing(targets: readonly KeptTarget[]): readonly Pick<KeptTarget, 'path' | 'documentId'>[];
}

/** Reads which targets are there, as far as the caller may find them. */
export function readTargets(
  call: DocumentCall,
  caller: Authorized,
  { locale }: FormerVersion,
  targets: readonly KeptTarget[],
): Compiled<Targets> {
  const { contentTypes } = call.registry;
  const visible = visibleTargets(call, caller);
  const whole = new Set<string>();
  const reads = [...Map.groupBy(targets, ({ uid }) => uid)].flatMap(([uid, named]) => {
    const type = contentTypes.get(uid);
    const condition = type && visible(type);
    if (!type || isNever(condition)) return [];
    if (!condition) whole.add(uid);
    const documentIds = named.map(({ documentId }) => documentId);
    const statement = toStatement(targetRows({ type, documentIds, ids: [], ...(condition && { visible: condition }) }));
    return [query(statement, (rows) => rows.map((row) => `${uid} ${row.document_id} ${row.locale}`))];
  });
  return mapped(together(reads), (found) => {
    const all = new Set((found as readonly (readonly string[])[]).flat());
    const isThere: IsThere = ({ uid, documentId, locale: own }) => all.has(`${uid} ${documentId} ${own ?? locale}`);
    return {
      isThere,
      shownMissing: (named) =>
        named
          .filter((target) => !target.isPrivate && whole.has(target.uid) && !isThere(target))
          .map(({ path, documentId }) => ({ path, documentId })),
    };
  });
}
