/**
 * @module `POST /api/auth/access`, the only route that reads the assertion of Cloudflare Access.
 */
import type { MiddlewareHandler } from 'hono';
import { forbidden } from '../../../common/errors.ts';
import { bookmarked } from '../../../http/call.ts';
import { clientOf } from '../../../http/client-address.ts';
import type { App, AppContext, AppEnv } from '../../../http/context.ts';
import type { Deployment } from '../../../http/deployment.ts';
import { addRoutes } from '../../../http/methods.ts';
import { respond } from '../../../http/respond.ts';
import type { AccessApplication } from '../../../schema/settings/access-setting.ts';
import type { UserCall } from '../call.ts';
import { byClient, countRequest } from '../rate-limit.ts';
import { inCookie } from '../refresh-cookie.ts';
import { userCallOf } from '../user-call.ts';
import { signInByAccess } from './sign-in-by-access.ts';

export const ACCESS_ROUTE = { method: 'POST', path: '/api/auth/access' } as const;

export const ASSERTION = 'Cf-Access-Jwt-Assertion';

/**
 * Access takes a cookie for the assertion, which browsers send with requests of other sites, too.
 * @throws ApiError 403 unless a page of this server sends the request
 */
function rejectOtherOrigins(context: AppContext, { publicUrl }: UserCall): void {
  const own = URL.parse(publicUrl)?.origin;
  if (own === undefined || context.req.header('origin') !== own)
    throw forbidden(`The header Origin must be that of server.url${own === undefined ? '' : `: ${own}`}`);
}

const handled =
  (access: AccessApplication, deployment: Deployment): MiddlewareHandler<AppEnv> =>
  async (context) => {
    const call = await userCallOf(context, deployment);
    // It may cost a request to the team.
    await countRequest(context, deployment, byClient('AUTH_ADDRESS_RATE_LIMIT', ACCESS_ROUTE.path, clientOf(context)));
    return bookmarked(context, call, async () => {
      rejectOtherOrigins(context, call);
      const signedIn = await signInByAccess(call, access, context.req.header(ASSERTION));
      return respond(context, await inCookie(context, call.settings, signedIn, false));
    });
  };

export function addAccessRoutes(app: App, deployment: Deployment): void {
  const { access } = deployment.settings;
  if (access) addRoutes(app, [ACCESS_ROUTE], () => [handled(access, deployment)]);
}
