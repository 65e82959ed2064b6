/**
 * @module The bytes of files over HTTP: ranges, conditions, caches, and what keeps browsers from executing them.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { film } from '../../support/pictures.ts';
import { bearer, serve } from '../../support/recorded.ts';
import { clearMedia, type FileAnswer, uploadOne } from '../../support/uploads.ts';
import { openMagazine } from '../../support/world.ts';

const { send } = openMagazine({ upload: { allowedTypes: null, deniedTypes: [] } });
const CONTENT = 'abcdefghijklmnopqrstuvwxyz';
let file: FileAnswer;

beforeAll(async () => {
  await clearMedia();
  file = await uploadOne(send, { bytes: CONTENT, name: 'Letters.txt', type: 'text/plain' });
});

const get = (headers: Record<string, string> = {}, method = 'GET') => send(file.url, { method, headers });

describe('bytes that are not there', () => {
  it.each([
    ['a%00b', 400],
    ['nothing.txt', 404],
    ['..%2Fx', 404],
    ['x'.repeat(600), 404],
    ['', 404],
  ])('%j are a %i', async (key, status) => {
    const response = await send(`/uploads/${key}`);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ data: null, error: { name: expect.any(String) } });
  });

  it('are those of a key in another case', async () => {
    expect((await send(file.url.toLowerCase())).status).toBe(404);
  });
});

/** CVE-2026-22707, GHSA-pcw7-5633-82vv; Payload CVE-2022-27952, CVE-2026-34748 */
describe('a whole file', () => {
  it('is public, typed, and kept from being executed', async () => {
    const response = await get();
    expect(await response.text()).toBe(CONTENT);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '26',
      'cache-control': 'public, max-age=86400',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    });
    expect(response.headers.get('etag')).toMatch(/^"[0-9a-f]+"$/);
    expect(response.headers.has('content-disposition')).toBe(false);
  });

  it('answers HEAD with the same headers and no body', async () => {
    const response = await get({}, 'HEAD');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await response.text()).toBe('');
  });

  it('is kept apart by caches for callers of other origins, however it is answered', async () => {
    const etag = (await get()).headers.get('etag') ?? '';
    for (const headers of [{}, { range: 'bytes=0-1' }, { range: 'bytes=99-' }, { 'if-none-match': etag }]) {
      const response = await get(headers);
      expect(response.headers.get('vary'), String(response.status)).toBe('Origin');
      expect(response.headers.has('x-request-id')).toBe(true);
    }
  });

  it('is cached as long as the settings say', async () => {
    const short = serve({ upload: { cacheSeconds: 60 } });
    expect((await short(file.url)).headers.get('cache-control')).toBe('public, max-age=60');
    const year = serve({ upload: { cacheSeconds: 31_536_000 } });
    expect((await year(file.url)).headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  it('is asked for again after a minute where other bytes may get its URL', async () => {
    const keeping = serve({ upload: { replace: 'same-url', cacheSeconds: 31_536_000 } });
    const brief = 'public, max-age=60, must-revalidate';
    const { url, hash } = await uploadOne(keeping, { bytes: film(9_000_000), name: 'a.mp4' });
    for (const headers of [{}, { range: 'bytes=0-1' }])
      expect((await keeping(url, { headers })).headers.get('cache-control')).toBe(brief);
    const note = await uploadOne(keeping, { bytes: 'a', name: 'a.txt' });
    for (const key of [`${hash}.mp4`, `${note.hash}.txt`])
      expect((await env.MEDIA.head(key))?.httpMetadata?.cacheControl).toBe(brief);
    const briefer = serve({ upload: { replace: 'same-url', cacheSeconds: 5 } });
    expect((await briefer(note.url)).headers.get('cache-control')).toBe('public, max-age=5, must-revalidate');
  });

  it('has its headers of caching where the client has it already', async () => {
    const etag = (await get()).headers.get('etag') ?? '';
    const response = await get({ 'if-none-match': etag });
    expect(response.status).toBe(304);
    expect(response.headers.get('etag')).toBe(etag);
    expect(response.headers.get('cache-control')).toBe('public, max-age=86400');
  });

  it.each([
    ['page.html', 'text/html', '<html>', true],
    ['drawing.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>', true],
    ['feed.xml', 'application/xml', '<?xml version="1.0"?><a/>', true],
    ['code.js', 'text/javascript', 'alert(1)', true],
    ['paper.pdf', 'application/pdf', '%PDF-1.7', false],
    ['data.csv', 'text/csv', 'a,b', false],
    ['dot.gif', 'image/gif', 'GIF89a\x01\0\x01\0', false],
  ])('%s is %s, to be saved if a browser might execute it', async (name, type, bytes, saved) => {
    const response = await send((await uploadOne(send, { bytes, name, type })).url);
    expect(response.headers.get('content-type')).toContain(type);
    expect(response.headers.get('content-disposition')).toBe(saved ? 'attachment' : null);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it('tells a public bucket the same about itself', async () => {
    const { hash } = await uploadOne(send, { bytes: '<html>', name: 'x.html', type: 'text/html' });
    const object = await env.MEDIA.head(`${hash}.html`);
    expect(object?.httpMetadata).toMatchObject({ contentType: 'text/html', contentDisposition: 'attachment' });
  });
});

describe('an answer that is not the bytes', () => {
  it.each([
    ['/uploads/nothing.txt', {}, 'GET', 404],
    ['/uploads/nothing.txt', {}, 'HEAD', 404],
    ['/uploads/nothing.txt', { range: 'bytes=0-1' }, 'GET', 404],
    ['/uploads/..%2Fx', {}, 'GET', 404],
    ['/uploads/a%00b', {}, 'GET', 400],
    ['', { range: 'bytes=99-' }, 'GET', 416],
    ['', { 'if-match': '"other"' }, 'GET', 412],
    ['', { 'if-match': '"other"' }, 'HEAD', 412],
    ['', {}, 'DELETE', 405],
  ])('is kept by no cache: %s %j %s is a %i', async (path, headers, method, status) => {
    const response = await send(path || file.url, { method, headers: headers as Record<string, string> });
    expect(response.status).toBe(status);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('follows a file that was deleted, for whoever had it too', async () => {
    const { id, url } = await uploadOne(send, { bytes: 'a', name: 'a.txt' });
    const etag = (await send(url)).headers.get('etag') ?? '';
    await send(`/api/upload/files/${id}`, { method: 'DELETE', ...bearer('full') });
    const response = await send(url, { headers: { 'if-none-match': etag } });
    expect(response.status).toBe(404);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });
});

describe('a range', () => {
  it.each([
    ['bytes=0-3', 'abcd', '0-3'],
    ['bytes=5-5', 'f', '5-5'],
    ['bytes=20-', 'uvwxyz', '20-25'],
    ['bytes=20-999', 'uvwxyz', '20-25'],
    ['bytes=-3', 'xyz', '23-25'],
    ['bytes=-999', CONTENT, '0-25'],
  ])('%s is %j', async (range, text, content) => {
    const response = await get({ range });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`bytes ${content}/26`);
    expect(response.headers.get('content-length')).toBe(String(text.length));
    expect(await response.text()).toBe(text);
  });

  it.each(['bytes=26-', 'bytes=99-100', 'bytes=-0'])('%s of nothing is a 416', async (range) => {
    const response = await get({ range });
    expect(response.status).toBe(416);
    expect(response.headers.get('content-range')).toBe('bytes */26');
  });

  it.each(['bytes=0-1,4-5', 'bytes=5-2', 'bytes=x', 'lines=1-2', 'bytes=-'])('%s means the whole', async (range) => {
    const response = await get({ range });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(CONTENT);
  });

  it('holds for the bytes that If-Range names, and for no others', async () => {
    const etag = (await get()).headers.get('etag') ?? '';
    expect((await get({ range: 'bytes=0-1', 'if-range': etag })).status).toBe(206);
    expect((await get({ range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200);
  });

  it('is for GET alone, and its unit may be in capitals', async () => {
    for (const range of ['bytes=0-3', 'bytes=99-']) {
      const response = await get({ range }, 'HEAD');
      expect([response.status, response.headers.get('content-length')]).toEqual([200, '26']);
    }
    expect((await get({ range: 'BYTES=0-3' })).status).toBe(206);
  });

  it('is of a file that came in parts, too', async () => {
    const { url } = await uploadOne(send, { bytes: film(9_000_000), name: 'film.mp4', type: 'video/mp4' });
    const response = await send(url, { headers: { range: 'bytes=8999990-' } });
    expect([response.status, response.headers.get('content-range')]).toEqual([206, 'bytes 8999990-8999999/9000000']);
    expect((await response.arrayBuffer()).byteLength).toBe(10);
  });

  it('of a file that is not there is a 404', async () => {
    expect((await send('/uploads/no.txt', { headers: { range: 'bytes=0-1' } })).status).toBe(404);
  });
});

describe('a condition', () => {
  it('that the client has these bytes is a 304', async () => {
    const etag = (await get()).headers.get('etag') ?? '';
    for (const value of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const response = await get({ 'if-none-match': value });
      expect(response.status, value).toBe(304);
      expect(response.headers.get('etag')).toBe(etag);
      expect(await response.text()).toBe('');
    }
    expect((await get({ 'if-none-match': '"x"' })).status).toBe(200);
  });

  it('by time is a 304 for what has not changed since', async () => {
    const later = new Date(Date.now() + 60_000).toUTCString();
    expect((await get({ 'if-modified-since': later })).status).toBe(304);
    expect((await get({ 'if-modified-since': new Date(0).toUTCString() })).status).toBe(200);
  });

  it('that guards is a 412 where it does not hold', async () => {
    expect((await get({ 'if-match': '"x"' })).status).toBe(412);
    expect((await get({ 'if-unmodified-since': new Date(0).toUTCString() })).status).toBe(412);
  });

  it.each([
    ['if-none-match', 206],
    ['if-match', 412],
    ['if-modified-since', 206],
    ['if-unmodified-since', 206],
    ['if-range', 200],
  ])('that makes no sense in %s is a %i', async (name, status) => {
    for (const value of ['', '"', 'x', 'W/', '"unclosed', '\x7f'])
      expect([value, (await get({ [name]: value, range: 'bytes=0-1' })).status]).toEqual([value, status]);
  });
});

describe('a file whose bytes are replaced while they are asked for', () => {
  const KEY = 'meeting.txt';
  const [OLD, NEW] = ['old bytes', 'these are the new bytes'];

  /** Replaces the object after a look at it, and before any bytes are read. */
  async function meeting(init: RequestInit) {
    await env.MEDIA.put(KEY, OLD, { httpMetadata: { contentType: 'text/plain' } });
    const bucket = {
      async head(key: string) {
        const found = await env.MEDIA.head(key);
        await env.MEDIA.put(KEY, NEW, { httpMetadata: { contentType: 'text/csv' } });
        return found;
      },
      get: (key: string, options?: R2GetOptions) => env.MEDIA.get(key, options),
    };
    const response = await serve({}, { MEDIA: bucket as never })(`/uploads/${KEY}`, init);
    const { status, headers } = response;
    return { status, headers, text: await response.text(), etag: headers.get('etag') };
  }

  it.each(['bytes=0-2', 'bytes=4-', 'bytes=-5', 'bytes=0-99'])(
    'is answered as it is now, or as it was, and never as both: %s',
    async (range) => {
      const { status, headers, text, etag } = await meeting({ headers: { range } });
      expect([status, text, headers.get('content-range')]).toEqual([200, NEW, null]);
      expect(headers.get('content-length')).toBe(String(NEW.length));
      expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
      expect(etag).toBe((await env.MEDIA.head(KEY))?.httpEtag);
    },
  );

  it('has no part of the new bytes for whoever has a part of the old ones', async () => {
    const old = await env.MEDIA.put(KEY, OLD);
    const { status, text } = await meeting({ headers: { range: 'bytes=4-', 'if-range': old?.httpEtag ?? '' } });
    expect([status, text]).toEqual([200, NEW]);
    const guarded = await meeting({ headers: { range: 'bytes=4-', 'if-match': old?.httpEtag ?? '' } });
    expect([guarded.status, guarded.text]).toEqual([412, '']);
  });

  it.each([{}, { 'if-none-match': '"x"' }, { 'if-modified-since': new Date(0).toUTCString() }])(
    'is asked for once where no part is wanted: %j',
    async (headers) => {
      expect(await meeting({ headers })).toMatchObject({ status: 200, text: OLD });
    },
  );

  it('that is gone meanwhile is a 404', async () => {
    await env.MEDIA.put(KEY, OLD);
    const bucket = { head: () => env.MEDIA.head(KEY), get: async () => null };
    const answer = await serve({}, { MEDIA: bucket as never })(`/uploads/${KEY}`, { headers: { range: 'bytes=0-1' } });
    expect(answer.status).toBe(404);
  });
});
