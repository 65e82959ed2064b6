/**
 * @module `/api/auth`, `/api/users` and `/api/users-permissions` as HTTP.
 */
import type { MiddlewareHandler } from 'hono';
import { application } from '../../common/errors.ts';
import { bookmarked } from '../../http/call.ts';
import type { App, AppContext, AppEnv } from '../../http/context.ts';
import type { Deployment } from '../../http/deployment.ts';
import { addRoutes } from '../../http/methods.ts';
import { respond } from '../../http/respond.ts';
import {
  ACCOUNT_ROUTES,
  type AccountAction,
  type AccountInput,
  type AccountRoute,
} from '../../schema/account-routes.ts';
import { PROVIDER_ROUTES } from '../../schema/provider-routes.ts';
import { accountInput } from './account-input.ts';
import type { UserCall } from './call.ts';
import { confirmEmail, sendEmailConfirmation } from './confirm.ts';
import { inviteUser } from './invite.ts';
import { listSessions, listUserSessions, logout, revokeSession, revokeUserSession } from './manage-sessions.ts';
import { createUser, deleteUser, updateUser } from './manage-users.ts';
import { rejectInput } from './precheck.ts';
import { linkIdentity, listIdentities, unlinkIdentity } from './providers/own-identities.ts';
import { limitAuth } from './rate-limit.ts';
import { findRole, listPermissions, listRoles, rejectRoleWrite } from './read-roles.ts';
import { countUsers, findUser, listUsers, me } from './read-users.ts';
import { dropCookie, inCookie, rejectOtherSites } from './refresh-cookie.ts';
import { refreshTokens } from './refresh-tokens.ts';
import { forgotPassword, resetPassword } from './reset-password.ts';
import { changePassword, login, register } from './sign-in.ts';
import type { Tokens } from './tokens.ts';
import { updateMe } from './update-me.ts';
import { userCallOf } from './user-call.ts';

type Handler<Input> = (call: UserCall, input: Input, context: AppContext, status: number) => Promise<Response>;

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
  'identity.find': json(listIdentities),
  'identity.link': json(linkIdentity),
  'identity.unlink': json(unlinkIdentity),
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
  // The routes of `providers/` come first, where there are any.
  addRoutes(app, PROVIDER_ROUTES, ({ action }) => [
    async (context) => {
      const call = await userCallOf(context, deployment);
      return bookmarked(context, call, () => rejectInput(call, action, application('This provider is disabled')));
    },
  ]);
}
