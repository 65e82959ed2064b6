/**
 * @module An update that publishes copies the links of a draft only where they differ from the published ones.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { serveRegistry } from '../../support/app.ts';
import { documentOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { interleavedDatabase } from '../../support/interleaved-database.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { sendJson } from '../../support/recorded.ts';
import { contentType, registryOf, relation } from '../../support/schema-files.ts';
import { openWorld } from '../../support/world.ts';

const registry = registryOf([
  contentType(
    'book',
    {
      title: { type: 'string' },
      author: relation('manyToOne', 'author', { inversedBy: 'books' }),
      tags: relation('manyToMany', 'tag', { inversedBy: 'books' }),
      sequel: relation('oneToOne', 'book', { inversedBy: 'prequel' }),
      prequel: relation('oneToOne', 'book', { mappedBy: 'sequel' }),
      items: { type: 'relation', relation: 'morphToMany' },
    },
    { drafts: true },
  ),
  contentType(
    'author',
    { name: { type: 'string' }, books: relation('oneToMany', 'book', { mappedBy: 'author' }) },
    { drafts: true },
  ),
  contentType('tag', { name: { type: 'string' }, books: relation('manyToMany', 'book', { mappedBy: 'tags' }) }),
]);
const LINK_TABLES = ['books_author_lnk', 'books_tags_lnk', 'books_sequel_lnk', 'books_items_mph'];

const counted = countedDatabase(env.DB);
const { client, send } = openWorld(registry, {}, { DB: counted.database });
const create = (path: string, data: object) => documentOf(client.create(path, data));

let book: string;
let author: string;
let tag: string;

beforeAll(async () => {
  author = (await create('/api/authors', { name: 'A' })).documentId;
  tag = (await create('/api/tags', { name: 'T' })).documentId;
  const items = [{ __type: 'api::tag.tag', documentId: tag }];
  book = (await create('/api/books', { title: 'One', author, tags: [tag], items })).documentId;
  await client.update(`/api/books/${book}`, { title: 'Warm' });
});

const populated = async () => (await client.get(`/api/books/${book}?populate[author]=true&populate[tags]=true`)).json();

/** Statements of the last batch that write to a link table. */
const linkWrites = () =>
  (counted.batches.at(-1) ?? []).filter((sql: string) =>
    LINK_TABLES.some((table) => new RegExp(`^\\s*(insert into|delete from) "${table}"`).test(sql)),
  );

describe('an update that publishes', () => {
  it('sends no statement about links that the body leaves as they are', async () => {
    await client.update(`/api/books/${book}`, { title: 'Two' });
    expect(linkWrites()).toEqual([]);
    expect(await populated()).toMatchObject({ data: { title: 'Two', author: { name: 'A' }, tags: [{ name: 'T' }] } });
    expect(await checkInvariants(env.DB, registry)).toEqual([]);
  });

  it('copies the links that the draft has changed', async () => {
    const { documentId: other } = await create('/api/authors', { name: 'B' });
    await client.update(`/api/books/${book}?status=draft`, { author: other });
    await client.update(`/api/books/${book}`, { title: 'Three' });
    expect(linkWrites()).not.toEqual([]);
    expect(await populated()).toMatchObject({ data: { title: 'Three', author: { name: 'B' } } });
    await client.update(`/api/books/${book}`, { author });
    expect(await populated()).toMatchObject({ data: { author: { name: 'A' } } });
    expect(await checkInvariants(env.DB, registry)).toEqual([]);
  });

  it('copies a link once its target is published', async () => {
    const draft = await documentOf(client.create('/api/authors?status=draft', { name: 'D' }));
    await client.update(`/api/books/${book}`, { author: draft.documentId });
    expect(await populated()).toMatchObject({ data: { author: null } });
    await send(`/api/authors/${draft.documentId}/actions/publish`, sendJson('POST', 'full', {}));
    await client.update(`/api/books/${book}`, { title: 'Four' });
    expect(await populated()).toMatchObject({ data: { author: { name: 'D' } } });
    await client.update(`/api/books/${book}`, { author });
  });

  it.each([0, 1, 2])('sees a concurrent link from the other side, before batch %d', async (at) => {
    const { documentId: second } = await create('/api/tags', { name: `N${at}` });
    const meanwhile = () => client.update(`/api/tags/${second}`, { books: { connect: [book] } });
    const concurrent = serveRegistry(registry, {}, { DB: interleavedDatabase(env.DB, at, meanwhile) });
    const path = `/api/books/${book}`;
    await client.update(`${path}?status=draft`, { title: `Draft ${at}` });
    const response = await concurrent(path, sendJson('PUT', 'full', { data: { title: `Five ${at}` } }));
    expect(response.status).toBe(200);
    expect(await checkInvariants(env.DB, registry)).toEqual([]);
    const versions = await Promise.all(
      ['draft', 'published'].map(
        async (status) => (await documentOf(client.get(`${path}?status=${status}&populate=tags`))).tags,
      ),
    );
    const names = versions.map((tags) => (tags as { name: string }[]).map(({ name }) => name));
    expect(names[0]).toEqual(names[1]);
  });
});
