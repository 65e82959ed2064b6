/**
 * @module Unique values are assumed to be free and asserted in the batch that writes; what is refused is told as if they
 * had been asked for first.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { serveRegistry } from '../../support/app.ts';
import { clientOf, documentOf, errorOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';
import { openWorld } from '../../support/world.ts';

const registry = registryOf([
  contentType(
    'song',
    {
      name: { type: 'string', unique: true },
      code: { type: 'string', unique: true },
      label: { type: 'string', minLength: 3 },
      from: { type: 'datetime', unique: true },
    },
    { drafts: true },
  ),
]);
const counted = countedDatabase(env.DB);
const { client } = openWorld(registry, {}, { DB: counted.database });
const stranger = clientOf(serveRegistry(registry, {}, { DB: counted.database }), 'nobody');
const songs = async () => (await env.DB.prepare('select count(*) as "count" from "songs"').first('count')) as number;

beforeAll(async () => {
  await client.create('/api/songs', { name: 'one', code: '1' });
});
beforeEach(() => void counted.batches.splice(0));

describe('values that are taken', () => {
  it('are refused together with all that is wrong besides, and nothing is written', async () => {
    const before = await songs();
    const refused = await errorOf(client.create('/api/songs', { name: 'one', code: '1', label: 'ab' }));
    expect(refused).toMatchObject({ status: 400, message: '3 errors occurred' });
    expect(await songs()).toBe(before);
  });

  it('are refused each under its name', async () => {
    const { details, message } = await errorOf(client.create('/api/songs', { name: 'one', code: '1' }));
    expect(message).toBe('2 errors occurred');
    expect(details?.errors).toMatchObject([{ path: ['name'] }, { path: ['code'] }]);
  });

  it('are told as answers show them', async () => {
    await documentOf(client.create('/api/songs', { from: '2024-05-05T12:00:00+02:00' }));
    const { details } = await errorOf(client.create('/api/songs', { from: 1714903200000 }));
    expect(details?.errors).toMatchObject([{ path: ['from'], value: '2024-05-05T10:00:00.000Z' }]);
  });

  it('are refused to an update', async () => {
    const { documentId } = await documentOf(client.create('/api/songs', { name: 'two', code: '2' }));
    const { message } = await errorOf(client.update(`/api/songs/${documentId}`, { code: '1' }));
    expect(message).toBe('This attribute must be unique');
  });

  it('are not told to whom may not write', async () => {
    expect((await errorOf(stranger.create('/api/songs', { name: 'one' }))).status).toBe(401);
  });

  it('do not matter to a draft', async () => {
    expect((await client.create('/api/songs?status=draft', { name: 'one' })).status).toBe(200);
  });
});

describe('values that are free', () => {
  it('are created in one round trip', async () => {
    expect((await client.create('/api/songs', { name: 'three', code: '3' })).status).toBe(200);
    expect(counted.answering()).toHaveLength(1);
  });

  it('are updated in two', async () => {
    const { documentId } = await documentOf(client.create('/api/songs', { name: 'four', code: '4' }));
    counted.batches.splice(0);
    expect((await client.update(`/api/songs/${documentId}`, { code: '44' })).status).toBe(200);
    expect(counted.answering()).toHaveLength(2);
  });
});
