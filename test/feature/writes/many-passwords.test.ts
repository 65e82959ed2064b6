/**
 * @module Keeping the server busy with passwords: each takes long to hash, and a body may have many.
 */
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { errorOf } from '../../support/client.ts';
import { component, contentType, registryOf } from '../../support/schema-files.ts';
import { openWorld } from '../../support/world.ts';

const registry = registryOf(
  [contentType('vault', { locks: { type: 'component', component: 'safe.lock', repeatable: true } })],
  [component('safe.lock', { pin: { type: 'password' } })],
);
const { client } = openWorld(registry, { api: { rest: { limits: { passwords: 2 } } } });
const locks = (count: number) => ({ locks: Array.from({ length: count }, (_, index) => ({ pin: `${index}` })) });
const stored = () => env.DB.prepare('select * from "vaults"').all();

it('more passwords than the settings let in are refused, and nothing is written', async () => {
  const { message, details } = await errorOf(client.create('/api/vaults', locks(3)));
  expect(message).toBe('Too many passwords in one request. Expected at most 2');
  expect(details).toEqual({ source: 'body', limit: 'passwords' });
  expect((await stored()).results).toEqual([]);
});

it('as many as they let in are taken, in each request again', async () => {
  for (const _ of [1, 2]) expect((await client.create('/api/vaults', locks(2))).status).toBe(200);
});
