/**
 * @module A document that is deleted leaves nothing behind: not its links, not those to it, on neither side.
 */
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { type ApiDocument, documentOf, documentsOf } from '../../support/client.ts';
import { tablesWith } from '../../support/everything.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { recordedRegistry } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const { client } = openMagazine();

let serial = 0;
const create = async (route: string, data: object, search = ''): Promise<string> => {
  serial += 1;
  const code = route === 'issues' ? { number: serial } : {};
  return (await documentOf(client.create(`/api/${route}${search}`, { ...code, ...data }))).documentId;
};

/** A document of every type, the article linked with all others in every way there is. */
interface Web {
  readonly article: string;
  readonly other: string;
  readonly author: string;
  readonly tag: string;
  readonly category: string;
  readonly comment: string;
  readonly issue: string;
}

async function weave(): Promise<Web> {
  serial += 1;
  const author = await create('authors', { name: 'Author' });
  const tag = await create('tags', { name: `Tag ${serial}` });
  const category = await create('categories', { name: 'Category' });
  const other = await create('articles', { title: 'Other' });
  const article = await create('articles', {
    title: 'Article',
    author,
    tags: [tag],
    categories: [category],
    primaryCategory: category,
    reviewers: [author],
    related: [other],
    relatedFrom: [other],
    seo: { metaTitle: 'Seo', card: { title: 'Card', person: author } },
    sections: [{ __component: 'blocks.quote', text: 'q', speaker: author }],
  });
  const comment = await create('comments', { text: 'Comment', article, by: author });
  const issue = await create('issues', {
    title: 'Issue',
    editor: author,
    coverStory: article,
    picks: [article, other],
  });
  await client.update('/api/homepage', { heading: 'Home', featuredArticles: [article] });
  return { article, other, author, tag, category, comment, issue };
}

const ROUTES = {
  article: 'articles',
  other: 'articles',
  author: 'authors',
  tag: 'tags',
  category: 'categories',
  comment: 'comments',
  issue: 'issues',
} as const satisfies Record<keyof Web, string>;

const linkTables = async (id: string) =>
  (await tablesWith(id, recordedRegistry)).filter((name) => name.endsWith('_lnk'));
const check = () => checkInvariants(env.DB, recordedRegistry);

let web: Web;
beforeEach(async () => {
  web = await weave();
});

describe('a document that is deleted', () => {
  it.each(Object.keys(ROUTES) as (keyof Web)[])(
    'as the %s of a web of relations is in no table of links',
    async (part) => {
      expect(await linkTables(web[part])).not.toEqual([]);
      expect((await client.remove(`/api/${ROUTES[part]}/${web[part]}`)).status).toBe(204);
      expect(await linkTables(web[part])).toEqual([]);
      expect(await check()).toEqual([]);
    },
  );

  it('is left by all others as they were', async () => {
    await client.remove(`/api/articles/${web.article}`);
    const issue = await documentOf(client.get(`/api/issues/${web.issue}?populate=coverStory,picks,editor`));
    expect(issue).toMatchObject({
      coverStory: null,
      picks: [{ documentId: web.other }],
      editor: { documentId: web.author },
    });
    expect(await documentOf(client.get(`/api/comments/${web.comment}?populate=article`))).toMatchObject({
      article: null,
    });
    expect(await documentOf(client.get('/api/homepage?populate=featuredArticles'))).toMatchObject({
      featuredArticles: [],
    });
  });

  it('as a single type leaves no links', async () => {
    await client.remove('/api/homepage');
    const { results } = await env.DB.prepare('select * from homepage_featured_articles_lnk').all();
    expect(results).toEqual([]);
    expect(await check()).toEqual([]);
  });

  it('and made again under a new id has no links of the old one', async () => {
    await client.remove(`/api/tags/${web.tag}`);
    const again = await create('tags', { name: `Tag ${serial}` });
    expect(await documentOf(client.get(`/api/tags/${again}?populate=articles`))).toMatchObject({ articles: [] });
  });
});

describe('one locale that is deleted', () => {
  const french = '?locale=fr';

  beforeEach(async () => {
    await documentOf(client.update(`/api/articles/${web.other}${french}`, { title: 'Autre' }));
    const links = { tags: [web.tag], related: [web.other] };
    await documentOf(client.update(`/api/articles/${web.article}${french}`, { title: 'French', ...links }));
    const picks = [web.article, { documentId: web.article, locale: 'fr' }];
    await documentOf(client.update(`/api/issues/${web.issue}`, { picks }));
  });

  it('takes its links along, and leaves those of the others', async () => {
    await client.remove(`/api/articles/${web.article}${french}`);
    const { tags, related } = await documentOf(client.get(`/api/articles/${web.article}?populate=tags,related`));
    expect([tags, related]).toMatchObject([[{ documentId: web.tag }], [{ documentId: web.other }]]);
    const tag = await documentOf(client.get(`/api/tags/${web.tag}?populate=articles`));
    expect((tag.articles as ApiDocument[]).map(({ locale }) => locale)).toEqual(['en']);
    expect(await check()).toEqual([]);
  });

  it('takes the links to it along, and leaves those to the others', async () => {
    await client.remove(`/api/articles/${web.article}${french}`);
    const { picks } = await documentOf(client.get(`/api/issues/${web.issue}?populate=picks`));
    expect((picks as ApiDocument[]).map(({ locale }) => locale)).toEqual(['en']);
    await client.remove(`/api/articles/${web.other}`);
    expect(await check()).toEqual([]);
  });

  it('may be one of several', async () => {
    await client.update(`/api/articles/${web.article}?locale=de`, { title: 'German' });
    const left = async () => {
      const query = `locale=*&status=draft&sort=locale&filters[documentId]=${web.article}`;
      return (await documentsOf(client.get(`/api/articles?${query}`))).map(({ locale }) => locale);
    };
    await client.remove(`/api/articles/${web.article}?locale[]=zz&locale[]=*`);
    expect(await left()).toEqual(['de', 'en', 'fr']);
    await client.remove(`/api/articles/${web.article}?locale[]=fr&locale[]=en`);
    expect(await left()).toEqual(['de']);
    const { articles } = await documentOf(client.get(`/api/tags/${web.tag}?populate=articles`));
    expect(articles).toEqual([]);
    expect(await check()).toEqual([]);
    await client.remove(`/api/tags/${web.tag}?locale[]=fr&locale[]=de`);
    expect((await client.get(`/api/tags/${web.tag}`)).status).toBe(404);
  });

  it('of every one is the document', async () => {
    await client.remove(`/api/articles/${web.article}?locale=*`);
    expect(await tablesWith(web.article, recordedRegistry)).toEqual([]);
    expect(await check()).toEqual([]);
  });
});
