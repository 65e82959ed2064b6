/**
 * @module The routes of sign-ins by providers.
 */
import type { MiddlewareHandler } from 'hono';
import { application } from '../../../common/errors.ts';
import { bookmarked } from '../../../http/call.ts';
import { clientOf } from '../../../http/client-address.ts';
import type { App, AppContext, AppEnv } from '../../../http/context.ts';
import type { Deployment } from '../../../http/deployment.ts';
import { addRoutes } from '../../../http/methods.ts';
import { respond } from '../../../http/respond.ts';
import { PROVIDER_ROUTES } from '../../../schema/provider-routes.ts';
import type { UserCall } from '../call.ts';
import { withAccountGrant } from '../precheck.ts';
import { byClient, countRequest } from '../rate-limit.ts';
import { inCookie, rejectOtherSites } from '../refresh-cookie.ts';
import { userCallOf } from '../user-call.ts';
import { connect, connectCallback, providerOf } from './connect.ts';
import { dropTicket, hasTicketCookie, requireVerifier, type SentTicket, ticketOf } from './pending.ts';
import { INCOMPLETE, signInByTicket } from './sign-in-by-provider.ts';

type Handler = (call: UserCall, context: AppContext, name: string, deployment: Deployment) => Promise<Response>;

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
    requireVerifier(ticket, verifier);
    return ticket;
  });

const signIn: Handler = async (call, context, name, deployment) => {
  rejectOtherSites(context, call.settings, false, call.query().access_token === undefined && hasTicketCookie(context));
  const ticket = await validTicket(call, context, name);
  context.header('cache-control', 'no-store');
  // Scanners send HEAD, and would use the ticket up.
  if (call.bodiless) return context.body(null, 200);
  if (!ticket.isVerified) {
    // It may cost a message.
    const key = ['message', clientOf(context) ?? '', ticket.email?.toLowerCase() ?? ''];
    await countRequest(context, deployment, [['AUTH_RATE_LIMIT', key]]);
  }
  const signedIn = await signInByTicket(call, ticket);
  dropTicket(context, ticket.sealed);
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
    // Each may cost a request to a provider.
    await countRequest(context, deployment, byClient('AUTH_ADDRESS_RATE_LIMIT', path, clientOf(context)));
    const provider = context.req.param('provider') ?? '';
    return bookmarked(context, call, async () => HANDLERS[name](call, context, provider, deployment));
  };

export function addProviderRoutes(app: App, deployment: Deployment): void {
  addRoutes(app, PROVIDER_ROUTES, (route) => [handled(route, deployment)]);
}
