/**
 * @module The routes of OAuth: for clients at `/.well-known` and `/oauth`, and for signed-in users below `/api/auth/oauth`.
 */
import { notFound } from '../../common/errors.ts';
import { bookmarked, callOf } from '../../http/call.ts';
import { clientOf } from '../../http/client-address.ts';
import type { App, AppContext } from '../../http/context.ts';
import type { Deployment } from '../../http/deployment.ts';
import { addRoutes } from '../../http/methods.ts';
import { type BodyText, requestBody } from '../../http/request-body.ts';
import { addressOf } from '../../http/request-url.ts';
import { respond } from '../../http/respond.ts';
import type { UserCall } from '../users/call.ts';
import { byClient, countRequest } from '../users/rate-limit.ts';
import { userCallOf } from '../users/user-call.ts';
import { consent, describeRequest } from './consent.ts';
import { endGrantOf, listGrants } from './grants.ts';
import { issuerOf, PATHS, resourceMetadata, serverMetadata } from './metadata.ts';
import { register } from './registration.ts';
import { issueTokens, revoke, withoutRights } from './token-endpoint.ts';
import { answered, formOf } from './wire.ts';

type Handler = (context: AppContext, deployment: Deployment) => Promise<Response>;

interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** Are its requests counted by the address of the client? */
  readonly isLimited?: true;
  readonly run: Handler;
}

/** The parameters of an authorization request (https://www.rfc-editor.org/rfc/rfc6749#section-4.1.1, RFC 7636 and 8707). */
const PARAMETERS = [
  ...['client_id', 'redirect_uri', 'response_type', 'code_challenge', 'code_challenge_method'],
  ...['scope', 'state', 'resource'],
];

/** Sends the browser to the page of Studio, which checks the request with the credential of the user. */
const authorize: Handler = async (context, deployment) => {
  const sent = new URLSearchParams(addressOf(context.req.raw).search);
  const known = PARAMETERS.flatMap((name) => {
    const value = sent.get(name);
    return value === null ? [] : [[name, value]];
  });
  return context.redirect(`${issuerOf(context, deployment)}/studio/#/connect?${new URLSearchParams(known)}`);
};

async function clientCallOf(context: AppContext, deployment: Deployment) {
  const call = withoutRights(await callOf(context, deployment));
  return { ...call, issuer: issuerOf(context, deployment) };
}

const token: Handler = async (context, deployment) =>
  respond(context, await issueTokens(await clientCallOf(context, deployment), await formOf(context)));

const revocation: Handler = async (context, deployment) => {
  await revoke(await clientCallOf(context, deployment), await formOf(context));
  return context.body(null, 200);
};

const registration: Handler = async (context, deployment) => {
  const { text } = await requestBody(context);
  const { secret, now } = await clientCallOf(context, deployment);
  return respond(context, await register(text, secret, now), 201);
};

async function handle({ path, isLimited, run }: Route, context: AppContext, deployment: Deployment): Promise<Response> {
  if (isLimited) await countRequest(context, deployment, byClient('AUTH_ADDRESS_RATE_LIMIT', path, clientOf(context)));
  return run(context, deployment);
}

/** Reached where clients may not register themselves: no other route has the path. */
const unknownPath: Handler = async () => {
  throw notFound();
};

const CLIENT_ROUTES = {
  token: { method: 'POST', path: PATHS.token, isLimited: true, run: token },
  revoke: { method: 'POST', path: PATHS.revoke, isLimited: true, run: revocation },
  register: { method: 'POST', path: PATHS.register, isLimited: true, run: registration },
} as const satisfies Readonly<Record<string, Route>>;

const metadata =
  (of: (issuer: string, settings: Deployment['settings']) => object): Handler =>
  async (context, deployment) =>
    respond(context, of(issuerOf(context, deployment), deployment.settings));

const PAGES: readonly Route[] = [
  ...PATHS.resource.map((path) => ({ method: 'GET' as const, path, run: metadata(resourceMetadata) })),
  { method: 'GET', path: PATHS.server, run: metadata(serverMetadata) },
  { method: 'GET', path: PATHS.authorize, run: authorize },
];

/** @param own the address that the request came to, which is of this deployment, too */
type ForUser = (call: UserCall, body: BodyText, own: readonly string[]) => Promise<unknown>;

const forUser =
  (work: ForUser): Handler =>
  async (context, deployment) => {
    const call = await userCallOf(context, deployment);
    context.header('cache-control', 'no-store');
    return bookmarked(context, call, async () =>
      respond(context, await work(call, await requestBody(context), [context.req.url])),
    );
  };

const USER_ROUTES: readonly Route[] = [
  {
    ...{ method: 'POST', path: '/api/auth/oauth/request', isLimited: true },
    run: forUser(describeRequest),
  },
  {
    ...{ method: 'POST', path: '/api/auth/oauth/consent', isLimited: true },
    run: forUser(consent),
  },
  { method: 'GET', path: '/api/auth/oauth/grants', run: forUser(listGrants) },
  { method: 'DELETE', path: '/api/auth/oauth/grants/:id', run: forUser(endGrantOf) },
];

export function addOAuthRoutes(app: App, deployment: Deployment): void {
  const { token, revoke, register } = CLIENT_ROUTES;
  const { registration } = deployment.settings.oauth ?? {};
  const ofClients = registration ? [token, revoke, register] : [token, revoke];
  const unknown: Route = { method: 'POST', path: PATHS.register, run: unknownPath };
  const others = [...PAGES, ...USER_ROUTES, unknown];
  // Errors of endpoints for clients have the form of OAuth.
  addRoutes(app, ofClients, (route) => [(context) => answered(context, () => handle(route, context, deployment))]);
  addRoutes(app, others, (route) => [(context) => handle(route, context, deployment)]);
}
