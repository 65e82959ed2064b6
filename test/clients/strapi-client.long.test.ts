/**
 * @module `@strapi/client`, the official one.
 */
import { strapi } from '@strapi/client';
import { describe, expect, it } from 'vitest';
import { account, PASSWORD, PNG, token, unique, url } from './requests.ts';

const baseURL = `${url}/api`;
const anonymous = strapi({ baseURL });
const client = strapi({ baseURL, auth: token, headers: { 'X-Custom-Header': 'value', 'Accept-Language': 'en-US' } });
const articles = client.collection('articles');

const post = (path: string, body: unknown) =>
  anonymous.fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

describe('errors', () => {
  it.each([
    ['HTTPBadRequestError', () => articles.find({ filters: { nope: 1 } })],
    ['HTTPAuthorizationError', () => strapi({ baseURL, auth: 'nonsense' }).collection('articles').find()],
    ['HTTPForbiddenError', () => anonymous.collection('articles').create({ title: 'x' })],
    ['HTTPNotFoundError', () => anonymous.collection('nothing').find()],
  ])('are of the class %s', async (name, run) => {
    await expect(run()).rejects.toMatchObject({ name });
  });
});

describe('a collection', () => {
  it('is listed without a token, as far as the public may', async () => {
    const { data, meta } = await anonymous.collection('articles').find();
    expect(data.length).toBeGreaterThan(3);
    expect(meta.pagination?.total).toBeGreaterThanOrEqual(data.length);
  });

  it('is filtered, sorted, populated and paged by objects', async () => {
    const filters = {
      $and: [
        { rating: { $gte: 3 } },
        { $or: [{ format: { $in: ['essay', 'review'] } }, { author: { name: { $startsWith: 'A' } } }] },
      ],
    };
    const populate = {
      author: { fields: ['name'], populate: { avatar: true } },
      categories: { sort: ['name:asc'] },
      cover: true,
      seo: { populate: '*' },
      sections: { on: { 'content.quote': { populate: '*' }, 'content.text': true } },
    };
    const { data, meta } = await articles.find({
      filters,
      populate,
      sort: ['rating:desc', 'title'],
      fields: ['title', 'rating'],
      pagination: { page: 1, pageSize: 3 },
    });
    expect(data).toHaveLength(3);
    expect(Object.keys(data[0] ?? {})).toEqual(expect.arrayContaining(['author', 'categories', 'cover', 'sections']));
    expect(meta.pagination).toMatchObject({ page: 1, pageSize: 3 });
  });

  it('is asked with texts, dates, nulls, flags and empty lists', async () => {
    const { data } = await articles.find({ sort: 'title', populate: '*' });
    expect(data[0]?.categories).toBeInstanceOf(Array);
    expect((await articles.find({ filters: { format: { $in: [] } } })).data).toEqual([]);
    const soon = { updatedAt: { $lt: new Date(Date.now() + 1e7) } };
    expect((await articles.find({ filters: soon })).data.length).toBeGreaterThan(0);
    await articles.find({ filters: { summary: { $null: true }, featured: { $eq: false } } });
  });

  it('has other locales', async () => {
    const { data } = await client.collection('categories').find({ locale: 'fr' });
    expect(new Set(data.map(({ locale }) => locale))).toEqual(new Set(['fr']));
    const locales = (await (await client.fetch('/i18n/locales')).json()) as readonly { readonly code: string }[];
    expect(locales.map(({ code }) => code)).toEqual(['en', 'fr']);
  });
});

describe('a document', () => {
  it('is made, read, changed and deleted', async () => {
    const { data } = await articles.create({ title: unique('Client'), slug: unique('client'), keywords: { a: [1] } });
    const { documentId } = data;
    expect((await articles.findOne(documentId, { populate: '*' })).data.keywords).toEqual({ a: [1] });
    const { data: changed } = await articles.update(documentId, { summary: 'short' }, { fields: ['summary'] });
    expect(changed.summary).toBe('short');
    await articles.delete(documentId);
    await expect(articles.findOne(documentId)).rejects.toMatchObject({ name: 'HTTPNotFoundError' });
  });

  it('has a draft of its own', async () => {
    const slug = unique('draft');
    const { data } = await articles.create({ title: 'Published', slug });
    await articles.update(data.documentId, { title: 'Draft' }, { status: 'draft' });
    expect((await articles.findOne(data.documentId, { status: 'draft' })).data.title).toBe('Draft');
    expect((await articles.findOne(data.documentId)).data.title).toBe('Published');
    const { data: other } = await articles.create({ title: 'D' }, { status: 'draft' });
    expect(other.publishedAt).toBeNull();
    for (const { documentId } of [data, other]) await articles.delete(documentId);
  });

  it('that is the only one of its type is read and changed', async () => {
    const homepage = client.single('homepage');
    const { headline } = (await homepage.find({ populate: '*' })).data;
    await homepage.update({ headline: 'Changed' });
    expect((await homepage.find()).data.headline).toBe('Changed');
    await homepage.update({ headline });
  });

  it('shows a preview its draft, with the header of the visual editor', async () => {
    const preview = strapi({ baseURL, auth: token, headers: { 'strapi-encode-source-maps': 'true' } });
    const { data } = await preview.collection('articles').find({ status: 'draft', fields: ['title'] });
    expect(data.length).toBeGreaterThan(0);
  });
});

describe('a file', () => {
  it('is uploaded as a Blob, listed, found, changed and deleted', async () => {
    const [file] = await client.files.upload(new Blob([PNG], { type: 'image/png' }));
    if (!file) throw new Error('no file');
    expect(file.mime).toBe('image/png');
    const list = await client.files.find({ filters: { mime: { $contains: 'image' } }, sort: 'name:asc' });
    expect(list.map(({ id }) => id)).toContain(file.id);
    expect((await client.files.findOne(file.id)).id).toBe(file.id);
    const info = { alternativeText: 'changed', name: 'renamed.png', caption: 'c' };
    expect(await client.files.update(file.id, info)).toMatchObject(info);
    await client.files.delete(file.id);
    await expect(client.files.findOne(file.id)).rejects.toThrow();
  });

  it('is uploaded as a Buffer, with what is said of it', async () => {
    const fileInfo = { alternativeText: 'dot', caption: 'c', name: 'dot' };
    const [file] = await client.files.upload(Buffer.from(PNG), { filename: 'd.png', mimetype: 'image/png', fileInfo });
    expect(file).toMatchObject({ alternativeText: 'dot', caption: 'c' });
    await client.files.delete(file?.id ?? 0);
  });
});

describe('a user', () => {
  it('registers, signs in, and reads what is told of them', async () => {
    const username = unique('user');
    const { jwt } = (await (await post('/auth/local/register', account(username))).json()) as { jwt: string };
    const me = await strapi({ baseURL, auth: jwt }).fetch('/users/me');
    expect(await me.json()).toMatchObject({ username });
    const again = await post('/auth/local', { identifier: username, password: PASSWORD });
    expect(await again.json()).toMatchObject({ user: { username } });
  });

  it('is listed, made, changed and deleted as a document of the plugin', async () => {
    const users = client.collection('users');
    expect(await users.find()).toBeInstanceOf(Array);
    const username = unique('user');
    const made = (await users.create({ ...account(username), role: 1 })) as unknown as { readonly id: string };
    await users.update(made.id, { username: `${username}2` });
    expect(await users.findOne(made.id)).toMatchObject({ username: `${username}2` });
    await users.delete(made.id);
  });
});
