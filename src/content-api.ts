/**
 * @module The operations of the Content API, from parameters through plan, statements and rows to the body.
 */
import { type Action, actionId, requireGrant, ruleOf } from './auth/grants.ts';
import type { Rule } from './auth/rule.ts';
import { readCurrent } from './document/current.ts';
import type { Body } from './document/format-v5.ts';
import { type ReadResponse, readResponse } from './execute/cached-response.ts';
import type { Shown } from './execute/caches.ts';
import { type Authorized, readerOf } from './execute/call.ts';
import { type Caller, withCredential } from './execute/caller.ts';
import { listOfDocuments, oneDocument, oneWithoutRevision, responseWork } from './execute/content-body.ts';
import { type ContentCall, cacheKeysOf, type WriteCall } from './execute/content-call.ts';
import { mayReadBack, readBack, writeFailure, writeRequest } from './execute/content-write.ts';
import { assertValid, readRule, writeCheck } from './execute/grant-check.ts';
import { hookedWrite } from './execute/hooked-input.ts';
import { keyedRequest, responseNotStored } from './execute/idempotency.ts';
import { planList, planOne, type Reader } from './plan/read/plan-read.ts';
import { planDelete, rowsToDelete } from './plan/write/plan-delete.ts';
import { planWrite } from './plan/write/plan-write.ts';
import { planPreconditions } from './plan/write/preconditions.ts';
import { PUBLICATION_ACTIONS } from './registry/publication.ts';
import { parseQueryParams, type QueryParams } from './request/query-params.ts';
import { type Compiled, constant, together } from './sql/compiled.ts';
import { ANY_DOCUMENT } from './sql/pieces.ts';
import type { StoredRequest } from './sql/requests.ts';
import { compileWrite } from './sql/write/mutate.ts';
import { type Chosen, compileChosen, compilePreconditions, type PreconditionRows } from './sql/write/preconditions.ts';

const refuse = ({ grants }: Authorized, { type }: ContentCall, action: Action): void =>
  requireGrant(grants, actionId(type.uid, action));

const responseReader = (call: ContentCall, caller: Authorized, rule: Rule | undefined): Reader => ({
  ...readerOf(call, caller),
  rule,
  bodiless: false,
});

/** `GET /api/:pluralApiId` */
export const find = (call: ContentCall): Promise<ReadResponse> =>
  readResponse(call, cacheKeysOf(call), (caller) => {
    refuse(caller, call, 'find');
    const params = parseQueryParams(call.query(), 'list', call.settings);
    const rule = ruleOf(caller.grants, call.type.uid, 'find');
    return responseWork(call, planList(params, call.type, responseReader(call, caller, rule)), listOfDocuments);
  });

const WRITES: readonly Action[] = ['update', 'delete', ...PUBLICATION_ACTIONS];

/** A revision tells `updatedAt`. A caller who may not see it gets one only for `If-Match`. */
const seesRevision = ({ type }: ContentCall, { grants }: Authorized, rule: Rule | undefined): boolean =>
  rule?.fields?.has('updatedAt') !== false || WRITES.some((action) => grants.allows(actionId(type.uid, action)));

/** `GET /api/:pluralApiId/:documentId` and `GET /api/:singularApiId` */
export const findOne = (call: ContentCall): Promise<ReadResponse> =>
  readResponse(call, cacheKeysOf(call), (caller) => {
    refuse(caller, call, call.type.kind === 'singleType' ? 'find' : 'findOne');
    const params = parseQueryParams(call.query(), 'one', call.settings);
    const rule = readRule(call, caller);
    const whichever = call.documentId === undefined ? undefined : ANY_DOCUMENT;
    const plan = planOne(params, call.type, whichever, responseReader(call, caller, rule));
    return responseWork(call, plan, seesRevision(call, caller, rule) ? oneDocument : oneWithoutRevision);
  });

const writeParams = (call: ContentCall): QueryParams => parseQueryParams(call.query(), 'write', call.settings);

interface Written extends Shown<Body> {
  /** Was it written by an earlier request with the same `Idempotency-Key`? */
  readonly replayed?: true;
}

/**
 * Returns the stored response, or else the document as a read shows it.
 * @throws ApiError 404 if it was deleted, or is hidden now; 400 for a caller who may not read it
 */
async function replayed(call: WriteCall, params: QueryParams, caller: Caller, earlier: StoredRequest) {
  if (earlier.response !== null) return JSON.parse(earlier.response) as Shown<Body>;
  if (!mayReadBack(call, params, caller)) throw responseNotStored('request');
  const created = { ...call, newDocumentId: earlier.documentId };
  return caller.read(readBack(created, params, caller, 'create', { isRepeat: true }));
}

/**
 * `POST /api/:pluralApiId`, and `PUT` of a document. Checks that need no database come before the first read. The
 * optimistic attempt leaves it to the batch to assert that values are unique and cached targets unchanged.
 */
export function write(sent: WriteCall, operation: 'create' | 'update'): Promise<Written> {
  const hooked = hookedWrite(sent, operation);
  return withCredential(sent, { source: 'primary', optimistic: true }, async (caller, isOptimistic) => {
    refuse(caller, sent, operation);
    const params = writeParams(sent);
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
    const rule = ruleOf(caller.grants, call.type.uid, operation);
    const valid = assertValid(call, caller, preconditions.row, rule);
    const change = async (read: Compiled<PreconditionRows>): Promise<Written> => {
      const before = together([check, read, keyed.earlier]);
      const [checked, answers, earlier] = await caller.read(before);
      if (earlier) return { ...(await replayed(call, params, caller, earlier)), replayed: true };
      if (checked.isHidden) checked.guards();
      const plan = planWrite(request, readCurrent(preconditions, answers, checked.seen), caller.writeContext);
      const guards = [...checked.guards(), ...answers.unchanged];
      const written = await caller.write({
        statements: [...guards, ...compileWrite(plan), ...valid, ...keyed.store(call.newDocumentId)],
        result,
        plan,
        explain: (failure) => writeFailure(failure, request),
      });
      call.waitUntil(keyed.keep(written));
      return written;
    };
    return isOptimistic && operation === 'create' ? call.caches.targets.through(read, change) : change(read);
  });
}

/** `DELETE` of a document in one locale, or in all with `locale=*`. Deleting nothing is no error. */
export const remove = (call: ContentCall): Promise<void> =>
  withCredential(call, { source: 'primary' }, async (caller) => {
    refuse(caller, call, 'delete');
    const reader = { ...readerOf(call, caller), rule: readRule(call, caller) };
    const { rows, chosen } = rowsToDelete(writeParams(call), call.type, call.documentId, reader);
    const check = writeCheck(call, caller, 'delete', rows.locale);
    const choice: Compiled<Partial<Chosen>> = chosen ? compileChosen(chosen) : constant({});
    const [checked, { ids, unchanged = [] }] = await caller.read(together([check, choice]));
    const plan = checked.isHidden ? [] : planDelete({ ...rows, ...(ids && { ids }) }, call.registry);
    await caller.write({
      statements: [...checked.guards(), ...unchanged, ...compileWrite(plan)],
      result: constant(undefined),
      plan,
    });
  });
