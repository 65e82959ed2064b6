/**
 * @module Publishes a document, unpublishes it, or discards its draft, in one locale.
 */
import { actionId, requireGrant } from '../../access/grants.ts';
import { invalid, notFound } from '../../common/errors.ts';
import { knownDocumentId } from '../../schema/document-ref.ts';
import { PUBLICATIONS } from '../../schema/publication.ts';
import { readCurrent } from '../document/current.ts';
import type { Body } from '../document/format-v5.ts';
import type { WriteRequest } from '../plan/model/write-request.ts';
import { planPublication, publicationPreconditions } from '../plan/write/plan-publication.ts';
import { parseQueryParams, type QueryParams } from '../request/query-params.ts';
import { type Caller, withCredential } from '../runtime/caller.ts';
import type { PublicationCall } from '../runtime/content-call.ts';
import type { ShownBody } from '../runtime/response-work.ts';
import { together } from '../sql/compiled.ts';
import type { Statement } from '../sql/statement.ts';
import { compileWrite } from '../sql/write/mutate.ts';
import { compilePreconditions } from '../sql/write/preconditions.ts';
import { rejectHidden, writeCheck } from './grant-check.ts';
import { readBack, requestParts, writeFailure } from './write-parts.ts';

/** @throws ApiError 400 for the version that the document no longer has */
export function shownParams({ action, query, settings }: PublicationCall): QueryParams {
  const params = parseQueryParams(query(), 'write', settings);
  const { makes, leavesPublished } = PUBLICATIONS[action];
  if (!leavesPublished && params.status === 'published')
    throw invalid("Invalid parameter at 'status'. An unpublished document has no published version", {
      source: 'query',
      param: 'status',
    });
  return { ...params, status: params.status ?? makes };
}

/** What a batch asserts and changes beside the document. */
interface AlsoWritten {
  readonly guards: readonly Statement[];
  readonly after: readonly Statement[];
}

/** Runs work for a caller who may carry out the action, or has it granted with conditions. @throws ApiError 404, 401, 403 */
export function withActionGrant<T>(call: PublicationCall, work: (caller: Caller) => Promise<T>): Promise<T> {
  const { type, action } = call;
  if (!type.draftAndPublish) throw notFound();
  return withCredential(call, { source: 'primary' }, (caller) => {
    requireGrant(caller.grants, actionId(type.uid, action));
    return work(caller);
  });
}

/** Carries out an action that is granted. It may run ten times: it changes nothing before `caller.write`. */
export async function changeNow(
  call: PublicationCall,
  caller: Caller,
  { guards, after }: AlsoWritten = { guards: [], after: [] },
): Promise<ShownBody<Body>> {
  const { action } = call;
  const params = shownParams(call);
  const result = readBack(call, params, caller, action);
  const request: WriteRequest = {
    ...requestParts(call, params, caller, action),
    // Planning has that of the row.
    documentId: knownDocumentId(call.document) ?? '',
    status: PUBLICATIONS[action].makes,
    operation: 'update',
    data: {},
  };
  const preconditions = publicationPreconditions(request, action);
  const check = writeCheck(call, caller, action, request.locale, params.status);
  const [checked, rows] = await caller.read(together([check, compilePreconditions(preconditions)]));
  rejectHidden(checked);
  const current = readCurrent(preconditions, rows, checked.seen);
  const plan = planPublication(request, action, current, caller.writeContext);
  return caller.write({
    statements: [...guards, ...checked.guards(), ...rows.unchanged, ...compileWrite(plan), ...after],
    result,
    effectsOf: plan,
    explain: (failure) => writeFailure(failure, request),
  });
}

export const changePublication = (call: PublicationCall, also?: AlsoWritten): Promise<ShownBody<Body>> =>
  withActionGrant(call, (caller) => changeNow(call, caller, also));
