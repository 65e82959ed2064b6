/**
 * @module The routes of `/api/auth`, `/api/users` and `/api/users-permissions`: one table for HTTP routing, the grants of
 * a new Strapi, rate limits and OpenAPI.
 */
import type * as z from 'zod/mini';
import * as bodies from './account-bodies.ts';

interface Declaration {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly summary: string;
  /** Roles that have the grant in a new Strapi. */
  readonly roles?: readonly ('public' | 'authenticated')[];
  /** What Strapi's rate limit counts by: the address, or the address and the body's e-mail address. */
  readonly counted?: 'address' | 'email';
  /** Counts failed sign-ins of an account, and rejects a closed one. */
  readonly failures?: true;
  /** Reads the cookie with the refresh token. */
  readonly cookie?: true;
  /** Custom user attributes that its body may have, besides its own: those of the settings, or all that are writable. */
  readonly custom?: 'allowed' | 'all';
  /** Exists only with sessions. */
  readonly sessions?: true;
  /** Exists only with providers. */
  readonly providers?: true;
  readonly body?: bodies.BodySchema;
  /** The body is optional. */
  readonly bodiless?: true;
  /** Its own parameters, or those of reading documents. */
  readonly query?: bodies.BodySchema | 'list' | 'one' | 'count';
  /** Absent: 200. */
  readonly status?: 201 | 302 | 400;
  /** Names the schema of a 2xx in `describe/`; absent: no body. */
  readonly response?: string;
  /** The meaning of a 204. */
  readonly nothing?: string;
  readonly notFound?: true;
}

const NO_SUCH_USER = 'There is no such user';
const SETTINGS = { summary: 'Roles are settings: always rejected', status: 400 } as const;
const USERS = '/api/users';
const IDENTITIES = `${USERS}/me/identities`;
const ROLES = '/api/users-permissions/roles';

