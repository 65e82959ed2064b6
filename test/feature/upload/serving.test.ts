/**
 * @module The bytes of files over HTTP: what caches may keep, and bytes that are replaced while they are asked for.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { serve } from '../../support/recorded.ts';
import { clearMedia, type FileAnswer, TEXT, uploadOne } from '../../support/uploads.ts';
import { openMagazine } from '../../support/world.ts';

const { send } = openMagazine();
let file: FileAnswer;

beforeAll(async () => {
  await clearMedia();
  file = await uploadOne(send, TEXT);
});

describe('a whole file', () => {
  it('is kept apart by caches for callers of other origins, however it is answered', async () => {
    const etag = (await send(file.url)).headers.get('etag') ?? '';
    for (const headers of [{}, { range: 'bytes=0-1' }, { range: 'bytes=99-' }, { 'if-none-match': etag }]) {
      const response = await send(file.url, { headers: headers as Record<string, string> });
      expect(response.headers.get('vary'), String(response.status)).toBe('Origin');
      expect(response.headers.has('x-request-id')).toBe(true);
    }
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

  it('that is gone meanwhile is a 404', async () => {
    await env.MEDIA.put(KEY, OLD);
    const bucket = { head: () => env.MEDIA.head(KEY), get: async () => null };
    const answer = await serve({}, { MEDIA: bucket as never })(`/uploads/${KEY}`, { headers: { range: 'bytes=0-1' } });
    expect(answer.status).toBe(404);
  });
});
