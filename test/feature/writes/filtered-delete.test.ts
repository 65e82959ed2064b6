/**
 * @module `DELETE` with filters: the rows are chosen before anything goes, so that what they are chosen by is there to
 * the end. Whatever the filter leads through, the document is gone as a whole or there as a whole.
 */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { clientOf, documentOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { interleavedDatabase } from '../../support/interleaved-database.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { recordedRegistry, serve } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const { client } = openMagazine();

interface Linked {
  readonly article: string;
  readonly author: string;
}

let serial = 0;

async function createLinked(): Promise<Linked> {
  serial += 1;
  const author = (await documentOf(client.create('/api/authors', { name: 'Ann' }))).documentId;
  const tag = (await documentOf(client.create('/api/tags', { name: `tag ${serial}` }))).documentId;
  const data = {
    title: 'Chosen',
    author,
    tags: [tag],
    facts: [{ label: 'a', value: 3 }],
    seo: { metaTitle: 'Seo', card: { title: 'Card', person: author } },
  };
  const article = (await documentOf(client.create('/api/articles', data))).documentId;
  await client.create('/api/comments', { text: 'Comment', article });
  return { article, author };
}

const isThere = async (article: string, status = 'published'): Promise<boolean> =>
  (await client.get(`/api/articles/${article}?status=${status}`)).status === 200;

const FILTERS: Readonly<Record<string, readonly [meets: string, misses: string]>> = {
  'an attribute': ['filters[title]=Chosen', 'filters[title]=Other'],
  'a relation to one': ['filters[author][name]=Ann', 'filters[author][name]=Bob'],
  'the id of a relation': ['filters[author][id][$notNull]=true', 'filters[author][id][$null]=true'],
  'a relation to many': ['filters[tags][name][$startsWith]=tag', 'filters[tags][name]=none'],
  'a relation from the other side': ['filters[comments][text]=Comment', 'filters[comments][text]=Other'],
  'a component': ['filters[seo][metaTitle]=Seo', 'filters[seo][metaTitle]=Other'],
  'a list of components': ['filters[facts][value][$gt]=2', 'filters[facts][value][$gt]=5'],
  'a relation in a component': ['filters[seo][card][person][name]=Ann', 'filters[seo][card][person][name]=Bob'],
  negation: ['filters[$not][author][name]=Bob', 'filters[$not][author][name]=Ann'],
  groups: ['filters[$or][0][title]=x&filters[$or][1][author][name]=Ann', 'filters[$and][0][author][name]=Bob'],
  'two relations': ['filters[author][articles][title]=Chosen', 'filters[author][articles][title]=Other'],
  search: ['_q=Chosen', '_q=nowhere'],
};

describe('a delete filtered by', () => {
  it.each(Object.entries(FILTERS))(
    '%s takes what meets it, and leaves what does not whole',
    async (_, [meets, misses]) => {
      const { article, author } = await createLinked();
      const before = await (await client.get(`/api/articles/${article}?populate=*`)).json();
      expect((await client.remove(`/api/articles/${article}?${misses}`)).status).toBe(204);
      expect(await (await client.get(`/api/articles/${article}?populate=*`)).json()).toEqual(before);
      expect((await client.remove(`/api/articles/${article}?${meets}`)).status).toBe(204);
      expect(await isThere(article)).toBe(false);
      expect(await isThere(article, 'draft')).toBe(false);
      const { data } = (await (await client.get(`/api/authors/${author}?populate=articles`)).json()) as {
        data: { articles: unknown[] };
      };
      expect(data.articles).toEqual([]);
      expect(await checkInvariants(env.DB, recordedRegistry)).toEqual([]);
    },
  );
});

describe('a filtered delete', () => {
  it('takes two round trips, and one without a filter', async () => {
    const trips = async (search: string) => {
      const { article } = await createLinked();
      const counted = countedDatabase(env.DB);
      await clientOf(serve({}, { DB: counted.database }), 'full').remove(`/api/articles/${article}${search}`);
      return counted.answering().length;
    };
    expect(await trips('?filters[author][name]=Ann')).toBe(2);
    expect(await trips('')).toBe(1);
  });

  it('chooses again when somebody else has changed what it goes by meanwhile', async () => {
    const { article, author } = await createLinked();
    const rename = () => client.update(`/api/authors/${author}`, { name: 'Bob' });
    const meeting = interleavedDatabase(env.DB, 1, rename);
    const response = await clientOf(serve({}, { DB: meeting }), 'full').remove(
      `/api/articles/${article}?filters[author][name]=Ann`,
    );
    expect(response.status).toBe(204);
    expect(await isThere(article)).toBe(true);
  });
});
