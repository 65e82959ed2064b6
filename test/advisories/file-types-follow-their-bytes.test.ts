/**
 * @module Attacks by files: on browsers that show them, on files of others, on the bucket, and on whoever makes formats.
 * Names and types that are refused are in test/feature/upload/bad-input.test.ts, with the advisories they go back to.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { bytesOf, png } from '../support/pictures.ts';
import { bearer, createTables, createToken, sendJson, serve } from '../support/recorded.ts';
import {
  clearMedia,
  END,
  type FileAnswer,
  formOf,
  MULTIPART,
  mismatches,
  objectKeys,
  postForm,
  rawPart,
  refusal,
  TEXT,
  uploaded,
  uploadOne,
} from '../support/uploads.ts';

const send = serve();
const PAGE = '<!doctype html><script>alert(1)</script>';
const SECRET = 'kept apart';

beforeAll(async () => {
  await createTables();
  await createToken('full', 'full-access');
  await createToken('uploads', 'custom', ['plugin::upload.content-api.upload']);
});
beforeEach(clearMedia);

const textOf = async (response: Response) => new TextDecoder().decode(await response.arrayBuffer());
const textAt = async (path: string) => textOf(await send(path));

/** One file whose part has these headers, as no browser would write them. */
const rawFile = (filename: string, type: string, content: string) =>
  postForm(
    send,
    bytesOf(
      rawPart(
        `Content-Disposition: form-data; name="files"; filename="${filename}"\r\nContent-Type: ${type}`,
        content,
      ) + END,
    ),
    '',
    'full',
    MULTIPART,
  );

