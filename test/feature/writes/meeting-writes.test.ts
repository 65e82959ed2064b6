/**
 * @module Writes that meet others on their way, and other ways to lose what is stored.
 */
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createRegistryTables, serveRegistry } from '../../support/app.ts';
import { type ApiDocument, type Client, clientOf, documentOf } from '../../support/client.ts';
import { interleavedDatabase } from '../../support/interleaved-database.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { recordedRegistry, serve } from '../../support/recorded.ts';
import { component, contentType, registryOf, relation } from '../../support/schema-files.ts';
import { openMagazine } from '../../support/world.ts';

const { client } = openMagazine();
const check = () => checkInvariants(env.DB, recordedRegistry);

/** A client whose next request has read when `work` is done, and has not written yet. */
const whileItPlans = (work: () => Promise<unknown>): Client =>
  clientOf(serve({}, { DB: interleavedDatabase(env.DB, 1, work) }), 'full');

let serial = 0;
const create = (route: string, data: object = {}): Promise<ApiDocument> => {
  serial += 1;
  const name = route === 'articles' ? { title: `Article ${serial}` } : { name: `Name ${serial}` };
  return documentOf(client.create(`/api/${route}`, { ...name, ...data }));
};
const namesOf = (value: unknown) => (value as ApiDocument[]).map(({ documentId }) => documentId);
const idsOf = (value: unknown) => (value as { id: number }[]).map(({ id }) => id);

