/**
 * @module Runs `beforeWrite` of the project: once for each write, whatever the number of attempts, and before its
 * preconditions are read. It runs for callers who may write the document, with a credential that was confirmed.
 */
import { actionId } from '../../access/grants.ts';
import { inBatch } from '../../common/errors.ts';
import { knownDocumentId } from '../../schema/document-ref.ts';
import { defaultLocale } from '../../schema/settings/derived.ts';
import { writtenLocale } from '../plan/model/versions.ts';
import { dataOfBody, type InputData } from '../request/body.ts';
import type { QueryParams } from '../request/query-params.ts';
import { parseQueryString } from '../request/query-string.ts';
import type { Call, HookedInput } from '../runtime/call.ts';
import type { Caller } from '../runtime/caller.ts';
import type { DocumentCall, WriteCall } from '../runtime/content-call.ts';
import { BATCH_ACTIONS } from './batch-body.ts';
import type { BatchRequest } from './batch-prepare.ts';
import { rejectHiddenWrite, writeCheck } from './grant-check.ts';
import { writeParams } from './write-parts.ts';

type Written = Omit<DocumentCall, keyof Call>;

/** Its function throws ApiError 403, 404 and 412 as the write does. */
function hookedInput(call: Call, sent: Written, operation: HookedInput['operation']) {
  const { type, document } = sent;
  const hook = call.hooks?.beforeWrite(type.uid);
  const documentId = knownDocumentId(document) ?? undefined;
  let input: Promise<InputData> | undefined;
  return async (data: () => InputData, params: () => QueryParams, caller: Caller): Promise<InputData | undefined> => {
    if (!hook) return undefined;
    const written = params();
    await caller.trust();
    if (operation === 'update') {
      const locale = writtenLocale(type, written, defaultLocale(call.settings));
      const check = writeCheck({ ...call, ...sent }, caller, operation, locale, written.status);
      rejectHiddenWrite(await caller.read(check));
    }
    input ??= hook(
      { data: structuredClone(data()), operation, documentId },
      { ...call, credential: caller.credential },
    );
    return input;
  };
}

/** Returns a function that returns the call with the input of the hook. */
export function hookedWrite(call: WriteCall, operation: HookedInput['operation']) {
  const run = hookedInput(call, call, operation);
  return async (params: QueryParams, caller: Caller): Promise<WriteCall> => {
    const data = await run(call.data, () => params, caller);
    return data ? { ...call, data: () => data } : call;
  };
}

/** The same for the requests of a batch, in turn. The function throws the failure with the index of its request. */
export function hookedBatch(call: Call) {
  const runs: ReturnType<typeof hookedInput>[] = [];
  return async (requests: readonly BatchRequest[], caller: Caller): Promise<readonly BatchRequest[]> => {
    if (!call.hooks) return requests;
    const hooked: BatchRequest[] = [];
    for (const [index, sent] of requests.entries()) {
      const operation = BATCH_ACTIONS[sent.method];
      if (operation === 'delete' || !caller.grants.allows(actionId(sent.type.uid, operation))) {
        hooked.push(sent);
        continue;
      }
      runs[index] ??= hookedInput(call, sent, operation);
      const query = () => parseQueryString(sent.search.slice(1), call.settings.api.rest.limits);
      const params = () => writeParams({ ...call, type: sent.type, query }, caller, operation);
      const data = await runs[index](() => dataOfBody(sent.body), params, caller).catch((error) => {
        throw inBatch(index, error);
      });
      hooked.push(data ? { ...sent, body: { data } } : sent);
    }
    return hooked;
  };
}
