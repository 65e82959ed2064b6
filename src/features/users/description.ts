/**
 * @module `/api/auth`, `/api/users` and `/api/users-permissions` as OpenAPI, from the table of their routes.
 */

import {
  ACCOUNT_ROUTES,
  type AccountResponse,
  type AccountRoute,
  accountActionId,
} from '../../schema/account-routes.ts';
import type { Settings } from '../../schema/settings/config.ts';
import { ROLE_UID, USER_UID } from '../../schema/system-types.ts';
import { ownAttributes } from '../../schema/user-type.ts';
import BODIES from '../description/body-schemas.json' with { type: 'json' };
import {
  type FeatureDescription,
  type Operation,
  pathParameter,
  rowParameter,
  type Subject,
  tagged,
} from '../description/granted-operation.ts';
import {
  arrayOf,
  booleanSchema,
  count,
  type JsonSchema,
  objectOf,
  ref,
  text,
  time,
} from '../description/json-schema.ts';
import { shownParameters, userCountParameters, userListParameters } from '../description/openapi-parameters.ts';
import { type FailureStatus, jsonResponse, requestBody, responses } from '../description/openapi-responses.ts';
import { writtenProperties } from '../description/openapi-schemas.ts';
import type { ApiShapes } from '../description/shapes.ts';

export const TAG = 'users';

const all = (properties: JsonSchema): JsonSchema => objectOf(properties, Object.keys(properties));
const mapOf = (additionalProperties: JsonSchema): JsonSchema => ({ type: 'object', additionalProperties });

const SESSION = objectOf(
  { id: text, deviceId: text, deviceName: text, current: booleanSchema, loginAt: time, lastActiveAt: time },
  ['id', 'current', 'loginAt', 'lastActiveAt'],
);

const IDENTITY = all({ provider: text, createdAt: time });

const usesSessions = ({ users }: Settings): boolean => users.jwtManagement === 'refresh';
const usesProviders = ({ users }: Settings): boolean => Object.keys(users.providers).length > 0;

/** The body of a sign-in. */
export const signedInSchema = (shapes: ApiShapes, settings: Settings): JsonSchema =>
  objectOf({ jwt: text, ...(usesSessions(settings) && { refreshToken: text }), user: ref(shapes.of(USER_UID).name) }, [
    'user',
  ]);

function bodiesOf(shapes: ApiShapes, settings: Settings): Readonly<Record<AccountResponse, JsonSchema>> {
  const user = ref(shapes.of(USER_UID).name);
  const role: JsonSchema = { allOf: [ref(shapes.of(ROLE_UID).name), objectOf({ nb_users: count })] };
  const permissions = mapOf(all({ controllers: mapOf(mapOf(all({ enabled: booleanSchema, policy: text }))) }));
  return {
    signedIn: signedInSchema(shapes, settings),
    tokens: objectOf({ jwt: text, refreshToken: text }, ['jwt']),
    ok: all({ ok: { const: true } }),
    sent: all({ email: text, sent: booleanSchema }),
    invited: objectOf({ user, sent: booleanSchema, link: text }, ['user', 'sent']),
    sessions: all({ data: arrayOf(SESSION) }),
    revoked: all({ data: objectOf({}) }),
    identities: all({ data: arrayOf(IDENTITY) }),
    identity: all({ data: IDENTITY }),
    user,
    users: arrayOf(user),
    count,
    roles: all({ roles: arrayOf(role) }),
    role: all({
      role: {
        allOf: [
          role,
          objectOf({ permissions, conditions: arrayOf(objectOf({})), inherited: arrayOf(text) }, ['permissions']),
        ],
      },
    }),
    permissions: all({ permissions }),
  };
}

interface Described extends Subject {
  readonly bodies: Readonly<Record<AccountResponse, JsonSchema>>;
}

interface ObjectSchema extends JsonSchema {
  readonly properties: JsonSchema;
  readonly required?: readonly string[];
}

const SCHEMAS: Partial<Record<string, ObjectSchema>> = BODIES;

