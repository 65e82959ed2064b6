/**
 * @module `POST …/actions/restore`: writes a former version again, as an update would.
 */
import { ruleOf } from '../../access/grants.ts';
import type { Body } from '../../content/document/format-v5.ts';
import { readRule, visibleTargets } from '../../content/operations/grant-check.ts';
import { write } from '../../content/operations/write.ts';
import { isNever } from '../../content/plan/model/condition.ts';
import { targetUid } from '../../content/plan/model/links.ts';
import type { InputData } from '../../content/request/body.ts';
import type { Authorized } from '../../content/runtime/call.ts';
import { withCredential } from '../../content/runtime/caller.ts';
import type { ContentCall, DocumentCall } from '../../content/runtime/content-call.ts';
import { preconditionFailed } from '../../content/runtime/if-match.ts';
import type { ShownBody } from '../../content/runtime/response-work.ts';
import { together } from '../../content/sql/compiled.ts';
import { isOverLimit } from '../../content/sql/statement-count.ts';
import { isLinkAttribute } from '../../schema/attribute-kinds.ts';
import { ownerOf, presentRows, readFormer, readTargets } from './former-versions.ts';
import { restored } from './restored.ts';

/** Its permission is needed. */
type Operation = 'create' | 'update';

/** What a restoration writes. */
interface Restoration {
  readonly documentId: string;
  readonly operation: Operation;
  readonly locale: string;
  readonly data: InputData;
  /** What could not be restored. */
  readonly meta: object;
}

/** Leaves out what the caller may not write: attributes beyond its `fields`, and relations to types that it may not list. */
function writable(data: InputData, operation: Operation, call: ContentCall, caller: Authorized): InputData {
  const { type, registry } = call;
  const fields = ruleOf(caller.grants, type.uid, operation)?.fields;
  const visible = visibleTargets(call, caller);
  const isListed = (name: string): boolean => {
    const attribute = type.attributes.get(name);
    if (!isLinkAttribute(attribute)) return true;
    // A polymorphic relation has none.
    const target = registry.contentTypes.get(targetUid(attribute));
    return target === undefined || !isNever(visible(target));
  };
  return Object.fromEntries(Object.entries(data).filter(([name]) => fields?.has(name) !== false && isListed(name)));
}

/** @throws ApiError 412 for a deleted document, with `If-Match` */
const restorationOf = (call: DocumentCall, revision: () => string): Promise<Restoration> =>
  withCredential(call, { source: 'primary' }, async (caller) => {
    const { type } = call;
    const { former, targets, changed } = await readFormer(call, caller, 'restore', revision);
    // Of the call: a single type that was created again has another documentId than then.
    const read = together([readTargets(call, caller, former, targets), presentRows(call, caller, 'restore')]);
    const [{ isThere, shownMissing }, { isThere: isPresent }] = await caller.read(read);
    if (!isPresent && call.ifMatch !== undefined) throw preconditionFailed();
    const fields = readRule(call, caller)?.fields;
    const isShown = (path: string) =>
      fields?.has(ownerOf(path)) !== false && !type.attributes.get(ownerOf(path))?.private;
    const { data } = restored(former.entry, type, call, isThere);
    const operation = isPresent || type.kind === 'singleType' ? 'update' : 'create';
    return {
      documentId: former.documentId,
      locale: former.locale,
      operation,
      data: writable(data, operation, call, caller),
      meta: { missing: shownMissing(targets.filter(({ path }) => isShown(path))), changed: changed.filter(isShown) },
    };
  });

async function writeRestored(
  call: DocumentCall,
  { documentId, operation, locale, data, meta }: Restoration,
): Promise<ShownBody<Body>> {
  const { type } = call;
  const raw = call.query();
  const written = { ...raw, ...(type.draftAndPublish && { status: 'draft' }), ...(locale && { locale }) };
  const own = {
    ...call,
    newDocumentId: documentId,
    query: () => written,
    data: () => data,
    isRestoring: true as const,
  };
  const { body, ...shown } = await write(own, operation);
  return { ...shown, body: { ...body, meta: { ...body.meta, ...meta } } };
}

/**
 * `POST …/actions/restore`: writes the former version into the draft, or the only version of a type without drafts.
 * @param revision reads it from the body: only after the grant was checked. It throws ApiError 400
 */
export async function restore(call: DocumentCall, revision: () => string): Promise<ShownBody<Body>> {
  const restoration = await restorationOf(call, revision);
  try {
    return await writeRestored(call, restoration);
  } catch (failure) {
    if (isOverLimit(failure)) throw failure;
    // A concurrent write may have created or deleted the document, or have deleted a target.
    const again = await restorationOf(call, revision);
    if (JSON.stringify(again) === JSON.stringify(restoration)) throw failure;
    return writeRestored(call, again);
  }
}
