/**
 * @module ra-strapi, marmelab's data provider and auth provider for react-admin and Strapi 5.
 */
import { register } from 'node:module';
import { exchanges, finish, must, mustFail, op, token, unique, url } from '../lib/checks.mjs';

register('./react-admin-stub.mjs', import.meta.url);
const { strapiDataProvider, strapiAuthProvider, strapiHttpClient } = await import(
  './node_modules/ra-strapi/esm/index.js'
);
const items = new Map();
globalThis.localStorage = {
  getItem: (key) => items.get(key) ?? null,
  setItem: (key, value) => items.set(key, value),
  removeItem: (key) => items.delete(key),
};
const provider = strapiDataProvider({
  baseURL: url,
  httpClient: strapiHttpClient({ authType: 'apiKey', apiKey: token }),
});
const list = (resource, more) =>
  provider.getList(resource, {
    pagination: { page: 1, perPage: 5 },
    sort: { field: 'id', order: 'ASC' },
    filter: {},
    ...more,
  });
let doc;
await op('getList: page, sort in capitals', async () => {
  const { data, total } = await list('articles', { sort: { field: 'title', order: 'DESC' } });
  must(data.length === 5 && total > 5 && typeof data[0].id === 'string', 'wrong');
});
await op('getList: filters', async () => {
  const filters = {
    title_contains: 'e',
    rating_gte: 1,
    format_in: ['essay', 'review'],
    featured_eq: false,
    slug_ne: 'x',
    summary_isnotnull: 1,
  };
  await list('articles', { filter: filters });
  await list('articles', { filter: { rating_between: [1, 5] } });
  await list('articles', { filter: { title_startswith: 'B' } });
});
await op("getList: full-text filter q, as react-admin's SearchInput sends", async () => {
  await list('articles', { filter: { q: 'bread' } });
});
await op('getOne', async () => {
  const { data } = await list('articles');
  must((await provider.getOne('articles', { id: data[0].id })).data.id === data[0].id, 'another');
});
await op('getMany (ReferenceField, ReferenceArrayField)', async () => {
  const { data } = await list('authors');
  const many = await provider.getMany('authors', { ids: data.slice(0, 2).map(({ id }) => id) });
  must(many.data.length === 2, `${many.data.length}`);
});
await op('getManyReference', async () => {
  const { data } = await list('articles');
  const author = data.find(({ author }) => author).author;
  const found = await provider.getManyReference('articles', {
    target: 'author',
    id: author,
    pagination: { page: 1, perPage: 3 },
    sort: { field: 'title', order: 'ASC' },
    filter: {},
  });
  must(found.total > 0, 'none');
});
await op('create', async () => {
  const { data } = await provider.create('articles', {
    data: { title: 'React admin', slug: unique('ra'), summary: '' },
  });
  doc = data.id;
  must(typeof doc === 'string', JSON.stringify(data));
  return `ref (the numeric id) ${data.ref === undefined ? 'missing' : 'there'}`;
});
await op('update: the whole record goes back, as an Edit form sends it', async () => {
  const { data } = await provider.getOne('articles', { id: doc });
  const sent = await provider.update('articles', {
    id: doc,
    data: { ...data, title: 'React admin 2' },
    previousData: data,
  });
  must(sent.data.title === 'React admin 2', 'no');
});
await op('update of a demo article with relations, component, zone', async () => {
  const { data } = await list('articles', { filter: { slug_eq: 'bread-for-four-hundred' } });
  await provider.update('articles', { id: data[0].id, data: { ...data[0] }, previousData: data[0] });
});
await op('update of a localized type (categories)', async () => {
  const { data } = await list('categories');
  await provider.update('categories', { id: data[0].id, data: { ...data[0] }, previousData: data[0] });
});
await op('update of an author (blocks, repeatable component)', async () => {
  const { data } = await list('authors');
  await provider.update('authors', { id: data[0].id, data: { ...data[0] }, previousData: data[0] });
});
await op('create with a file (multipart with data)', async () => {
  const { data } = await provider.create('articles', {
    data: {
      title: 'With a file',
      slug: unique('raf'),
      cover: { rawFile: new File(['x'], 'x.png', { type: 'image/png' }), title: 'x.png' },
    },
  });
  await provider.delete('articles', { id: data.id });
});
await op('updateMany (sends no data envelope)', async () => {
  await provider.updateMany('articles', { ids: [doc], data: { rating: 2 } });
});
await op('delete, deleteMany', async () => {
  await provider.delete('articles', { id: doc });
  must(exchanges.at(-1).status === 204, 'not 204');
  await provider.deleteMany('articles', { ids: [] });
});
await op('getList of users', async () => {
  await list('users');
});
await op('errors reach react-admin (message)', async () => {
  await mustFail(
    () => provider.create('articles', { data: { title: 'x'.repeat(300) } }),
    (e) => {
      must(e.status === 400, JSON.stringify(e));
    },
  );
});
const name = unique('ra');
await op('authProvider: login with email, identity', async () => {
  await fetch(`${url}/api/auth/local/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username: name, email: `${name}@example.com`, password: 'a long secret' }),
  });
  const auth = strapiAuthProvider({ baseURL: url });
  await auth.login({ email: `${name}@example.com`, password: 'a long secret' });
  must((await auth.getIdentity()).fullName === name, 'not me');
  await auth.checkAuth({});
  await auth.logout({});
});
finish();
