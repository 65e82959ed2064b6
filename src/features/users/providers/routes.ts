/**
 * @module The routes of sign-ins by providers.
 */
import type { MiddlewareHandler } from 'hono';
import { sha256Base64Url } from '../../../common/digest.ts';
import { application } from '../../../common/errors.ts';
import { bookmarked } from '../../../http/call.ts';
import { clientOf } from '../../../http/client-address.ts';
import type { App, AppContext, AppEnv } from '../../../http/context.ts';
import type { Deployment } from '../../../http/deployment.ts';
import { addRoutes } from '../../../http/methods.ts';
import { counterKey, exceeds, rateLimited } from '../../../http/rate-limiters.ts';
import { respond } from '../../../http/respond.ts';
import { PROVIDER_ROUTES } from '../../../schema/account-routes.ts';
import type { UserCall } from '../call.ts';
import { withAccountGrant } from '../precheck.ts';
import { inCookie, rejectOtherSites } from '../refresh-cookie.ts';
import { userCallOf } from '../user-call.ts';
import { connect, connectCallback, providerOf } from './connect.ts';
import { dropTicket, hasTicketCookie, type SentTicket, ticketOf } from './pending.ts';
import { INCOMPLETE, signInByTicket } from './sign-in-by-provider.ts';

type Handler = (call: UserCall, context: AppContext, name: string, deployment: Deployment) => Promise<Response>;

/** Counts by address, as each request may cost one to a provider. @throws ApiError 429 */
async function limit(context: AppContext, { settings }: Deployment, path: string): Promise<void> {
  const { enabled, period } = settings.rateLimit.auth;
  const client = clientOf(context);
  if (
    enabled &&
    client !== undefined &&
    (await exceeds(context, 'AUTH_ADDRESS_RATE_LIMIT', counterKey([path, client])))
  )
    throw rateLimited(period);
}

/** Counts by e-mail address, as each request may cost a message to it. @throws ApiError 429 */
async function limitMessages(context: AppContext, { settings }: Deployment, email = ''): Promise<void> {
  const { enabled, period } = settings.rateLimit.auth;
  const key = counterKey(['message', clientOf(context) ?? '', email.toLowerCase()]);
  if (enabled && (await exceeds(context, 'AUTH_RATE_LIMIT', key))) throw rateLimited(period);
}

const redirect =
  (work: (call: UserCall, context: AppContext, name: string) => Promise<string>): Handler =>
  async (call, context, name) =>
    context.redirect(await work(call, context, name));

/** @throws ApiError 400 without a ticket of the provider, and for another verifier than that of the page */
const validTicket = (call: UserCall, context: AppContext, name: string): Promise<SentTicket> =>
  withAccountGrant(call, 'auth.callback', async () => {
    providerOf(call, name);
    const { access_token: sent, code_verifier: verifier } = call.query();
    const ticket = await ticketOf(context, call, name, sent);
    if (!ticket) throw application(INCOMPLETE);
    // A verifier without a challenge is wrong, too: the sign-in of another browser has none.
    const proof = verifier === undefined ? null : sha256Base64Url(String(verifier));
    if (proof !== ticket.challenge) throw application('code_verifier does not fit the code_challenge of this sign-in');
    return ticket;
  });

const signIn: Handler = async (call, context, name, deployment) => {
  rejectOtherSites(context, call.settings, false, call.query().access_token === undefined && hasTicketCookie(context));
  const ticket = await validTicket(call, context, name);
  context.header('cache-control', 'no-store');
  // Scanners send HEAD, and would use the ticket up.
  if (call.bodiless) return context.body(null, 200);
  if (!ticket.isVerified) await limitMessages(context, deployment, ticket.email);
  const signedIn = await signInByTicket(call, ticket);
  dropTicket(context, call, ticket.sealed);
  return respond(context, await inCookie(context, call.settings, signedIn, false));
};

const HANDLERS: Readonly<Record<(typeof PROVIDER_ROUTES)[number]['name'], Handler>> = {
  connect: redirect(connect),
  return: redirect(connectCallback),
  signIn,
};

const handled =
  ({ name, path }: (typeof PROVIDER_ROUTES)[number], deployment: Deployment): MiddlewareHandler<AppEnv> =>
  async (context) => {
    const call = await userCallOf(context, deployment);
    await limit(context, deployment, path);
    const provider = context.req.param('provider') ?? '';
    return bookmarked(context, call, async () => HANDLERS[name](call, context, provider, deployment));
  };

export function addProviderRoutes(app: App, deployment: Deployment): void {
  addRoutes(app, PROVIDER_ROUTES, (route) => [handled(route, deployment)]);
}
