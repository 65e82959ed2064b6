/**
 * @module The bytes of one object over HTTP: conditions at both edges, and what is read of the bucket for them.
 */
import { describe, expect, it } from 'vitest';
import { SAME_AS, serveFile } from '../../../src/features/files/serve.ts';

const CONTENT = 'abcdefghij';
const UPLOADED = new Date('2026-01-02T03:04:05.678Z');
const SAME_SECOND = 'Fri, 02 Jan 2026 03:04:05 GMT';
const SECOND_BEFORE = 'Fri, 02 Jan 2026 03:04:04 GMT';

interface Stored {
  readonly content?: string;
  readonly type?: string;
  readonly sameAs?: string;
}

/** A bucket, and its calls in order. */
function bucketOf(objects: Readonly<Record<string, Stored>>) {
  const calls: string[] = [];
  const metadataOf = (key: string) => {
    const stored = objects[key];
    if (!stored) return null;
    const { content = CONTENT, type, sameAs } = stored;
    return {
      ...{ key, size: content.length, etag: 'e', httpEtag: '"e"', uploaded: UPLOADED },
      ...{ httpMetadata: { contentType: type }, customMetadata: sameAs ? { [SAME_AS]: sameAs } : {} },
    };
  };
  const bodyOf = (key: string, text: string) =>
    new ReadableStream(
      {
        pull(controller) {
          controller.enqueue(new TextEncoder().encode(text));
          controller.close();
        },
        async cancel() {
          await new Promise((resolve) => setTimeout(resolve));
          calls.push(`cancelled ${key}`);
        },
      },
      { highWaterMark: 0 },
    );
  const bucket = {
    async head(key: string) {
      calls.push(`head ${key}`);
      return metadataOf(key);
    },
    async get(key: string, options?: { range: { offset: number; length: number } }) {
      calls.push(`get ${key}`);
      const { offset, length } = options?.range ?? { offset: 0, length: 99 };
      const found = metadataOf(key);
      const text = (objects[key]?.content ?? CONTENT).slice(offset, offset + length);
      return found && { ...found, body: bodyOf(key, text) };
    },
  };
  return { bucket: bucket as unknown as R2Bucket, calls };
}

async function served(headers: Record<string, string>, { method = 'GET', type = 'text/plain', key = 'a.txt' } = {}) {
  const { bucket, calls } = bucketOf({
    ...{ 'a.txt': { type }, 'same.webp': { content: '', sameAs: 'a.txt' }, 'pictures/a': { type } },
  });
  const request = new Request(`https://api.example.com/uploads/${key}`, { method, headers });
  const response = await serveFile(key, request, { bucket, cacheControl: 'public, max-age=9' }).catch(
    ({ message }: Error) => new Response(message, { status: 404 }),
  );
  return { response, status: response.status, text: await response.text(), calls };
}

describe('a condition', () => {
  it.each([
    [{ 'if-match': '"e"' }, 200],
    [{ 'if-match': '*' }, 200],
    [{ 'if-match': '"x", "e"' }, 200],
    [{ 'if-match': 'W/"e"' }, 412],
    [{ 'if-match': '"e"', 'if-unmodified-since': SECOND_BEFORE }, 200],
    [{ 'if-match': '"x"', 'if-unmodified-since': SAME_SECOND }, 412],
    [{ 'if-unmodified-since': SAME_SECOND }, 200],
    [{ 'if-unmodified-since': SECOND_BEFORE }, 412],
    [{ 'if-none-match': 'W/"e"' }, 304],
    [{ 'if-none-match': '"x"' }, 200],
    [{ 'if-none-match': '"x"', 'if-modified-since': SAME_SECOND }, 200],
    [{ 'if-none-match': '"e"', 'if-modified-since': SECOND_BEFORE }, 304],
    [{ 'if-modified-since': SAME_SECOND }, 304],
    [{ 'if-modified-since': SECOND_BEFORE }, 200],
    [{ 'if-modified-since': 'never' }, 200],
  ])('%j of a whole file gives %i', async (headers, expected) => {
    const { response, status, text, calls } = await served(headers as Record<string, string>);
    const isWhole = expected === 200;
    expect([status, text, response.headers.get('content-length')]).toEqual([
      ...[expected, isWhole ? CONTENT : '', isWhole ? '10' : null],
    ]);
    expect(response.headers.get('cache-control')).toBe(expected === 412 ? 'no-store' : 'public, max-age=9');
    expect(calls).toEqual(['get a.txt', ...(isWhole ? [] : ['cancelled a.txt'])]);
  });

  it.each([
    [{ 'if-range': '"e"' }, 206],
    [{ 'if-range': SAME_SECOND }, 206],
    [{ 'if-range': SECOND_BEFORE }, 200],
    [{ 'if-range': '"x"' }, 200],
    [{ 'if-match': '"x"' }, 412],
    [{ 'if-none-match': '"e"' }, 304],
  ])('%j of a part gives %i', async (headers, expected) => {
    const { status, calls } = await served({ ...headers, range: ' bytes=1-2 ' } as Record<string, string>);
    const isRead = expected < 300;
    expect([status, calls]).toEqual([expected, ['head a.txt', ...(isRead ? ['get a.txt'] : [])]]);
  });
});

