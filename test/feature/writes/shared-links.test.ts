/**
 * @module A component that all locales share links to documents: a new locale needs them in its own.
 */
import { expect, it } from 'vitest';
import { documentOf, errorOf } from '../../support/client.ts';
import { component, contentType, registryOf } from '../../support/schema-files.ts';
import { openWorld } from '../../support/world.ts';

const localized = (type: string, more: object = {}) => ({
  type,
  ...more,
  pluginOptions: { i18n: { localized: true } },
});
const oneToMany = (name: string) => ({ type: 'relation', relation: 'oneToMany', target: `api::${name}.${name}` });
const registry = registryOf(
  [
    contentType('song', { name: localized('string') }, { drafts: true, localized: true }),
    contentType('singer', { name: { type: 'string' } }, { drafts: true }),
    contentType(
      'show',
      { name: localized('string'), program: { type: 'component', component: 'shared.program' } },
      { drafts: true, localized: true },
    ),
  ],
  [
    component('shared.act', { songs: oneToMany('song') }),
    component('shared.program', {
      finale: { type: 'component', component: 'shared.act' },
      songs: oneToMany('song'),
      singers: oneToMany('singer'),
    }),
  ],
);
const { client } = openWorld(registry);
const idOf = async (path: string, data: object) => (await documentOf(client.create(path, data))).documentId;

it.each(['', '&status=draft'])('a new locale is refused without them, and no other loses them (%s)', async (status) => {
  const song = await idOf('/api/songs', { name: 'Fog' });
  const singer = await idOf('/api/singers?status=draft', { name: 'Zed' });
  const show = `/api/shows/${await idOf('/api/shows', { name: 'Gala', program: { songs: [song], singers: [singer] } })}`;
  const program = '?populate[program][populate]=songs';
  const refused = await errorOf(client.update(`${show}?locale=fr${status}`, { name: 'Gala' }));
  expect(refused).toMatchObject({ status: 400, message: `Document with id "${song}", locale "fr" not found` });
  expect(await documentOf(client.get(show + program))).toMatchObject({ program: { songs: [{ name: 'Fog' }] } });
  await documentOf(client.update(`/api/songs/${song}?locale=fr`, { name: 'Brume' }));
  await documentOf(client.update(`${show}?locale=fr${status}`, { name: 'Gala' }));
  const french = await documentOf(client.get(`${show}${program}&locale=fr${status}`));
  expect(french).toMatchObject({ program: { songs: [{ name: 'Brume' }] } });
});

it('a new locale is told what a component itself links to before what is inside it', async () => {
  const opening = await idOf('/api/songs', { name: 'Dawn' });
  const closing = await idOf('/api/songs', { name: 'Dusk' });
  const program = { songs: [opening], finale: { songs: [closing] } };
  const show = `/api/shows/${await idOf('/api/shows', { name: 'Concert', program })}`;
  const refused = await errorOf(client.update(`${show}?locale=fr`, { name: 'Concert' }));
  expect(refused.message).toBe(`Document with id "${opening}", locale "fr" not found`);
});

it('a new locale takes no notice of a document that is gone', async () => {
  const song = await idOf('/api/songs', { name: 'Rain' });
  const show = `/api/shows/${await idOf('/api/shows', { name: 'Matinee', program: { songs: [song] } })}`;
  expect((await client.remove(`/api/songs/${song}`)).status).toBe(204);
  expect((await client.update(`${show}?locale=fr`, { name: 'Matinée' })).status).toBe(200);
});
