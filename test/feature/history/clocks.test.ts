/**
 * @module Versions that Workers with different clocks make: they have the order of the commits.
 */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { serveRegistry } from '../../support/app.ts';
import { clientOf, documentOf } from '../../support/client.ts';
import { historyOf } from '../../support/former-versions.ts';
import { recordedRegistry, sendJson } from '../../support/recorded.ts';
import { formOf, postForm, TEXT, uploaded } from '../../support/uploads.ts';
import { openMagazine } from '../../support/world.ts';

const { client, send } = openMagazine({ history: true });
const START = Date.parse('2030-01-01T12:00:00.000Z');
const MINUTE = 60_000;

/** Sets the clock of the Worker that carries out the next requests. */
const clock = (minutes: number) => vi.setSystemTime(START + minutes * MINUTE);

const operationsOf = async (path: string, version: string) =>
  (await historyOf(client, path)).filter((each) => each.version === version).map(({ operation }) => operation);

const act = async (path: string, action: string, data?: object) => {
  const response = await send(`${path}/actions/${action}`, sendJson('POST', 'full', { data }));
  expect(response.status).toBe(200);
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  clock(0);
});
afterEach(() => {
  vi.useRealTimers();
});

it('a restoration comes after the deletion by a Worker whose clock is fast', async () => {
  const path = `/api/tags/${(await documentOf(client.create('/api/tags', { name: 'one' }))).documentId}`;
  clock(5);
  await client.remove(path);
  clock(1);
  const [, created] = await historyOf(client, path);
  await act(path, 'restore', { revision: created?.revision });
  expect(await operationsOf(path, 'published')).toEqual(['restore', 'delete', 'create']);
  await documentOf(client.update(path, { name: 'two' }));
  expect(await operationsOf(path, 'published')).toEqual(['update', 'restore', 'delete', 'create']);
});

it('a publication comes after the end of the one before, also in the same millisecond', async () => {
  const path = `/api/articles/${(await documentOf(client.create('/api/articles', { title: 'one' }))).documentId}`;
  await act(path, 'unpublish');
  await act(path, 'publish');
  expect(await operationsOf(path, 'published')).toEqual(['publish', 'unpublish', 'publish']);
  clock(5);
  await act(path, 'unpublish');
  clock(1);
  await act(path, 'publish');
  expect((await operationsOf(path, 'published')).slice(0, 2)).toEqual(['publish', 'unpublish']);
});

it('a locale that is created again comes after its deletion, also in the same millisecond', async () => {
  const path = `/api/articles/${(await documentOf(client.create('/api/articles', { title: 'one' }))).documentId}`;
  const french = async () =>
    (await historyOf(client, path)).filter(({ locale, version }) => locale === 'fr' && version === 'draft');
  await documentOf(client.update(`${path}?locale=fr&status=draft`, { title: 'un' }));
  await client.remove(`${path}?locale=fr`);
  await documentOf(client.update(`${path}?locale=fr&status=draft`, { title: 'deux' }));
  expect((await french()).map(({ operation }) => operation)).toEqual(['create', 'delete', 'create']);
});

it('a discarded draft comes after the save of a Worker whose clock is fast', async () => {
  const path = `/api/articles/${(await documentOf(client.create('/api/articles', { title: 'one' }))).documentId}`;
  clock(5);
  await documentOf(client.update(`${path}?status=draft`, { title: 'two' }));
  clock(1);
  await act(path, 'discard-draft');
  expect(await operationsOf(path, 'draft')).toEqual(['discardDraft', 'update', 'create']);
});

it('an attached file comes after the write before it, also in the same millisecond', async () => {
  for (let count = 0; count < 5; count += 1) {
    const { documentId } = await documentOf(client.create('/api/authors', { name: 'Ann' }));
    const ref = { ref: 'api::author.author', refId: documentId, field: 'avatar' };
    await uploaded(postForm(send, formOf([TEXT, TEXT], ref)));
    expect(await operationsOf(`/api/authors/${documentId}`, 'published')).toEqual(['update', 'create']);
  }
});

it('only so many versions are kept, the latest ones', async () => {
  const few = serveRegistry(recordedRegistry, { history: { 'api::author.author': { versions: 2 } } });
  const own = clientOf(few, 'full');
  const path = `/api/authors/${(await documentOf(own.create('/api/authors', { name: 'one' }))).documentId}`;
  clock(5);
  await own.remove(path);
  clock(1);
  const [, created] = await historyOf(client, path);
  const init = sendJson('POST', 'full', { data: { revision: created?.revision } });
  expect((await few(`${path}/actions/restore`, init)).status).toBe(200);
  for (const name of ['two', 'three']) await documentOf(own.update(path, { name }));
  expect(await operationsOf(path, 'published')).toEqual(['update', 'update']);
});