/** CVE-2026-22707, GHSA-pcw7-5633-82vv; Payload CVE-2022-27952, CVE-2026-34748 */
describe('having a browser run a file', () => {
  const INERT = { 'x-content-type-options': 'nosniff', 'content-security-policy': expect.stringMatching(/sandbox$/) };

  it.each([
    'image/x,text/html',
    'image/x, image/svg+xml',
    'image/x text/html',
    'image/x\ttext/html',
    'video/"',
    'image/*',
    'image/',
  ])('by a type that a browser reads otherwise: %j', async (type) => {
    expect(await refusal(rawFile('page', type, '<b></b><script>alert(1)</script>'))).toBe(
      `400 ValidationError: File type '${type}' is not allowed`,
    );
    expect(await objectKeys()).toEqual([]);
  });

  it.each(['image/svg+xml; charset=utf-8', 'IMAGE/SVG+XML', 'image/svg+xml;,text/plain'])(
    'by a type that is denied, written otherwise: %s',
    async (type) => {
      expect(await refusal(rawFile('picture', type, 'no markup at all'))).toContain("'image/svg+xml' is not allowed");
    },
  );

  const DISGUISED = '<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:script>alert(1)</s:script></s:svg>';
  const open = serve({ upload: { allowedTypes: null, deniedTypes: [] } });

  it.each([
    'image/x+xml',
    'image/foo+xml',
    'image/svg',
    'image/svg-xml',
    'audio/x+xml',
    'video/html',
    'text/xml',
    'text/xsl',
    'text/html; charset=utf-8',
    'text/plain+xml',
    'application/xhtml+xml',
    'application/rdf+xml',
    'application/pdf+xml',
    'image/svg+xml;x',
    'multipart/x-mixed-replace',
    'multipart/related;boundary=x',
    'message/rfc822',
    'x/y',
  ])('by a type that no browser is known to show harmlessly: %s', async (type) => {
    const part = `Content-Disposition: form-data; name="files"; filename="picture"\r\nContent-Type: ${type}`;
    const body = bytesOf(rawPart(part, DISGUISED) + END);
    const [file] = await uploaded(postForm(open, body, '', 'full', MULTIPART));
    const served = await send(file?.url ?? '');
    expect(await textOf(served)).toBe(DISGUISED);
    expect(Object.fromEntries(served.headers)).toMatchObject({ ...INERT, 'content-disposition': 'attachment' });
    expect(served.headers.get('content-type')).not.toMatch(/^(multipart|message)/);
    const { httpMetadata } = (await env.MEDIA.head((await objectKeys())[0] ?? '')) ?? {};
    expect(httpMetadata).toMatchObject({ contentDisposition: 'attachment' });
    expect(httpMetadata?.contentType).not.toMatch(/^(multipart|message)/);
  });

  it.each([
    ['image/x+xml', 'image/x+xml'],
    ['IMAGE/SVG+XML', 'image/svg+xml'],
    ['image/svg+xml; charset=utf-8', 'image/svg+xml'],
    ['image/png, text/html', 'application/octet-stream'],
    ['image/png text/html', 'application/octet-stream'],
    ['multipart/x-mixed-replace;boundary=image/png', 'application/octet-stream'],
    ['', 'application/octet-stream'],
  ])('by a type that the bucket has from elsewhere: %j', async (contentType, sent) => {
    await env.MEDIA.put('old', DISGUISED, { httpMetadata: { contentType } });
    for (const init of [{}, { method: 'HEAD' }, { headers: { range: 'bytes=0-9' } }]) {
      const { headers } = await send('/uploads/old', init);
      expect(Object.fromEntries(headers)).toMatchObject({
        ...INERT,
        'content-type': sent,
        'content-disposition': 'attachment',
      });
    }
  });

  it('by taking the place of a picture that pages show already', async () => {
    const { id, url } = await uploadOne(send, { bytes: await png(10, 10), name: 'logo.png' });
    const before = await textAt(url);
    for (const [name, type] of [
      ['page.html', 'text/html'],
      ['logo.png', 'image/png'],
      ['logo.svg', 'image/svg+xml'],
    ] as const) {
      const form = formOf([{ bytes: PAGE, name, type }]);
      expect((await postForm(send, form, `?id=${id}`)).status).toBe(400);
    }
    expect(await textAt(url)).toBe(before);
  });

  it('by another name for a file that was taken', async () => {
    const { id, url } = await uploadOne(send, TEXT);
    const info = {
      fileInfo: JSON.stringify({ name: 'page.html', ext: '.html', mime: 'text/html', url: '/page.html' }),
    };
    const [renamed] = await uploaded(postForm(send, formOf([], info), `?id=${id}`));
    expect(renamed).toMatchObject({ name: 'page.html', ext: '.txt', mime: 'text/plain', url });
    const named = await uploadOne(send, TEXT, info);
    expect(named).toMatchObject({ ext: '.txt', mime: 'text/plain', url: `/uploads/${named.hash}.txt` });
    expect((await send(named.url)).headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });

  it('by asking for a part of it, or for nothing but its headers', async () => {
    const { url } = await uploadOne(open, { bytes: PAGE, name: 'page.html', type: 'text/html' });
    const whole = await send(url);
    const etag = whole.headers.get('etag') ?? '';
    for (const [init, status] of [
      [{}, 200],
      [{ headers: { range: 'bytes=15-' } }, 206],
      [{ method: 'HEAD' }, 200],
      [{ headers: { 'if-none-match': etag } }, 304],
      [{ headers: { accept: 'text/html', 'sec-fetch-dest': 'document' } }, 200],
    ] as const) {
      const response = await send(`${url}?response-content-type=text/html&download=0`, init);
      expect([init, response.status]).toEqual([init, status]);
      expect(Object.fromEntries(response.headers)).toMatchObject({ ...INERT, 'content-disposition': 'attachment' });
    }
  });
});

/** Directus CVE-2025-55746, CVE-2026-39942 */
describe('writing over the file of somebody else', () => {
  const theirs = (file: FileAnswer) => ({
    id: file.id,
    documentId: file.documentId,
    hash: file.hash,
    ext: file.ext,
    url: file.url,
    filename_disk: `${file.hash}${file.ext}`,
    filename_download: `${file.hash}${file.ext}`,
    path: `${file.hash}${file.ext}`,
    key: `${file.hash}${file.ext}`,
    storage: 'r2',
    provider: 'local',
    provider_metadata: { key: `${file.hash}${file.ext}` },
    formats: { thumbnail: { hash: file.hash, ext: file.ext, url: file.url } },
    mime: 'text/html',
    folderPath: '/1',
    createdAt: '2020-01-01',
  });
  const withBytes = { bytes: 'other bytes', name: 'other.txt', type: 'text/plain' };

  it('by what fileInfo, fields and names of files say of it', async () => {
    const victim = await uploadOne(send, TEXT);
    const claims = theirs(victim);
    const fields = Object.fromEntries(
      Object.entries(claims).map(([name, value]) => [
        name,
        typeof value === 'object' ? JSON.stringify(value) : `${value}`,
      ]),
    );
    const [mine] = await uploaded(
      postForm(send, formOf([withBytes], { ...fields, fileInfo: JSON.stringify(claims) }), '', 'uploads'),
    );
    const named = formOf([{ ...withBytes, name: claims.key }], { fileInfo: JSON.stringify({ name: claims.key }) });
    const [namesake] = await uploaded(postForm(send, named, '', 'uploads'));
    for (const file of [mine, namesake]) {
      expect(file).toMatchObject({ ext: '.txt', mime: 'text/plain', provider: 'r2', formats: null });
      for (const name of ['id', 'documentId', 'hash', 'url']) expect(file?.[name], name).not.toBe(victim[name]);
    }
    expect(await textAt(victim.url)).toBe('a text');
    expect(await (await send(`/api/upload/files/${victim.id}`, bearer('full'))).json()).toEqual(victim);
  });

  it('by what fileInfo says of one that may be changed: deleting that one leaves the other', async () => {
    const [victim, mine] = [await uploadOne(send, TEXT), await uploadOne(send, TEXT)];
    const body = { ...theirs(victim), fileInfo: theirs(victim) };
    const [changed] = await uploaded(send(`/api/upload?id=${mine.id}`, sendJson('POST', 'full', body)));
    expect(changed).toEqual({ ...mine, updatedAt: changed?.updatedAt });
    for (const replace of ['same-url', 'new-url'] as const) {
      const form = formOf([withBytes], { fileInfo: JSON.stringify(theirs(victim)) });
      const [replaced] = await uploaded(postForm(serve({ upload: { replace } }), form, `?id=${mine.id}`));
      expect(replaced).toMatchObject({ id: mine.id, documentId: mine.documentId, formats: {} });
      expect(replaced?.hash === mine.hash).toBe(replace === 'same-url');
      for (const name of ['hash', 'url']) expect(replaced?.[name], name).not.toBe(victim[name]);
    }
    await send(`/api/upload/files/${mine.id}`, { method: 'DELETE', ...bearer('full') });
    expect(await textAt(victim.url)).toBe('a text');
  });

  it('by requests that other systems know', async () => {
    const { id, url, documentId } = await uploadOne(send, TEXT);
    for (const [method, path, refused] of [
      ['PUT', `/api/upload/files/${id}`, 405],
      ['PATCH', `/api/upload/files/${id}`, 405],
      ['POST', `/api/upload/files/${id}`, 405],
      ['PATCH', `/files/${documentId}`, 405],
      ['PUT', url, 405],
      ['POST', url, 405],
      ['DELETE', url, 405],
      ['PUT', `/api/files/${documentId}`, 405],
      ['DELETE', `/api/files/${documentId}`, 405],
    ] as const) {
      const { status } = await send(path, { ...sendJson(method, 'full', { data: { name: 'mine' } }) });
      expect([method, path, status]).toEqual([method, path, refused]);
    }
    expect(await textAt(url)).toBe('a text');
  });

  it.each(['plugin::upload.file', 'plugin::users-permissions.user', 'admin::session', '__proto__'])(
    'by attaching to %s',
    async (ref) => {
      const form = formOf([withBytes], { ref, refId: '1', field: 'formats' });
      expect(await refusal(postForm(send, form))).toContain('400 ValidationError: Invalid ref');
      expect(await objectKeys()).toEqual([]);
    },
  );
});

/** CVE-2024-31217, GHSA-pm9q-xj9p-96pm; Payload CVE-2026-34750 */
describe('getting out of the place of files', () => {
  it.each([
    '.htaccess',
    '...txt',
    'a.txt.',
    'a%00.txt',
    '%2e%2e%2fa.txt',
    'a.txt#y',
    "a.'; drop table files; --",
    'a.t\u00a0xt',
    '__proto__',
    'CON.txt',
    'n'.repeat(255),
    `a.${'e'.repeat(200)}`,
  ])('by a name like %j', async (name) => {
    const { url, ext } = await uploadOne(send, { bytes: 'a text', name, type: 'text/plain' });
    const [key = ''] = await objectKeys();
    expect(key).toMatch(/^[A-Za-z0-9_-]+\.[a-z]{3}$/);
    expect([url, ext]).toEqual([`/uploads/${key}`, '.txt']);
    expect(await textAt(url)).toBe('a text');
  });

  it.each(['..', 'a.txt?x=1#y', 'a.<script>'])('by a name like %j in fileInfo', async (name) => {
    const { url } = await uploadOne(send, { bytes: 'a text', name: 'a.txt' }, { fileInfo: JSON.stringify({ name }) });
    const [key = ''] = await objectKeys();
    expect(key).toMatch(/^[A-Za-z0-9_-]+\.txt$/);
    expect(url).toBe(`/uploads/${key}`);
  });

  it.each([
    'private/secret.txt',
    'private%2fsecret.txt',
    'private%2Fsecret.txt',
    'private%252fsecret.txt',
    'private%5csecret.txt',
    '..%2fuploads%2fprivate%2fsecret.txt',
    '%2e%2e%2fprivate%2fsecret.txt',
    './private/secret.txt',
    '/private/secret.txt',
    'x%2f..%2fprivate%2fsecret.txt',
    'private%ef%bc%8fsecret.txt',
    'private%c0%afsecret.txt',
    'private%2fsecret.txt%00',
    '?key=private/secret.txt',
    'a secret',
    'a%20secret',
    'a+secret',
  ])('by a key like %s', async (key) => {
    const keys = ['private/secret.txt', '../uploads/private/secret.txt', 'private\\secret.txt', 'a secret'];
    for (const hidden of keys) await env.MEDIA.put(hidden, SECRET);
    for (const prefix of ['/uploads/', '/UPLOADS/', '//uploads/', '/api/../uploads/']) {
      const response = await send(`${prefix}${key}`);
      const isRefused = prefix.startsWith('//') || /%(00|c0)/.test(key);
      expect([prefix, response.status]).toEqual([prefix, isRefused ? 400 : 404]);
      expect(await response.text()).not.toContain(SECRET);
    }
  });
});

/** Payload CVE-2026-27567, CVE-2026-34746; CVE-2024-37818 */
it('having the server fetch an address', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('inside'));
  const address = 'http://169.254.169.254/latest/meta-data';
  const said = {
    url: address,
    files: address,
    src: address,
    externalUrl: address,
    filename: address,
    sourceUrl: address,
  };
  const answers = await Promise.all([
    postForm(send, formOf([], said)),
    postForm(send, formOf([], { fileInfo: JSON.stringify(said) })),
    postForm(send, JSON.stringify({ ...said, fileInfo: said }), '', 'full', 'application/json'),
    postForm(send, formOf([]), `?url=${address}`),
    send('/api/upload/files/import', sendJson('POST', 'full', { url: address })),
    send('/files/import', sendJson('POST', 'full', { url: address })),
    send(`/uploads/${encodeURIComponent(address)}`),
    send(`/_next/image?url=${address}&w=64&q=75`),
    send(`/cdn-cgi/image/width=64/${address}`),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 405, 405, 404, 404, 404]);
  const { id, url } = await uploadOne(send, TEXT, { ...said, fileInfo: JSON.stringify(said) });
  await uploaded(postForm(send, JSON.stringify({ fileInfo: said }), `?id=${id}`, 'full', 'application/json'));
  expect(await textAt(url)).toBe('a text');
  expect(fetched).not.toHaveBeenCalled();
  fetched.mockRestore();
});

