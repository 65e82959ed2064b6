/**
 * @module The former versions of a document: their list, and one of them.
 */
import { invalid, notFound } from '../common/errors.ts';
import type { Body } from '../document/format-v5.ts';
import { shownVersion } from '../document/former-version.ts';
import { planOne } from '../plan/read/plan-read.ts';
import { type KeptTarget, keptTargets } from '../plan/write/restored.ts';
import { parseQueryParams } from '../request/query-params.ts';
import type { ShownBody } from '../runtime/caches.ts';
import { readerOf } from '../runtime/call.ts';
import { withCredential } from '../runtime/caller.ts';
import type { ContentCall } from '../runtime/content-call.ts';
import { type Compiled, together } from '../sql/compiled.ts';
import { asOf, selectHistory } from '../sql/read/history.ts';
import {
  isVisible,
  presentRows,
  readFormer,
  readTargets,
  rejectVersionParams,
  scopeFor,
  shownTarget,
  versionOf,
} from './former-versions.ts';
import { changeConditions, readRule } from './grant-check.ts';
import { oneWithoutRevision, responseWork } from './response.ts';

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
    const rest = all.length > most ? all.at(-1) : undefined;
    const last = shown.length > limit ? page.at(-1) : rest;
    return { data: page.map(shownVersion), meta: { pagination: { limit, next: last?.id ?? null } } };
  });

/** `GET …/:documentId/history/:revision`: the document as it was, by the rights of today. */
export const showHistory = (call: ContentCall, revision: string): Promise<Body> =>
  withCredential(call, { source: 'primary' }, async (caller) => {
    const { type } = call;
    const scope = scopeFor(call, caller, 'history');
    rejectVersionParams(call);
    const params = parseQueryParams(call.query(), 'one', call.settings);
    const { former, entry } = await readFormer(call, caller, 'history', scope, revision);
    const reader = { ...readerOf(call, caller), rule: readRule(call, caller) };
    const plan = planOne({ ...params, ...versionOf(former) }, type, former.documentId, reader);
    const shown = responseWork(call, plan, oneWithoutRevision).work as Compiled<ShownBody<Body>>;
    const targets = keptTargets(entry, type, call.registry);
    const visible = isVisible(call, caller, 'history', former);
    const asItWas = asOf(shown, type, former);
    const [isSeen, { isThere, mayName }, { body }] = await caller.read(
      together([visible, readTargets(call, caller, former.locale, targets), asItWas]),
    );
    if (!isSeen) throw notFound();
    const isShown = ({ path }: KeptTarget) => Object.hasOwn(body.data ?? {}, path.split('.')[0] ?? '');
    const missing = targets.filter((target) => isShown(target) && mayName(target) && !isThere(target)).map(shownTarget);
    return { ...body, meta: { ...body.meta, history: shownVersion(former), missing } };
  });
