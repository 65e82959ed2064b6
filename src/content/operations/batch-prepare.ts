/**
 * @module The requests of a batch, each with the checks that need no database, in the order of a request alone.
 */
import { actionId, requireGrant } from '../../access/grants.ts';
import { inBatch, invalid } from '../../common/errors.ts';
import { type DocumentRef, knownDocumentId, namedDocument } from '../../schema/document-ref.ts';
import type { ContentType } from '../../schema/model.ts';
import type { Body } from '../document/format-v5.ts';
import type { WritePlan } from '../plan/model/write-plan.ts';
import type { WriteRequest } from '../plan/model/write-request.ts';
import { withoutReferences } from '../plan/relations/references.ts';
import { rejectExcess, tooManyEntries } from '../plan/validate/body-size.ts';
import { planDelete, rowsToDelete } from '../plan/write/plan-delete.ts';
import { type Preconditions, planPreconditions } from '../plan/write/preconditions.ts';
import { dataOfBody } from '../request/body.ts';
import { parseQueryParams } from '../request/query-params.ts';
import { parseQueryString } from '../request/query-string.ts';
import { type Authorized, type Call, readerOf } from '../runtime/call.ts';
import type { Format, WriteCall } from '../runtime/content-call.ts';
import { type Compiled, constant, mapped, together } from '../sql/compiled.ts';
import type { Statement } from '../sql/statement.ts';
import { assertVisible } from '../sql/write/granted.ts';
import { BATCH_ACTIONS, type BatchMethod } from './batch-body.ts';
import { assertValid, type CheckedGrant, readRule, writeCheck } from './grant-check.ts';
import { mayReadBack, readBack, writeParams, writeRequest } from './write-parts.ts';