/** Directus CVE-2025-30225 */
describe('wearing out whoever makes formats', () => {
  const HUGE = '\xff\xff';
  const bombs: readonly (readonly [name: string, bytes: string])[] = [
    ['bomb.gif', `GIF89a${HUGE}${HUGE}\0\0\0`],
    ['bomb.webp', `RIFF\x64\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0${HUGE}\xff${HUGE}\xff${'\0'.repeat(30)}`],
    [
      'bomb.jpg',
      `\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xc0\0\x11\x08${HUGE}${HUGE}${'\0'.repeat(99)}`,
    ],
  ];

  it.each(bombs)('with a small file that unfolds to more than memory holds: %s', async (name, bytes) => {
    expect(await refusal(postForm(send, formOf([{ bytes, name }])))).toContain('Image is too large to process: ');
    expect(await objectKeys()).toEqual([]);
  });

  it('with a burst of pictures that are none, between which a good one is done', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const whole = await png(600, 400);
    const broken = [whole.slice(0, 60), whole.slice(0, 200), await png(1, 1, [5_000, 4_000])];
    const damaged = Array.from({ length: 12 }, (_, index) => ({
      bytes: broken[index % broken.length] ?? whole,
      name: `${index}.png`,
    }));
    const [together, good, ...alone] = await Promise.all([
      uploaded(postForm(send, formOf(damaged))),
      uploadOne(send, { bytes: whole, name: 'good.png' }),
      ...damaged.map((file) => uploadOne(send, file)),
    ]);
    for (const file of [...together, ...alone]) expect(file.formats).toBeNull();
    expect(Object.keys(good.formats ?? {})).toEqual(['thumbnail', 'small']);
    expect(await mismatches()).toMatchObject({ orphans: [], incomplete: [], files: 25 });
  });

  it('with transformations that a query asks for', async () => {
    const input = vi.fn();
    const { url } = await uploadOne(send, { bytes: await png(600, 400), name: 'a.png' });
    const watched = serve({}, { IMAGES: { input, info: input } } as never);
    const whole = await textAt(url);
    for (const query of [
      'width=1&height=1',
      'width=99999999',
      'transforms=[["resize",{"width":1}]]',
      'transforms=[[[[',
      'format=avif&quality=0',
      'key=thumbnail',
    ]) {
      const response = await watched(`${url}?${query}`);
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
      expect(await textOf(response)).toBe(whole);
    }
    expect(input).not.toHaveBeenCalled();
  });
});
