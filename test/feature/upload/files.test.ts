/**
 * @module Uploads by PUT, in parts and under odd names, files that nothing links to, and round trips.
 */
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { clientOf, documentOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { bytesOf, film, png } from '../../support/pictures.ts';
import { bearer, createToken, serve } from '../../support/recorded.ts';
import {
  bytesAt,
  clearMedia,
  END,
  expectBytesAt,
  type FileAnswer,
  formOf,
  MULTIPART,
  mismatches,
  postForm,
  rawPart,
  refusal,
  TEXT,
  uploaded,
  uploadOne,
} from '../../support/uploads.ts';
import { openMagazine } from '../../support/world.ts';

const { send } = openMagazine();

beforeEach(clearMedia);

describe('an upload with an empty id', () => {
  it.each(['?id=', '?id', '?other=1'])('adds a file: %s', async (query) => {
    expect((await postForm(send, formOf([TEXT]), query)).status).toBe(201);
    expect((await mismatches()).files).toBe(1);
  });
});

describe('PUT with an id', () => {
  it('is carried out each time, also with an Idempotency-Key', async () => {
    const { id } = await uploadOne(send, TEXT);
    for (const bytes of ['first', 'second']) {
      const headers = { authorization: 'Bearer full', 'idempotency-key': 'put' };
      const response = await send(`/api/upload?id=${id}`, {
        method: 'PUT',
        headers,
        body: formOf([{ ...TEXT, bytes }]),
      });
      expect([response.status, response.headers.get('idempotency-replayed')]).toEqual([200, null]);
      expect(await bytesAt(send, ((await response.json()) as FileAnswer).url)).toEqual(bytesOf(bytes));
    }
  });

  it('changes what is said about a file, and its bytes, by either id', async () => {
    const [file] = (await (await postForm(send, formOf([TEXT]))).json()) as [FileAnswer];
    const put = (query: string, body: BodyInit) =>
      send(`/api/upload${query}`, { method: 'PUT', body, ...bearer('full') });
    for (const id of [file.id, file.documentId]) {
      const changed = await put(`?id=${id}`, formOf([{ ...TEXT, bytes: `put by ${id}` }]));
      expect(changed.status).toBe(200);
      const { url } = (await changed.json()) as FileAnswer;
      expect(await bytesAt(send, url)).toEqual(bytesOf(`put by ${id}`));
    }
    expect(await refusal(put('', formOf([TEXT])))).toMatch(/^400 ValidationError: File id is required/);
    expect(await refusal(put('?id=987654', formOf([TEXT])))).toBe('404 NotFoundError: Entity not found');
  });
});

describe('a large file', () => {
  it('goes through the bucket in parts and comes back as it was', async () => {
    const bytes = film(20_000_000);
    const file = await uploadOne(send, { bytes, name: 'film.mp4', type: 'video/mp4' });
    expect(file).toMatchObject({ size: 20_000, mime: 'video/mp4', width: null });
    await expectBytesAt(send, file.url, bytes);
  });
});

describe('the name of a file', () => {
  it.each([
    ['filename="ü.txt"', 'ü.txt', '.txt'],
    ["filename*=UTF-8''%C3%BC.txt", 'ü.txt', '.txt'],
    ['filename="u.txt"; filename*=UTF-8\'\'%C3%BC.txt', 'u.txt', '.txt'],
    ['', 'unamed', '.txt'],
  ])('given as %j is %s', async (given, name, ext) => {
    const part = rawPart(`Content-Disposition: form-data; name="files"; ${given}\r\nContent-Type: text/plain`, 'x');
    const [file] = await uploaded(postForm(send, part + END, '', 'full', MULTIPART));
    expect(file).toMatchObject({ name, ext });
  });
});

describe('the list of files', () => {
  it('has those that nothing links to, for who may delete them', async () => {
    await createToken('lists', 'custom', ['plugin::upload.content-api.find']);
    for (const name of ['c.txt', 'a.txt', 'b.txt']) await uploadOne(send, { ...TEXT, name });
    const linked = async (name: string) => (await uploadOne(send, { ...TEXT, name })).id;
    const { create } = clientOf(send, 'full');
    await documentOf(create('/api/authors', { name: 'Ann', avatar: await linked('attribute.txt') }));
    await documentOf(
      create('/api/articles?status=draft', {
        title: 'A title',
        seo: { metaTitle: 'x', shareImage: await linked('component.txt') },
        sections: [{ __component: 'blocks.gallery', images: [await linked('zone.txt')] }],
      }),
    );
    const page = (query: string, token = 'full') => send(`/api/upload/files/page?${query}`, bearer(token));
    const found = (await (await page('unused=true&sort=name&fields=name')).json()) as { data: FileAnswer[] };
    expect(found.data.map(({ name }) => name)).toEqual(['a.txt', 'b.txt', 'c.txt']);
    expect(await refusal(page('unused=true', 'lists'))).toBe('403 ForbiddenError: Forbidden');
  });

  it('refuses a page that is not in the `pagination` object', async () => {
    for (const query of ['page=1', 'pageSize=x', 'page=1&start=0'])
      expect(await refusal(send(`/api/upload/files/page?${query}`, bearer('full')))).toContain(
        '400 PaginationError: Invalid pagination attributes.',
      );
  });
});

describe('round trips', () => {
  it('are one for a read, and two for anything that is written', async () => {
    const { id } = await uploadOne(send, TEXT);
    const counted = countedDatabase(env.DB);
    const watched = serve({}, { DB: counted.database });
    const count = async (work: () => Promise<Response>) => {
      counted.batches.length = 0;
      expect((await work()).ok).toBe(true);
      return counted.answering().length;
    };
    const form = formOf([TEXT, { bytes: await png(400, 300), name: 'a.png' }]);
    expect(await count(() => watched('/api/upload/files', bearer('full')))).toBe(1);
    expect(await count(() => watched('/api/upload/files/page', bearer('full')))).toBe(1);
    expect(await count(() => watched(`/api/upload/files/${id}?populate=*`, bearer('full')))).toBe(1);
    expect(await count(() => postForm(watched, form))).toBe(2);
    expect(await count(() => postForm(watched, formOf([TEXT]), `?id=${id}`))).toBe(2);
    const info = formOf([], { fileInfo: '{"caption":"x"}' });
    expect(await count(() => postForm(watched, info, `?id=${id}`))).toBe(2);
    expect(await count(() => watched(`/api/upload/files/${id}`, { method: 'DELETE', ...bearer('full') }))).toBe(2);
    expect(await count(() => watched('/uploads/nothing.txt').then(() => new Response()))).toBe(0);
  });
});
