/**
 * @module openapi-fetch on types that openapi-typescript has made of openapi.json; `tsc` says whether this is typed.
 */
import createClient from 'openapi-fetch';
import qs from 'qs';
import type { components, paths } from './api';

const baseUrl = process.env.EDGEWISE_URL ?? 'http://127.0.0.1:8787';
// openapi-fetch itself writes no nested parameters.
const querySerializer = (query: Record<string, unknown>) => qs.stringify(query, { encodeValuesOnly: true });
const client = createClient<paths>({
  baseUrl,
  querySerializer,
  headers: { Authorization: `Bearer ${process.env.EDGEWISE_TOKEN}` },
});
const fail = (text: string): never => {
  throw new Error(text);
};
const steps: [string, () => Promise<unknown>][] = [
  [
    'list with filters, sort, populate, pagination',
    async () => {
      const { data, error } = await client.GET('/api/articles', {
        params: {
          query: {
            filters: { title: { $contains: 'e' }, rating: { $gte: 1 } },
            sort: ['title:asc'],
            populate: ['author'],
            pagination: { page: 1, pageSize: 2 },
          },
        },
      });
      if (error) fail(JSON.stringify(error));
      const first: components['schemas']['Article'] | undefined = data?.data[0];
      return `${data?.data.length} ${first?.title} ${data?.meta.pagination?.total}`;
    },
  ],
  [
    'create, get, update, delete',
    async () => {
      const made = await client.POST('/api/articles', {
        body: { data: { title: 'Typed', slug: `typed-${Date.now()}` } },
      });
      const id =
        (made.data as { data: { documentId: string } } | undefined)?.data.documentId ??
        fail(JSON.stringify(made.error));
      const got = await client.GET('/api/articles/{documentId}', { params: { path: { documentId: id } } });
      if (got.data?.data.title !== 'Typed') fail('another');
      const put = await client.PUT('/api/articles/{documentId}', {
        params: { path: { documentId: id } },
        body: { data: { summary: null } },
      });
      if (put.error) fail(JSON.stringify(put.error));
      const gone = await client.DELETE('/api/articles/{documentId}', { params: { path: { documentId: id } } });
      return gone.response.status;
    },
  ],
  ['single type', async () => (await client.GET('/api/homepage', {})).data?.data.headline ?? fail('none')],
  [
    'register, log in, me',
    async () => {
      const name = `typed${Date.now()}`;
      const { data, error } = await client.POST('/api/auth/local/register', {
        body: { username: name, email: `${name}@example.com`, password: 'a long secret' },
      });
      if (error) fail(JSON.stringify(error));
      const me = await client.GET('/api/users/me', {
        headers: { Authorization: `Bearer ${(data as { jwt: string }).jwt}` },
      });
      return JSON.stringify(me.data);
    },
  ],
  [
    'an error is typed',
    async () => {
      const { error } = await client.GET('/api/articles/{documentId}', { params: { path: { documentId: 'x' } } });
      return error?.error.name ?? fail('no error');
    },
  ],
];
for (const [title, run] of steps)
  try {
    await run();
    console.log(`ok ${title}`);
  } catch (error) {
    console.log(`fails ${title}: ${(error as Error).message.slice(0, 200)}`);
  }
