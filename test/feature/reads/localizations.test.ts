/**
 * @module The other locales of a document, populated.
 */
import { beforeAll, expect, it } from 'vitest';
import { type ApiDocument, documentOf, documentsOf, errorOf } from '../../support/client.ts';
import { openMagazine } from '../../support/world.ts';

const { client } = openMagazine();
let path = '';

beforeAll(async () => {
  const { documentId } = await documentOf(client.create('/api/categories', { name: 'b' }));
  path = `/api/categories/${documentId}`;
  for (const [locale, name] of Object.entries({ fr: 'c', de: 'd', ar: 'a' }))
    await documentOf(client.update(`${path}?locale=${locale}`, { name }));
});

const others = async (search: string): Promise<readonly ApiDocument[]> =>
  (await documentOf(client.get(`${path}?${search}`))).localizations as readonly ApiDocument[];
const localesOf = async (search: string) => (await others(search)).map(({ locale }) => locale);

it('with a count that is neither true nor false is refused', async () => {
  const { message } = await errorOf(client.get(`${path}?populate[localizations][count]=x`));
  expect(message).toBe('Invalid key count at localizations');
});

it('come by the name of the locale, unless they are sorted', async () => {
  expect(await localesOf('populate=localizations')).toEqual(['ar', 'de', 'fr']);
  expect(await localesOf('populate[localizations][sort]=name:desc')).toEqual(['de', 'fr', 'ar']);
});

it('are shown and not counted, with no more than the fields that are asked for', async () => {
  expect(await localesOf('populate[localizations][count]=true')).toEqual(['ar', 'de', 'fr']);
  const [first] = await others('populate[localizations][fields]=locale&populate[localizations][sort]=name');
  expect(Object.keys(first ?? {})).toEqual(['id', 'documentId', 'locale']);
});

it('sort documents by the values of their other locales alone', async () => {
  const { documentId } = await documentOf(client.create('/api/categories', { name: '0' }));
  await documentOf(client.update(`/api/categories/${documentId}?locale=fr`, { name: 'e' }));
  await documentOf(client.create('/api/categories', { name: '1' }));
  const sorted = await documentsOf(client.get('/api/categories?sort=localizations.name'));
  expect(sorted.map(({ name }) => name)).toEqual(['1', 'b', '0']);
});
