/**
 * @module A write of a draft changes nothing that a reader without drafts is answered.
 */
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { type Client, documentOf } from '../../support/client.ts';
import { diceOf } from '../../support/dice.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { recordedRegistry } from '../../support/recorded.ts';
import { seedOf } from '../../support/seed.ts';
import { samplesOf } from '../../support/tier.ts';
import { openMagazine } from '../../support/world.ts';
import { emptyPool, randomWrite } from './random-writes.ts';

const WRITES = samplesOf(400, 0.25);

const { client } = openMagazine();

const BLOCKS = 'populate[sections][on][blocks.callout][populate]=articles&populate[sections][on][blocks.quote]=true';
const READS = [
  ...['articles', 'categories'].map((route) => `/api/${route}?locale=*&populate=*&sort=id&pagination[pageSize]=100`),
  ...['issues', 'tags', 'authors', 'comments'].map(
    (route) => `/api/${route}?populate=*&sort=id&pagination[pageSize]=100`,
  ),
  `/api/articles?fields=title&locale=*&sort=id&${BLOCKS}`,
  '/api/homepage?populate=*',
  '/api/homepage?locale=fr&populate=*',
];

/** Everything that is published, as answers show it. */
const published = () => Promise.all(READS.map(async (path) => (await client.get(path)).json()));

/** A client that looks at what is published before and after each write of a draft. */
function watched(
  real: Client,
  changed: (path: string, data: unknown) => void,
): Client & { readonly writes: () => number } {
  let writes = 0;
  const watch = (write: Client['update']) => async (path: string, data: unknown) => {
    const draft = /^\/api\/(articles|issues|homepage).*status=draft/.test(path);
    if (!draft) return write(path, data);
    const before = JSON.stringify(await published());
    const response = await write(path, data);
    if (response.ok) writes += 1;
    if (JSON.stringify(await published()) !== before) changed(path, data);
    return response;
  };
  return { ...real, create: watch(real.create), update: watch(real.update), writes: () => writes };
}

it('random writes: those of drafts change no answer of what is published', async () => {
  const dice = diceOf(seedOf('draft writes'));
  const pool = emptyPool();
  const changes: unknown[] = [];
  const watching = watched(client, (path, data) => changes.push([path, data]));
  for (let done = 0; done < WRITES; done += 1) await (await randomWrite({ client: watching, dice, pool })).text();
  expect(changes).toEqual([]);
  expect(watching.writes()).toBeGreaterThan(WRITES / 20);
  expect(await checkInvariants(env.DB, recordedRegistry)).toEqual([]);
});

it('a draft that takes a target without drafts from another document leaves it to what is published of that one', async () => {
  const comment = await documentOf(client.create('/api/comments', { text: 'taken' }));
  const make = (title: string, comments: readonly string[]) =>
    documentOf(client.create('/api/articles', { title, facts: [{ label: 'f' }], comments }));
  const holder = await make('Holder', [comment.documentId]);
  const taker = await make('Taker', []);
  await documentOf(
    client.update(`/api/articles/${taker.documentId}?status=draft`, { comments: { connect: [comment.documentId] } }),
  );
  const holds = async (id: string, search = '') =>
    (await documentOf(client.get(`/api/articles/${id}?populate=comments${search}`))).comments;
  expect(await holds(holder.documentId)).toMatchObject([{ text: 'taken' }]);
  expect(await holds(holder.documentId, '&status=draft')).toEqual([]);
  expect(await holds(taker.documentId)).toEqual([]);
  const read = async (search: string) =>
    documentOf(client.get(`/api/comments/${comment.documentId}?populate=article${search}`));
  expect(await read('')).toMatchObject({ article: { title: 'Holder' } });
  expect(await read('&status=draft')).toMatchObject({ article: { title: 'Taker' } });
  await documentOf(client.update(`/api/articles/${taker.documentId}`, {}));
  expect(await holds(holder.documentId)).toEqual([]);
  expect(await holds(taker.documentId)).toMatchObject([{ text: 'taken' }]);
});

it('the numeric id of a published row links the document, in the draft too', async () => {
  const make = (title: string, data = {}) =>
    documentOf(client.create('/api/articles', { title, facts: [{ label: 'f' }], ...data }));
  const target = await make('Target');
  const { id } = await documentOf(client.get(`/api/articles/${target.documentId}`));
  const holder = await make('By number', { related: [id] });
  await documentOf(client.update(`/api/articles/${target.documentId}`, { title: 'Target, again' }));
  for (const status of ['draft', 'published'])
    expect(
      await documentOf(client.get(`/api/articles/${holder.documentId}?populate=related&status=${status}`)),
    ).toMatchObject({ related: [{ title: 'Target, again' }] });
});

it('the numeric id of a published row connects and disconnects the document, in the draft too', async () => {
  const make = (title: string, data = {}) =>
    documentOf(client.create('/api/articles', { title, facts: [{ label: 'f' }], ...data }));
  const rows = [await make('First'), await make('Second')];
  const ids: unknown[] = [];
  for (const { documentId } of rows) ids.push((await documentOf(client.get(`/api/articles/${documentId}`))).id);
  const [first, second] = ids;
  const { documentId } = await make('By numbers', { related: { set: [{ id: first }] } });
  const related = async (change: object) => {
    await documentOf(client.update(`/api/articles/${documentId}`, { related: change }));
    const shown: unknown[] = [];
    for (const status of ['draft', 'published']) {
      const read = await documentOf(client.get(`/api/articles/${documentId}?populate=related&status=${status}`));
      shown.push((read.related as { title: string }[]).map(({ title }) => title).join());
    }
    return shown;
  };
  expect(await related({ connect: [second] })).toEqual(['First,Second', 'First,Second']);
  expect(await related({ disconnect: [{ id: first }] })).toEqual(['Second', 'Second']);
  expect(await related({ set: [first] })).toEqual(['First', 'First']);
});
