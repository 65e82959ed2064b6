/**
 * @module A history that is switched off and on again: the first write after the pause keeps what the pause has left.
 */
import { expect, it } from 'vitest';
import { clientOf, documentOf } from '../../support/client.ts';
import { historyOf } from '../../support/former-versions.ts';
import { sendJson } from '../../support/recorded.ts';
import { openKinds } from '../../support/worlds/kinds.ts';

const { client, send, serve } = openKinds({ history: true });
const paused = clientOf(serve({ history: null }), 'full');

/** The versions, each with its title then. */
async function titlesOf(path: string, version = 'published'): Promise<readonly string[]> {
  const titles = (await historyOf(client, path))
    .filter((each) => each.version === version)
    .map(async ({ operation, revision, hasValues }) => {
      const title = hasValues ? (await documentOf(client.get(`${path}/history/${revision}`))).title : '';
      return `${operation} ${title}`;
    });
  return Promise.all(titles);
}

it('an update after a pause keeps what it changes', async () => {
  const path = `/api/notes/${(await documentOf(client.create('/api/notes', { title: 'one' }))).documentId}`;
  await documentOf(paused.update(path, { title: 'in the pause' }));
  for (const title of ['three', 'four']) await documentOf(client.update(path, { title }));
  expect(await titlesOf(path)).toEqual(['update four', 'update three', 'before in the pause', 'create one']);
});

it('a deletion after a pause keeps what it deletes, which comes back', async () => {
  const { documentId } = await documentOf(client.create('/api/notes', { title: 'one' }));
  const path = `/api/notes/${documentId}`;
  await documentOf(paused.update(path, { title: 'in the pause' }));
  await client.remove(path);
  expect(await titlesOf(path)).toEqual(['delete ', 'before in the pause', 'create one']);
  const revision = (await historyOf(client, path))[1]?.revision;
  const init = sendJson('POST', 'full', { data: { revision } });
  expect((await send(`${path}/actions/restore`, init)).status).toBe(200);
  expect(await documentOf(client.get(path))).toMatchObject({ title: 'in the pause' });
});

it('drafts and published versions are kept apart, and only what was changed', async () => {
  const path = `/api/stories/${(await documentOf(client.create('/api/stories', { title: 'one' }))).documentId}`;
  await documentOf(paused.update(`${path}?status=draft`, { title: 'in the pause' }));
  await documentOf(client.update(path, { title: 'three' }));
  expect(await titlesOf(path, 'draft')).toEqual(['update three', 'before in the pause', 'create one']);
  expect(await titlesOf(path)).toEqual(['publish three', 'publish one']);
});

it('what another locale shares is no version', async () => {
  const path = `/api/places/${(await documentOf(client.create('/api/places', { title: 'en', price: 1 }))).documentId}`;
  await documentOf(client.update(`${path}?locale=fr`, { title: 'fr' }));
  await documentOf(client.update(path, { price: 2 }));
  await documentOf(client.update(`${path}?locale=fr`, { title: 'fr again' }));
  expect(await titlesOf(path)).toEqual(['update fr again', 'update en', 'create fr', 'create en']);
});
