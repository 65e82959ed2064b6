/**
 * @module `POST /mcp` as HTTP: agents with the rights of their API token, or of a user. And `/llms.txt`, which says what is there.
 */
import type { Grants } from '../../access/grants.ts';
import { memoized } from '../../common/cache.ts';
import { isProblem, notFound, unauthorized } from '../../common/errors.ts';
import { ownValue } from '../../common/json.ts';
import { isClaimed } from '../../content/credentials/credential.ts';
import type { Call } from '../../content/runtime/call.ts';
import { withCredential } from '../../content/runtime/caller.ts';
import { useOnce } from '../../content/runtime/idempotency.ts';
import { callOf } from '../../http/call.ts';
import { forClient } from '../../http/client-address.ts';
import { type App, type AppContext, isAllowedOrigin, OF_TOOL, secretOf, type ToolRequest } from '../../http/context.ts';
import type { Deployment, ToolClients } from '../../http/deployment.ts';
import { otherMethod } from '../../http/methods.ts';
import { requestBody } from '../../http/request-body.ts';
import { lastSegment } from '../../http/request-url.ts';
import { respond } from '../../http/respond.ts';
import type { ContentType } from '../../schema/model.ts';
import { DESCRIPTION_PATH } from '../description/routes.ts';
import { ADDRESSED_UPLOADS, UPLOAD_PATH } from '../files/routes.ts';
import { apiOf } from './api.ts';
import type { ToolCall } from './call.ts';
import { allows, knownTypes, nameOf } from './describe.ts';
import { errorResponse, parsed, RpcError, type RpcRequest, type RpcResponse, respondTo } from './protocol.ts';
import { handle } from './server.ts';
import { addressedUpload } from './uploading.ts';

const JSON_TYPE = /^application\/json(?:\s*;|$)/i;

/** Sends requests through the app itself, so that there is one way to content. They count for the rate limits, too. */
const senderOf =
  (app: App, context: AppContext, tool: ToolRequest = {}) =>
  async (request: Request) =>
    app.fetch(forClient(request, context), { ...context.env, [OF_TOOL]: tool }, context.executionCtx);

/** What the database says that the caller may do: the grants follow what it confirms at the end. @throws ApiError 401 */
const grantsOf = (call: Call): Promise<Grants> => withCredential(call, {}, async ({ grants }) => grants);

const toolClientsOf = ({ features }: Deployment): ToolClients | undefined =>
  features.find(({ toolClients }) => toolClients)?.toolClients;

/** Where people can connect clients, one without a credential has to learn of it: then it gets no tools of the public. */
const mustSignIn = (deployment: Deployment): boolean =>
  toolClientsOf(deployment) !== undefined && ownValue(deployment.settings.mcp, 'anonymous') !== true;

/** The header `WWW-Authenticate` of a 401. */
const challengeOf = (context: AppContext, deployment: Deployment): string =>
  (mustSignIn(deployment) && toolClientsOf(deployment)?.challenge(context, deployment)) || 'Bearer';

/** @returns what makes the call of a request @throws ApiError 401 */
async function toolCalls(context: AppContext, app: App, deployment: Deployment) {
  const { registry, settings } = deployment;
  const header = context.req.header('authorization');
  const claims = await toolClientsOf(deployment)?.read(header, secretOf(context), Date.now());
  const call = await callOf(context, deployment, claims);
  if (!isClaimed(call.credential) && mustSignIn(deployment)) throw unauthorized();
  const { origin } = new URL(context.req.url);
  const authorization = claims ? undefined : header;
  const grants = memoized(() => grantsOf(call));
  return ({ canElicit, params }: RpcRequest): ToolCall => ({
    ...{ registry, settings, canElicit, now: call.now },
    uploads: `${origin}${ADDRESSED_UPLOADS}`,
    api: apiOf(senderOf(app, context, { claims }), origin, authorization),
    grants: () => grants(undefined),
    useOnce: (key) => useOnce(call, key),
    secret: secretOf(context),
    caller: claims?.client?.grant ?? authorization ?? '',
    credential: { authorization, claims },
    requestState: params.requestState,
    inputResponses: params.inputResponses,
  });
}

