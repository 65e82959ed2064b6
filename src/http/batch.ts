/**
 * @module `POST /api/batch` as HTTP.
 */
import type * as z from 'zod/mini';
import { type ApiError, invalid } from '../common/errors.ts';
import { type BatchResult, batch, rejectBatch } from '../content/operations/batch.ts';
import { BATCH_BODY, type BatchBody } from '../content/operations/batch-body.ts';
import type { BatchRequest } from '../content/operations/batch-prepare.ts';
import { parseObject } from '../content/request/body.ts';
import type { Call } from '../content/runtime/call.ts';
import { writtenDocument } from '../content/runtime/document-id.ts';
import { withKey } from '../content/runtime/idempotency.ts';
import type { DocumentRef } from '../schema/document-ref.ts';
import { bookmarked, callOf } from './call.ts';
import { createdBody, formatOf } from './content.ts';
import type { App, AppContext } from './context.ts';
import type { Deployment } from './deployment.ts';
import { type Endpoint, endpointOf } from './endpoint.ts';
import { addRoutes } from './methods.ts';
import { requestBody } from './request-body.ts';
import { respond } from './respond.ts';

const IF_MATCH = { source: 'header', header: 'If-Match' };

const ROUTE = { method: 'POST', path: '/api/batch' } as const;

type Sent = BatchBody['requests'][number];

/** Returns the error of the first issue; below `requests` with the index, which is undefined elsewhere. */
function rejectionOf([issue]: readonly z.core.$ZodIssue[]): ApiError {
  const path = issue?.path ?? [];
  const [, request] = path;
  const message = `Invalid body${path.length > 0 ? ` at '${path.join('.')}'` : ''}. ${issue?.message}`;
  return invalid(message, { source: 'body', request });
}

/** @throws ApiError 400 for a malformed batch; only a confirmed caller gets it */
async function bodyOf(context: AppContext, call: Call): Promise<BatchBody> {
  const { text, contentType } = await requestBody(context);
  try {
    if (context.req.header('if-match') !== undefined)
      throw invalid('A batch takes no header If-Match. Expected ifMatch in its requests', IF_MATCH);
    const { data, error } = BATCH_BODY.safeParse(parseObject(text, contentType, call.settings.api.rest.limits));
    if (error) throw rejectionOf(error.issues);
    return data;
  } catch (error) {
    return rejectBatch(call, error);
  }
}

/** `URL` would resolve it. */
const DOT_SEGMENT = /^[^?]*\/(\.|%2e){1,2}([/?]|$)/i;

/** Returns the document that a path may write; undefined for a path that is not one of documents. */
function documentAt(endpoint: Endpoint): DocumentRef | 'new' | undefined {
  switch (endpoint.kind) {
    case 'list':
      return 'new';
    case 'one':
      return endpoint.document;
    case 'lookup':
    case 'action':
    case 'history':
      return undefined;
    default:
      return endpoint satisfies never;
  }
}

/** @throws ApiError 400 for a path that is no content type's, and for a method that the path does not have */
function requestOf({ method, path, body, ifMatch, ifNoneMatch }: Sent, index: number, call: Call) {
  // The pattern of the body leaves no room for an origin.
  const { pathname, search } = new URL(path, 'http://batch');
  const endpoint = endpointOf(pathname, call);
  const details = { source: 'body', request: index };
  const document = endpoint && !DOT_SEGMENT.test(path) ? documentAt(endpoint) : undefined;
  if (!endpoint || !document)
    throw invalid(`"${path}" is no path of a content type: a batch writes documents only`, details);
  const isForList = method === 'POST';
  const other = isForList ? 'PUT and DELETE' : 'POST';
  if (isForList !== (document === 'new'))
    throw invalid(`"${path}" does not take ${method}. Expected ${other}`, details);
  if (isForList && (ifMatch ?? ifNoneMatch) !== undefined)
    throw invalid('A POST takes no ifMatch or ifNoneMatch', details);
  return {
    ...{ method, pathname, search, body, ifMatch, ifNoneMatch },
    type: endpoint.type,
    ...writtenDocument(document === 'new' ? undefined : document),
  };
}

/** @param body null for a DELETE */
function responseOf({ method }: Sent, body: BatchResult['bodies'][number] | undefined, call: Call) {
  if (!body) return { status: 204, body: null };
  return method === 'POST' ? createdBody(body, call) : { status: 200, body };
}

async function respondToBatch(context: AppContext, call: Call): Promise<Response> {
  const { requests } = await bodyOf(context, call);
  const format = formatOf(context, call.settings);
  const key = context.req.header('idempotency-key');
  const requestsOf = () => requests.map((sent, index): BatchRequest => ({ ...requestOf(sent, index, call), format }));
  const { bodies, replayed } = await withKey(call, key, () => batch(call, requestsOf, key));
  if (replayed) context.header('idempotency-replayed', 'true');
  return respond(context, { data: requests.map((sent, index) => responseOf(sent, bodies[index], call)) });
}

export function addBatchRoute(app: App, deployment: Deployment): void {
  addRoutes(app, [ROUTE], () => [
    async (context) => {
      const call = await callOf(context, deployment);
      return bookmarked(context, call, () => respondToBatch(context, call));
    },
  ]);
}
