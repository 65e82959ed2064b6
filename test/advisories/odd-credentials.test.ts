/**
 * @module Rows of API tokens that something else than Edgewise wrote: what is not understood permits nothing, whether
 * the isolate has met the token before or not.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Client, clientOf } from '../support/client.ts';
import { createTables, createToken, serve } from '../support/recorded.ts';

const send = serve();
let tokens = 0;

beforeAll(createTables);

/** A token that no isolate has met, whose row has this in one column. */
async function tokenWith(column: string, value: unknown, type = 'custom', permissions: string[] | null = []) {
  tokens += 1;
  const name = `odd-${tokens}`;
  await createToken(name, type, permissions);
  await env.DB.prepare(`update "strapi_api_tokens" set "${column}" = ? where "name" = ?`).bind(value, name).run();
  return clientOf(send, name);
}

const statusesOf = async (client: Client) => [
  (await client.get('/api/tags')).status,
  (await client.get('/api/tags/abc')).status,
  (await client.create('/api/comments', { text: 'never' })).status,
  (await client.get('/api/users')).status,
];

describe('permissions', () => {
  const odd = ['[null]', '[null, 7]', 'null', '{"a": "api::tag.tag.find"}', '"api::tag.tag.find"', '7', 'no json', ''];

  it.each(odd)('of %s are none', async (permissions) => {
    for (const first of ['/api/tags', '/api/tags/abc']) {
      const client = await tokenWith('permissions', permissions);
      expect((await client.get(first)).status).toBe(403);
      expect(await statusesOf(client)).toEqual([403, 403, 403, 403]);
    }
    const writer = await tokenWith('permissions', permissions);
    expect((await writer.create('/api/comments', { text: 'never' })).status).toBe(403);
    expect((await env.DB.prepare('select * from "comments"').all()).results).toEqual([]);
  });

  it('beside what is none are what they are', async () => {
    const client = await tokenWith('permissions', '[null, 7, ["api::tag.tag.create"], "api::tag.tag.find"]');
    expect(await statusesOf(client)).toEqual([200, 403, 403, 403]);
  });
});

it.each(['weird', '', 'constructor', '__proto__', 'Full-Access'])(
  'a token of the type %j may do nothing',
  async (type) => {
    const client = await tokenWith('type', type, 'custom', ['api::tag.tag.find']);
    expect(await statusesOf(client)).toEqual([403, 403, 403, 403]);
  },
);

it.each(['2020-01-01T00:00:00.000Z', '2999-01-01', 'never', '', -1, 0, 1.5])('an end at %j is over', async (end) => {
  const client = await tokenWith('expires_at', end, 'full-access', null);
  expect(await statusesOf(client)).toEqual([401, 401, 401, 401]);
});
