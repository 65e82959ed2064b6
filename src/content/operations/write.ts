/**
 * @module `POST /api/:pluralApiId`, and `PUT` of a document.
 */
import { actionId, requireGrant } from '../../access/grants.ts';
import { namedDocument } from '../../schema/document-ref.ts';
import { readCurrent } from '../document/current.ts';
import type { Body } from '../document/format-v5.ts';
import { planWrite } from '../plan/write/plan-write.ts';
import { planPreconditions } from '../plan/write/preconditions.ts';
import type { QueryParams } from '../request/query-params.ts';
import { isSigned } from '../runtime/call.ts';
import { type Caller, withCredential } from '../runtime/caller.ts';
import type { WriteCall } from '../runtime/content-call.ts';
import { withoutLostMaps } from '../runtime/granted-source-maps.ts';
import { keyedRequest, responseNotStored } from '../runtime/idempotency.ts';
import type { ShownBody } from '../runtime/response-work.ts';
import { type Compiled, together } from '../sql/compiled.ts';
import type { StoredRequest } from '../sql/requests.ts';
import { compileWrite } from '../sql/write/mutate.ts';
import { compilePreconditions, type PreconditionRows } from '../sql/write/preconditions.ts';
import { assertValid, rejectHiddenWrite, writeCheck } from './grant-check.ts';
import { hookedWrite } from './hooked-input.ts';
import { mayReadBack, readBack, writeFailure, writeParams, writeRequest } from './write-parts.ts';

interface Written extends ShownBody<Body> {
  /** Was it written by an earlier request with the same `Idempotency-Key`? */
  readonly replayed?: true;
}

/**
 * Returns the stored response, or else the document as a read shows it.
 * @throws ApiError 404 if it was deleted, or is hidden now; 400 for a caller who may not read it
 */
async function replayed(call: WriteCall, params: QueryParams, caller: Caller, earlier: StoredRequest) {
  const { response } = earlier;
  const isReadable = mayReadBack(call, params, caller);
  // Signed addresses end: the document is read again.
  if (response !== null && !(isReadable && isSigned(response)))
    return withoutLostMaps(call, caller, JSON.parse(response) as ShownBody<Body>);
  if (!isReadable) throw responseNotStored('request');
  const created = { ...call, document: namedDocument(earlier.documentId) };
  return caller.read(readBack(created, params, caller, 'create', { isRepeat: true }));
}

/**
 * Checks that need no database come before the first read. The optimistic attempt leaves it to the batch to assert that
 * values are unique and cached targets unchanged. The block may run ten times: it changes nothing before `caller.write`.
 */
export function write(sent: WriteCall, operation: 'create' | 'update'): Promise<Written> {
  const hooked = hookedWrite(sent, operation);
  return withCredential(sent, { source: 'primary', optimistic: true }, async (caller, isOptimistic) => {
    const params = writeParams(sent, caller, operation);
    if (sent.isRestoring) requireGrant(caller.grants, actionId(sent.type.uid, 'restore'));
    const result = readBack(sent, params, caller, operation);
    const keyed = keyedRequest(sent, sent.idempotencyKey, () => [sent.format, sent.pathname, sent.search, sent.data()]);
    // A repeat is not for the hook, which might decide otherwise.
    const first = sent.hooks?.beforeWrite(sent.type.uid) && (await caller.read(keyed.earlier));
    if (first) return { ...(await replayed(sent, params, caller, first)), replayed: true };
    const call = await hooked(params, caller);
    const request = writeRequest(call, operation, params, caller);
    const preconditions = planPreconditions(request, { unique: !isOptimistic });
    const read = compilePreconditions(preconditions);
    const check = writeCheck(call, caller, operation, request.locale, params.status);
    const valid = assertValid(call, caller, operation, preconditions.row);
    const change = async (read: Compiled<PreconditionRows>): Promise<Written> => {
      const before = together([check, read, keyed.earlier]);
      const [checked, rows, earlier] = await caller.read(before);
      if (earlier) return { ...(await replayed(call, params, caller, earlier)), replayed: true };
      rejectHiddenWrite(checked);
      const plan = planWrite(request, readCurrent(preconditions, rows, checked.seen), caller.writeContext);
      const guards = [...checked.guards(), ...rows.unchanged];
      const written = await caller.write({
        statements: [...guards, ...compileWrite(plan), ...valid, ...keyed.store(call.newDocumentId)],
        result,
        effectsOf: plan,
        explain: (failure) => writeFailure(failure, request),
      });
      call.waitUntil(keyed.keep(written));
      return written;
    };
    return isOptimistic && operation === 'create' ? call.caches.targets.through(read, call.now, change) : change(read);
  });
}
