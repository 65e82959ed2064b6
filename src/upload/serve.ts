/**
 * @module `GET /uploads/:key`: bytes, with ranges and conditions, in a form that no browser executes.
 */
import type { Settings } from '../config.ts';
import { notFound } from '../errors.ts';
import { INLINE } from './media-types.ts';

const KEY = /^[A-Za-z0-9_.-]{1,512}$/;
/** Of several ranges at once none is served: the answer is the whole file, as HTTP lets a server do. */
const RANGE = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/i;
const YEAR = 31_536_000;

/** A PDF is shown by the browser's own viewer, which a sandbox would keep out. */
const policyOf = (mime: string): string =>
  mime === 'application/pdf'
    ? "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'"
    : "default-src 'none'; style-src 'unsafe-inline'; sandbox";

interface Part {
  readonly offset: number;
  /** Nothing of what is asked for is there when it is not positive. */
  readonly length: number;
}

/** Which of `size` bytes are asked for. Only GET has ranges: https://www.rfc-editor.org/rfc/rfc9110#section-14.2 */
function partOf({ method, headers }: Request, size: number): Part | undefined {
  const [range, first, last, suffix] = RANGE.exec(headers.get('range')?.trim() ?? '') ?? [];
  if (method !== 'GET' || !range || (last && Number(last) < Number(first))) return undefined;
  const offset = suffix ? Math.max(0, size - Number(suffix)) : Number(first);
  return { offset, length: (last ? Math.min(size, Number(last) + 1) : size) - offset };
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

/** What can only be judged by the object that is there. */
const CONDITIONS = ['range', 'if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'] as const;

/** @throws ApiError 404 when there are no such bytes. */
export async function serveFile(
  bucket: R2Bucket,
  key: string,
  request: Request,
  settings: Settings['upload'],
): Promise<Response> {
  if (!KEY.test(key)) throw notFound();
  const isHead = request.method === 'HEAD';
  const asks = isHead || CONDITIONS.some((name) => request.headers.has(name));
  const head = asks ? await bucket.head(key) : undefined;
  const failed = head && failedCondition(head, request.headers);
  if (failed) return new Response(null, { status: failed, headers: headersOf(head, settings) });
  const part = head && wantsRange(head, request.headers) ? partOf(request, head.size) : undefined;
  if (part && part.length <= 0) return unsatisfiable(head?.size ?? 0);
  const object = isHead || head === null ? head : await bucket.get(key, part && { range: part });
  if (!object) throw notFound();
  const headers = headersOf(object, settings);
  headers.set('content-length', String(part?.length ?? object.size));
  if (part) headers.set('content-range', `bytes ${part.offset}-${part.offset + part.length - 1}/${object.size}`);
  return new Response('body' in object ? (object as R2ObjectBody).body : null, { status: part ? 206 : 200, headers });
}