/** A request of a batch to a document of a content type. */
export interface BatchRequest {
  readonly method: BatchMethod;
  readonly pathname: string;
  /** With its question mark. */
  readonly search: string;
  readonly type: ContentType;
  /** Of a POST, the one that it creates. */
  readonly document: DocumentRef;
  readonly newDocumentId: string;
  /** Parsed JSON. */
  readonly body: unknown;
  readonly format: Format;
  /** Of PUT and DELETE. */
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

interface Common {
  /** Its decoding throws ApiError 403 and 404. */
  readonly check: Compiled<CheckedGrant>;
}

interface PreparedWrite extends Common {
  readonly kind: 'write';
  readonly request: WriteRequest;
  readonly preconditions: Preconditions;
  readonly result: Compiled<Body>;
  /** Assertions right before and right after its changes. */
  readonly before: readonly Statement[];
  readonly after: readonly Statement[];
}

interface PreparedDelete extends Common {
  readonly kind: 'delete';
  readonly plan: WritePlan;
}

export type Prepared = PreparedWrite | PreparedDelete;

/** The code of an assertion that fails for a new document that the caller may not find. */
export const HIDDEN_REFERENCE = 'HIDDEN';

/** Assertions name their request. */
export const codeOf = (index: number, code: string): string => `${index} ${code}`;

/** Each document at most once, so that its row is the one that was read. */
export function rejectRepeated(requests: readonly BatchRequest[]): void {
  const first = new Map<string, number>();
  for (const [index, { method, type, document }] of requests.entries()) {
    if (method === 'POST') continue;
    const key = `${type.uid} ${knownDocumentId(document)}`;
    const earlier = first.get(key) ?? index;
    const message = `Requests ${earlier} and ${index} write the same document. A batch may write each document once`;
    if (earlier !== index) throw invalid(message, { requests: [earlier, index] });
    first.set(key, index);
  }
}

/** Returns the request that a reference names. @throws ApiError 400 for one that leads to no earlier create */
function createdBy(reference: string, earlier: readonly BatchRequest[]): BatchRequest {
  const named = /^\$ref:(0|[1-9]\d{0,2})$/.exec(reference)?.[1];
  const request = named === undefined ? undefined : earlier[Number(named)];
  if (request?.method === 'POST') return request;
  throw invalid(`"${reference}" names no earlier POST of the batch`, { source: 'body', reference });
}

/** New documents are not looked up: their rows follow from the plans. */
function withoutTargets(preconditions: Preconditions, created: ReadonlySet<string>): Preconditions {
  const targets = preconditions.targets
    .map((each) => ({ ...each, documentIds: each.documentIds.filter((documentId) => !created.has(documentId)) }))
    .filter(({ documentIds, ids }) => documentIds.length + ids.length > 0);
  return { ...preconditions, targets };
}

interface BatchPosition {
  readonly index: number;
  readonly earlier: readonly BatchRequest[];
  readonly call: Call;
  readonly caller: Authorized;
  /** Read whether unique values are taken? */
  readonly unique: boolean;
  /** Each response may take one part of the limits of a response. */
  readonly parts: number;
}

/** A response may have 256 KB and 625 rows at least, with the default limits. */
const MAX_PARTS = 32;

const callOf = (sent: BatchRequest, call: Call): WriteCall => ({
  ...call,
  ...sent,
  query: () => parseQueryString(sent.search.slice(1), call.settings.api.rest.limits),
  data: () => dataOfBody(sent.body),
});

function prepareWrite(
  action: 'create' | 'update',
  call: WriteCall,
  named: ReadonlySet<BatchRequest>,
  place: BatchPosition,
): Prepared {
  const { caller, index, unique, parts } = place;
  const params = writeParams(call, caller, action);
  const result = readBack(call, params, caller, action, { parts });
  const request = writeRequest(call, action, params, caller);
  const created = [...named];
  const ids = new Set(created.map(({ newDocumentId }) => newDocumentId));
  const preconditions = withoutTargets(planPreconditions(request, { unique, isAlone: false }), ids);
  return {
    kind: 'write',
    request,
    preconditions,
    result: mapped(result, ({ body }) => body),
    check: writeCheck(call, caller, action, request.locale, params.status),
    before: created.flatMap(({ type, newDocumentId }) => {
      const visible = request.visible?.(type);
      return visible ? [assertVisible(type, newDocumentId, visible, codeOf(index, HIDDEN_REFERENCE))] : [];
    }),
    after: assertValid(call, caller, action, preconditions.row, (code) => codeOf(index, code)),
  };
}

/**
 * Reads the documents of a repeated batch as they are now: null for a delete.
 * @param bodies as they were: what is returned of documents that the caller may not read
 * @throws ApiError, when it is decoded, 404 for a document that is gone, with the index of its request
 */
export function readRepeated(
  requests: readonly BatchRequest[],
  bodies: readonly (Body | null)[],
  call: Call,
  caller: Authorized,
): Compiled<readonly (Body | null)[]> {
  const parts = Math.min(requests.length, MAX_PARTS);
  return together(
    requests.map((sent, index): Compiled<Body | null> => {
      const data = bodies[index]?.data as { readonly documentId?: string } | undefined;
      const action = BATCH_ACTIONS[sent.method];
      if (!data || action === 'delete') return constant(null);
      const own = callOf(sent, call);
      const params = writeParams(own, caller, action);
      if (!mayReadBack(own, params, caller)) return constant(bodies[index] ?? null);
      const document = action === 'create' ? namedDocument(String(data.documentId)) : sent.document;
      const { statements, decode } = readBack({ ...own, document }, params, caller, action, { parts, isRepeat: true });
      return {
        statements,
        decode(results) {
          try {
            return decode(results).body;
          } catch (error) {
            throw inBatch(index, error);
          }
        },
      };
    }),
  );
}

function prepareDelete(call: WriteCall, { caller }: BatchPosition): Prepared {
  const params = parseQueryParams(call.query(), 'write', call.settings);
  const reader = { ...readerOf(call, caller), rule: readRule(call, caller) };
  const { rows, chosen } = rowsToDelete(params, call.type, call.document, reader);
  // Its rows may depend on what earlier requests change.
  if (chosen) throw invalid('A DELETE with filters cannot be part of a batch', { source: 'query' });
  return {
    kind: 'delete',
    plan: planDelete(rows, call.registry),
    check: writeCheck(call, caller, 'delete', rows.locale),
  };
}

function prepare(sent: BatchRequest, place: BatchPosition): Prepared {
  const { call, caller, earlier } = place;
  const { registry } = call;
  const { type, body } = sent;
  const action = BATCH_ACTIONS[sent.method];
  requireGrant(caller.grants, actionId(type.uid, action));
  const named = new Set<BatchRequest>();
  const resolve = (reference: string): string => {
    const request = createdBy(reference, earlier);
    named.add(request);
    return request.newDocumentId;
  };
  const own: WriteCall = {
    ...callOf(sent, call),
    data: () => withoutReferences(dataOfBody(body), type.attributes, registry, resolve),
  };
  switch (action) {
    case 'create':
    case 'update':
      return prepareWrite(action, own, named, place);
    case 'delete':
      return prepareDelete(own, place);
    default:
      return action satisfies never;
  }
}

/** Runs work for each item in order, up to the first failure, which is that of its request. */
export function mapUntilError<T, R>(items: readonly T[], work: (item: T, index: number) => R) {
  const done: R[] = [];
  for (const [index, item] of items.entries()) {
    try {
      done.push(work(item, index));
    } catch (error) {
      return { done, failure: inBatch(index, error) };
    }
  }
  return { done };
}

/** The limit of a body holds for all together, too. */
function rejectTooManyEntries(prepared: readonly Prepared[], { registry, settings }: Call): void {
  const { limits } = settings.api.rest;
  let entries = 0;
  for (const each of prepared)
    if (each.kind === 'write') entries += rejectExcess(each.request.data, each.request.type, registry, limits);
  if (entries > limits.bodyEntries) throw tooManyEntries(limits);
}

/** Prepares requests in order, up to the first failure. @throws ApiError 400 for more entries than a body may have */
export function prepareAll(
  requests: readonly BatchRequest[],
  place: Pick<BatchPosition, 'call' | 'caller' | 'unique'>,
) {
  const parts = Math.min(requests.length, MAX_PARTS);
  const prepared = mapUntilError(requests, (sent, index) =>
    prepare(sent, { ...place, parts, index, earlier: requests.slice(0, index) }),
  );
  rejectTooManyEntries(prepared.done, place.call);
  return prepared;
}
