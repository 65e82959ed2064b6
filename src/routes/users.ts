/**
 * @module `/api/auth`, `/api/users` and `/api/users-permissions` as HTTP.
 */
import type { Hono } from 'hono';
import { notFound } from '../errors.ts';
import { parseObject } from '../request/body.ts';
import type { UserCall } from '../users/call.ts';
import { confirmEmail, sendEmailConfirmation } from '../users/confirm.ts';
import { listSessions, logout, refreshTokens, revokeSession } from '../users/manage-sessions.ts';
import { createUser, deleteUser, updateUser } from '../users/manage-users.ts';
import { findRole, listPermissions, listRoles, refuseRoleWrite } from '../users/read-roles.ts';
import { countUsers, findUser, listUsers, me } from '../users/read-users.ts';
import { forgotPassword, resetPassword } from '../users/reset-password.ts';
import { changePassword, login, register } from '../users/sign-in.ts';
import type { Tokens } from '../users/tokens.ts';
import { bodyText } from './body-text.ts';
import {
  type AppContext,
  bookmarked,
  callOf,
  type Deployment,
  otherMethod,
  refuseBadPath,
  secretOf,
} from './content.ts';
import { newDocumentId } from './document-id.ts';
import { mailOf } from './mail.ts';
import { limitAuth } from './rate-limit.ts';
import { dropCookie, inCookie, refreshCookieOf, refuseOtherSites } from './refresh-cookie.ts';
import { respond } from './respond.ts';

type App = Hono<{ Bindings: Env; Variables: { requestId: string } }>;
type Handler = (call: UserCall, context: AppContext) => Promise<Response>;

/** A body is asked for by each rule that reads it, and parsed for the first. */
function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

async function userCallOf(context: AppContext, deployment: Deployment): Promise<UserCall> {
  const { settings } = deployment;
  const call = await callOf(context, deployment);
  const text = context.req.method === 'GET' ? '' : await bodyText(context);
  const { limits } = settings.api.rest;
  return {
    ...call,
    body: once(() => parseObject(text, context.req.header('content-type') ?? '', limits)),
    newDocumentId: newDocumentId(),
    id: context.req.param('id') ?? '',
    jwtSecret: secretOf(context),
    refreshCookie: refreshCookieOf(context, settings),
    userAgent: context.req.header('user-agent') ?? '',
    ...mailOf(context, deployment),
  };
}

const json =
  (work: (call: UserCall) => Promise<unknown>, status = 200): Handler =>
  async (call, context) =>
    respond(context, await work(call), status);

/** No user is no error here: 204, as in the reference. */
const optional =
  (work: (call: UserCall) => Promise<unknown>): Handler =>
  async (call, context) => {
    const found = await work(call);
    return found === undefined ? context.body(null, 204) : respond(context, found);
  };

const redirect =
  (work: (call: UserCall) => Promise<string>): Handler =>
  async (call, context) =>
    context.redirect(await work(call));

const signIn =
  (work: (call: UserCall) => Promise<Partial<Tokens>>, refreshed = false): Handler =>
  async (call, context) => {
    refuseOtherSites(context, call.settings, refreshed);
    return respond(context, inCookie(context, call.settings, await work(call), refreshed));
  };

const signOut: Handler = async (call, context) => {
  const done = await logout(call);
  dropCookie(context, call.settings);
  return respond(context, done);
};

type Route = readonly [method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, handler: Handler];

const ROUTES: readonly Route[] = [
  ['POST', '/api/auth/local', signIn(login)],
  ['POST', '/api/auth/local/register', signIn(register)],
  ['POST', '/api/auth/change-password', signIn(changePassword)],
  ['POST', '/api/auth/forgot-password', json(forgotPassword)],
  ['POST', '/api/auth/reset-password', signIn(resetPassword)],
  ['GET', '/api/auth/email-confirmation', redirect(confirmEmail)],
  ['POST', '/api/auth/send-email-confirmation', json(sendEmailConfirmation)],
  ['POST', '/api/auth/refresh', signIn(refreshTokens, true)],
  ['POST', '/api/auth/logout', signOut],
  ['GET', '/api/auth/sessions', json(listSessions)],
  ['DELETE', '/api/auth/sessions/:id', json(revokeSession)],
  ['GET', '/api/users', json(listUsers)],
  ['GET', '/api/users/count', json(countUsers)],
  ['GET', '/api/users/me', optional(me)],
  ['GET', '/api/users/:id', optional(findUser)],
  ['POST', '/api/users', json(createUser, 201)],
  ['PUT', '/api/users/:id', json(updateUser)],
  ['DELETE', '/api/users/:id', optional(deleteUser)],
  ['GET', '/api/users-permissions/roles', json(listRoles)],
  ['GET', '/api/users-permissions/roles/:id', json(findRole)],
  ['POST', '/api/users-permissions/roles', json((call) => refuseRoleWrite(call, 'createRole'))],
  ['PUT', '/api/users-permissions/roles/:id', json((call) => refuseRoleWrite(call, 'updateRole'))],
  ['DELETE', '/api/users-permissions/roles/:id', json((call) => refuseRoleWrite(call, 'deleteRole'))],
  ['GET', '/api/users-permissions/permissions', json(listPermissions)],
];

/** A path without GET answers it all the same, with a 404. */
function allowedAt(path: string): string {
  const methods = ROUTES.filter(([method, at]) => at === path && method !== 'GET').map(([method]) => method);
  return ['HEAD', 'GET', ...methods].join(', ');
}

function otherMethodAt(path: string) {
  return function other(context: AppContext): Response {
    refuseBadPath(context);
    const { method } = context.req;
    if (method === 'GET' || method === 'HEAD') throw notFound();
    return otherMethod(context, allowedAt(path));
  };
}

/** Adds the routes of users, and refuses other methods on their paths. */
export function addUserRoutes(app: App, deployment: Deployment): void {
  for (const [method, path, handler] of ROUTES)
    app.on(method, path, async (context) => {
      refuseBadPath(context as AppContext);
      const call = await userCallOf(context as AppContext, deployment);
      await limitAuth(context as AppContext, deployment, path, call.body);
      return bookmarked(context as AppContext, call, () => handler(call, context as AppContext));
    });
  for (const path of new Set(ROUTES.map(([, at]) => at)))
    app.all(path, (context) => otherMethodAt(path)(context as AppContext));
}
