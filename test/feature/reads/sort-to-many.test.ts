/**
 * @module Sorts through relations to many, which have a value for each document that they lead to.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { documentOf, valuesOf } from '../../support/client.ts';
import { openMagazine } from '../../support/world.ts';

const { client } = openMagazine();

async function tag(name: string): Promise<string> {
  return String((await documentOf(client.create('/api/tags', { name }))).documentId);
}

beforeAll(async () => {
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

describe('a sort through a list of components', () => {
  const facts = (...values: readonly (number | null)[]) => values.map((value) => ({ label: `${value}`, value }));

  it('goes by the first of their values in that order, wherever they stand', async () => {
    await client.create('/api/articles', { title: '--9 1', facts: facts(9, 1) });
    await client.create('/api/articles', { title: '--5', facts: facts(5) });
    await client.create('/api/articles', { title: '--2 7', facts: facts(2, 7) });
    await client.create('/api/articles', { title: '--8 null', facts: facts(8, null) });
    await client.create('/api/articles', { title: '--none' });
    const sorted = (sort: string) =>
      valuesOf(client.get(`/api/articles?filters[title][$startsWith]=--&sort=${sort},title`), 'title');
    expect(await sorted('facts.value')).toEqual(['--8 null', '--none', '--9 1', '--2 7', '--5']);
    expect(await sorted('facts.value:desc')).toEqual(['--9 1', '--8 null', '--2 7', '--5', '--none']);
  });
});
