/**
 * @module `edgewise-client` with the Worker, on the content model of the demo.
 */
import { describe, expect, it } from 'vitest';
import {
  ConflictError,
  createClient,
  ForbiddenError,
  NotFoundError,
  PreconditionFailedError,
} from '../../../client/index.ts';
import type { ContentTypes } from '../../../types/content-types.d.ts';
import { demoRegistry } from '../../support/demo-registry.ts';
import { openWorld } from '../../support/world.ts';

const PUBLIC = ['article', 'author', 'homepage'].flatMap((name) =>
  ['find', 'findOne'].map((action) => `api::${name}.${name}.${action}`),
);
const { send } = openWorld(demoRegistry, {
  history: true,
  roles: { public: PUBLIC },
  populates: { 'api::article.article': { card: { fields: ['title'], populate: { author: true } } } },
});
const clientOf = (token?: string) =>
  createClient<ContentTypes>({ url: 'http://edgewise.test', token, fetch: (url, init) => send(url, init) });
const client = clientOf('full');
const visitor = clientOf();

const made = async (slug: string, more: object = {}) => {
  const { data } = await client.articles.create({ title: slug, slug, format: 'essay', ...more });
  return data.documentId;
};

describe('the client', () => {
  it('creates, reads, changes and deletes a document', async () => {
    const [author] = await client.$batch((batch) => [batch.authors.create({ name: 'Ines', slug: 'ines' })]);
    const documentId = await made('fog', { author: author.documentId, issueDate: '2026-03-01' });
    const { data, meta } = await visitor.articles.find({
      filters: { issueDate: { $gte: new Date('2026-02-01') }, author: { name: { $startsWith: 'In' } } },
      fields: ['title'],
      populate: { author: { fields: ['name'] } },
    });
    expect(data).toMatchObject([{ documentId, title: 'fog', author: { name: 'Ines' } }]);
    expect(meta.pagination).toMatchObject({ page: 1, total: 1 });
    expect((await client.articles.update(documentId, { summary: 'Grey' })).data.summary).toBe('Grey');
    expect(await client.articles.delete(documentId)).toBeNull();
    await expect(client.articles.findOne(documentId)).rejects.toBeInstanceOf(NotFoundError);
  });

  it('finds nothing by an empty list', async () => {
    await made('there');
    expect((await client.articles.find({ filters: { format: { $in: [] } } })).data).toEqual([]);
  });

  it('finds a document by a unique value, whatever it is', async () => {
    await made('night');
    expect((await visitor.articles.findOne({ slug: 'night' }, { populate: '@card' })).data.author).toBeNull();
    expect((await visitor.articles.findOne('slug:night')).data.title).toBe('night');
  });

  it('publishes, unpublishes and discards drafts, of collections and single types', async () => {
    const documentId = (await client.articles.create({ title: 'a', slug: 'a' }, { status: 'draft' })).data.documentId;
    expect((await client.articles.publish(documentId)).data.publishedAt).toEqual(expect.any(String));
    await client.articles.update(documentId, { title: 'b' }, { status: 'draft' });
    expect((await client.articles.discardDraft(documentId)).data.title).toBe('a');
    expect((await client.articles.unpublish(documentId)).data.publishedAt).toBeNull();
    const scheduled = await client.articles.publish(documentId, { at: new Date('2099-01-01') });
    expect(scheduled.data).toMatchObject({ action: 'publish', at: '2099-01-01T00:00:00.000Z' });
    await client.homepage.update({ headline: 'one' });
    expect((await visitor.homepage.find({ fields: ['headline'] })).data.headline).toBe('one');
  });

  it('restores a former version', async () => {
    const documentId = await made('one');
    await client.articles.update(documentId, { title: 'two' });
    const { data } = await client.articles.history(documentId);
    const first = data.at(-1)?.revision ?? '';
    expect((await client.articles.version(documentId, { revision: first })).data.title).toBe('one');
    expect((await client.articles.restore(documentId, { revision: first })).data.title).toBe('one');
  });

  it('reads all pages', async () => {
    for (const slug of ['p1', 'p2', 'p3']) await made(slug, { format: 'review' });
    const slugs: string[] = [];
    const query = { filters: { format: 'review' }, fields: ['slug'], pagination: { limit: 2 } } as const;
    for await (const { slug } of visitor.articles.each(query)) slugs.push(slug);
    expect(slugs.toSorted()).toEqual(['p1', 'p2', 'p3']);
  });

  it('writes nothing if the document is not as it was read', async () => {
    const documentId = await made('tagged');
    const { etag = '' } = await client.articles.findOne(documentId);
    await client.articles.update(documentId, { summary: 'first' }, { ifMatch: etag });
    const second = client.articles.update(documentId, { summary: 'second' }, { ifMatch: etag });
    await expect(second).rejects.toBeInstanceOf(PreconditionFailedError);
    expect((await client.articles.findOne(documentId)).data.summary).toBe('first');
  });

  it('creates once with a key, whatever is sent', async () => {
    const key = { idempotencyKey: 'k1' };
    const { data } = await client.categories.create({ name: 'Once', slug: 'once' }, key);
    expect((await client.categories.create({ name: 'Once', slug: 'once' }, key)).data).toEqual(data);
    await expect(client.categories.create({ name: 'Other', slug: 'other' }, key)).rejects.toBeInstanceOf(ConflictError);
  });

  it('throws what the server says', async () => {
    await expect(visitor.articles.create({ title: 'x', slug: 'x' })).rejects.toBeInstanceOf(ForbiddenError);
    const invalid = client.articles.create({ title: 'x', slug: 'x', rating: 9 });
    await expect(invalid).rejects.toMatchObject({
      name: 'ValidationError',
      status: 400,
      details: { errors: [{ path: ['rating'] }] },
    });
    const unknown = client.articles.find({ filters: { nope: 1 } } as object);
    await expect(unknown).rejects.toMatchObject({ details: { key: 'nope', param: 'filters' } });
  });

  it('uploads files, and attaches them', async () => {
    const documentId = await made('pictured');
    const file = new File(['words'], 'a.txt', { type: 'text/plain' });
    const target = { ref: 'api::article.article', refId: documentId, field: 'cover' };
    const [stored] = await client.$upload(file, { fileInfo: { caption: 'c' }, ...target });
    expect(stored).toMatchObject({ name: 'a.txt', caption: 'c' });
    const { data } = await client.articles.findOne(documentId, { status: 'draft', populate: { cover: true } });
    expect(data.cover?.url).toBe(stored?.url);
  });

  it('signs users up and in, and reads them', async () => {
    const account = { username: 'mira', email: 'mira@example.com', password: 'a long secret' };
    await visitor.$auth.register(account);
    const { jwt, user } = await visitor.$auth.local({ identifier: 'mira', password: 'a long secret' });
    expect(await clientOf(jwt).$users.me()).toMatchObject({ id: user.id, username: 'mira' });
    expect(await client.$users.count()).toBe(1);
    const changed = await client.$users.update(user.documentId, { username: 'mira2' });
    expect(changed.username).toBe('mira2');
    const [found] = await client.$users.find({ filters: { username: 'mira2' } });
    expect(found?.id).toBe(user.id);
    expect(await client.$users.delete(user.id)).toMatchObject({ id: user.id });
  });
});
