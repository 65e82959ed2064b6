/**
 * @module Rows of API tokens that another program wrote: what is not understood permits nothing, cached or not, and no value
 * of a column causes a 500.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { clientOf, documentsOf } from '../../support/client.ts';
import { createToken, serve } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const { send } = openMagazine();
const BLOB = new Uint8Array([91, 93]);
let tokens = 0;

beforeAll(async () => {
  for (const name of ['a', 'b', 'c']) await clientOf(send, 'full').create('/api/tags', { name });
});

async function tokenWith(column: string, value: unknown, type: string, permissions: string[] | null = null) {
  tokens += 1;
  const name = `value-${tokens}`;
  await createToken(name, type, permissions);
  await env.DB.prepare(`update "strapi_api_tokens" set "${column}" = ? where "name" = ?`).bind(value, name).run();
  return clientOf(send, name);
}

/** Reads a list twice, a filtered one, a missing document, a list with populate. */
async function statusesOf({ get }: ReturnType<typeof clientOf>) {
  const paths = ['/api/tags', '/api/tags', '/api/tags?filters[name]=a', '/api/tags/none', '/api/articles?populate=*'];
  const all: number[] = [];
  for (const path of paths) all.push((await get(path)).status);
  return all;
}

const READ = [200, 200, 200, 404, 200];
const values: readonly (readonly [string, unknown])[] = [
  ['null', null],
  ['a number', 7],
  ['a real', 1.5],
  ['a BLOB', BLOB],
  ['a list of other permissions', JSON.stringify(['api::tag.tag.create', '*', { action: 'api::tag.tag.readPrivate' }])],
  ['no text of Unicode', '\u0000"\\\ud800'],
];

describe.each(values)('permissions that are %s', (_, value) => {
  it.each(['full-access', 'read-only'])('have no effect for a token of the type %s', async (type) => {
    expect(await statusesOf(await tokenWith('permissions', value, type))).toEqual(READ);
  });
  it('permit nothing for a custom token', async () => {
    expect(await statusesOf(await tokenWith('permissions', value, 'custom'))).toEqual([403, 403, 403, 403, 403]);
  });
});

it.each([
  ['a BLOB in last_used_at', 'last_used_at', BLOB, READ],
  ['a text in last_used_at', 'last_used_at', 'never', READ],
  ['an infinite last_used_at', 'last_used_at', Number.MAX_VALUE, READ],
  ['an end that is a BLOB', 'expires_at', BLOB, [401, 401, 401, 401, 401]],
  ['an end that is a text', 'expires_at', '2999-01-01', [401, 401, 401, 401, 401]],
  ['a distant end', 'expires_at', Number.MAX_VALUE, READ],
  ['a distant end with a fraction', 'expires_at', 99999999999999.5, READ],
])('a token with %s is valid or expired, and never a 500', async (_, column, value, statuses) => {
  expect(await statusesOf(await tokenWith(column, value, 'full-access'))).toEqual(statuses);
});

it('a token whose type is a BLOB may do nothing', async () => {
  expect(await statusesOf(await tokenWith('type', BLOB, 'full-access'))).toEqual([403, 403, 403, 403, 403]);
});

it('a token with two rows reads the documents once', async () => {
  await createToken('twice', 'full-access');
  await env.DB.prepare(
    `insert into strapi_api_tokens (document_id, locale, published_at, created_at, updated_at, name, type, access_key, permissions)
     select 'copy', locale, 0, 0, 0, 'copy', type, access_key, permissions from strapi_api_tokens where name = 'twice'`,
  ).run();
  const client = clientOf(send, 'twice');
  expect(await statusesOf(client)).toEqual(READ);
  const names = (await documentsOf(client.get('/api/tags?sort=name&fields=name'))).map(({ name }) => name);
  expect(names).toEqual(['a', 'b', 'c']);
  expect((await documentsOf(client.get('/api/tags?filters[name][$ne]=x'))).length).toBe(3);
});

it('a token with two rows leaves no wrong response in the cache', async () => {
  const isolate = serve();
  await createToken('doubled', 'full-access');
  await env.DB.prepare(
    `insert into strapi_api_tokens (document_id, locale, published_at, created_at, updated_at, name, type, access_key)
     select 'copy2', locale, 0, 0, 0, 'copy2', type, access_key from strapi_api_tokens where name = 'doubled'`,
  ).run();
  const read: unknown[] = [];
  for (const token of ['doubled', 'full']) {
    const { get } = clientOf(isolate, token);
    const listed = (await documentsOf(get('/api/tags?sort=name'))).map(({ name }) => name);
    read.push([token, listed, (await get('/api/tags/none')).status]);
  }
  expect(read).toEqual(['doubled', 'full'].map((token) => [token, ['a', 'b', 'c'], 404]));
});

const actionsOf = async (client: ReturnType<typeof clientOf>) => [
  (await client.get('/api/tags')).status,
  (await client.get('/api/tags/abc')).status,
  (await client.create('/api/comments', { text: 'never' })).status,
  (await client.get('/api/users')).status,
];

describe('the permissions of a custom token', () => {
  const odd = ['[null]', '[null, 7]', 'null', '{"a": "api::tag.tag.find"}', '"api::tag.tag.find"', '7', 'no json', ''];

  it.each(odd)('are none with %s', async (permissions) => {
    for (const first of ['/api/tags', '/api/tags/abc']) {
      const client = await tokenWith('permissions', permissions, 'custom');
      expect((await client.get(first)).status).toBe(403);
      expect(await actionsOf(client)).toEqual([403, 403, 403, 403]);
    }
    const writer = await tokenWith('permissions', permissions, 'custom');
    expect((await writer.create('/api/comments', { text: 'never' })).status).toBe(403);
    expect((await env.DB.prepare('select * from "comments"').all()).results).toEqual([]);
  });

  it('are those that are understood', async () => {
    const client = await tokenWith('permissions', '[null, 7, ["api::tag.tag.create"], "api::tag.tag.find"]', 'custom');
    expect(await actionsOf(client)).toEqual([200, 403, 403, 403]);
  });
});

it.each(['weird', '', 'constructor', '__proto__', 'Full-Access'])(
  'a token of the unknown type %j may do nothing',
  async (type) => {
    const client = await tokenWith('type', type, 'custom', ['api::tag.tag.find']);
    expect(await actionsOf(client)).toEqual([403, 403, 403, 403]);
  },
);

it.each(['2020-01-01T00:00:00.000Z', '2999-01-01', 'never', '', -1, 0, 1.5])(
  'a token that ends at %j has expired',
  async (end) => {
    const client = await tokenWith('expires_at', end, 'full-access', null);
    expect(await actionsOf(client)).toEqual([401, 401, 401, 401]);
  },
);
