/**
 * @module A token is revoked, a user is blocked or deleted, a role changes: the next request is refused, and no read
 * takes more than one round trip for it.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { rolesOf } from '../../../src/content/credentials/roles.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { clientOf, documentOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { bearer, createToken, sendJson, serve } from '../../support/recorded.ts';
import { PASSWORD, post, register } from '../../support/users.ts';
import { openMagazine } from '../../support/world.ts';

const ACTIONS = ['find', 'findOne', 'create', 'update', 'delete'].map((action) => `api::tag.tag.${action}`);
const settings = {
  roles: { authenticated: [...ACTIONS, 'plugin::users-permissions.user.find'], visitor: ['api::author.author.find'] },
};
const { send } = openMagazine(settings);
const roleNumber = (type: string) => rolesOf(parseSettings(settings)).find((role) => role.type === type)?.id;

let tag = '';
let callers = 0;

beforeAll(async () => {
  tag = (await documentOf(clientOf(send, 'full').create('/api/tags', { name: 'kept' }))).documentId;
});

interface Caller {
  readonly token: string;
  /** Name of the token, or number of the user. */
  readonly id: string | number;
}

async function tokenCaller(): Promise<Caller> {
  callers += 1;
  const token = `caller-${callers}`;
  await createToken(token, 'custom', [...ACTIONS, 'plugin::users-permissions.user.find']);
  return { token, id: token };
}

async function userCaller(): Promise<Caller> {
  callers += 1;
  const { jwt, user } = await register(send, `caller-${callers}`);
  return { token: jwt, id: user.id };
}

const run = (sql: string, ...values: readonly unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();
const changeUser = ({ id }: Caller, data: object) => send(`/api/users/${id}`, sendJson('PUT', 'full', data));

type End = readonly [
  what: string,
  make: () => Promise<Caller>,
  end: (caller: Caller) => Promise<unknown>,
  status: number,
];

const ENDS: readonly End[] = [
  ['a revoked token', tokenCaller, ({ id }) => run('delete from "strapi_api_tokens" where "name" = ?', id), 401],
  [
    'an expired token',
    tokenCaller,
    ({ id }) => run('update "strapi_api_tokens" set "expires_at" = 1 where "name" = ?', id),
    401,
  ],
  [
    'a token with other permissions',
    tokenCaller,
    ({ id }) =>
      run('update "strapi_api_tokens" set "permissions" = ? where "name" = ?', '["api::author.author.find"]', id),
    403,
  ],
  ['a blocked user', userCaller, (caller) => changeUser(caller, { blocked: true }), 401],
  ['a deleted user', userCaller, ({ id }) => send(`/api/users/${id}`, { method: 'DELETE', ...bearer('full') }), 401],
  ['a user with another role', userCaller, (caller) => changeUser(caller, { role: roleNumber('visitor') }), 403],
  [
    'a user whom somebody gave another password',
    userCaller,
    (caller) => changeUser(caller, { password: 'another one' }),
    401,
  ],
  [
    'a user who changed the password elsewhere',
    userCaller,
    ({ token }) =>
      post(
        send,
        '/api/auth/change-password',
        { currentPassword: PASSWORD, password: 'another one', passwordConfirmation: 'another one' },
        token,
      ),
    401,
  ],
];

const READS = [
  '/api/tags',
  '/api/tags?pagination[withCount]=false&_q=a',
  '/api/tags?populate=*',
  '/api/users',
  '/api/tags/TAG',
];
const path = (template: string) => template.replace('TAG', tag);

async function readOnce(template: string, token: string) {
  const counted = countedDatabase(env.DB);
  const { status } = await serve(settings, { DB: counted.database })(path(template), bearer(token));
  return { status, roundTrips: counted.answering().length };
}

describe.each(ENDS)('%s', (_, make, end, status) => {
  it.each(READS)('reads %s no more, and is told so in one round trip', async (template) => {
    const caller = await make();
    await readOnce(template, caller.token);
    expect(await readOnce(template, caller.token)).toEqual({ status: 200, roundTrips: 1 });
    await end(caller);
    expect(await readOnce(template, caller.token)).toEqual({ status, roundTrips: 1 });
  });

  it('writes no more', async () => {
    const caller = await make();
    const client = clientOf(send, caller.token);
    const name = `written-${callers}`;
    expect((await client.create('/api/tags', { name })).status).toBe(200);
    await end(caller);
    expect((await client.create('/api/tags', { name: `${name}-again` })).status).toBe(status);
    expect((await client.update(`/api/tags/${tag}`, { name })).status).toBe(status);
    expect((await client.update(`/api/tags/${tag}`, {})).status).toBe(status);
    expect((await client.remove(`/api/tags/${tag}`)).status).toBe(status);
    const { results } = await env.DB.prepare('select "name" from "tags" where "name" in (?, ?)')
      .bind(`${name}-again`, 'kept')
      .all();
    expect(results).toEqual([{ name: 'kept' }]);
  });

  it('is told 401 or 403 whatever else is wrong with the request', async () => {
    const caller = await make();
    await send('/api/tags', bearer(caller.token));
    await end(caller);
    for (const search of ['?nope=1', '?filters[nope]=1', '?pagination[page]=x', '?status=draft'])
      expect((await send(`/api/tags${search}`, bearer(caller.token))).status).toBe(status);
  });
});

/** Directus CVE-2026-61836 and CVE-2024-45596: answers are for whom they were made, in one isolate too. */
it('callers with different rights who ask the same in turn get each their own answer', async () => {
  const [may, other] = [await userCaller(), await userCaller()];
  await changeUser(other, { role: roleNumber('visitor') });
  await createToken('in-turn-all', 'full-access');
  await createToken('in-turn-none', 'custom', []);
  const expected = [
    [may.token, 200],
    [other.token, 403],
    ['in-turn-all', 200],
    ['in-turn-none', 403],
    ['in-turn-never', 401],
  ] as const;
  for (let turn = 0; turn < 3; turn += 1)
    for (const [token, status] of turn % 2 ? expected.toReversed() : expected) {
      const response = await send('/api/tags', bearer(token));
      expect([token, response.status]).toEqual([token, status]);
      expect(response.headers.get('cache-control') ?? '').not.toMatch(/public|max-age=[1-9]/);
    }
  const together = await Promise.all(expected.map(([token]) => send('/api/tags', bearer(token))));
  expect(together.map((response) => response.status)).toEqual(expected.map(([, status]) => status));
  expect((await send('/api/tags')).status).toBe(403);
});
