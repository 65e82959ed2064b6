/**
 * @module One-way links between documents of one type: a target that is published later is seen at once, and takes
 * no link away, as in the reference.
 */
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { documentOf } from '../../support/client.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';
import { openWorld } from '../../support/world.ts';

const toSong = (relation: string) => ({ type: 'relation', relation, target: 'api::song.song' });
const attributes = { name: { type: 'string' }, mirror: toSong('oneToOne'), picks: toSong('oneToMany') };
const registry = registryOf([contentType('song', attributes, { drafts: true, localized: true })]);
const { client } = openWorld(registry);

const dropped = { mirror: null, picks: [] };

it('appear with the first publication of their target, and go with the next one of their holder', async () => {
  const target = await documentOf(client.create('/api/songs?status=draft', { name: 'later' }));
  const links = { mirror: target.documentId, picks: [target.documentId] };
  const { documentId } = await documentOf(client.create('/api/songs', { name: 'holder', ...links }));
  const shown = () => documentOf(client.get(`/api/songs/${documentId}?populate=mirror,picks`));
  expect(await shown()).toMatchObject({ mirror: null, picks: [] });
  await documentOf(client.update(`/api/songs/${target.documentId}`, {}));
  const linked = { mirror: { name: 'later' }, picks: [{ name: 'later' }] };
  expect(await shown()).toMatchObject(linked);
  await documentOf(client.update(`/api/songs/${documentId}?status=draft`, dropped));
  await documentOf(client.update(`/api/songs/${target.documentId}`, {}));
  expect(await shown()).toMatchObject(linked);
  await documentOf(client.update(`/api/songs/${documentId}`, {}));
  expect(await shown()).toMatchObject(dropped);
});

it('add no second target to a holder that may have one', async () => {
  const [first, second] = [
    await documentOf(client.create('/api/songs', { name: 'first' })),
    await documentOf(client.create('/api/songs', { name: 'second' })),
  ];
  const { documentId } = await documentOf(client.create('/api/songs', { name: 'holder', mirror: first.documentId }));
  const shown = () => documentOf(client.get(`/api/songs/${documentId}?populate=mirror`));
  await documentOf(client.update(`/api/songs/${documentId}?status=draft`, { mirror: second.documentId }));
  for (const target of [second, first]) {
    await documentOf(client.update(`/api/songs/${target.documentId}`, {}));
    expect(await shown()).toMatchObject({ mirror: { name: 'first' } });
    expect(await checkInvariants(env.DB, registry)).toEqual([]);
  }
  await documentOf(client.update(`/api/songs/${documentId}`, {}));
  expect(await shown()).toMatchObject({ mirror: { name: 'second' } });
});