beforeAll(async () => {
  await client.get('/api/tags');
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe('relations', () => {
  it('to a document that is deleted while the write is planned are not stored', async () => {
    const tag = await create('tags');
    const slow = whileItPlans(() => client.remove(`/api/tags/${tag.documentId}`));
    await slow.create('/api/articles', { title: 'Dangling', tags: [tag.documentId] });
    expect((await client.get(`/api/tags/${tag.documentId}`)).status).toBe(404);
    const complaints = await check();
    await env.DB.prepare('delete from articles_tags_lnk where target_document_id = ?').bind(tag.documentId).run();
    expect(complaints).toEqual([]);
  });

  it('that the other side writes while the owner is planned are kept', async () => {
    const [article, one, two] = [await create('articles'), await create('tags'), await create('tags')];
    const connect = { articles: { connect: [article.documentId] } };
    const slow = whileItPlans(() => client.update(`/api/tags/${one.documentId}`, connect));
    const path = `/api/articles/${article.documentId}?populate=tags`;
    await slow.update(path, { tags: { connect: [two.documentId] } });
    expect(namesOf((await documentOf(client.get(path))).tags).sort()).toEqual([one.documentId, two.documentId].sort());
  });

  it('that the owner writes while the other side is planned are kept', async () => {
    const [tag, one, two] = [await create('tags'), await create('articles'), await create('articles')];
    const slow = whileItPlans(() =>
      client.update(`/api/articles/${one.documentId}`, { tags: { connect: [tag.documentId] } }),
    );
    const path = `/api/tags/${tag.documentId}?populate=articles`;
    await slow.update(path, { articles: { connect: [two.documentId] } });
    expect(namesOf((await documentOf(client.get(path))).articles).sort()).toEqual(
      [one.documentId, two.documentId].sort(),
    );
  });

  it('that four writers connect on the same side at once are all stored', async () => {
    const { documentId } = await create('articles');
    const tags: string[] = [];
    for (let made = 0; made < 4; made += 1) tags.push((await create('tags')).documentId);
    const path = `/api/articles/${documentId}`;
    const answers = await Promise.all(tags.map((tag) => client.update(path, { tags: { connect: [tag] } })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const stored = async (status: string) =>
      namesOf((await documentOf(client.get(`${path}?populate=tags&status=${status}`))).tags);
    expect((await stored('published')).toSorted()).toEqual(tags.toSorted());
    expect(await stored('draft')).toEqual(await stored('published'));
    expect(await check()).toEqual([]);
  });

  it('keep their order when a target is published in another locale for the first time', async () => {
    const [one, two] = [await create('articles'), await create('articles')];
    const holder = await create('articles', { related: [one.documentId, two.documentId] });
    await documentOf(client.update(`/api/articles/${one.documentId}?locale=fr`, { title: 'French' }));
    const { related } = await documentOf(client.get(`/api/articles/${holder.documentId}?populate=related`));
    expect(namesOf(related)).toEqual([one.documentId, two.documentId]);
  });

  it('that a draft takes from another document stay in what is published of that one', async () => {
    const { documentId } = await documentOf(client.create('/api/comments', { text: 'taken' }));
    const holder = await create('articles', { comments: [documentId] });
    const taker = await create('articles');
    const path = `/api/articles/${taker.documentId}`;
    await documentOf(client.update(`${path}?status=draft`, { comments: { connect: [documentId] } }));
    const held = async ({ documentId: article }: ApiDocument, status: string) =>
      namesOf((await documentOf(client.get(`/api/articles/${article}?populate=comments&status=${status}`))).comments);
    const of = async (status: string) =>
      (await documentOf(client.get(`/api/comments/${documentId}?populate=article&status=${status}`))).article;
    expect([await held(holder, 'published'), await held(holder, 'draft')]).toEqual([[documentId], []]);
    expect(await held(taker, 'published')).toEqual([]);
    expect(await of('published')).toMatchObject({ documentId: holder.documentId });
    expect(await of('draft')).toMatchObject({ documentId: taker.documentId });
    await documentOf(client.update(path, {}));
    expect([await held(holder, 'published'), await held(taker, 'published')]).toEqual([[], [documentId]]);
  });

  it('by the number of a published row lead to the document, in the draft too', async () => {
    const target = await create('articles');
    const { id } = await documentOf(client.get(`/api/articles/${target.documentId}`));
    const holder = await create('articles', { related: [id] });
    await documentOf(client.update(`/api/articles/${target.documentId}`, { title: 'Target, again' }));
    for (const status of ['draft', 'published'])
      expect(
        await documentOf(client.get(`/api/articles/${holder.documentId}?populate=related&status=${status}`)),
      ).toMatchObject({ related: [{ title: 'Target, again' }] });
  });
});

describe('components', () => {
  it('of a zone that are sent twice with the same id are not stored twice under it', async () => {
    const { documentId } = await create('articles', { sections: [{ __component: 'blocks.quote', text: 'one' }] });
    const { sections } = await documentOf(client.get(`/api/articles/${documentId}?status=draft&populate=sections`));
    const [id] = idsOf(sections);
    const twice = ['two', 'three'].map((text) => ({ __component: 'blocks.quote', id, text }));
    await client.update(`/api/articles/${documentId}`, { sections: twice });
    const complaints = await check();
    await client.remove(`/api/articles/${documentId}`);
    expect(complaints).toEqual([]);
  });

  it('that two locales share are kept when both are written in one millisecond', async () => {
    const now = vi.spyOn(Date, 'now').mockReturnValue(2_000_000_000_000);
    const { documentId } = await create('articles', { links: [{ label: 'old', href: '/' }] });
    await client.update(`/api/articles/${documentId}?locale=fr`, { title: 'French' });
    now.mockReturnValue(2_000_000_000_020);
    await client.update(`/api/articles/${documentId}?status=draft`, { links: [{ label: 'kept', href: '/' }] });
    const french = `/api/articles/${documentId}?status=draft&locale=fr&populate=links`;
    const [id] = idsOf((await documentOf(client.get(french))).links);
    const updated = await documentOf(client.update(french, { links: [{ id }, { label: 'new', href: '/' }] }));
    expect((updated.links as { label: string }[]).map(({ label }) => label)).toEqual(['kept', 'new']);
  });

  it('of more than a thousand are kept when the next write follows at once', async () => {
    const now = vi.spyOn(Date, 'now').mockReturnValue(2_000_000_001_000);
    const links = Array.from({ length: 1_001 }, (_, index) => ({ label: `link ${index}`, href: '/' }));
    const { documentId } = await create('articles', { links });
    now.mockReturnValue(2_000_000_001_001);
    const path = `/api/articles/${documentId}?status=draft&populate=links`;
    const kept = idsOf((await documentOf(client.get(path))).links).map((id) => ({ id }));
    const updated = await documentOf(client.update(path, { links: [...kept, { label: 'new', href: '/' }] }));
    await client.remove(`/api/articles/${documentId}`);
    expect(updated.links).toHaveLength(1_002);
  });
});

describe('publication', () => {
  it('copies components and scalars of the same draft', async () => {
    const { documentId } = await create('articles', { price: 1, links: [{ label: 'old', href: '/' }] });
    await client.update(`/api/articles/${documentId}?locale=fr`, { title: 'French' });
    const shared = { price: 2, links: [{ label: 'new', href: '/' }] };
    const slow = whileItPlans(() => client.update(`/api/articles/${documentId}?status=draft`, shared));
    const published = await documentOf(
      slow.update(`/api/articles/${documentId}?locale=fr&populate=links`, { title: 'Published' }),
    );
    const [link] = published.links as { label: string }[];
    expect([published.price, link?.label]).toBeOneOf([
      [1, 'old'],
      [2, 'new'],
    ]);
  });
});

describe('a new locale', () => {
  const localized = { pluginOptions: { i18n: { localized: true } } };
  const registry = registryOf(
    [
      contentType(
        'note',
        {
          title: { type: 'string', ...localized },
          secret: { type: 'password' },
          raw: { type: 'json' },
          box: { type: 'component', component: 'some.box' },
        },
        { localized: true },
      ),
      contentType('target', { name: { type: 'string' } }),
    ],
    [component('some.box', { to: relation('oneToOne', 'target') })],
  );
  const notes = clientOf(serveRegistry(registry), 'full');
  const stored = async (column: string, documentId: string) =>
    (
      await env.DB.prepare(`select "${column}" as "value" from "notes" where document_id = ? and locale = 'en'`)
        .bind(documentId)
        .first()
    )?.value;

  beforeAll(() => createRegistryTables(registry));

  it('is created when a shared component holds a relation', async () => {
    const target = await documentOf(notes.create('/api/targets', { name: 'a' }));
    const { documentId } = await documentOf(
      notes.create('/api/notes', { title: 'en', box: { to: target.documentId } }),
    );
    expect((await notes.update(`/api/notes/${documentId}?locale=fr`, { title: 'fr' })).status).toBe(200);
  });

  it.each([
    ['secret', 'a secret'],
    ['raw', '"\\"12\\""'],
  ])('leaves the shared %s of the others as it was', async (name, value) => {
    const { documentId } = await documentOf(notes.create('/api/notes', { title: 'en', [name]: value }));
    const before = await stored(name, documentId);
    expect(before).toEqual(expect.any(String));
    await documentOf(notes.update(`/api/notes/${documentId}?locale=fr`, { title: 'fr' }));
    expect(await stored(name, documentId)).toBe(before);
  });

  it('as a draft does not give the drafts the ids of published components', async () => {
    const { documentId } = await create('articles', { links: [{ label: 'shared', href: '/' }] });
    await documentOf(client.update(`/api/articles/${documentId}?locale=fr&status=draft`, { title: 'French' }));
    const ids = async (search: string) =>
      idsOf((await documentOf(client.get(`/api/articles/${documentId}?populate=links${search}`))).links);
    const [live, draft] = [await ids(''), await ids('&status=draft')];
    await client.remove(`/api/articles/${documentId}?locale=*`);
    expect([live.length, draft.length]).toEqual([1, 1]);
    expect(draft).not.toEqual(live);
  });

  it('does not bring back a document that is deleted meanwhile', async () => {
    const { documentId } = await create('articles');
    const slow = whileItPlans(() => client.remove(`/api/articles/${documentId}?locale=*`));
    expect((await slow.update(`/api/articles/${documentId}?locale=fr`, { title: 'French' })).status).toBe(404);
  });
});

describe('a read of more than D1 can answer', () => {
  it('is refused and no failure', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    const author = await create('authors');
    for (let index = 0; index < 30; index += 1)
      await create('articles', { author: author.documentId, body: 'x'.repeat(200) });
    const populate = Array.from({ length: 6 }, (_, index) => (index % 2 === 0 ? 'articles' : 'author')).join('.');
    expect((await client.get(`/api/authors/${author.documentId}?populate=${populate}`)).status).toBe(400);
  });
});
