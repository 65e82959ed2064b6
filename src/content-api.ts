/**
 * @module The operations of the Content API, from parameters through plan, statements and rows to the body.
 */
import { type Action, actionId, requireGrant } from './auth/grants.ts';
import { readCurrent } from './document/current.ts';
import type { Body } from './document/format-v5.ts';
import { type ReadResponse, readResponse } from './execute/cached-response.ts';
import { type Authorized, readerOf } from './execute/call.ts';
import { withCredential } from './execute/caller.ts';
import { listOfDocuments, oneDocument, responseWork } from './execute/content-body.ts';
import { type ContentCall, cacheKeysOf, type WriteCall } from './execute/content-call.ts';
import { readBack, writeFailure, writeRequest } from './execute/content-write.ts';
import { planList, planOne, type Reader } from './plan/read/plan-read.ts';
import { rotatedStamps } from './plan/write/invalidation.ts';
import { planDelete, rowsToDelete } from './plan/write/plan-delete.ts';
import { planWrite } from './plan/write/plan-write.ts';
import { planPreconditions } from './plan/write/preconditions.ts';
import { parseQueryParams, type QueryParams } from './request/query-params.ts';
import { type Compiled, constant } from './sql/compiled.ts';
import { ANY_DOCUMENT } from './sql/pieces.ts';
import { compileWrite } from './sql/write/mutate.ts';
import { type Chosen, compileChosen, compilePreconditions, type PreconditionRows } from './sql/write/preconditions.ts';

const refuse = ({ grants }: Authorized, { type }: ContentCall, action: Action): void =>
  requireGrant(grants, actionId(type.uid, action));

const responseReader = (call: ContentCall, caller: Authorized): Reader => ({
  ...readerOf(call, caller),
  bodiless: false,
});

/** `GET /api/:pluralApiId` */
export const find = (call: ContentCall): Promise<ReadResponse> =>
  readResponse(call, cacheKeysOf(call), (caller) => {
    refuse(caller, call, 'find');
    const params = parseQueryParams(call.query(), 'list', call.settings);
    return responseWork(call, planList(params, call.type, responseReader(call, caller)), listOfDocuments);
  });

/** `GET /api/:pluralApiId/:documentId` and `GET /api/:singularApiId` */
export const findOne = (call: ContentCall): Promise<ReadResponse> =>
  readResponse(call, cacheKeysOf(call), (caller) => {
    refuse(caller, call, call.type.kind === 'singleType' ? 'find' : 'findOne');
    const params = parseQueryParams(call.query(), 'one', call.settings);
    const whichever = call.documentId === undefined ? undefined : ANY_DOCUMENT;
    return responseWork(call, planOne(params, call.type, whichever, responseReader(call, caller)), oneDocument);
  });

const writeParams = (call: ContentCall): QueryParams => parseQueryParams(call.query(), 'write', call.settings);

/**
 * `POST /api/:pluralApiId`, and `PUT` of a document. Checks that need no database come before the first read. The
 * optimistic attempt leaves it to the batch to assert that values are unique and cached targets unchanged.
 */
export const write = (call: WriteCall, operation: 'create' | 'update'): Promise<Body> =>
  withCredential(call, { source: 'primary', optimistic: true }, async (caller, isOptimistic) => {
    refuse(caller, call, operation);
    const params = writeParams(call);
    const result = readBack(call, params, caller);
    const request = writeRequest(call, operation, params, caller);
    const preconditions = planPreconditions(request, { unique: !isOptimistic });
    const read = compilePreconditions(preconditions);
    const change = async (read: Compiled<PreconditionRows>): Promise<Body> => {
      const answers = await caller.read(read);
      const plan = planWrite(request, readCurrent(preconditions, answers), caller.writeContext);
      return caller.write({
        statements: [...answers.unchanged, ...compileWrite(plan)],
        result,
        stamps: rotatedStamps(plan),
        explain: (failure) => writeFailure(failure, request),
      });
    };
    return isOptimistic && operation === 'create' ? call.caches.targets.through(read, change) : change(read);
  });

/** `DELETE` of a document in one locale, or in all with `locale=*`. Deleting nothing is no error. */
export const remove = (call: ContentCall): Promise<void> =>
  withCredential(call, { source: 'primary' }, async (caller) => {
    refuse(caller, call, 'delete');
    const { rows, chosen } = rowsToDelete(writeParams(call), call.type, call.documentId, readerOf(call, caller));
    const { ids, unchanged = [] } = await caller.read<Partial<Chosen>>(chosen ? compileChosen(chosen) : constant({}));
    const plan = planDelete({ ...rows, ...(ids && { ids }) }, call.registry);
    await caller.write({
      statements: [...unchanged, ...compileWrite(plan)],
      result: constant(undefined),
      stamps: rotatedStamps(plan),
    });
  });