/** Returns the schema of a body or a query, without `deviceId` where there are no sessions. */
function fieldsOf({ action }: AccountRoute, settings: Settings): ObjectSchema {
  const described = SCHEMAS[action] ?? { properties: {} };
  const { deviceId, ...others } = described.properties;
  const device = deviceId !== undefined && usesSessions(settings) && { deviceId };
  return { ...described, properties: { ...others, ...device } };
}

function queryOf(route: AccountRoute, { shapes, settings }: Described): readonly JsonSchema[] {
  const { query } = route;
  const user = shapes.of(USER_UID);
  if (query === 'list') return userListParameters(user);
  if (query === 'one') return shownParameters(user);
  if (query === 'count') return userCountParameters(user);
  const { properties, required = [] } = fieldsOf(route, settings);
  const isRequired = (name: string) => required.includes(name);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: isRequired(name),
    schema,
  }));
}

/** Returns the custom user attributes that a body may have. */
function customProperties({ custom }: AccountRoute, { shapes, settings }: Described): JsonSchema {
  if (!custom) return {};
  const { contentType, written } = shapes.of(USER_UID);
  const names = new Set(contentType ? ownAttributes(contentType).keys() : []);
  const allowed: ReadonlySet<string> = custom === 'all' ? names : new Set(settings.users.register.allowedFields);
  return writtenProperties(
    written.filter(({ name }) => names.has(name) && allowed.has(name)),
    shapes,
  );
}

function bodyOf(route: AccountRoute, described: Described): JsonSchema {
  const fields = fieldsOf(route, described.settings);
  return { ...fields, properties: { ...fields.properties, ...customProperties(route, described) } };
}

function failuresOf({ notFound, body, counted }: AccountRoute, { rateLimit }: Settings): readonly FailureStatus[] {
  const has = { NotFound: notFound, TooLarge: body, RateLimited: counted && rateLimit.auth.enabled };
  return (['NotFound', 'TooLarge', 'RateLimited'] as const).filter((failure) => has[failure]);
}

function pathParametersOf(path: string, settings: Settings): Pick<Operation, 'pathParameters'> {
  // The id of a session is a text.
  if (path.startsWith('/api/auth/sessions/')) return { pathParameters: [pathParameter('id')] };
  if (!path.startsWith('/api/users/:id')) return {};
  const session = path.endsWith('/:session') ? [pathParameter('session')] : [];
  return { pathParameters: [rowParameter(settings), ...session] };
}

function operationOf(route: AccountRoute, described: Described): Operation {
  const { method, path, action, summary, body, bodiless, query, status = 200, response, nothing } = route;
  const { settings, bodies } = described;
  const success = response ? jsonResponse(summary, bodies[response]) : { description: summary };
  // `auth.callback` → `authCallback`
  const operationId = action.replace(/\.(.)/, (_, letter: string) => letter.toUpperCase());
  const address = `${method} /${path.slice(1).replaceAll(/:(\w+)/g, '{$1}')}` as const;
  return tagged(TAG)(address, accountActionId(action), operationId, summary, {
    ...pathParametersOf(path, settings),
    ...(query && { parameters: queryOf(route, described) }),
    ...(body && { requestBody: requestBody(bodyOf(route, described), !bodiless) }),
    responses: {
      ...responses(String(status), success, ...failuresOf(route, settings)),
      ...(nothing && { '204': { description: nothing } }),
    },
  });
}

function operations(subject: Subject): readonly Operation[] {
  const { shapes, settings } = subject;
  const described = { ...subject, bodies: bodiesOf(shapes, settings) };
  const routes = ACCOUNT_ROUTES.filter(
    ({ sessions, providers }) => (!sessions || usesSessions(settings)) && (!providers || usesProviders(settings)),
  );
  return routes.map((route) => operationOf(route, described));
}

export const USERS: FeatureDescription = {
  tag: { name: TAG, description: 'Accounts, signing in, and roles' },
  operations,
};
