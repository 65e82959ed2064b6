/**
 * @module One former version of a document.
 */
import { notFound } from '../common/errors.ts';
import type { Body } from '../document/format-v5.ts';
import { shownVersion } from '../document/former-version.ts';
import { planOne } from '../plan/read/plan-read.ts';
import { restoredData } from '../plan/write/restored.ts';
import { parseQueryParams } from '../request/query-params.ts';
import type { ShownBody } from '../runtime/caches.ts';
import { readerOf } from '../runtime/call.ts';
import { withCredential } from '../runtime/caller.ts';
import type { ContentCall } from '../runtime/content-call.ts';
import { type Compiled, together } from '../sql/compiled.ts';
import { asOf } from '../sql/read/history.ts';
import { typesOf } from '../sql/read/history-entry.ts';
import {
  isVisible,
  readFormer,
  readTargets,
  rejectVersionParams,
  scopeFor,
  shownTarget,
  versionOf,
} from './former-versions.ts';
import { readRule } from './grant-check.ts';
import { oneWithoutRevision, responseWork } from './response.ts';

const ownerOf = (path: string): string => path.split('.')[0] ?? '';

/** `GET …/:documentId/history/:revision`: the document as it was, by the rights of today. */
export const showHistory = (call: ContentCall, revision: string): Promise<Body> =>
  withCredential(call, { source: 'primary' }, async (caller) => {
    const { type } = call;
    const scope = scopeFor(call, caller, 'history');
    rejectVersionParams(call);
    // Former private values are never shown: a write has no `private`, either.
    const params = parseQueryParams(call.query(), 'write', call.settings);
    const { former, entry } = await readFormer(call, caller, 'history', scope, revision);
    const reader = { ...readerOf(call, caller), rule: readRule(call, caller) };
    const plan = planOne({ ...params, ...versionOf(former) }, type, former.documentId, reader);
    const shown = responseWork(call, plan, oneWithoutRevision).work as Compiled<ShownBody<Body>>;
    const none = () => false;
    const { missing: targets, changed, fitting } = restoredData(entry, type, typesOf(type), call.registry, none);
    const visible = isVisible(call, caller, 'history', former);
    const asItWas = asOf(shown, type, changed.length > 0 ? { ...former, entry: JSON.stringify(fitting) } : former);
    const [isSeen, { isThere, mayName }, { body }] = await caller.read(
      together([visible, readTargets(call, caller, former.locale, targets), asItWas]),
    );
    if (!isSeen) throw notFound();
    const isShown = (path: string) => Object.hasOwn(body.data ?? {}, ownerOf(path));
    const missing = targets.filter((target) => isShown(target.path) && mayName(target) && !isThere(target));
    const meta = { history: shownVersion(former), missing: missing.map(shownTarget) };
    // Without the names inside of components, which the caller might not see.
    return { ...body, meta: { ...body.meta, ...meta, changed: [...new Set(changed.map(ownerOf))].filter(isShown) } };
  });
