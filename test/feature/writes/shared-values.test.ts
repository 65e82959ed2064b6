/**
 * @module What locales share, through the API: which writes carry it to the other locales, and in which status.
 */
import { beforeEach, expect, it } from 'vitest';
import { documentOf, documentsOf } from '../../support/client.ts';
import { uploadOne } from '../../support/uploads.ts';
import { openMagazine } from '../../support/world.ts';

const { client, send } = openMagazine();
const fileOf = async (content: string): Promise<number> =>
  (await uploadOne(send, { name: `${content}.txt`, type: 'text/plain', bytes: content })).id;
let path = '';

beforeEach(async () => {
  const data = { title: 'One', facts: [], price: 1, links: [{ label: 'a', href: 'h' }] };
  path = `/api/articles/${(await documentOf(client.create('/api/articles', data))).documentId}`;
  await put('fr', 'published', { title: 'Une' });
});

const put = (locale: string, status: string, data: object) =>
  documentOf(client.update(`${path}?locale=${locale}&status=${status}`, data));

async function pricesOf(...locales: readonly string[]): Promise<readonly unknown[]> {
  const prices: unknown[] = [];
  for (const locale of locales)
    for (const status of ['published', 'draft'])
      prices.push((await documentOf(client.get(`${path}?locale=${locale}&status=${status}`))).price);
  return prices;
}

async function isModified(locale: string): Promise<boolean> {
  const modified = await documentsOf(client.get(`/api/articles?publicationFilter=modified&locale=${locale}`));
  return modified.some(({ documentId }) => path.endsWith(documentId));
}

it('a refused write carries nothing', async () => {
  expect((await client.update(`${path}?locale=fr`, { title: 'x', price: 2 })).status).toBe(400);
  expect(await pricesOf('en', 'fr')).toEqual([1, 1, 1, 1]);
});

it('publishing what an earlier draft has changed carries nothing more', async () => {
  await put('fr', 'draft', { price: 2 });
  await put('fr', 'published', { title: 'Deux' });
  await put('fr', 'published', { price: 2 });
  expect(await pricesOf('en', 'fr')).toEqual([1, 2, 2, 2]);
});

it('a draft that is changed changes the other drafts, which count as modified', async () => {
  expect(await isModified('en')).toBe(false);
  await put('fr', 'draft', { price: 2 });
  expect(await pricesOf('en', 'fr')).toEqual([1, 2, 1, 2]);
  expect(await isModified('en')).toBe(true);
});

it('a draft that changes nothing of it leaves the others unmodified', async () => {
  await put('fr', 'draft', { title: 'Deux', price: 1, links: [{ label: 'a', href: 'h' }] });
  expect(await isModified('en')).toBe(false);
});

it('publishing a change carries it to what is published, null too', async () => {
  await put('fr', 'published', { price: null });
  expect(await pricesOf('en', 'fr')).toEqual([null, 1, null, null]);
});

it('a locale that is new carries what it sends', async () => {
  await put('de', 'draft', { title: 'Eins', price: 3 });
  expect(await pricesOf('en', 'fr')).toEqual([1, 3, 1, 3]);
});

it('what the first locale by name has in its draft decides whether a write carries what it does not send', async () => {
  await put('de', 'published', { title: 'Eins' });
  await put('de', 'published', { price: 2 });
  expect(await pricesOf('de', 'en')).toEqual([2, 2, 2, 1]);
  await put('de', 'draft', {});
  expect(await pricesOf('de', 'en')).toEqual([2, 2, 2, 1]);
  await put('en', 'draft', {});
  expect(await pricesOf('de', 'en', 'fr')).toEqual([2, 1, 2, 1, 2, 1]);
});

it('the files of the first locale decide as well', async () => {
  const [file, second] = [await fileOf('first'), await fileOf('second')];
  const attached = async (locale: string) =>
    (
      (await documentOf(client.get(`${path}?locale=${locale}&status=draft&populate=attachment`))).attachment as {
        id: number;
      }
    )?.id;
  await put('de', 'published', { title: 'Eins', attachment: file });
  await put('en', 'draft', { attachment: file });
  await put('de', 'published', { attachment: second });
  expect([await attached('de'), await attached('en')]).toEqual([second, file]);
  await put('en', 'draft', {});
  expect([await attached('de'), await attached('en')]).toEqual([file, file]);
});

it('a new locale that takes a file over leaves the others unmodified', async () => {
  await put('en', 'published', { attachment: await fileOf('third') });
  expect(await isModified('en')).toBe(false);
  await put('de', 'draft', { title: 'Eins' });
  expect(await isModified('en')).toBe(false);
});
