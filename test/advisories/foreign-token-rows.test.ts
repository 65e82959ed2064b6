/**
 * @module Rows of API tokens with values that no column of theirs should have, or that are there twice: they read what
 * they may, and never end in a 500.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { clientOf, documentsOf } from '../support/client.ts';
import { createTables, createToken, serve } from '../support/recorded.ts';

const send = serve();
const BLOB = new Uint8Array([91, 93]);
let tokens = 0;

beforeAll(async () => {
  await createTables();
  await createToken('full', 'full-access');
  for (const name of ['a', 'b', 'c']) await clientOf(send, 'full').create('/api/tags', { name });
});

async function tokenWith(column: string, value: unknown, type: string, permissions: string[] | null = null) {
  tokens += 1;
  const name = `value-${tokens}`;
  await createToken(name, type, permissions);
  await env.DB.prepare(`update "strapi_api_tokens" set "${column}" = ? where "name" = ?`).bind(value, name).run();
  return clientOf(send, name);
}

/** A list twice, a filtered one, a missing document. */
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
  ['no text of Unicode', '\u0000"\\\ud800'],
];

describe.each(values)('permissions that are %s', (_, value) => {
  it.each(['full-access', 'read-only'])('do not matter to a token with %s', async (type) => {
    expect(await statusesOf(await tokenWith('permissions', value, type))).toEqual(READ);
  });
  it('are none for a custom token', async () => {
    expect(await statusesOf(await tokenWith('permissions', value, 'custom'))).toEqual([403, 403, 403, 403, 403]);
  });
});

it.each([
  ['a BLOB in last_used_at', 'last_used_at', BLOB, READ],
  ['a text in last_used_at', 'last_used_at', 'never', READ],
  ['an infinite last_used_at', 'last_used_at', Number.MAX_VALUE, READ],
  ['an end that is a BLOB', 'expires_at', BLOB, [401, 401, 401, 401, 401]],
  ['an end that is a text', 'expires_at', '2999-01-01', [401, 401, 401, 401, 401]],
  ['an end far away', 'expires_at', Number.MAX_VALUE, READ],
  ['an end far away with a fraction', 'expires_at', 99999999999999.5, READ],
])('%s', async (_, column, value, statuses) => {
  expect(await statusesOf(await tokenWith(column, value, 'full-access'))).toEqual(statuses);
});

it('a type that is a BLOB permits nothing', async () => {
  expect(await statusesOf(await tokenWith('type', BLOB, 'full-access'))).toEqual([403, 403, 403, 403, 403]);
});

it('a token whose row is there twice reads what is there', async () => {
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

it('a token whose row is there twice leaves no wrong answer to others', async () => {
  const isolate = serve();
  await createToken('doubled', 'full-access');
  await env.DB.prepare(
    `insert into strapi_api_tokens (document_id, locale, published_at, created_at, updated_at, name, type, access_key)
     select 'copy2', locale, 0, 0, 0, 'copy2', type, access_key from strapi_api_tokens where name = 'doubled'`,
  ).run();
  const told: unknown[] = [];
  for (const token of ['doubled', 'full']) {
    const { get } = clientOf(isolate, token);
    const listed = (await documentsOf(get('/api/tags?sort=name'))).map(({ name }) => name);
    told.push([token, listed, (await get('/api/tags/none')).status]);
  }
  expect(told).toEqual(['doubled', 'full'].map((token) => [token, ['a', 'b', 'c'], 404]));
});
