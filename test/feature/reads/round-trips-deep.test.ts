/**
 * @module However deep a read or a write goes, D1 is asked once for a read and at most twice for a write.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiDocument, type Client, clientOf, documentOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { serve } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';
import { createPopulatedWorld, type Names } from './populated-world.ts';

const { client } = openMagazine();
let names: Names;

beforeAll(async () => {
  names = await createPopulatedWorld(client);
});

/** How many statements each batch of a request has. */
async function batchesOf(ask: (client: Client) => Promise<Response>) {
  const counted = countedDatabase(env.DB);
  const { status } = await ask(clientOf(serve({}, { DB: counted.database }), 'full'));
  return { status, batches: counted.answering().map((batch) => batch.length) };
}

describe('a list is one statement: the page, the token, the stamps and the count', () => {
  it.each([
    ['of everything one level deep', 'articles?populate=*'],
    ['of four relations', 'articles?populate=author,tags,seo.shareImage,cover'],
    ['four levels deep', 'articles?populate=author.articles.author.articles'],
    ['nine levels deep', 'articles?populate=author.articles.author.articles.author.articles.author.articles.author'],
    ['of zones and what is in them', 'articles?populate[sections][populate]=*'],
    [
      'of one kind of zone entries',
      'articles?populate[sections][on][blocks.callout][populate][articles][populate]=author',
    ],
    ['of relations in components', 'articles?populate=seo.card.person.articles'],
    ['of counts', 'articles?populate[tags][count]=true&populate[related][count]=true'],
    ['of all locales with their others', 'articles?locale=*&populate=localizations'],
    ['of drafts with everything', 'articles?status=draft&populate=*'],
    ['sorted through relations', 'articles?sort=author.name,seo.metaTitle'],
    ['of the other side', 'authors?populate=articles.comments.by'],
    ['through to-one and back', 'issues?populate=coverStory.coverOf.coverStory.coverOf.coverStory'],
  ])('%s', async (_, search) => {
    expect(await batchesOf((counted) => counted.get(`/api/${search}`))).toEqual({ status: 200, batches: [1] });
  });

  it.each([
    ['filtered through relations', 'articles?filters[author][articles][tags][name]=Tag'],
    ['filtered through components', 'articles?filters[seo][card][person][name]=Author'],
    [
      'populated, filtered and sorted',
      'articles?populate[tags][filters][name]=Tag&populate[tags][sort]=name&filters[tags][name]=Tag&sort=author.name',
    ],
  ])('the page with its count, %s', async (_, search) => {
    expect(await batchesOf((counted) => counted.get(`/api/${search}`))).toEqual({ status: 200, batches: [1] });
  });

  it('the page alone, when nothing is counted', async () => {
    const ask = (counted: Client) => counted.get('/api/articles?populate=*&pagination[withCount]=false');
    expect(await batchesOf(ask)).toEqual({ status: 200, batches: [1] });
  });
});

describe('one document is one statement: the document, the token and the stamps', () => {
  it.each<[string, (of: Names) => string]>([
    ['with everything', ({ first }) => `articles/${first}?populate=*`],
    [
      'nine levels deep',
      ({ first }) =>
        `articles/${first}?populate=author.articles.author.articles.author.articles.author.articles.author`,
    ],
    ['in another locale', ({ first }) => `articles/${first}?locale=fr&populate[localizations][populate]=*`],
    ['of a single type', () => 'homepage?populate[sections][populate]=*&populate[featuredArticles][populate]=author'],
    ['of the other side', ({ tag }) => `tags/${tag}?populate=articles.tags.articles`],
  ])('%s', async (_, path) => {
    const answer = await batchesOf((counted) => counted.get(`/api/${path(names)}`));
    expect(answer).toEqual({ status: 200, batches: [1] });
  });

  it('in the older format', async () => {
    const counted = countedDatabase(env.DB);
    const headers = { authorization: 'Bearer full', 'strapi-response-format': 'v4' };
    const response = await serve({}, { DB: counted.database })(`/api/articles/${names.first}?populate=*`, { headers });
    expect(response.status).toBe(200);
    expect(counted.answering()).toHaveLength(1);
  });
});

describe('a write is two batches at most', () => {
  const link = { label: 'Link', href: '/' };
  const quote = ({ author }: Names) => ({ __component: 'blocks.quote', text: 'Quote', speaker: author });
  const related = ({ tag, author, category, second }: Names) => ({
    tags: [tag],
    author,
    categories: [category],
    related: [second],
  });

  const writes: readonly (readonly [string, (counted: Client, of: Names) => Promise<Response>])[] = [
    [
      'create with relations, components and a zone',
      (to, of) =>
        to.create('/api/articles?populate=*', { title: 'New', ...related(of), sections: [quote(of)], links: [link] }),
    ],
    [
      'create of a draft with relations',
      (to, of) => to.create('/api/articles?status=draft', { title: 'New', ...related(of) }),
    ],
    [
      'create from the other side',
      (to, of) => to.create('/api/tags', { name: 'New', articles: [of.first, of.second] }),
    ],
    ['create that refuses a relation', (to) => to.create('/api/articles', { title: 'New', tags: ['nobody'] })],
    [
      'update of relations with positions',
      (to, of) =>
        to.update(`/api/articles/${of.first}`, {
          tags: { connect: [{ documentId: of.tag, position: { start: true } }] },
        }),
    ],
    [
      'update of many relations',
      (to, of) =>
        to.update(`/api/articles/${of.first}?populate=*`, {
          ...related(of),
          coverOf: of.issue,
          comments: [of.comment],
        }),
    ],
    [
      'update of a draft',
      (to, of) => to.update(`/api/articles/${of.first}?status=draft`, { tags: { disconnect: [of.tag] } }),
    ],
    [
      'update that takes from others',
      (to, of) => to.update(`/api/authors/${of.author}`, { articles: { set: [of.second] } }),
    ],
    ['new locale', (to, of) => to.update(`/api/articles/${of.first}?locale=de`, { title: 'Deutsch', tags: [of.tag] })],
    [
      'update that other locales follow',
      (to, of) => to.update(`/api/articles/${of.first}?locale=fr`, { price: 3, links: [link] }),
    ],
    [
      'update of a single type',
      (to, of) =>
        to.update('/api/homepage?populate=featuredArticles', { featuredArticles: [of.first], sections: [quote(of)] }),
    ],
    ['new locale of a single type', (to) => to.update('/api/homepage?locale=fr', { heading: 'Accueil' })],
    ['delete of one locale', (to, of) => to.remove(`/api/articles/${of.first}?locale=de`)],
    ['delete of a document with links on every side', (to, of) => to.remove(`/api/articles/${of.second}?locale=*`)],
    ['delete of a single type', (to) => to.remove('/api/homepage')],
  ];

  const answerOf = (name: string) => (name.startsWith('delete') ? 204 : name.includes('refuses') ? 400 : 200);

  it.each(writes)('%s', async (name, ask) => {
    const { status, batches } = await batchesOf((counted) => ask(counted, names));
    expect(status).toBe(answerOf(name));
    expect(batches.length).toBeLessThanOrEqual(2);
  });

  it('update of components by id', async () => {
    const path = `/api/articles/${names.first}`;
    const { links } = await documentOf(client.get(`${path}?status=draft&populate=links`));
    const kept = (links as ApiDocument[]).map(({ id }) => ({ id }));
    const { status, batches } = await batchesOf((counted) => counted.update(path, { links: [...kept, link] }));
    expect({ status, batches: batches.length }).toEqual({ status: 200, batches: 2 });
  });
});
