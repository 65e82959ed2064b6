/**
 * @module A few documents in which everything that can be populated is there, and leads back to where it began.
 */
import { env } from 'cloudflare:workers';
import { type Client, documentOf } from '../../support/client.ts';

/** Names of the documents → their documentIds. */
export type Names = Readonly<
  Record<'author' | 'tag' | 'category' | 'first' | 'second' | 'issue' | 'comment' | 'homepage', string>
>;

const link = { label: 'Link', href: '/' };

/** Files have no endpoint that writes them here. */
const FILE = `insert or ignore into files (document_id, locale, published_at, created_at, updated_at, name, hash, mime, size, url, provider) values ('file', '', 1, 1, 1, 'a.png', 'a', 'image/png', 1, '/a.png', 'r2')`;

/** Two articles that are related to each other, in two locales; the rest leads to them and back. */
export async function createPopulatedWorld(client: Client, number = 1): Promise<Names> {
  await env.DB.prepare(FILE).run();
  const create = async (route: string, data: object) =>
    (await documentOf(client.create(`/api/${route}`, data))).documentId;
  const author = await create('authors', { name: 'Author', avatar: 'file', links: [link] });
  const tag = await create('tags', { name: 'Tag' });
  const category = await create('categories', { name: 'Category' });
  const card = { title: 'Card', image: 'file', person: author, link };
  const content = {
    author,
    tags: [tag],
    categories: [category],
    primaryCategory: category,
    reviewers: [author],
    cover: 'file',
    gallery: ['file'],
  };
  const components = {
    links: [link],
    facts: [{ label: 'Fact', value: 1, source: link }],
    seo: { metaTitle: 'Seo', shareImage: 'file', card, alternates: [link] },
  };
  const sections = (article: string) => [
    { __component: 'blocks.quote', text: 'Quote', speaker: author },
    { __component: 'blocks.gallery', title: 'Gallery', images: ['file'], links: [link] },
    { __component: 'blocks.callout', title: 'Callout', articles: [article], card },
  ];
  const first = await create('articles', { title: 'First', price: 1, ...content, ...components });
  const second = await create('articles', {
    title: 'Second',
    price: 2,
    ...content,
    ...components,
    related: [first],
    sections: sections(first),
  });
  await client.update(`/api/articles/${first}`, { related: [second], sections: sections(second) });
  await client.update(`/api/articles/${first}?locale=fr`, { title: 'Premier' });
  const issue = await create('issues', {
    title: 'Issue',
    number,
    editor: author,
    coverStory: first,
    picks: [second, first],
  });
  const comment = await create('comments', { text: 'Comment', article: first, by: author });
  const home = { heading: 'Home', hero: 'file', featuredArticles: [second, first], sections: [sections(first)[2]] };
  const homepage = (await documentOf(client.update('/api/homepage', home))).documentId;
  return { author, tag, category, first, second, issue, comment, homepage };
}
