/**
 * @module `/api/:pluralApiId[/:documentId]` and `/api/:singularApiId`, and their actions, as HTTP.
 */
import { memoized } from '../common/cache.ts';
import { notFound } from '../common/errors.ts';
import { isPreview } from '../content/credentials/credential.ts';
import type { Body } from '../content/document/format-v5.ts';
import { find } from '../content/operations/find.ts';
import { findOne } from '../content/operations/find-one.ts';
import { lookUp } from '../content/operations/look-up.ts';
import { remove } from '../content/operations/remove.ts';
import { write } from '../content/operations/write.ts';
import { parseData } from '../content/request/body.ts';
import type { Call } from '../content/runtime/call.ts';
import type { ContentCall, DocumentCall, Format, WriteCall } from '../content/runtime/content-call.ts';
import { writtenDocument } from '../content/runtime/document-id.ts';
import { withKey } from '../content/runtime/idempotency.ts';
import { revisionTag } from '../content/runtime/if-match.ts';
import type { ShownBody } from '../content/runtime/response-work.ts';
import type { DocumentRef } from '../schema/document-ref.ts';
import type { Settings } from '../schema/settings/config.ts';
import { respondConditionally } from './cache-headers.ts';
import { bookmarked, callOf } from './call.ts';
import { type AppContext, isRead, SOURCE_MAPS_HEADER } from './context.ts';
import type { Deployment, Feature } from './deployment.ts';
import { allowedMethods, type Endpoint, endpointOf } from './endpoint.ts';
import { otherMethod, rejectBadPath } from './methods.ts';
import { requestBody } from './request-body.ts';
import { addressOf } from './request-url.ts';
import { respond } from './respond.ts';

/** Has a preview its document there? At other endpoints it has the grants of the public role alone. */
const SHOWS_PREVIEWS: Readonly<Record<Endpoint['kind'], boolean>> = {
  list: true,
  one: true,
  lookup: true,
  action: false,
  history: false,
};

async function contentCallOf(context: AppContext, endpoint: Endpoint, deployment: Deployment): Promise<ContentCall> {
  const call = await callOf(context, deployment);
  const { credential } = call;
  return {
    ...call,
    credential: isPreview(credential) && SHOWS_PREVIEWS[endpoint.kind] ? credential.forContent() : credential,
    type: endpoint.type,
    format: formatOf(context, deployment.settings),
  };
}

/** @param document absent for a create */
async function writeCallOf(context: AppContext, call: ContentCall, document?: DocumentRef): Promise<WriteCall> {
  const { text, contentType } = await requestBody(context);
  const { limits } = call.settings.api.rest;
  return {
    ...call,
    ...writtenDocument(document),
    data: memoized(() => parseData(text, contentType, limits)),
  };
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

export const withIfMatch = <T extends DocumentCall>({ req }: AppContext, call: T): T => ({
  ...call,
  ifMatch: req.header('if-match'),
  ifNoneMatch: req.header('if-none-match'),
});

/** Strapi maps no texts in its nested form either. */
export function formatOf({ req }: AppContext, { preview }: Settings): Format {
  if (req.header('strapi-response-format') === 'v4') return 'v4';
  return preview && req.header(SOURCE_MAPS_HEADER) === 'true' ? 'v5-mapped' : 'v5';
}

async function respondToList(context: AppContext, call: ContentCall): Promise<Response> {
  if (isRead(context)) return respondConditionally(context, await find(call), call);
  const idempotencyKey = context.req.header('idempotency-key');
  const own = { ...(await writeCallOf(context, call)), idempotencyKey };
  return created(context, await withKey(call, idempotencyKey, () => write(own, 'create')), call);
}

async function respondToOne(context: AppContext, call: DocumentCall): Promise<Response> {
  if (isRead(context)) return respondConditionally(context, await findOne(call), call);
  const matching = withIfMatch(context, call);
  if (context.req.method === 'PUT')
    return updated(context, await write(await writeCallOf(context, matching, call.document), 'update'));
  await remove(matching);
  return context.body(null, 204);
}

type Responder = (call: ContentCall) => Promise<Response>;

/** Responds by code of the project; returns undefined for a path that it does not have either. */
type OwnRoutes = (context: AppContext) => Promise<Response | undefined>;

/** Handles all paths without a route. */
export function contentRoute(deployment: Deployment, own: OwnRoutes | undefined) {
  const actions: NonNullable<Feature['actions']> = Object.assign(
    {},
    ...deployment.features.map((feature) => feature.actions),
  );
  const history = deployment.features.find((feature) => feature.history)?.history;

  /** Returns undefined for a path of a feature that is off. */
  function responderOf(context: AppContext, endpoint: Endpoint): Responder | undefined {
    switch (endpoint.kind) {
      case 'list':
        return (call) => respondToList(context, call);
      case 'one':
        return (call) => respondToOne(context, { ...call, document: endpoint.document });
      case 'lookup':
        return async (call) => respondConditionally(context, await lookUp({ ...call, lookup: endpoint.lookup }), call);
      case 'action': {
        const act = actions[endpoint.action];
        return act && ((call) => act(context, { ...call, document: endpoint.document }, deployment));
      }
      case 'history':
        return history && ((call) => history(context, { ...call, document: endpoint.document }, endpoint.revision));
      default:
        return endpoint satisfies never;
    }
  }

  return async function content(context: AppContext): Promise<Response> {
    rejectBadPath(context);
    const endpoint = endpointOf(addressOf(context.req.raw).pathname, deployment);
    const responder = endpoint && responderOf(context, endpoint);
    if (!responder) {
      const response = await own?.(context);
      if (response) return response;
      if (isRead(context)) throw notFound();
      return otherMethod(context, allowedMethods(undefined).join(', '));
    }
    const allowed = allowedMethods(endpoint);
    const { method } = context.req;
    const rejection = () => otherMethod(context, allowed.join(', '));
    if (method === 'OPTIONS') return rejection();
    const call = await contentCallOf(context, endpoint, deployment);
    return bookmarked(context, call, async () => (allowed.includes(method) ? responder(call) : rejection()));
  };
}
