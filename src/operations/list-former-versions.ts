/**
 * @module The former versions of a document, and the last changes of all documents.
 */
import { actionId } from '../auth/grants.ts';
import { forbidden, notFound } from '../common/errors.ts';
import { shownVersion } from '../document/former-version.ts';
import { restored } from '../plan/write/restored.ts';
import type { ContentType } from '../registry/model.ts';
import { type HistoryParams, historyCursor, parseHistoryParams } from '../request/history-params.ts';
import type { Call } from '../runtime/call.ts';
import { type Caller, withCredential } from '../runtime/caller.ts';
import type { DocumentCall } from '../runtime/content-call.ts';
import { keptVersions } from '../settings/derived.ts';
import { together } from '../sql/compiled.ts';
import { type FormerVersion, type HistoryScope, selectHistory } from '../sql/read/history.ts';
import { isVisible, presentRows, scopeFor, versionsFor } from './former-versions.ts';
import { mayRead } from './grant-check.ts';

/** Versions that are checked at once, each with a statement, for a caller whose grants have conditions. */
const MAX_CHECKED = 20;

/** Returns those of the versions that the caller may see. */
async function seenOf(call: Call, caller: Caller, formers: readonly FormerVersion[]) {
  const { registry } = call;
  const checks = formers.map((former) => {
    const type = registry.contentTypes.get(former.type) as ContentType;
    const entry = former.entry && restored(former.entry, type, call).entry;
    return isVisible({ ...call, type }, caller, 'history', { ...former, entry });
  });
  const seen: readonly unknown[] = await caller.read(together(checks));
  return formers.filter((_, index) => seen[index]);
}

/** What is hidden from the caller takes no place of a page. */
async function pageOf(call: Call, caller: Caller, scopes: readonly HistoryScope[], params: HistoryParams) {
  const { limit } = params;
  const isLimited = scopes.some(({ conditions }) => conditions);
  const size = isLimited ? Math.min(limit + 1, MAX_CHECKED) : limit + 1;
  const renames = isLimited ? (call.registry.renames?.length ?? 0) : undefined;
  const shown: FormerVersion[] = [];
  for (let { after } = params; ; ) {
    const found = await caller.read(selectHistory(scopes, { ...params, limit: size, after }, renames));
    shown.push(...(isLimited ? await seenOf(call, caller, found) : found));
    after = found.at(-1);
    if (found.length < size || shown.length > limit) break;
  }
  const page = shown.slice(0, limit);
  const next = shown.length > limit ? historyCursor(page.at(-1) as FormerVersion) : null;
  return { page, meta: { pagination: { limit, next } } };
}

/** `GET …/:documentId/history`: the newest first. @throws ApiError 404 for a document that never was, or is hidden */
export const listFormerVersions = (call: DocumentCall) =>
  withCredential(call, { source: 'primary' }, async (caller) => {
    const scope = scopeFor(call, caller, 'history');
    const params = parseHistoryParams(call.query(), true, call.settings);
    const { page, meta } = await pageOf(call, caller, [scope], params);
    if (page.length === 0 && !params.after) {
      const { seen } = await caller.read(presentRows(call, caller, 'history'));
      if (!seen.some(({ version }) => scope.seesDrafts || version === 'published')) throw notFound();
    }
    return { data: page.map(shownVersion), meta };
  });

/**
 * `GET /api/history`: the last changes of the documents that the caller may see.
 * @throws ApiError 403 if the caller may see that of no type
 */
export const listChanges = (call: Call) =>
  withCredential(call, { source: 'primary' }, async (caller) => {
    const { registry, settings } = call;
    const { grants } = caller;
    const granted = [...registry.contentTypes.values()].filter(
      (type) =>
        keptVersions(settings, type.uid) && grants.allows(actionId(type.uid, 'history')) && mayRead({ type }, caller),
    );
    if (granted.length === 0) throw forbidden();
    const params = parseHistoryParams(call.query(), false, settings);
    const named = granted.filter(({ uid }) => params.types?.includes(uid) !== false);
    if (named.length === 0) throw forbidden();
    const scopes = named.map((type) => versionsFor({ registry, settings, type }, caller, 'history'));
    const { page, meta } = await pageOf(call, caller, scopes, params);
    return { data: page.map((former) => ({ type: former.type, ...shownVersion(former) })), meta };
  });
