/**
 * @module `/api/:pluralApiId[/:documentId]` and `/api/:singularApiId` as HTTP.
 */

import { memoized } from '../cache.ts';
import { find, findOne, remove, write } from '../content-api.ts';
import type { Body } from '../document/format-v5.ts';
import { notFound } from '../errors.ts';
import type { ContentCall, WriteCall } from '../execute/content-call.ts';
import { parseData } from '../request/body.ts';
import { bookmarked, callOf } from './call.ts';
import { respondAnswer } from './conditional.ts';
import type { AppContext, Deployment } from './context.ts';
import { newDocumentId } from './document-id.ts';
import { allowedMethods, type Endpoint, endpointOf } from './endpoint.ts';
import { otherMethod, refuseBadPath } from './methods.ts';
import { requestBody } from './request-body.ts';
import { addressOf } from './request-url.ts';
import { respond } from './respond.ts';

async function contentCallOf(context: AppContext, endpoint: Endpoint, deployment: Deployment): Promise<ContentCall> {
  return {
    ...(await callOf(context, deployment)),
    type: endpoint.type,
    format: context.req.header('strapi-response-format') === 'v4' ? 'v4' : 'v5',
    ...(endpoint.kind === 'one' && endpoint.documentId !== undefined && { documentId: endpoint.documentId }),
  };
}

async function writeCallOf(context: AppContext, call: ContentCall): Promise<WriteCall> {
  const { text, contentType } = await requestBody(context);
  const { limits } = call.settings.api.rest;
  return { ...call, data: memoized(() => parseData(text, contentType, limits)), newDocumentId: newDocumentId() };
}

/** POST: 201 with the row's id as Strapi answers, or 200 without it, as was promised to Edgewise's users. */
function created(context: AppContext, body: Body, { settings }: Deployment): Response {
  if (settings.api.rest.createResponse === 'strapi') return respond(context, body, 201);
  const { id: _, ...document } = body.data as Record<string, unknown>;
  return respond(context, { ...body, data: document });
}

async function answer(
  context: AppContext,
  endpoint: Endpoint,
  deployment: Deployment,
  call: ContentCall,
): Promise<Response> {
  switch (`${context.req.method} ${endpoint.kind}`) {
    case 'GET list':
    case 'HEAD list':
      return respondAnswer(context, await find(call), call);
    case 'GET one':
    case 'HEAD one':
      return respondAnswer(context, await findOne(call), call);
    case 'POST list':
      return created(context, await write(await writeCallOf(context, call), 'create'), deployment);
    case 'PUT one':
      return respond(context, await write(await writeCallOf(context, call), 'update'));
    case 'DELETE one':
      await remove(call);
      return context.body(null, 204);
    default:
      return otherMethod(context, allowedMethods(endpoint));
  }
}

/** Answers every path that nothing else has answered. */
export function contentRoute(deployment: Deployment) {
  return async function content(context: AppContext): Promise<Response> {
    refuseBadPath(context);
    const { pathname } = addressOf(context.req.raw);
    const endpoint = endpointOf(pathname, deployment.registry);
    const { method } = context.req;
    if (method === 'OPTIONS') return otherMethod(context, allowedMethods(endpoint));
    if (!endpoint) {
      if (method === 'GET' || method === 'HEAD') throw notFound();
      return otherMethod(context, allowedMethods(endpoint));
    }
    const call = await contentCallOf(context, endpoint, deployment);
    return bookmarked(context, call, () => answer(context, endpoint, deployment, call));
  };
}
