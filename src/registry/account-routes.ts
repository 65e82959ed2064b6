/**
 * @module The routes of `/api/auth`, `/api/users` and `/api/users-permissions`: one table from which HTTP routing, the
 * grants of a fresh Strapi, counting of attempts and OpenAPI follow.
 */
import type * as z from 'zod/mini';
import {
  type BodySchema,
  CHANGE_PASSWORD,
  CONFIRMATION,
  CREATE_USER,
  EMAIL,
  FORGOT_PASSWORD,
  LOGIN,
  LOGOUT,
  REFRESH,
  REGISTER,
  RESET_PASSWORD,
  UPDATE_USER,
} from './account-bodies.ts';

/** What a 2xx shows; `describe/` has a schema for each. */
export type Answer =
  | 'signedIn'
  | 'tokens'
  | 'ok'
  | 'sent'
  | 'sessions'
  | 'revoked'
  | 'user'
  | 'users'
  | 'count'
  | 'roles'
  | 'role'
  | 'permissions';

export interface AccountRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** Below `plugin::users-permissions.` */
  readonly action: string;
  readonly summary: string;
  /** Roles that a fresh Strapi lets do this. */
  readonly roles?: readonly ('public' | 'authenticated')[];
  /**
   * Counted, as in the reference: by address, or by address and the e-mail address that the body is about. Elsewhere a
   * caller could make that one up.
   */
  readonly counted?: 'address' | 'email';
  /** Only where there are sessions. */
  readonly sessions?: true;
  readonly body?: BodySchema;
  /** May the body be left out? */
  readonly bodiless?: true;
  /** Parameters of its own, or those of reading documents. */
  readonly query?: BodySchema | 'list' | 'one' | 'count';
  /** Of an answer; else 200. */
  readonly status?: 201 | 302 | 400;
  /** Absent: an answer without a body. */
  readonly answer?: Answer;
  /** What it means that there is nothing to show: 204. */
  readonly nothing?: string;
  readonly notFound?: true;
}

const NOBODY = 'There is no such user';
const SETTINGS = { summary: 'Roles are settings: always refused', status: 400 } as const;
const ROLES = '/api/users-permissions/roles';

