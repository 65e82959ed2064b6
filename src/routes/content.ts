/**
 * @module `/api/:pluralApiId[/:documentId]` and `/api/:singularApiId`, and their actions, as HTTP.
 */
import { memoized } from '../common/cache.ts';
import { notFound } from '../common/errors.ts';
import type { Body } from '../document/format-v5.ts';
import { find } from '../operations/find.ts';
import { findOne } from '../operations/find-one.ts';
import { remove } from '../operations/remove.ts';
import { write } from '../operations/write.ts';
import { parseData } from '../request/body.ts';
import type { Call } from '../runtime/call.ts';
import type { ContentCall, Format, WriteCall } from '../runtime/content-call.ts';
import { newDocumentId } from '../runtime/document-id.ts';
import { withKey } from '../runtime/idempotency.ts';
import type { ShownBody } from '../runtime/response-work.ts';
import { revisionTag } from '../runtime/revision.ts';
import type { Settings } from '../settings/config.ts';
import { respondConditionally } from './cache-headers.ts';
import { bookmarked, callOf } from './call.ts';
import { type App, type AppContext, isRead, SOURCE_MAPS_HEADER } from './context.ts';
import type { ActionHandler, Deployment, Part } from './deployment.ts';
import { allowedMethods, type Endpoint, endpointOf } from './endpoint.ts';
import { otherMethod, rejectBadPath } from './methods.ts';
import { ownRoutes } from './own-routes.ts';
import { requestBody } from './request-body.ts';
import { addressOf } from './request-url.ts';
import { respond } from './respond.ts';

async function contentCallOf(context: AppContext, endpoint: Endpoint, deployment: Deployment): Promise<ContentCall> {
  const call = await callOf(context, deployment);
  const { credential } = call;
  return {
    ...call,
    credential: credential.kind === 'preview' ? credential.forContent() : credential,
    type: endpoint.type,
    format: formatOf(context, deployment.settings),
    ...(endpoint.kind !== 'list' && endpoint.documentId !== undefined && { documentId: endpoint.documentId }),
  };
}

async function writeCallOf(context: AppContext, call: ContentCall): Promise<WriteCall> {
  const { text, contentType } = await requestBody(context);
  const { limits } = call.settings.api.rest;
  return { ...call, data: memoized(() => parseData(text, contentType, limits)), newDocumentId: newDocumentId() };
}

/** Returns the response to POST: 201 with the row's id, as in Strapi, or 200 without, by the settings. */
export function createdBody(body: Body, { settings }: Pick<Call, 'settings'>) {
  if (settings.api.rest.createResponse === 'strapi') return { status: 201, body };
  const { id: _, ...document } = body.data as Record<string, unknown>;
  return { status: 200, body: { ...body, data: document } };
}

function tagRevision(context: AppContext, { revision }: ShownBody): void {
  if (revision !== undefined) context.header('etag', revisionTag(revision));
}

function created(context: AppContext, shown: Awaited<ReturnType<typeof write>>, call: ContentCall): Response {
  if (shown.replayed) context.header('idempotency-replayed', 'true');
  tagRevision(context, shown);
  const { status, body } = createdBody(shown.body, call);
  return respond(context, body, status);
}

export function updated(context: AppContext, shown: ShownBody<Body>): Response {
  tagRevision(context, shown);
  return respond(context, shown.body);
}

export const withIfMatch = <T extends ContentCall>({ req }: AppContext, call: T): T => ({
  ...call,
  ifMatch: req.header('if-match'),
  ifNoneMatch: req.header('if-none-match'),
});

/** Strapi maps no texts in its nested form either. */
export function formatOf({ req }: AppContext, { preview }: Settings): Format {
  if (req.header('strapi-response-format') === 'v4') return 'v4';
  return preview && req.header(SOURCE_MAPS_HEADER) === 'true' ? 'v5-mapped' : 'v5';
}

async function dispatch(
  context: AppContext,
  endpoint: Endpoint,
  call: ContentCall,
  act: ((call: ContentCall) => Promise<Response>) | undefined,
): Promise<Response> {
  if (act && (endpoint.kind === 'history' ? isRead(context) : context.req.method === 'POST')) return act(call);
  switch (`${context.req.method} ${endpoint.kind}`) {
    case 'GET list':
    case 'HEAD list':
      return respondConditionally(context, await find(call), call);
    case 'GET one':
    case 'HEAD one':
      return respondConditionally(context, await findOne(call), call);
    case 'POST list': {
      const idempotencyKey = context.req.header('idempotency-key');
      const own = { ...(await writeCallOf(context, call)), idempotencyKey };
      return created(context, await withKey(call, idempotencyKey, () => write(own, 'create')), call);
    }
    case 'PUT one':
      return updated(context, await write(await writeCallOf(context, withIfMatch(context, call)), 'update'));
    case 'DELETE one':
      await remove(withIfMatch(context, call));
      return context.body(null, 204);
    default:
      return otherMethod(context, allowedMethods(endpoint));
  }
}

const isOfPart = ({ kind }: Endpoint): boolean => kind === 'action' || kind === 'history';

/** Returns the handler of a part, for a path that only a part has. */
function actOf(
  endpoint: Endpoint | undefined,
  actions: NonNullable<Part['actions']>,
  history: Part['history'],
): ActionHandler | undefined {
  if (endpoint?.kind === 'action') return actions[endpoint.action];
  if (endpoint?.kind !== 'history' || !history) return undefined;
  return (context, call) => history(context, call, endpoint.revision);
}

/** Handles all paths without a route. */
export function contentRoute(app: App, deployment: Deployment) {
  const own = ownRoutes(app, deployment);
  const actions: NonNullable<Part['actions']> = Object.assign({}, ...deployment.parts.map((part) => part.actions));
  const history = deployment.parts.find((part) => part.history)?.history;
  return async function content(context: AppContext): Promise<Response> {
    rejectBadPath(context);
    const found = endpointOf(addressOf(context.req.raw).pathname, deployment.registry);
    const act = actOf(found, actions, history);
    const endpoint = found && isOfPart(found) && !act ? undefined : found;
    const response = !endpoint && (await own?.(context));
    if (response) return response;
    if (!endpoint && isRead(context)) throw notFound();
    if (!endpoint || context.req.method === 'OPTIONS') return otherMethod(context, allowedMethods(endpoint));
    const call = await contentCallOf(context, endpoint, deployment);
    return bookmarked(context, call, () =>
      dispatch(context, endpoint, call, act && ((own) => act(context, own, deployment))),
    );
  };
}
