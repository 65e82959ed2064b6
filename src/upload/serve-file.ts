/**
 * @module `GET /uploads/:key`: bytes, with ranges and conditions, in a form that no browser executes.
 */
import type { Settings } from '../config.ts';
import { notFound } from '../errors.ts';
import { INLINE } from './serving-rules.ts';

const KEY = /^[A-Za-z0-9_.-]{1,512}$/;
/** Of several ranges at once none is served: the answer is the whole file, as HTTP lets a server do. */
const RANGE = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/i;
const YEAR = 31_536_000;

/** A PDF is shown by the browser's own viewer, which a sandbox would keep out. */
const policyOf = (mime: string): string =>
  mime === 'application/pdf'
    ? "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'"
    : "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** Only GET has ranges: https://www.rfc-editor.org/rfc/rfc9110#section-14.2 */
function rangeOf({ method, headers }: Request): R2Range | undefined {
  const [, start, end, suffix] = (method === 'GET' && RANGE.exec(headers.get('range')?.trim() ?? '')) || [];
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

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000);

/** Is the tag of the object among those of a header? Malformed ones are none. */
function names(header: string, { httpEtag }: R2Object, weakly: boolean): boolean {
  if (header.trim() === '*') return true;
  const tags: readonly string[] = header.match(/(W\/)?"[^"]*"/g) ?? [];
  return tags.some((tag) => (weakly ? tag.replace(/^W\//, '') : tag) === httpEtag);
}

/** Was the object written after the time of a header? Undefined for what is no time. */
function isNewer(object: R2Object, header: string | null): boolean | undefined {
  const time = Date.parse(header ?? '');
  return Number.isNaN(time) ? undefined : seconds(object.uploaded) > Math.floor(time / 1000);
}

/** https://www.rfc-editor.org/rfc/rfc9110#section-13.2.2 */
function failedCondition(object: R2Object, request: Headers): 304 | 412 | undefined {
  const match = request.get('if-match');
  if (match !== null && !names(match, object, false)) return 412;
  if (match === null && isNewer(object, request.get('if-unmodified-since')) === true) return 412;
  const noneMatch = request.get('if-none-match');
  if (noneMatch !== null) return names(noneMatch, object, true) ? 304 : undefined;
  return isNewer(object, request.get('if-modified-since')) === false ? 304 : undefined;
}

/** `If-Range` names the bytes that the client has a part of; of other bytes it wants all. */
const wantsRange = (object: R2Object, request: Headers): boolean => {
  const condition = request.get('if-range');
  return condition === null || condition === object.httpEtag || condition === object.uploaded.toUTCString();
};

const CONDITIONS = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'] as const;

/** What a request is answered with by what is known of the object alone; undefined when its bytes are needed. */
function withoutBytes(object: R2Object, request: Request, settings: Settings['upload']): Response | undefined {
  const failed = failedCondition(object, request.headers);
  const headers = headersOf(object, settings);
  if (failed) return new Response(null, { status: failed, headers });
  const range = wantsRange(object, request.headers) ? rangeOf(request) : undefined;
  if (range && !window(range, object.size)) return unsatisfiable(object.size);
  if (request.method !== 'HEAD') return undefined;
  headers.set('content-length', String(object.size));
  return new Response(null, { headers });
}

async function bytesOf(bucket: R2Bucket, key: string, options: Pick<R2GetOptions, 'range'>): Promise<R2ObjectBody> {
  const object = await bucket.get(key, options);
  if (!object) throw notFound();
  return object;
}

/** @throws ApiError 404 when there are no such bytes. */
export async function serveFile(
  bucket: R2Bucket,
  key: string,
  request: Request,
  settings: Settings['upload'],
): Promise<Response> {
  if (!KEY.test(key)) throw notFound();
  const range = rangeOf(request);
  const asks = request.method === 'HEAD' || range || CONDITIONS.some((name) => request.headers.has(name));
  const head = asks ? await bucket.head(key) : undefined;
  if (head === null) throw notFound();
  const answer = head && withoutBytes(head, request, settings);
  if (answer) return answer;
  const part = head && range && wantsRange(head, request.headers) ? window(range, head.size) : undefined;
  const object = await bytesOf(bucket, key, part ? { range: part } : {});
  const headers = headersOf(object, settings);
  headers.set('content-length', String(part?.length ?? object.size));
  if (part) headers.set('content-range', `bytes ${part.offset}-${part.offset + part.length - 1}/${object.size}`);
  return new Response(object.body, { status: part ? 206 : 200, headers });
}