const sent = (context: AppContext, { status, body }: RpcResponse): Response =>
  body ? respond(context, body, status) : context.body(null, 202);

async function respondToMessage(context: AppContext, app: App, deployment: Deployment): Promise<Response> {
  const header = (name: string) => context.req.header(name);
  const origin = header('origin');
  // Without TLS, a page can make its own name stand for the address of this server.
  const isOwn = origin === undefined || (origin.startsWith('https:') && origin === new URL(context.req.url).origin);
  if (!isOwn && !isAllowedOrigin(context, deployment.settings))
    return sent(context, errorResponse(new RpcError(-32_000, `Forbidden origin ${origin}`, 403)));
  if (!JSON_TYPE.test(header('content-type') ?? ''))
    return sent(context, errorResponse(new RpcError(-32_000, 'Expected Content-Type: application/json', 415)));
  try {
    const message = parsed((await requestBody(context)).text);
    const callFor = await toolCalls(context, app, deployment);
    return sent(context, await respondTo(message, header, (request) => handle(callFor(request), request)));
  } catch (error) {
    if (error instanceof RpcError) return sent(context, errorResponse(error));
    if (isProblem(error, 'unauthorized')) context.header('www-authenticate', challengeOf(context, deployment));
    throw error;
  }
}

/** Sends the body on to the media library, in the name of who asked for the address. */
async function uploadTo(context: AppContext, app: App): Promise<Response> {
  const addressed = await addressedUpload(lastSegment(context.req.raw), secretOf(context), Date.now());
  if (!addressed) throw notFound('The address is unknown or too old');
  const { body } = context.req.raw;
  const headers = { ...addressed.headers, 'content-type': context.req.header('content-type') ?? '' };
  const init = { method: 'POST', headers, body, duplex: 'half' };
  const request = new Request(new URL(UPLOAD_PATH, context.req.url), init);
  return senderOf(app, context, { addressed: addressed.file, claims: addressed.claims })(request);
}

const textOf = (type: ContentType): string =>
  `- [${type.displayName}](/api/${nameOf(type)})${type.description === '' ? '' : `: ${type.description}`}`;

async function llmsText(context: AppContext, deployment: Deployment): Promise<Response> {
  const { registry, settings } = deployment;
  const view = { registry, grants: await grantsOf(await callOf(context, deployment)) };
  const types = knownTypes(view).filter((type) => allows(view, type, 'find') || allows(view, type, 'findOne'));
  const lines = [
    '# Content API',
    '> Content of a site as JSON: the REST API of Strapi 5. `populate`, `filters`, `sort`, `fields` and `pagination` are parameters of each list.',
    ...(types.length > 0 ? ['## Content types', types.map(textOf).join('\n')] : []),
    '## More',
    [
      ...(settings.server.openapi ? [`- [OpenAPI](${DESCRIPTION_PATH}): every operation`] : []),
      '- [MCP](/mcp): tools for agents, by POST',
    ].join('\n'),
  ];
  return context.text(`${lines.join('\n\n')}\n`, 200, { vary: 'Authorization' });
}

export function addToolRoutes(app: App, deployment: Deployment): void {
  const routes = [
    { path: '/mcp', method: 'POST', run: (context: AppContext) => respondToMessage(context, app, deployment) },
    { path: `${ADDRESSED_UPLOADS}/:address`, method: 'POST', run: (context: AppContext) => uploadTo(context, app) },
    { path: '/llms.txt', method: 'GET', run: (context: AppContext) => llmsText(context, deployment) },
  ];
  for (const { path, method, run } of routes) {
    app.on(method, [path], (context) => run(context));
    app.all(path, (context) => otherMethod(context, method));
  }
}
