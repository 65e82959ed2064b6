/**
 * @module Whole requests: method, path, query, headers and body, each right or wrong by itself.
 */
import fc from 'fast-check';
import type { ContentType } from '../../src/schema/model.ts';
import { USER_UID } from '../../src/schema/system-types.ts';
import { encoded, hostileText } from '../generators/hostile.ts';
import { queryOn, searchOf } from '../generators/queries.ts';
import { dataOn } from './bodies.ts';
import { callersOf, findsAll, grantsOf, kindOf, weighted } from './callers.ts';
import { type Body, bodyFor, queryString, types } from './generators.ts';
import type { Caller } from './invariants.ts';
import { registry } from './model.ts';
import { askingOf, probeOf } from './queries.ts';
import { credentials, idsIn } from './world.ts';

export interface Shot {
  /** Of the two servers: the one with refresh tokens, else the one without. */
  readonly server?: 'sessions';
  readonly type: ContentType;
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Body;
}

/** Bytes that a header may hold. */
export const headerText = hostileText.map((text) => text.replaceAll(/[^\x20-\x7E]/g, '').trim());

/** Headers of callers: the world has given out their credentials before the first one is drawn. */
export const sender = fc.oneof(
  {
    weight: 16,
    arbitrary: fc
      .constantFrom(...weighted('requests'))
      .map((name) => (credentials[name] ? `Bearer ${credentials[name]}` : '')),
  },
  { weight: 1, arbitrary: fc.oneof(headerText, fc.constantFrom('Bearer nope', 'Bearer')) },
);

/** Custom tokens and previews read drafts, and who is granted it. */
const readsDrafts = (name: string): boolean =>
  ['token', 'preview'].includes(kindOf(name) ?? '') ||
  grantsOf('requests', name).includes('api::article.article.readDrafts');

/** Who finds everything, or reads drafts, by its credential. */
export function callerOf({ authorization = '' }: Shot['headers']): Caller {
  const [, token] = /^\s*bearer\s+(\S+)\s*$/i.exec(authorization) ?? [];
  const name = token && callersOf('requests').find((each) => credentials[each] === token);
  if (!name) return 'stranger';
  if (findsAll(name)) return 'everything';
  return readsDrafts(name) ? 'drafts' : 'stranger';
}

export const headersOf = (authorization: fc.Arbitrary<string>) =>
  fc.record({
    authorization,
    'x-d1-bookmark': fc.oneof({ weight: 8, arbitrary: fc.constant('') }, headerText),
    'x-request-id': fc.oneof({ weight: 8, arbitrary: fc.constant('') }, headerText),
    origin: fc.oneof({ weight: 8, arbitrary: fc.constant('') }, headerText),
    'strapi-response-format': fc.constantFrom('', '', '', 'v4', 'V4', 'v5'),
  });

const segmentOf = ({ kind, singularName, pluralName }: ContentType) =>
  kind === 'singleType' ? singularName : pluralName;

/** Documents that keep their secret are read and updated, never deleted. */
const idOf = ({ uid }: ContentType, deleting: boolean) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(deleting ? `{made:${uid}}` : `{${uid}}`) },
    { weight: 3, arbitrary: fc.constant(`{made:${uid}}`) },
    { weight: 2, arbitrary: hostileText.chain(encoded) },
  );

const userType = registry.contentTypes.get(USER_UID) as ContentType;

const USER_PATHS = [
  ...['users', 'users/count', 'users/me', 'users/1', 'users-permissions/roles', 'users-permissions/permissions'],
  ...['auth/local', 'auth/local/register', 'auth/forgot-password', 'auth/reset-password', 'auth/change-password'],
  ...['auth/email-confirmation', 'auth/send-email-confirmation'],
].map((path) => `/api/${path}`);