const ROUTES = [
  {
    method: 'POST',
    path: '/api/auth/local',
    action: 'auth.callback',
    summary: 'Sign in',
    roles: ['public'],
    counted: 'address',
    body: LOGIN,
    answer: 'signedIn',
  },
  {
    method: 'POST',
    path: '/api/auth/local/register',
    action: 'auth.register',
    summary: 'Register',
    roles: ['public'],
    counted: 'email',
    body: REGISTER,
    answer: 'signedIn',
  },
  {
    method: 'POST',
    path: '/api/auth/change-password',
    action: 'auth.changePassword',
    summary: 'Change the password',
    roles: ['authenticated'],
    counted: 'address',
    body: CHANGE_PASSWORD,
    answer: 'signedIn',
  },
  {
    method: 'POST',
    path: '/api/auth/forgot-password',
    action: 'auth.forgotPassword',
    summary: 'Ask for a code by e-mail',
    roles: ['public'],
    counted: 'email',
    body: FORGOT_PASSWORD,
    answer: 'ok',
  },
  {
    method: 'POST',
    path: '/api/auth/reset-password',
    action: 'auth.resetPassword',
    summary: 'Set a password with the code',
    roles: ['public'],
    counted: 'address',
    body: RESET_PASSWORD,
    answer: 'signedIn',
  },
  {
    method: 'GET',
    path: '/api/auth/email-confirmation',
    action: 'auth.emailConfirmation',
    summary: 'Confirm an address',
    roles: ['public'],
    query: CONFIRMATION,
    status: 302,
  },
  {
    method: 'POST',
    path: '/api/auth/send-email-confirmation',
    action: 'auth.sendEmailConfirmation',
    summary: 'Ask for the message that confirms an address',
    roles: ['public'],
    counted: 'email',
    body: EMAIL,
    answer: 'sent',
  },
  {
    method: 'POST',
    path: '/api/auth/refresh',
    action: 'auth.refresh',
    summary: 'Get new tokens for a refresh token',
    roles: ['public'],
    sessions: true,
    body: REFRESH,
    bodiless: true,
    answer: 'tokens',
  },
  {
    method: 'POST',
    path: '/api/auth/logout',
    action: 'auth.logout',
    summary: 'Sign out',
    roles: ['public', 'authenticated'],
    sessions: true,
    body: LOGOUT,
    bodiless: true,
    answer: 'ok',
  },
  {
    method: 'GET',
    path: '/api/auth/sessions',
    action: 'auth.getSessions',
    summary: 'List the sessions of the user who asks',
    roles: ['authenticated'],
    sessions: true,
    answer: 'sessions',
  },
  {
    method: 'DELETE',
    path: '/api/auth/sessions/:id',
    action: 'auth.revokeSession',
    summary: 'End one of them',
    roles: ['authenticated'],
    sessions: true,
    answer: 'revoked',
    notFound: true,
  },
  {
    method: 'GET',
    path: '/api/users',
    action: 'user.find',
    summary: 'List users',
    query: 'list',
    answer: 'users',
  },
  {
    method: 'GET',
    path: '/api/users/count',
    action: 'user.count',
    summary: 'Count users',
    query: 'count',
    answer: 'count',
  },
  {
    method: 'GET',
    path: '/api/users/me',
    action: 'user.me',
    summary: 'Read the user who asks',
    roles: ['authenticated'],
    query: 'one',
    answer: 'user',
  },
  {
    method: 'GET',
    path: '/api/users/:id',
    action: 'user.findOne',
    summary: 'Read a user',
    query: 'one',
    answer: 'user',
    nothing: NOBODY,
  },
  {
    method: 'POST',
    path: '/api/users',
    action: 'user.create',
    summary: 'Make a user',
    body: CREATE_USER,
    status: 201,
    answer: 'user',
  },
  {
    method: 'PUT',
    path: '/api/users/:id',
    action: 'user.update',
    summary: 'Change a user',
    body: UPDATE_USER,
    answer: 'user',
    notFound: true,
  },
  {
    method: 'DELETE',
    path: '/api/users/:id',
    action: 'user.destroy',
    summary: 'Delete a user',
    answer: 'user',
    nothing: NOBODY,
  },
  { method: 'GET', path: ROLES, action: 'role.find', summary: 'List roles', answer: 'roles' },
  {
    method: 'GET',
    path: `${ROLES}/:id`,
    action: 'role.findOne',
    summary: 'Read a role with its permissions',
    answer: 'role',
    notFound: true,
  },
  { method: 'POST', path: ROLES, action: 'role.createRole', ...SETTINGS },
  { method: 'PUT', path: `${ROLES}/:id`, action: 'role.updateRole', ...SETTINGS },
  { method: 'DELETE', path: `${ROLES}/:id`, action: 'role.deleteRole', ...SETTINGS },
  {
    method: 'GET',
    path: '/api/users-permissions/permissions',
    action: 'permissions.getPermissions',
    summary: 'List the actions that a role may have',
    answer: 'permissions',
  },
] as const satisfies readonly AccountRoute[];

export type AccountAction = (typeof ROUTES)[number]['action'];

type RouteOf<A extends AccountAction> = Extract<(typeof ROUTES)[number], { readonly action: A }>;

/** What the validator makes of the body of a route, or of its query. */
export type AccountInput<A extends AccountAction> =
  RouteOf<A> extends { readonly body: infer S extends BodySchema } | { readonly query: infer S extends BodySchema }
    ? z.output<S>
    : undefined;

export const ACCOUNT_ROUTES: readonly (AccountRoute & { readonly action: AccountAction })[] = ROUTES;

/** Actions that the reference has and roles may name, of which there is no route here. */
const UNROUTED = [{ action: 'auth.connect', roles: ['public'] }] as const satisfies readonly Pick<
  AccountRoute,
  'action' | 'roles'
>[];

/** Every action with the roles that a fresh Strapi lets do it. */
export const ACCOUNT_ACTIONS: readonly Pick<AccountRoute, 'action' | 'roles'>[] = [...ACCOUNT_ROUTES, ...UNROUTED];

/** `auth.callback` → `plugin::users-permissions.auth.callback` */
export const accountActionId = (action: string): string => `plugin::users-permissions.${action}`;
