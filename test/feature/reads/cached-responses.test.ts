/**
 * @module Cached responses: none is returned when it is outdated, or lost when it is valid, whatever the request.
 */
import { beforeAll, expect, it } from 'vitest';
import { type ApiDocument, clientOf, documentOf } from '../../support/client.ts';
import { bearer, serve } from '../../support/recorded.ts';
import { formOf, postForm, TEXT, uploaded } from '../../support/uploads.ts';
import { openMagazine } from '../../support/world.ts';

const { client: writer, send } = openMagazine();
let tag: ApiDocument;

beforeAll(async () => {
  tag = await documentOf(writer.create('/api/tags', { name: 'One' }));
});

const head = (path: string, held?: string | null): Promise<Response> =>
  send(path, { method: 'HEAD', headers: { authorization: 'Bearer full', ...(held && { 'if-none-match': held }) } });

it.each(['/api/tags', '/api/users', '/api/upload/files'])(
  'HEAD of %s has no tag, since it has no values to make one of',
  async (path) => {
    const answer = await head(path);
    expect([answer.status, answer.headers.get('etag')]).toEqual([200, null]);
  },
);

it('HEAD is a 304 for a caller that holds the response to GET, until it changes', async () => {
  const held = (await serve()('/api/tags', bearer('full'))).headers.get('etag');
  expect((await head('/api/tags', held)).status).toBe(304);
  await documentOf(writer.update(`/api/tags/${tag.documentId}`, { name: 'Two' }));
  expect((await head('/api/tags', held)).status).toBe(200);
});

it('a query as long as the database accepts gets its response the second time, too', async () => {
  const filters = Array.from({ length: 65 }, (_, place) => `filters[$and][${place}]`);
  const path = `/api/articles?${filters.map((at) => `${at}[tags][articles][tags][articles][title][$ne]=x`).join('&')}`;
  const first = await writer.get(path);
  const held = first.headers.get('etag') ?? '';
  expect(first.status).toBe(200);
  expect((await writer.get(path)).status).toBe(200);
  const init = { headers: { authorization: 'Bearer full', 'if-none-match': held } };
  expect((await serve()(path, init)).status).toBe(304);
});

it('a response that is recomputed many times has the same limit each time', async () => {
  const [image] = await uploaded(postForm(send, formOf([TEXT])));
  const seo = { metaTitle: 'x'.repeat(50), shareImage: image?.id };
  const { documentId } = await documentOf(writer.create('/api/articles', { title: 'Weighed', seo }));
  const reader = clientOf(serve({ api: { rest: { limits: { answerBytes: 5_000 } } } }), 'full');
  const path = `/api/articles/${documentId}?populate[seo][populate]=shareImage`;
  for (let time = 0; time < 20; time += 1) {
    await documentOf(writer.update(`/api/articles/${documentId}`, { title: `Weighed ${time}` }));
    expect(await documentOf(reader.get(path))).toMatchObject({ title: `Weighed ${time}` });
  }
});
