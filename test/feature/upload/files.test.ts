/**
 * @module Uploading, changing, listing and deleting files, and who may.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dimensionsOf } from '../../../src/features/files/pictures.ts';
import { clientOf, documentOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { boxedPicture, brands, bytesOf, film, png, turnedPng, turnedWebp } from '../../support/pictures.ts';
import { bearer, createToken, serve } from '../../support/recorded.ts';
import {
  bytesAt,
  clearMedia,
  END,
  expectBytesAt,
  type FileAnswer,
  formOf,
  listedFiles,
  MULTIPART,
  mismatches,
  objectKeys,
  postForm,
  rawPart,
  refusal,
  TEXT,
  uploaded,
  uploadOne,
} from '../../support/uploads.ts';
import { openMagazine } from '../../support/world.ts';

const { send } = openMagazine();
const FORBIDDEN = '403 ForbiddenError: Forbidden';
const action = (name: string) => `plugin::upload.content-api.${name}`;

beforeAll(async () => {
  await createToken('reads', 'read-only');
  await createToken('uploads', 'custom', [action('upload')]);
  await createToken('lists', 'custom', [action('find')]);
});
beforeEach(clearMedia);

describe('a caller', () => {
  it('without the grant is refused before the body is read', async () => {
    for (const token of ['reads', 'lists'])
      expect(await refusal(postForm(send, 'no form at all', '', token, 'multipart/form-data'))).toBe(FORBIDDEN);
    expect(await refusal(send('/api/upload', { method: 'POST' }))).toBe(FORBIDDEN);
    expect(await refusal(postForm(send, formOf([TEXT]), '', 'nobody'))).toContain('401 UnauthorizedError');
    expect(await objectKeys()).toEqual([]);
  });

  it('has each action by itself', async () => {
    const [{ id } = { id: 0 }] = await uploaded(postForm(send, formOf([TEXT]), '', 'uploads'));
    const status = async (method: string, path: string, token: string) =>
      (await send(path, { method, ...bearer(token) })).status;
    expect(await status('GET', '/api/upload/files', 'uploads')).toBe(403);
    expect(await status('GET', '/api/upload/files', 'lists')).toBe(200);
    expect(await status('GET', '/api/upload/files/page', 'lists')).toBe(200);
    expect(await status('GET', `/api/upload/files/${id}`, 'lists')).toBe(403);
    expect(await status('GET', `/api/upload/files/${id}`, 'reads')).toBe(200);
    expect(await status('DELETE', `/api/upload/files/${id}`, 'reads')).toBe(403);
    expect(await status('DELETE', `/api/upload/files/${id}`, 'uploads')).toBe(403);
  });

  it('may be the public, where its role says so', async () => {
    const open = serve({ roles: { public: [action('upload')] } });
    const response = await open('/api/upload', { method: 'POST', body: formOf([TEXT]) });
    expect(response.status).toBe(201);
  });

  it('needs to be able to update a document to attach to it', async () => {
    const form = formOf([TEXT], { ref: 'api::article.article', refId: '1', field: 'cover' });
    expect(await refusal(postForm(send, form, '', 'uploads'))).toBe(FORBIDDEN);
    expect(await objectKeys()).toEqual([]);
  });
});

describe('a file that is changed', () => {
  it('is named by its id or its documentId', async () => {
    const file = await uploadOne(send, TEXT);
    const say = (id: unknown, caption: string) =>
      postForm(send, JSON.stringify({ fileInfo: { caption } }), `?id=${id}`, 'full', 'application/json');
    for (const id of [file.id, file.documentId]) {
      expect(await (await say(id, `by ${id}`)).json()).toMatchObject({ id: file.id, caption: `by ${id}` });
      const bytes = await postForm(send, formOf([{ ...TEXT, bytes: `bytes of ${id}` }]), `?id=${id}`);
      const { url } = (await bytes.json()) as FileAnswer;
      expect(await bytesAt(send, url)).toEqual(bytesOf(`bytes of ${id}`));
    }
    for (const id of ['abcdefghijklmnopqrstuvwx', 987654, '1e0', ' 1', '9'.repeat(30)])
      expect(await refusal(say(id, 'x'))).toBe('404 NotFoundError: Entity not found');
  });
});

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

describe('the path of uploads', () => {
  it.each([
    ['PATCH', '/api/upload', 'HEAD, GET, POST, PUT'],
    ['PUT', '/api/upload/files/1', 'HEAD, GET, DELETE'],
    ['POST', '/api/upload/files', 'HEAD, GET'],
    ['POST', '/uploads/x.png', 'HEAD, GET'],
  ])('%s %s is answered with the methods it has', async (method, path, allow) => {
    const response = await send(path, { method, ...bearer('full') });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe(allow);
  });

  it('takes any case and a slash at the end', async () => {
    const response = await send('/API/Upload/', { method: 'POST', body: formOf([TEXT]), ...bearer('full') });
    expect(response.status).toBe(201);
  });
});

describe('a picture', () => {
  it('is stored with its size and in the formats that are smaller than it', async () => {
    const file = await uploadOne(send, { bytes: await png(1200, 800), name: 'Große Fahrt.PNG', type: 'image/png' });
    expect(file).toMatchObject({ name: 'Große Fahrt.PNG', width: 1200, height: 800, ext: '.PNG', mime: 'image/png' });
    expect(file.hash).toMatch(/^Grosse_Fahrt_[0-9a-f]{10}$/);
    expect(file.url).toBe(`/uploads/${file.hash}.PNG`);
    const sizes = Object.entries(file.formats ?? {}).map(([name, { width }]) => [name, width]);
    expect(sizes).toEqual([
      ['thumbnail', 234],
      ['large', 1000],
      ['medium', 750],
      ['small', 500],
    ]);
    for (const { url } of Object.values(file.formats ?? {}))
      expect((await bytesAt(send, url)).slice(1, 4)).toEqual(bytesOf('PNG'));
    expect(await objectKeys()).toHaveLength(5);
  });

  it.each<[string, () => Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>>]>([
    ['a.png', () => turnedPng(600, 400, 6)],
    ['a.webp', () => turnedWebp(8)],
    ['b.webp', () => turnedWebp(5, 'Exif\0\0')],
  ])(
    'that is stored on its side has the size in which it is seen, and so have its formats: %s',
    async (name, bytes) => {
      const file = await uploadOne(send, { bytes: await bytes(), name });
      expect(file).toMatchObject({ width: 400, height: 600 });
      const sizes = Object.values(file.formats ?? {}).map(({ width, height }) => [width, height]);
      expect(sizes).toEqual([
        [104, 156],
        [333, 500],
      ]);
      for (const { url, width, height } of Object.values(file.formats ?? {}))
        expect(dimensionsOf(await bytesAt(send, url), file.mime)).toEqual({ width, height });
    },
  );

  it('of a camera or of AVIF is one by any brand of it, and has the size in which it is seen', async () => {
    const types = await Promise.all(
      [
        ['a.heic', brands('heix', 'mif1', 'heix')],
        ['a.heif', brands('mif1', 'heic')],
        ['a.avif', brands('mif1', 'avif')],
      ].map(async ([name, ftyp]) => {
        const file = { bytes: boxedPicture(ftyp as Uint8Array, [3, 0]), name: name as string };
        const { mime, width, height } = await uploadOne(send, file);
        return [mime, width, height];
      }),
    );
    expect(types).toEqual(['heic', 'heif', 'avif'].map((type) => [`image/${type}`, 400, 600]));
  });

  it('has the formats of the settings', async () => {
    const own = serve({ upload: { breakpoints: { card: 300 }, publicUrl: 'https://media.example.com' } });
    const { formats, url, hash } = await uploadOne(own, { bytes: await png(400, 300), name: 'a.png' });
    expect(Object.keys(formats ?? {})).toEqual(['thumbnail', 'card']);
    expect(url).toBe(`https://media.example.com/${hash}.png`);
    expect(formats?.card?.url).toBe(`https://media.example.com/card_${hash}.png`);
  });

  it('has no formats where the Images binding is missing', async () => {
    const without = serve({}, { IMAGES: undefined } as never);
    const file = await uploadOne(without, { bytes: await png(1200, 800), name: 'a.png' });
    expect(file).toMatchObject({ width: 1200, height: 800, formats: null });
    expect(await objectKeys()).toHaveLength(1);
  });

  it('whose formats cannot be made is stored without them', async () => {
    const whole = await png(1200, 800);
    const file = await uploadOne(send, { bytes: whole.slice(0, 60), name: 'cut.png' });
    expect(file).toMatchObject({ width: 1200, height: 800, formats: null });
    expect((await mismatches()).orphans).toEqual([]);
  });
});

describe('a large file', () => {
  const bytes = film(20_000_000);

  it('goes through the bucket in parts and comes back as it was', async () => {
    const file = await uploadOne(send, { bytes, name: 'film.mp4', type: 'video/mp4' });
    expect(file).toMatchObject({ size: 20_000, mime: 'video/mp4', width: null });
    await expectBytesAt(send, file.url, bytes);
  });

  it('has formats when it is a picture', async () => {
    const start = await png(600, 400);
    const whole = new Uint8Array(9_000_000);
    whole.set(start);
    const { formats } = await uploadOne(send, { bytes: whole, name: 'big.png' });
    expect(Object.keys(formats ?? {})).toEqual(['thumbnail', 'small']);
  });

  it('is one of many in a request of more than memory should hold', async () => {
    const files = [1, 2, 3, 4].map((n) => ({ bytes: film(5_000_000 + n), name: `${n}.mp4`, type: 'video/mp4' }));
    const answer = await uploaded(postForm(send, formOf(files)));
    expect(answer.map(({ size }) => size)).toEqual([5_000, 5_000, 5_000, 5_000]);
    await expectBytesAt(send, answer[1]?.url ?? '', film(5_000_002));
    expect((await mismatches()).orphans).toEqual([]);
  });
});

describe('fileInfo', () => {
  it('names the file, and its hash too', async () => {
    const info = { name: 'Other name.txt', caption: 'Cap', focalPoint: { x: 10, y: 90 } };
    const file = await uploadOne(send, TEXT, { fileInfo: JSON.stringify(info) });
    expect(file).toMatchObject(info);
    const cast = JSON.stringify({ caption: 5, focalPoint: '{"x":"1","y":2.5}' });
    expect(await uploadOne(send, TEXT, { fileInfo: cast })).toMatchObject({
      caption: '5',
      focalPoint: { x: 1, y: 2.5 },
    });
    expect((await uploadOne(send, TEXT, { fileInfo: '{"focalPoint":[]}' })).focalPoint).toBe(null);
    expect(file.hash).toMatch(/^Other_name_/);
  });

  it('of several files is one text each, or one list', async () => {
    const infos = [{ caption: 'one' }, { caption: 'two' }];
    const form = formOf([TEXT, TEXT]);
    for (const info of infos) form.append('fileInfo', JSON.stringify(info));
    const captions = async (body: FormData) => (await uploaded(postForm(send, body))).map(({ caption }) => caption);
    expect(await captions(form)).toEqual(['one', 'two']);
    expect(await captions(formOf([TEXT, TEXT], { fileInfo: JSON.stringify(infos) }))).toEqual(['one', 'two']);
  });

  it('alone changes what it names, as a form and as JSON', async () => {
    const { id, hash } = await uploadOne(send, TEXT, { fileInfo: '{"caption":"old"}' });
    const form = formOf([], { fileInfo: '{"alternativeText":"new"}' });
    const [changed] = await uploaded(postForm(send, form, `?id=${id}`));
    expect(changed).toMatchObject({ id, hash, name: 'note.txt', alternativeText: 'new', caption: 'old' });
    const json = JSON.stringify({ fileInfo: { name: 'b.txt' } });
    const [renamed] = await uploaded(postForm(send, json, `?id=${id}`, 'full', 'application/json'));
    expect(renamed).toMatchObject({ name: 'b.txt', alternativeText: 'new', hash });
    for (const body of [formOf([]), formOf([], { x: 'y' })])
      expect((await uploaded(postForm(send, body, `?id=${id}`)))[0]).toMatchObject({ name: 'b.txt', caption: 'old' });
    const bracketed = formOf([], { 'fileInfo[caption]': 'new', 'x[y]': '1' });
    expect((await uploaded(postForm(send, bracketed, `?id=${id}`)))[0]).toMatchObject({
      name: 'b.txt',
      caption: 'new',
    });
    expect(await uploadOne(send, TEXT, { 'fileInfo[name]': 'c.txt' })).toMatchObject({ name: 'c.txt', caption: null });
    const [unsaid] = await uploaded(postForm(send, '{}', `?id=${id}`, 'full', 'application/json'));
    expect(unsaid).toMatchObject({ name: 'b.txt', caption: 'new' });
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
  beforeEach(async () => {
    for (const name of ['c.txt', 'a.txt', 'b.txt']) await uploadOne(send, { ...TEXT, name });
  });
  const names = async (query: string) => (await listedFiles(send, query)).map(({ name }) => name);

  it('is bare, filtered, sorted and cut', async () => {
    expect(await names('')).toEqual(['c.txt', 'a.txt', 'b.txt']);
    expect(await names('?sort=name&start=1&limit=1')).toEqual(['b.txt']);
    expect(await names('?filters[name][$in][0]=a.txt&filters[name][$in][1]=c.txt&sort=name:desc')).toEqual([
      'c.txt',
      'a.txt',
    ]);
    expect(await names('?_q=UPLOADS/B_')).toEqual(['b.txt']);
  });

  it('comes in pages too', async () => {
    const response = await send('/api/upload/files/page?sort=name&pagination[pageSize]=2&fields=name', bearer('full'));
    const { data, meta } = (await response.json()) as { data: FileAnswer[]; meta: unknown };
    expect(data.map(({ name, isUrlSigned }) => [name, isUrlSigned])).toEqual([
      ['a.txt', false],
      ['b.txt', false],
    ]);
    expect(meta).toEqual({ pagination: { page: 1, pageSize: 2, pageCount: 2, total: 3 } });
  });

  it('has those that nothing links to, for who may delete them', async () => {
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
    expect(await refusal(page('unused=true', 'lists'))).toBe(FORBIDDEN);
  });

  it('refuses what does not exist, and what is private', async () => {
    for (const query of [
      'fields=nope',
      'filters[folderPath]=/',
      'sort=folder',
      'populate=folder',
      'filters[related]=1',
    ])
      expect(await refusal(send(`/api/upload/files?${query}`, bearer('full')))).toContain('400 ValidationError: Inval');
    expect(await refusal(send('/api/upload/files?start=x', bearer('full')))).toContain('convertStartQueryParams');
    for (const query of ['page=1', 'pageSize=x', 'page=1&start=0'])
      expect(await refusal(send(`/api/upload/files/page?${query}`, bearer('full')))).toContain(
        '400 PaginationError: Invalid pagination attributes.',
      );
    expect(await refusal(send('/api/upload/files/1?fields=nope', bearer('full')))).toContain('Invalid key nope');
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