function pathOf(type: ContentType, method: string): fc.Arbitrary<string> {
  const base = `/api/${segmentOf(type)}`;
  const one =
    type.kind === 'singleType' ? fc.constant(base) : idOf(type, method === 'DELETE').map((id) => `${base}/${id}`);
  const weights = { GET: [6, 6], POST: [12, 1] }[method] ?? [1, 12];
  return fc.oneof(
    { weight: weights[0] ?? 1, arbitrary: fc.constant(base) },
    { weight: weights[1] ?? 1, arbitrary: one },
    { weight: 1, arbitrary: hostileText.chain(encoded).map((text) => `/api/${text}`) },
    { weight: 1, arbitrary: fc.constantFrom(...USER_PATHS) },
    { weight: 1, arbitrary: hostileText.chain(encoded).map((text) => `/api/users/${text}`) },
  );
}

/** Queries that fit the type, those that do not, and both in one. */
function searchFor(type: ContentType): fc.Arbitrary<string> {
  const fitting = queryOn(type, askingOf(registry), { depth: 4, width: 4, list: 200 }).map(searchOf);
  return fc.oneof(
    { weight: 5, arbitrary: fitting },
    { weight: 4, arbitrary: queryString },
    { weight: 4, arbitrary: probeOf(type, registry) },
    { weight: 1, arbitrary: fc.tuple(fitting, queryString).map((parts) => parts.join('&')) },
  );
}

const READ_METHODS = ['GET', 'GET', 'GET', 'GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'PROPFIND'];

export const reading: fc.Arbitrary<Shot> = fc
  .tuple(fc.constantFrom(...types), fc.constantFrom(...READ_METHODS))
  .chain(([type, method]) =>
    fc.record({
      type: fc.constant(type),
      method: fc.constant(method),
      path: pathOf(type, 'GET'),
      search: searchFor(type),
      headers: headersOf(sender),
    }),
  );

const fittingBody = (type: ContentType): fc.Arbitrary<Body> =>
  dataOn(type, registry, idsIn).map((data) => ({ text: JSON.stringify({ data }), contentType: 'application/json' }));

/** What the paths of users take: keys of accounts and of signing in, with values that fit and others. */
const accountBody: fc.Arbitrary<Body> = fc
  .dictionary(
    fc.constantFrom(
      ...['username', 'email', 'password', 'identifier', 'code', 'passwordConfirmation', 'currentPassword', 'role'],
      ...['confirmed', 'blocked', 'provider', 'resetPasswordToken', 'confirmationToken', 'id', 'nope'],
    ),
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom<unknown>('zed', 'zed@example.com', 'Passw0rd', 1, 2, true, null) },
      { weight: 1, arbitrary: fc.oneof(hostileText, fc.jsonValue({ maxDepth: 2 })) },
    ),
    { maxKeys: 6 },
  )
  .map((body) => ({ text: JSON.stringify(body), contentType: 'application/json' }));

const writtenSearch = (type: ContentType) =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom('', 'status=draft', 'locale=fr', 'locale=fr&status=draft', 'populate=*') },
    { weight: 1, arbitrary: searchFor(type) },
  );

export const writing: fc.Arbitrary<Shot> = fc
  .tuple(fc.constantFrom(...types), fc.constantFrom('POST', 'POST', 'PUT', 'PUT', 'PUT', 'DELETE'))
  .chain(([type, method]) =>
    fc.record({
      type: fc.constant(type),
      method: fc.constant(method),
      path: pathOf(type, method),
      search: writtenSearch(type),
      headers: headersOf(sender),
      body: fc.oneof({ weight: 3, arbitrary: fittingBody(type) }, { weight: 2, arbitrary: bodyFor(type) }),
    }),
  );

/** Writes of accounts, and attempts to sign in. */
export const writingUsers: fc.Arbitrary<Shot> = fc.record({
  type: fc.constant(userType),
  method: fc.constantFrom('POST', 'POST', 'PUT', 'DELETE'),
  path: fc.constantFrom(...USER_PATHS),
  search: fc.constantFrom('', 'populate=*', 'populate=role', 'fields=password'),
  headers: headersOf(sender),
  body: accountBody,
});
