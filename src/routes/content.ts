/**
 * @module `/api/:pluralApiId[/:documentId]` and `/api/:singularApiId` as HTTP.
 */
import type { Context, Hono } from 'hono';
import { assumeCredential } from '../auth/credential.ts';
import type { Settings } from '../config.ts';
import { type ContentCall, find, findOne, remove, type WriteCall, write } from '../content-api.ts';
import type { Body } from '../document/format-v5.ts';
import { notFound } from '../errors.ts';
import type { Call } from '../execute/call.ts';
import type { ReadMemory } from '../execute/read-memory.ts';
import type { Registry } from '../registry/model.ts';
import { type InputData, parseData } from '../request/body.ts';
import { parseQueryString } from '../request/query-string.ts';
import { openDatabase } from '../sql/batch.ts';
import type { UserCall } from '../users/call.ts';
import type { EmailSender } from '../users/email.ts';
import { heldTags, isShared, reportsCost, respondAnswer } from './conditional.ts';
import { newDocumentId } from './document-id.ts';
import { allowedMethods, type Endpoint, endpointOf } from './endpoint.ts';
import { otherMethod, refuseBadPath } from './methods.ts';
import { purge } from './purge.ts';
import { report, reportCosts } from './report.ts';
import { requestBody } from './request-body.ts';
import { addressOf } from './request-url.ts';
import { respond } from './respond.ts';

export interface Deployment {
  readonly registry: Registry;
  readonly settings: Settings;
  /** How messages to users leave, in place of what the settings say. */
  readonly emailSender?: EmailSender;
  /** Plans, responses and advice that this isolate caches. */
  readonly memory: ReadMemory;
  /** What its writes asked. */
}

/** The calls are those of routes whose input is validated. */
export type AppEnv = { Bindings: Env; Variables: { requestId: string; call: Call; userCall: UserCall } };
export type App = Hono<AppEnv>;
export type AppContext = Context<AppEnv>;

export const BOOKMARK_HEADER = 'x-d1-bookmark';

/** Is this a server on the machine of its developer? */
export const isLocal = ({ req }: AppContext): boolean => addressOf(req.raw).isLocal;

/** The secret that signs JWTs; a deployment without users may lack it. */
export const secretOf = ({ env }: AppContext): string | undefined => (env as Env & { JWT_SECRET?: string }).JWT_SECRET;

/** Returns the context of a request. @throws ApiError 401 for a JWT that this deployment did not sign. */
export async function callOf(context: AppContext, deployment: Deployment): Promise<Call> {
  const { registry, settings, memory } = deployment;
  const { pathname, search } = addressOf(context.req.raw);
  return {
    registry,
    settings,
    memory,
    pathname,
    search,
    held: heldTags(context),
    credential: await assumeCredential(context.req.header('authorization'), settings, secretOf(context)),
    database: openDatabase(context.env.DB, context.req.header(BOOKMARK_HEADER)),
    now: Date.now(),
    bodiless: context.req.method === 'HEAD',
    query: () => parseQueryString(search.slice(1), settings.api.rest.limits),
    purge: (names) => purge(context, settings, names),
    waitUntil: (work) => context.executionCtx.waitUntil(work.catch((error) => report(error, context))),
  };
}

const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** For the network panel of a browser (https://www.w3.org/TR/server-timing/). */
function timingOf({ database }: Call): string {
  const { trips, rowsRead, rowsWritten } = database.spent();
  const parts = [plural(trips, 'round trip'), `${plural(rowsRead, 'row')} read`, `${rowsWritten} written`];
  return `database;desc="${parts.join(', ')}"`;
}

/** Adds the database's bookmark and the cost to every response. */
export async function bookmarked(context: AppContext, call: Call, answer: () => Promise<Response>): Promise<Response> {
  const send = (headers: Headers) => {
    const shared = isShared(headers);
    if (reportsCost(context, call.settings, shared)) headers.append('server-timing', timingOf(call));
    const bookmark = call.database.bookmark();
    if (bookmark && !shared) headers.set(BOOKMARK_HEADER, bookmark);
  };
  try {
    const response = await answer();
    send(response.headers);
    if (!context.error) reportCosts(call, context, isLocal(context));
    return response;
  } catch (error) {
    send(context.res.headers);
    throw error;
  }
}

/** The same around the rest of a chain of middleware, which answers its errors itself. */
export const bookmarkedNext = (context: AppContext, call: Call, next: () => Promise<void>): Promise<Response> =>
  bookmarked(context, call, async () => {
    await next();
    return context.res;
  });

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
  let parsed: InputData | undefined;
  const data = () => {
    parsed ??= parseData(text, contentType, call.settings.api.rest.limits);
    return parsed;
  };
  return { ...call, data, newDocumentId: newDocumentId() };
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