describe('a part', () => {
  it.each([
    ['bytes=9-9', 206, 'j', 'bytes 9-9/10', '1'],
    ['bytes=8-9', 206, 'ij', 'bytes 8-9/10', '2'],
    ['bytes=8-10', 206, 'ij', 'bytes 8-9/10', '2'],
    ['bytes=0-', 206, CONTENT, 'bytes 0-9/10', '10'],
    ['bytes=-10', 206, CONTENT, 'bytes 0-9/10', '10'],
    ['BYTES=0-3', 206, 'abcd', 'bytes 0-3/10', '4'],
    ['bytes=10-', 416, '', 'bytes */10', null],
    ['bytes=-0', 416, '', 'bytes */10', null],
    ['bytes=5-4', 200, CONTENT, null, '10'],
    ['bytes=0-1,4-5', 200, CONTENT, null, '10'],
    ['bytes=-', 200, CONTENT, null, '10'],
  ])('%s gives %i', async (range, status, text, part, length) => {
    const { response, ...found } = await served({ range });
    const shown = ['content-range', 'content-length'].map((name) => response.headers.get(name));
    expect([found.status, found.text, ...shown]).toEqual([status, text, part, length]);
    expect(response.headers.get('accept-ranges')).toBe('bytes');
    expect(response.headers.get('cache-control')).toBe(status === 416 ? 'no-store' : 'public, max-age=9');
  });

  it.each(['bytes=0-3', 'bytes=99-'])('is for GET alone: HEAD with %s tells of the whole', async (range) => {
    const { response, ...found } = await served({ range }, { method: 'HEAD' });
    expect([found.status, found.calls]).toEqual([200, ['head a.txt']]);
    expect(['content-range', 'content-length'].map((name) => response.headers.get(name))).toEqual([null, '10']);
  });
});

describe('the headers of bytes', () => {
  const SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
  it.each([
    ['text/plain', 'text/plain; charset=utf-8', SANDBOX, null],
    ['text/html', 'text/html; charset=utf-8', SANDBOX, 'attachment'],
    ['image/png', 'image/png', SANDBOX, null],
    ['application/pdf', 'application/pdf', "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'", null],
    ['multipart/mixed', 'application/octet-stream', SANDBOX, 'attachment'],
  ])('keep %s from being executed', async (type, contentType, policy, disposition) => {
    const { response } = await served({}, { type });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      ...{ 'content-type': contentType, 'content-security-policy': policy, etag: '"e"', 'last-modified': SAME_SECOND },
      ...{ 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'cross-origin' },
    });
    expect(response.headers.get('content-disposition')).toBe(disposition);
  });
});

describe('an object without bytes', () => {
  it.each([
    ['GET', {}, 200, CONTENT, ['get same.webp', 'cancelled same.webp', 'get a.txt']],
    ['GET', { range: 'bytes=1-2' }, 206, 'bc', ['head same.webp', 'head a.txt', 'get a.txt']],
    ['HEAD', {}, 200, '', ['head same.webp', 'head a.txt']],
  ] as const)('has those of another one by %s with %j', async (method, headers, status, text, calls) => {
    const found = await served(headers as Record<string, string>, { method, key: 'same.webp' });
    expect([found.status, found.text, found.calls]).toEqual([status, text, calls]);
    expect(found.response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });
});

describe('a key', () => {
  it.each([
    ['none.txt', {}, ['get none.txt']],
    ['none.txt', { range: 'bytes=0-' }, ['head none.txt']],
    ['pictures/a', {}, []],
    ['', {}, []],
  ])('of no file gives 404: "%s" with %j', async (key, headers, calls) => {
    const found = await served(headers as Record<string, string>, { key });
    expect([found.status, found.calls]).toEqual([404, calls]);
  });
});
