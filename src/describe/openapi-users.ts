/**
 * @module What the OpenAPI document says of `/api/auth`, `/api/users` and `/api/users-permissions`.
 */
import { roleActions } from '../auth/grants.ts';
import type { Settings } from '../config.ts';
import { ROLE_UID, USER_UID } from '../registry/system-types.ts';
import { arrayOf, objectOf, ref, type Schema } from './json-schema.ts';
import { userCountParameters, userListParameters, userReadParameters } from './openapi-parameters.ts';
import { type Failure, json, responses, securityOf } from './openapi-responses.ts';
import type { Shape, Shapes } from './shapes.ts';

export const USERS_TAG = 'users';

const text: Schema = { type: 'string' };
const email: Schema = { type: 'string', format: 'email' };
const password: Schema = { type: 'string', format: 'password' };
const flag: Schema = { type: 'boolean' };
const time: Schema = { type: 'string', format: 'date-time' };
const count: Schema = { type: 'integer', minimum: 0 };

const all = (properties: Schema): Schema => objectOf(properties, Object.keys(properties));
const newPassword = { password, passwordConfirmation: password };

const ACCOUNT = {
  username: text,
  email,
  password,
  role: { type: ['integer', 'string'], description: 'id or documentId of a role' },
  confirmed: flag,
  blocked: flag,
};

/** What answers are made of. */
interface Parts {
  readonly user: Schema;
  readonly signedIn: Schema;
  readonly role: Schema;
  readonly permissions: Schema;
}

interface Route {
  /** Below `plugin::users-permissions.` */
  readonly action: string;
  readonly summary: string;
  readonly body?: Schema;
  /** May the body be left out? */
  readonly bodiless?: true;
  readonly status?: '201' | '302' | '400';
  /** What it means when there is no answer to show: 204. */
  readonly nothing?: string;
  /** Absent: an answer without a body. */
  readonly answer?: (parts: Parts) => Schema;
  readonly parameters?: readonly Schema[];
  readonly failures?: readonly Failure[];
  /** Is it counted how often an address asks? */
  readonly limited?: true;
}

const user = (parts: Parts): Schema => parts.user;
const signedIn = (parts: Parts): Schema => parts.signedIn;

const auth = (action: string, summary: string, body: Schema, answer: Route['answer']): Route => ({
  action: `auth.${action}`,
  summary,
  body,
  limited: true,
  ...(answer && { answer }),
});

const SIGN_IN = { identifier: text, password };
const CONFIRMATION: Schema = { name: 'confirmation', in: 'query', required: true, schema: text };
const NOBODY = 'There is no such user';

function authRoutes(sessions: boolean): Readonly<Record<string, Route>> {
  const signIn = objectOf({ ...SIGN_IN, ...(sessions && { deviceId: text }) }, Object.keys(SIGN_IN));
  return {
    'post /api/auth/local': auth('callback', 'Sign in', signIn, signedIn),
    'post /api/auth/local/register': auth('register', 'Register', all({ username: text, email, password }), signedIn),
    'post /api/auth/change-password': auth(
      'changePassword',
      'Change the password',
      all({ currentPassword: password, ...newPassword }),
      signedIn,
    ),
    'post /api/auth/forgot-password': auth('forgotPassword', 'Ask for a code by e-mail', all({ email }), () =>
      all({ ok: { const: true } }),
    ),
    'post /api/auth/reset-password': auth(
      'resetPassword',
      'Set a password with the code',
      all({ code: text, ...newPassword }),
      signedIn,
    ),
    'post /api/auth/send-email-confirmation': auth(
      'sendEmailConfirmation',
      'Ask for the message that confirms an address',
      all({ email }),
      () => all({ email: text, sent: flag }),
    ),
    'get /api/auth/email-confirmation': {
      action: 'auth.emailConfirmation',
      summary: 'Confirm an address',
      status: '302',
      parameters: [CONFIRMATION],
    },
  };
}

const TOKEN_BODY = objectOf({ refreshToken: text });
const LOGOUT_BODY = objectOf({ refreshToken: text, deviceId: text, scope: { enum: ['all'] } });

const SESSION = objectOf(
  { id: text, deviceId: text, deviceName: text, current: flag, loginAt: time, lastActiveAt: time },
  ['id', 'current', 'loginAt', 'lastActiveAt'],
);

/** Where tokens are long-lived there are no sessions. */
const SESSION_ROUTES: Readonly<Record<string, Route>> = {
  'post /api/auth/refresh': {
    action: 'auth.refresh',
    summary: 'Get new tokens for a refresh token',
    body: TOKEN_BODY,
    bodiless: true,
    answer: () => objectOf({ jwt: text, refreshToken: text }, ['jwt']),
  },
  'post /api/auth/logout': {
    action: 'auth.logout',
    summary: 'Sign out',
    body: LOGOUT_BODY,
    bodiless: true,
    answer: () => all({ ok: { const: true } }),
  },
  'get /api/auth/sessions': {
    action: 'auth.getSessions',
    summary: 'List the sessions of the user who asks',
    answer: () => all({ data: arrayOf(SESSION) }),
  },
  'delete /api/auth/sessions/{id}': {
    action: 'auth.revokeSession',
    summary: 'End one of them',
    answer: () => all({ data: objectOf({}) }),
    failures: ['NotFound'],
  },
};

