/**
 * @module Sorts through relations to many, which have a value for each document that they lead to.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { clientOf, documentOf, valuesOf } from '../../support/client.ts';
import { createTables, createToken, serve } from '../../support/recorded.ts';

const client = clientOf(serve(), 'full');

async function tag(name: string): Promise<string> {
  return String((await documentOf(client.create('/api/tags', { name }))).documentId);
}

beforeAll(async () => {
  await createTables();
  await createToken('full', 'full-access');
  const [a, b, c, d] = [await tag('a'), await tag('b'), await tag('c'), await tag('d')];
  await client.create('/api/articles', { title: 'first c, then a', tags: [c, a] });
  await client.create('/api/articles', { title: 'only b', tags: [b] });
  await client.create('/api/articles', { title: 'first b, then d', tags: [b, d] });
  await client.create('/api/articles', { title: 'none' });
});

describe('a sort through a relation to many', () => {
  it.each([
    ['sort=tags.name,title', ['none', 'first c, then a', 'first b, then d', 'only b']],
    ['sort=tags.name:desc,title', ['first b, then d', 'first c, then a', 'only b', 'none']],
  ])('%s goes by the first of its values in that order', async (query, titles) => {
    expect(await valuesOf(client.get(`/api/articles?${query}`), 'title')).toEqual(titles);
  });
});
