/**
 * @module `GET /uploads/:key`: bytes, with ranges and conditions, in a form that no browser executes.
 */
import type { Settings } from '../config.ts';
import { notFound } from '../errors.ts';
import { INLINE } from './serving-rules.ts';

const KEY = /^[A-Za-z0-9_.-]{1,512}$/;
/** Of several ranges at once none is served: the answer is the whole file, as HTTP lets a server do. */
const RANGE = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/;
const YEAR = 31_536_000;

/** A PDF is shown by the browser's own viewer, which a sandbox would keep out. */
const policyOf = (mime: string): string =>
  mime === 'application/pdf'
    ? "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'"
    : "default-src 'none'; style-src 'unsafe-inline'; sandbox";

function rangeOf(headers: Headers): R2Range | undefined {
  const [, start, end, suffix] = RANGE.exec(headers.get('range')?.trim() ?? '') ?? [];
  if (suffix !== undefined) return { suffix: Number(suffix) };
  if (start === undefined) return undefined;
  const offset = Number(start);
  if (!end) return { offset };
  return Number(end) < offset ? undefined : { offset, length: Number(end) - offset + 1 };
}

function headersOf(object: R2Object, { cacheSeconds }: Settings['upload']): Headers {
  const mime = object.httpMetadata?.contentType ?? 'application/octet-stream';
  const headers = new Headers({
    'content-type': mime.startsWith('text/') ? `${mime}; charset=utf-8` : mime,
    'cache-control': `public, max-age=${cacheSeconds}${cacheSeconds >= YEAR ? ', immutable' : ''}`,
    etag: object.httpEtag,
    'last-modified': object.uploaded.toUTCString(),
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    'content-security-policy': policyOf(mime),
    'cross-origin-resource-policy': 'cross-origin',
  });
  if (!INLINE.test(mime)) headers.set('content-disposition', 'attachment');
  return headers;
}

/** Where a range starts and how long it is, of `size` bytes; undefined when nothing of it is there. */
function window(range: R2Range, size: number): { offset: number; length: number } | undefined {
  const { offset = 0, length = size, suffix } = range as { offset?: number; length?: number; suffix?: number };
  const start = suffix === undefined ? offset : Math.max(0, size - suffix);
  const most = suffix === undefined ? length : suffix;
  return start >= size || most === 0 ? undefined : { offset: start, length: Math.min(most, size - start) };
}

const unsatisfiable = (size: number): Response =>
  new Response(null, { status: 416, headers: { 'content-range': `bytes */${size}`, 'accept-ranges': 'bytes' } });

/** A condition that does not hold: 304 for one that saves a transfer, 412 for one that guards. */
function unmet(object: R2Object, request: Headers, settings: Settings['upload']): Response {
  const guards = request.has('if-match') || request.has('if-unmodified-since');
  return new Response(null, { status: guards ? 412 : 304, headers: headersOf(object, settings) });
}

/** `If-Range` names the bytes that the client has a part of; of other bytes it wants all. */
const wantsRange = (object: R2Object, request: Headers): boolean => {
  const condition = request.get('if-range');
  return condition === null || condition === object.httpEtag || condition === object.uploaded.toUTCString();
};

async function ranged(bucket: R2Bucket, key: string, range: R2Range, request: Headers, settings: Settings['upload']) {
  const head = await bucket.head(key);
  if (!head) throw notFound();
  if (!wantsRange(head, request)) return undefined;
  const part = window(range, head.size);
  if (!part) return unsatisfiable(head.size);
  const object = await bucket.get(key, { range: part, onlyIf: { etagMatches: head.etag } });
  if (!object || !('body' in object)) return undefined;
  const headers = headersOf(object, settings);
  headers.set('content-length', String(part.length));
  headers.set('content-range', `bytes ${part.offset}-${part.offset + part.length - 1}/${head.size}`);
  return new Response(object.body, { status: 206, headers });
}

/** @throws ApiError 404 when there are no such bytes. */
export async function serveFile(
  bucket: R2Bucket,
  key: string,
  request: Headers,
  settings: Settings['upload'],
): Promise<Response> {
  if (!KEY.test(key)) throw notFound();
  const conditional = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'].some((name) =>
    request.has(name),
  );
  const range = conditional ? undefined : rangeOf(request);
  const part = range && (await ranged(bucket, key, range, request, settings));
  if (part) return part;
  const object = await bucket.get(key, { onlyIf: request });
  if (!object) throw notFound();
  if (!('body' in object)) return unmet(object, request, settings);
  const headers = headersOf(object, settings);
  headers.set('content-length', String(object.size));
  return new Response(object.body, { headers });
}
