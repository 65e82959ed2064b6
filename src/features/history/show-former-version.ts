/**
 * @module One former version of a document.
 */
import type { Body } from '../../content/document/format-v5.ts';
import { readRule } from '../../content/operations/grant-check.ts';
import { oneWithoutRevision, responseWork } from '../../content/operations/response.ts';
import { planOne } from '../../content/plan/read/plan-read.ts';
import { parseQueryParams } from '../../content/request/query-params.ts';
import { readerOf } from '../../content/runtime/call.ts';
import { withCredential } from '../../content/runtime/caller.ts';
import type { DocumentCall } from '../../content/runtime/content-call.ts';
import type { ShownBody } from '../../content/runtime/response-work.ts';
import { type Compiled, together } from '../../content/sql/compiled.ts';
import { namedDocument } from '../../schema/document-ref.ts';
import { shownVersion } from './format-version.ts';
import { ownerOf, readFormer, readTargets } from './former-versions.ts';
import { asOf } from './sql/read.ts';

/** `GET …/:documentId/history/:revision`: the document as it was, by the rights of today. */
export const showFormerVersion = (call: DocumentCall, revision: string): Promise<Body> =>
  withCredential(call, { source: 'primary' }, async (caller) => {
    const { former, targets, changed } = await readFormer(call, caller, 'history', () => revision);
    const { version: status, locale, documentId } = former;
    // Former private values are never shown: a write has no `private`, either.
    const params = parseQueryParams(call.query(), 'write', call.settings);
    const reader = { ...readerOf(call, caller), rule: readRule(call, caller) };
    const plan = planOne(
      { ...params, status, ...(locale && { locale }) },
      call.type,
      namedDocument(documentId),
      reader,
    );
    const shown = responseWork(call, caller, plan, oneWithoutRevision).work as Compiled<ShownBody<Body>>;
    const read = together([readTargets(call, caller, former, targets), asOf(shown, call.type, former)]);
    const [{ shownMissing }, { body }] = await caller.read(read);
    const { attributes, populate } = plan.selection;
    const isShown = (path: string) => [...attributes, ...populate].some(({ name }) => name === ownerOf(path));
    const meta = {
      history: shownVersion(former),
      missing: shownMissing(targets.filter(({ path }) => isShown(path))),
      // Without the names inside of components, which the caller might not see.
      changed: [...new Set(changed.map(ownerOf))].filter(isShown),
    };
    return { ...body, meta: { ...body.meta, ...meta } };
  });
