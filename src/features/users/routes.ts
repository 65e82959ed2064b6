/**
 * @module `/api/auth`, `/api/users` and `/api/users-permissions` as HTTP.
 */
import type { MiddlewareHandler } from 'hono';
import { memoized } from '../../common/cache.ts';
import { application, forbidden } from '../../common/errors.ts';
import { isPreview } from '../../content/credentials/credential.ts';
import { parseObject } from '../../content/request/body.ts';
import { newDocumentId } from '../../content/runtime/document-id.ts';
import { bookmarked, callOf } from '../../http/call.ts';
import { type App, type AppContext, type AppEnv, secretOf } from '../../http/context.ts';
import type { Deployment } from '../../http/deployment.ts';
import { addRoutes } from '../../http/methods.ts';
import { requestBody } from '../../http/request-body.ts';
import { respond } from '../../http/respond.ts';
import {
  ACCOUNT_ROUTES,
  type AccountAction,
  type AccountInput,
  type AccountRoute,
} from '../../schema/account-routes.ts';
import { accountInput } from './account-input.ts';
import type { UserCall } from './call.ts';
import { confirmEmail, sendEmailConfirmation } from './confirm.ts';
import { failuresOf } from './failures.ts';
import { inviteUser } from './invite.ts';
import { mailOf } from './mail.ts';
import { listSessions, listUserSessions, logout, revokeSession, revokeUserSession } from './manage-sessions.ts';
import { createUser, deleteUser, updateUser } from './manage-users.ts';
import { rejectInput } from './precheck.ts';
import { limitAuth } from './rate-limit.ts';
import { findRole, listPermissions, listRoles, rejectRoleWrite } from './read-roles.ts';
import { countUsers, findUser, listUsers, me } from './read-users.ts';
import { dropCookie, inCookie, refreshCookieOf, rejectOtherSites } from './refresh-cookie.ts';
import { refreshTokens } from './refresh-tokens.ts';
import { forgotPassword, resetPassword } from './reset-password.ts';
import { changePassword, login, register } from './sign-in.ts';
import type { Tokens } from './tokens.ts';
import { updateMe } from './update-me.ts';

/** Milliseconds until a response is sent, and work no longer delays it. */
const SENDING = 50;

const afterResponse = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, SENDING));

type Handler<Input> = (call: UserCall, input: Input, context: AppContext, status: number) => Promise<Response>;

async function userCallOf(context: AppContext, deployment: Deployment): Promise<UserCall> {
  const { settings } = deployment;
  const call = await callOf(context, deployment);
  if (isPreview(call.credential)) throw forbidden();
  const { text, contentType } = await requestBody(context);
  return {
    ...call,
    body: memoized(() => parseObject(text, contentType, settings.api.rest.limits)),
    newDocumentId: newDocumentId(),
    id: context.req.param('id') ?? '',
    session: context.req.param('session') ?? '',
    jwtSecret: secretOf(context),
    refreshCookie: refreshCookieOf(context, settings),
    userAgent: context.req.header('user-agent') ?? '',
    afterwards: (work) => call.waitUntil(afterResponse().then(work)),
    ...mailOf(context, deployment),
    ...failuresOf(context, deployment),
  };
}

type Work<Input, Result> = (call: UserCall, input: Input) => Promise<Result>;

/** A missing user is 204, as in Strapi. */
const json =
  <Input>(work: Work<Input, unknown>): Handler<Input> =>
  async (call, input, context, status) => {
    const found = await work(call, input);
    return found === undefined ? context.body(null, 204) : respond(context, found, status);
  };

const redirect =
  <Input>(work: Work<Input, string>): Handler<Input> =>
  async (call, input, context) =>
    context.redirect(await work(call, input));

const signIn =
  <Input extends object>(work: Work<Input, Partial<Tokens>>): Handler<Input> =>
  async (call, input, context) => {
    const inBody = 'refreshToken' in input && input.refreshToken !== null;
    return respond(context, await inCookie(context, call.settings, await work(call, input), inBody));
  };

const signOut: Handler<AccountInput<'auth.logout'>> = async (call, input, context) => {
  const done = await logout(call, input);
  dropCookie(context, call.settings);
  return respond(context, done);
};

const HANDLERS: { readonly [A in AccountAction]: Handler<AccountInput<A>> } = {
  'auth.callback': signIn(login),
  'auth.register': signIn(register),
  'auth.changePassword': signIn(changePassword),
  'auth.forgotPassword': json(forgotPassword),
  'auth.resetPassword': signIn(resetPassword),
  'auth.emailConfirmation': redirect(confirmEmail),
  'auth.sendEmailConfirmation': json(sendEmailConfirmation),
  'auth.refresh': signIn(refreshTokens),
  'auth.logout': signOut,
  'auth.getSessions': json(listSessions),
  'auth.revokeSession': json(revokeSession),
  'user.find': json(listUsers),
  'user.count': json(countUsers),
  'user.me': json(me),
  'user.updateMe': json(updateMe),
  'user.invite': json(inviteUser),
  'user.getSessions': json(listUserSessions),
  'user.revokeSession': json(revokeUserSession),
  'user.findOne': json(findUser),
  'user.create': json(createUser),
  'user.update': json(updateUser),
  'user.destroy': json(deleteUser),
  'role.find': json(listRoles),
  'role.findOne': json(findRole),
  'role.createRole': json((call) => rejectRoleWrite(call, 'role.createRole')),
  'role.updateRole': json((call) => rejectRoleWrite(call, 'role.updateRole')),
  'role.deleteRole': json((call) => rejectRoleWrite(call, 'role.deleteRole')),
  'permissions.getPermissions': json(listPermissions),
};

/** Rejected for authorized callers, as in a Strapi without enabled providers. */
const PROVIDER_ROUTES = [
  { method: 'GET', path: '/api/connect/:provider', action: 'auth.connect' },
  { method: 'GET', path: '/api/connect/:provider/callback', action: 'auth.connect' },
  { method: 'GET', path: '/api/auth/:provider/callback', action: 'auth.callback' },
] as const;

/** Counts the request, and rejects a sign-in from other sites. */
function handled<A extends AccountAction>(
  route: AccountRoute & { readonly action: A },
  deployment: Deployment,
): MiddlewareHandler<AppEnv> {
  const validInput = accountInput(route, deployment);
  return async (context) => {
    const call = await userCallOf(context, deployment);
    await limitAuth(context, deployment, route, call.body);
    return bookmarked(context, call, async () => {
      const { cookie = false } = route;
      if (cookie || route.response === 'signedIn') rejectOtherSites(context, call.settings, cookie);
      return HANDLERS[route.action](call, await validInput(call), context, route.status ?? 200);
    });
  };
}

export function addUserRoutes(app: App, deployment: Deployment): void {
  addRoutes(app, ACCOUNT_ROUTES, (route) => [handled(route, deployment)]);
  addRoutes(app, PROVIDER_ROUTES, ({ action }) => [
    async (context) => {
      const call = await userCallOf(context, deployment);
      return bookmarked(context, call, () => rejectInput(call, action, application('This provider is disabled')));
    },
  ]);
}