const ROUTES = {
  'auth.callback': {
    method: 'POST',
    path: '/api/auth/local',
    summary: 'Sign in',
    roles: ['public'],
    counted: 'address',
    body: bodies.LOGIN,
    failures: true,
    response: 'signedIn',
  },
  'auth.register': {
    method: 'POST',
    path: '/api/auth/local/register',
    summary: 'Register',
    roles: ['public'],
    counted: 'email',
    body: bodies.REGISTER,
    custom: 'allowed',
    response: 'signedIn',
  },
  'auth.changePassword': {
    method: 'POST',
    path: '/api/auth/change-password',
    summary: 'Change the password',
    roles: ['authenticated'],
    counted: 'address',
    body: bodies.CHANGE_PASSWORD,
    cookie: true,
    response: 'signedIn',
  },
  'auth.forgotPassword': {
    method: 'POST',
    path: '/api/auth/forgot-password',
    summary: 'Ask for a code by e-mail',
    roles: ['public'],
    counted: 'email',
    body: bodies.FORGOT_PASSWORD,
    response: 'ok',
  },
  'auth.resetPassword': {
    method: 'POST',
    path: '/api/auth/reset-password',
    summary: 'Set a password with the code',
    roles: ['public'],
    counted: 'address',
    body: bodies.RESET_PASSWORD,
    response: 'signedIn',
  },
  'auth.emailConfirmation': {
    method: 'GET',
    path: '/api/auth/email-confirmation',
    summary: 'Confirm an address',
    roles: ['public'],
    query: bodies.CONFIRMATION,
    status: 302,
  },
  'auth.sendEmailConfirmation': {
    method: 'POST',
    path: '/api/auth/send-email-confirmation',
    summary: 'Ask for the message that confirms an address',
    roles: ['public'],
    counted: 'email',
    body: bodies.EMAIL,
    response: 'sent',
  },
  'auth.refresh': {
    method: 'POST',
    path: '/api/auth/refresh',
    summary: 'Get new tokens for a refresh token',
    roles: ['public'],
    sessions: true,
    body: bodies.REFRESH,
    bodiless: true,
    cookie: true,
    response: 'tokens',
  },
  'auth.logout': {
    method: 'POST',
    path: '/api/auth/logout',
    summary: 'Sign out',
    roles: ['public', 'authenticated'],
    sessions: true,
    body: bodies.LOGOUT,
    bodiless: true,
    response: 'ok',
  },
  'auth.getSessions': {
    method: 'GET',
    path: '/api/auth/sessions',
    summary: 'List the sessions of the user who asks',
    roles: ['authenticated'],
    sessions: true,
    response: 'sessions',
  },
  'auth.revokeSession': {
    method: 'DELETE',
    path: '/api/auth/sessions/:id',
    summary: 'End one of them',
    roles: ['authenticated'],
    sessions: true,
    response: 'revoked',
    notFound: true,
  },
  'user.find': { method: 'GET', path: USERS, summary: 'List users', query: 'list', response: 'users' },
  'user.count': { method: 'GET', path: `${USERS}/count`, summary: 'Count users', query: 'count', response: 'count' },
  'user.me': {
    method: 'GET',
    path: `${USERS}/me`,
    summary: 'Read the user who asks',
    roles: ['authenticated'],
    query: 'one',
    response: 'user',
  },
  'user.updateMe': {
    method: 'PUT',
    path: `${USERS}/me`,
    summary: 'Change the user who asks',
    counted: 'address',
    body: bodies.UPDATE_ME,
    response: 'user',
  },
  'identity.find': {
    method: 'GET',
    path: IDENTITIES,
    summary: 'List the providers that sign in the user who asks',
    providers: true,
    response: 'identities',
  },
  'identity.link': {
    method: 'POST',
    path: IDENTITIES,
    summary: 'Link a sign-in at a provider with the user who asks',
    providers: true,
    counted: 'address',
    body: bodies.LINK_IDENTITY,
    status: 201,
    response: 'identity',
  },
  'identity.unlink': {
    method: 'DELETE',
    path: `${IDENTITIES}/:provider`,
    summary: 'End the link with a provider',
    providers: true,
    counted: 'address',
    response: 'revoked',
    notFound: true,
  },
  'user.invite': {
    method: 'POST',
    path: `${USERS}/invite`,
    summary: 'Invite a user',
    counted: 'email',
    body: bodies.INVITE,
    status: 201,
    response: 'invited',
  },
  'user.getSessions': {
    method: 'GET',
    path: `${USERS}/:id/sessions`,
    summary: 'List the sessions of a user',
    sessions: true,
    response: 'sessions',
  },
  'user.revokeSession': {
    method: 'DELETE',
    path: `${USERS}/:id/sessions/:session`,
    summary: 'End one of them',
    sessions: true,
    response: 'revoked',
    notFound: true,
  },
  'user.findOne': {
    method: 'GET',
    path: `${USERS}/:id`,
    summary: 'Read a user',
    query: 'one',
    response: 'user',
    nothing: NO_SUCH_USER,
  },
  'user.create': {
    method: 'POST',
    path: USERS,
    summary: 'Make a user',
    body: bodies.CREATE_USER,
    status: 201,
    custom: 'all',
    response: 'user',
  },
  'user.update': {
    method: 'PUT',
    path: `${USERS}/:id`,
    summary: 'Change a user',
    body: bodies.UPDATE_USER,
    custom: 'all',
    response: 'user',
    notFound: true,
  },
  'user.destroy': {
    method: 'DELETE',
    path: `${USERS}/:id`,
    summary: 'Delete a user',
    response: 'user',
    nothing: NO_SUCH_USER,
  },
  'role.find': { method: 'GET', path: ROLES, summary: 'List roles', response: 'roles' },
  'role.findOne': {
    method: 'GET',
    path: `${ROLES}/:id`,
    summary: 'Read a role with its permissions',
    response: 'role',
    notFound: true,
  },
  'role.createRole': { method: 'POST', path: ROLES, ...SETTINGS },
  'role.updateRole': { method: 'PUT', path: `${ROLES}/:id`, ...SETTINGS },
  'role.deleteRole': { method: 'DELETE', path: `${ROLES}/:id`, ...SETTINGS },
  'permissions.getPermissions': {
    method: 'GET',
    path: '/api/users-permissions/permissions',
    summary: 'List the actions that a role may have',
    response: 'permissions',
  },
} as const satisfies Readonly<Record<string, Declaration>>;

export type AccountAction = keyof typeof ROUTES;
export type AccountResponse = Extract<(typeof ROUTES)[AccountAction], { readonly response: string }>['response'];

export interface AccountRoute extends Declaration {
  /** Below `plugin::users-permissions.` */
  readonly action: AccountAction;
  readonly response?: AccountResponse;
}

/** The validated body or query of a route. */
export type AccountInput<A extends AccountAction> = (typeof ROUTES)[A] extends
  | { readonly body: infer S extends bodies.BodySchema }
  | { readonly query: infer S extends bodies.BodySchema }
  ? z.output<S>
  : undefined;

const ACTIONS = Object.keys(ROUTES) as AccountAction[];

export const ACCOUNT_ROUTES: readonly AccountRoute[] = ACTIONS.map((action) => ({ action, ...ROUTES[action] }));

/** Strapi's actions: the routes of `auth.connect` are those of providers. */
export const ACCOUNT_ACTIONS: readonly (Pick<Declaration, 'roles'> & { readonly action: string })[] = [
  ...ACCOUNT_ROUTES,
  { action: 'auth.connect', roles: ['public'] },
];

export const accountActionId = (action: string): string => `plugin::users-permissions.${action}`;
