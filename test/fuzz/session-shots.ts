/**
 * @module Requests to a server with refresh tokens. `{=access}` and `{=refresh}` stand for the tokens of a user that the
 * run has signed in, and are never sent to the other server.
 */
import fc from 'fast-check';
import type { ContentType } from '../../src/schema/model.ts';
import { USER_UID } from '../../src/schema/system-types.ts';
import { encoded, hostileText } from '../generators/hostile.ts';
import type { Body } from './generators.ts';
import { registry } from './model.ts';
import { headersOf, headerText, type Shot } from './shots.ts';
import { HIDDEN_SESSION, TOKEN } from './world.ts';

const userType = registry.contentTypes.get(USER_UID) as ContentType;

const tokens = fc.constantFrom('{=access}', '{=access}', '{=access}', '{=refresh}', '{=refresh}.x', TOKEN, 'a.b.c');
const bearer = fc.oneof(
  { weight: 8, arbitrary: tokens.map((token) => `Bearer ${token}`) },
  { weight: 5, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: headerText },
);

const cookie = fc.oneof(
  { weight: 8, arbitrary: fc.constant('') },
  { weight: 2, arbitrary: tokens.map((token) => `strapi_up_refresh=${token}`) },
  { weight: 1, arbitrary: headerText.map((text) => `strapi_up_refresh=${text}`) },
  { weight: 1, arbitrary: headerText },
);

const headers = fc
  .record({
    all: headersOf(bearer),
    cookie,
    asked: fc.constantFrom('', '', 'httpOnly', 'nope'),
    agent: fc.oneof({ weight: 3, arbitrary: fc.constant('') }, headerText),
  })
  .map(({ all, cookie: jar, asked, agent }) => ({
    ...all,
    cookie: jar,
    'x-strapi-refresh-cookie': asked,
    'user-agent': agent,
  }));

const ending = fc.oneof(
  { weight: 2, arbitrary: fc.constant(HIDDEN_SESSION) },
  { weight: 3, arbitrary: hostileText.chain(encoded) },
);

const REQUESTS = [
  ...['POST refresh', 'POST refresh', 'POST refresh', 'POST logout', 'POST local', 'POST change-password'],
  ...['GET sessions', 'GET sessions', 'PUT sessions', 'GET refresh', 'DELETE logout'],
].map((request) => request.replace(' ', ' /api/auth/'));

/** `METHOD /path` */
const target = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...REQUESTS, 'GET /api/users/me', 'GET /api/articles', 'GET /api/sessions') },
  { weight: 3, arbitrary: ending.map((id) => `DELETE /api/auth/sessions/${id}`) },
);

const body: fc.Arbitrary<Body> = fc
  .dictionary(
    fc.constantFrom(
      ...['refreshToken', 'refreshToken', 'deviceId', 'scope', 'sessionId', 'userId', 'identifier', 'password'],
      ...['currentPassword', 'passwordConfirmation'],
    ),
    fc.oneof(
      { weight: 4, arbitrary: tokens },
      { weight: 3, arbitrary: fc.constantFrom<unknown>('all', 'laptop', HIDDEN_SESSION, 'zed', 1, null, true) },
      { weight: 2, arbitrary: fc.oneof(hostileText, fc.jsonValue({ maxDepth: 2 })) },
    ),
    { maxKeys: 4 },
  )
  .map((all) => ({ text: JSON.stringify(all), contentType: 'application/json' }));

const fitting: fc.Arbitrary<Body> = fc
  .constantFrom<object>({ refreshToken: '{=refresh}' }, {}, { deviceId: 'laptop' })
  .map((all) => ({ text: JSON.stringify(all), contentType: 'application/json' }));

export const usingSessions: fc.Arbitrary<Shot> = fc
  .record({
    target,
    search: fc.constantFrom('', '', 'populate=*', 'userId=1', 'filters[keyHash][$startsWith]=cana'),
    headers,
    body: fc.oneof(body, fitting),
  })
  .map(({ target: request, ...rest }) => {
    const [method = '', path = ''] = request.split(' ');
    return { ...rest, type: userType, server: 'sessions', method, path };
  });