function userRoutes(shape: Shape): Readonly<Record<string, Route>> {
  const parameters = userReadParameters(shape);
  return {
    'get /api/users': {
      action: 'user.find',
      summary: 'List users',
      answer: (parts) => arrayOf(parts.user),
      parameters: userListParameters(shape),
    },
    'post /api/users': {
      action: 'user.create',
      summary: 'Make a user',
      body: objectOf(ACCOUNT, ['username', 'email', 'password', 'role']),
      status: '201',
      answer: user,
    },
    'get /api/users/count': {
      action: 'user.count',
      summary: 'Count users',
      answer: () => count,
      parameters: userCountParameters(shape),
    },
    'get /api/users/me': { action: 'user.me', summary: 'Read the user who asks', answer: user, parameters },
    'get /api/users/{id}': {
      action: 'user.findOne',
      summary: 'Read a user',
      answer: user,
      parameters,
      nothing: NOBODY,
    },
    'put /api/users/{id}': {
      action: 'user.update',
      summary: 'Change a user',
      body: objectOf(ACCOUNT),
      answer: user,
      failures: ['NotFound'],
    },
    'delete /api/users/{id}': { action: 'user.destroy', summary: 'Delete a user', answer: user, nothing: NOBODY },
  };
}

const ROLES = '/api/users-permissions/roles';

const inSettings = (action: string): Route => ({
  action: `role.${action}`,
  summary: 'Roles are settings: always refused',
  status: '400',
});

const ROLE_ROUTES: Readonly<Record<string, Route>> = {
  [`get ${ROLES}`]: { action: 'role.find', summary: 'List roles', answer: ({ role }) => all({ roles: arrayOf(role) }) },
  [`post ${ROLES}`]: inSettings('createRole'),
  [`get ${ROLES}/{id}`]: {
    action: 'role.findOne',
    summary: 'Read a role with its permissions',
    answer: ({ role, permissions }) => all({ role: { allOf: [role, all({ permissions })] } }),
    failures: ['NotFound'],
  },
  [`put ${ROLES}/{id}`]: inSettings('updateRole'),
  [`delete ${ROLES}/{id}`]: inSettings('deleteRole'),
  'get /api/users-permissions/permissions': {
    action: 'permissions.getPermissions',
    summary: 'List the actions that a role may have',
    answer: ({ permissions }) => all({ permissions }),
  },
};

const mapOf = (additionalProperties: Schema): Schema => ({ type: 'object', additionalProperties });

const usesSessions = ({ users }: Settings): boolean => users.jwtManagement === 'refresh';

function partsOf(shapes: Shapes, settings: Settings): Parts {
  const shown = ref(shapes.of(USER_UID).name);
  return {
    user: shown,
    signedIn: objectOf({ jwt: text, ...(usesSessions(settings) && { refreshToken: text }), user: shown }, ['user']),
    role: { allOf: [ref(shapes.of(ROLE_UID).name), objectOf({ nb_users: count })] },
    permissions: mapOf(all({ controllers: mapOf(mapOf(all({ enabled: flag, policy: text }))) })),
  };
}

/** `auth.callback` → `authCallback` */
const operationId = (action: string): string => action.replace(/\.(.)/, (_, letter: string) => letter.toUpperCase());

function operationOf(route: Route, parts: Parts, settings: Settings): Schema {
  const {
    action,
    summary,
    body,
    bodiless,
    status = '200',
    answer,
    nothing,
    parameters,
    failures = [],
    limited,
  } = route;
  const isPublic = roleActions(settings, 'public').includes(`plugin::users-permissions.${action}`);
  const isLimited = limited && settings.rateLimit.auth.enabled;
  const success = { description: summary, ...(answer && { content: json(answer(parts)) }) };
  return {
    operationId: operationId(action),
    summary,
    tags: [USERS_TAG],
    security: securityOf(isPublic),
    ...(parameters && { parameters }),
    ...(body && { requestBody: { required: !bodiless, content: json(body) } }),
    responses: {
      ...responses(
        status,
        success,
        ...failures,
        ...(body ? (['TooLarge'] as const) : []),
        ...(isLimited ? (['RateLimited'] as const) : []),
      ),
      ...(nothing && { '204': { description: nothing } }),
    },
  };
}

/** Sessions are addressed by a text. */
const idOf = (path: string): Schema => ({
  name: 'id',
  in: 'path',
  required: true,
  schema: path.startsWith('/api/auth/') ? text : { type: 'integer' },
});

/** Paths of users and roles; which of them the public may ask follows from the settings. */
export function userPaths(shapes: Shapes, settings: Settings): Readonly<Record<string, Schema>> {
  const parts = partsOf(shapes, settings);
  const sessions = usesSessions(settings);
  const routes = {
    ...authRoutes(sessions),
    ...(sessions && SESSION_ROUTES),
    ...userRoutes(shapes.of(USER_UID)),
    ...ROLE_ROUTES,
  };
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [key, route] of Object.entries(routes)) {
    const [verb = '', path = ''] = key.split(' ');
    paths[path] ??= path.endsWith('{id}') ? { parameters: [idOf(path)] } : {};
    paths[path][verb] = operationOf(route, parts, settings);
  }
  return paths;
}
