/**
 * @module The former versions of a document, and the last changes of all documents.
 */
import { actionId } from '../../access/grants.ts';
import { forbidden, notFound } from '../../common/errors.ts';
import { seal, unseal } from '../../content/credentials/seal.ts';
import { requiredSecret } from '../../content/credentials/secrets.ts';
import { mayRead } from '../../content/operations/grant-check.ts';
import type { Call } from '../../content/runtime/call.ts';
import { type Caller, withCredential } from '../../content/runtime/caller.ts';
import type { DocumentCall } from '../../content/runtime/content-call.ts';
import { together } from '../../content/sql/compiled.ts';
import type { ContentType } from '../../schema/model.ts';
import { keptVersions } from '../../schema/settings/derived.ts';
import { shownVersion } from './format-version.ts';
import { isVisible, presentRows, scopeFor, versionsFor } from './former-versions.ts';
import { type HistoryParams, historyCursor, parseHistoryParams, placeOfCursor, type VersionPlace } from './params.ts';
import { restored } from './restored.ts';
import { type FormerVersion, type HistoryScope, roundTrip, selectHistory } from './sql/read.ts';

/** Versions that a page checks at least, each with a statement, for a caller whose grants have conditions. */
const MIN_CHECKED = 50;

/** What the cursors of such a caller are sealed for: they may name a version that is hidden. */
const CURSOR = 'history cursor';

/** Returns those of the versions that the caller may see. In one round trip, also without any: its time would tell. */
async function seenOf(call: Call, caller: Caller, formers: readonly FormerVersion[]) {
  const { registry } = call;
  const checks = formers.map((former) => {
    const type = registry.contentTypes.get(former.type) as ContentType;
    const entry = former.entry && restored(former.entry, type, call).entry;
    return isVisible({ ...call, type }, caller, 'history', { ...former, entry });
  });
  const [seen] = await caller.read(together([together(checks), roundTrip]));
  return formers.filter((_, index) => seen[index]);
}

async function pageOfAll(caller: Caller, scopes: readonly HistoryScope[], params: HistoryParams) {
  const after = params.cursor === undefined ? undefined : placeOfCursor(params.cursor);
  const { versions } = await caller.read(selectHistory(scopes, { ...params, after, limit: params.limit + 1 }));
  const page = versions.slice(0, params.limit);
  const last = versions.length > page.length ? page.at(-1) : undefined;
  return { page, next: last ? historyCursor(last) : null };
}

/** @throws ApiError 503 without a JWT_SECRET */
const sealedCursor = (last: VersionPlace, { secret }: Call): Promise<string> =>
  seal({ cursor: historyCursor(last) }, CURSOR, requiredSecret(secret), Number.MAX_SAFE_INTEGER);

async function openedCursor(cursor: string, { secret, now }: Call): Promise<string> {
  return secret ? String((await unseal(cursor, CURSOR, secret, now))?.cursor) : cursor;
}

/**
 * Reads a bounded number of versions, in two round trips whatever is hidden. What is hidden takes no place of the page, which
 * may have less than its limit, or nothing, before the end of the list.
 */
async function pageOfSeen(call: Call, caller: Caller, scopes: readonly HistoryScope[], params: HistoryParams) {
  const { limit, cursor } = params;
  const after = cursor === undefined ? undefined : placeOfCursor(await openedCursor(cursor, call));
  const size = Math.max(limit + 1, MIN_CHECKED);
  const renames = call.registry.renames?.length ?? 0;
  const { versions, end } = await caller.read(selectHistory(scopes, { ...params, after, limit: size }, renames));
  const seen = await seenOf(call, caller, versions);
  const page = seen.slice(0, limit);
  const examined = versions.length < size ? end : versions.at(-1);
  const last = seen.length > limit ? page.at(-1) : examined;
  if (!last) return { page, next: null };
  const shown = page.at(-1);
  // Without a secret, only a version that is seen may be named.
  return { page, next: shown && !call.secret ? historyCursor(shown) : await sealedCursor(last, call) };
}

async function pageOf(call: Call, caller: Caller, scopes: readonly HistoryScope[], params: HistoryParams) {
  const isLimited = scopes.some(({ conditions }) => conditions);
  const found = isLimited ? pageOfSeen(call, caller, scopes, params) : pageOfAll(caller, scopes, params);
  const { page, next } = await found;
  return { page, meta: { pagination: { limit: params.limit, next } } };
}

/** `GET …/:documentId/history`: the newest first. @throws ApiError 404 for a document that never was, or is hidden */
export const listFormerVersions = (call: DocumentCall) =>
  withCredential(call, { source: 'primary' }, async (caller) => {
    const scope = scopeFor(call, caller, 'history');
    const params = parseHistoryParams(call.query(), true, call.settings);
    const { page, meta } = await pageOf(call, caller, [scope], params);
    if (page.length === 0 && params.cursor === undefined) {
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
