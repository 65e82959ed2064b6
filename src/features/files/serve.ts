/**
 * @module `GET /uploads/:key`: bytes, with ranges and conditions, that no browser executes. R2's own `onlyIf` does not say
 * which condition failed, and throws at a malformed tag; its `range` knows no `If-Range`, and no 416.
 */

import { notFound } from '../../common/errors.ts';
import { presentationOf } from './media-types.ts';

/** Of an object that is served. */
export const KEY = /^[A-Za-z0-9_.-]{1,512}$/;
/** HTTP lets a server respond to several ranges with the whole file. */
const RANGE = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/i;

/** A sandbox would disable the browser's PDF viewer. */
const policyOf = (mime: string): string =>
  mime === 'application/pdf'
    ? "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'"
    : "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** The length is not positive outside of `size` bytes. https://www.rfc-editor.org/rfc/rfc9110#section-14.2 */
function partOf({ headers }: Request, size: number) {
  const [range, first, last, suffix] = RANGE.exec(headers.get('range')?.trim() ?? '') ?? [];
  if (!range || (last && Number(last) < Number(first))) return undefined;
  const offset = suffix ? Math.max(0, size - Number(suffix)) : Number(first);
  return { offset, length: (last ? Math.min(size, Number(last) + 1) : size) - offset };
}

function headersOf(object: R2Object, cacheControl: string): Headers {
  const { contentType, inline } = presentationOf(object.httpMetadata?.contentType);
  const headers = new Headers({
    'content-type': contentType.startsWith('text/') ? `${contentType}; charset=utf-8` : contentType,
    'cache-control': cacheControl,
    etag: object.httpEtag,
    'last-modified': object.uploaded.toUTCString(),
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    'content-security-policy': policyOf(contentType),
    'cross-origin-resource-policy': 'cross-origin',
  });
  if (!inline) headers.set('content-disposition', 'attachment');
  return headers;
}

/** For responses that are not the bytes. */
export const UNCACHED = 'no-store';

const unsatisfiable = (size: number): Response =>
  new Response(null, {
    status: 416,
    headers: { 'content-range': `bytes */${size}`, 'accept-ranges': 'bytes', 'cache-control': UNCACHED },
  });

/** Does a header have the tag of the object? Ignores malformed tags. */
function hasTag(header: string, { httpEtag }: R2Object, weakly: boolean): boolean {
  if (header.trim() === '*') return true;
  const tags: readonly string[] = header.match(/(W\/)?"[^"]*"/g) ?? [];
  return tags.some((tag) => (weakly ? tag.replace(/^W\//, '') : tag) === httpEtag);
}

/** Was the object written after the time of a header? Undefined for an invalid time. */
function isNewer(object: R2Object, header: string | null): boolean | undefined {
  const time = Date.parse(header ?? '');
  return Number.isNaN(time) ? undefined : Math.floor(object.uploaded.getTime() / 1000) > Math.floor(time / 1000);
}

/** https://www.rfc-editor.org/rfc/rfc9110#section-13.2.2 */
function failedCondition(object: R2Object, request: Headers): 304 | 412 | undefined {
  const match = request.get('if-match');
  if (match !== null && !hasTag(match, object, false)) return 412;
  if (match === null && isNewer(object, request.get('if-unmodified-since')) === true) return 412;
  const noneMatch = request.get('if-none-match');
  if (noneMatch !== null) return hasTag(noneMatch, object, true) ? 304 : undefined;
  return isNewer(object, request.get('if-modified-since')) === false ? 304 : undefined;
}

/** With `If-Range` the client requests a part only of the bytes that it knows. */
const wantsRange = (object: R2Object, request: Headers): boolean => {
  const condition = request.get('if-range');
  return condition === null || condition === object.httpEtag || condition === object.uploaded.toUTCString();
};

/** Responds with all bytes; with none if a condition fails. */
function whole(object: R2Object, body: ReadableStream | null, request: Request, cacheControl: string): Response {
  const headers = headersOf(object, cacheControl);
  const status = failedCondition(object, request.headers);
  if (status === undefined) headers.set('content-length', String(object.size));
  if (status === 412) headers.set('cache-control', UNCACHED);
  return new Response(status === undefined ? body : null, { status: status ?? 200, headers });
}

/** Responds to GET with a part, or none, of an object. Returns undefined for the whole, and if other bytes have replaced these. */
async function partial(
  bucket: R2Bucket,
  object: R2Object,
  request: Request,
  cacheControl: string,
): Promise<Response | undefined> {
  if (failedCondition(object, request.headers)) return whole(object, null, request, cacheControl);
  const part = wantsRange(object, request.headers) ? partOf(request, object.size) : undefined;
  if (!part) return undefined;
  if (part.length <= 0) return unsatisfiable(object.size);
  const found = await bucket.get(object.key, { range: part, onlyIf: { etagMatches: object.etag } });
  if (!found || !('body' in found)) return undefined;
  const headers = headersOf(found, cacheControl);
  headers.set('content-length', String(part.length));
  headers.set('content-range', `bytes ${part.offset}-${part.offset + part.length - 1}/${object.size}`);
  return new Response(found.body, { status: 206, headers });
}

/** Custom metadata of an object without bytes: the key of the object that has them. */
export const SAME_AS = 'same-as';

/** Where an object is, and how its bytes are cached. */
export interface FileSource {
  readonly bucket: R2Bucket;
  readonly cacheControl: string;
}

/** The headers always describe the object whose bytes are sent. Returns undefined without an object. */
export async function serveObject(key: string, request: Request, source: FileSource): Promise<Response | undefined> {
  const { bucket, cacheControl } = source;
  const isHead = request.method === 'HEAD';
  const head = isHead || request.headers.has('range') ? await bucket.head(key) : undefined;
  if (head === null) return undefined;
  const sameAs = head?.customMetadata?.[SAME_AS];
  if (sameAs) return serveObject(sameAs, request, source);
  if (head && isHead) return whole(head, null, request, cacheControl);
  const part = head && (await partial(bucket, head, request, cacheControl));
  if (part) return part;
  const object = await bucket.get(key);
  if (!object) return undefined;
  const other = object.customMetadata?.[SAME_AS];
  const response = whole(object, object.body, request, cacheControl);
  if (other || !response.body) await object.body.cancel();
  return other ? serveObject(other, request, source) : response;
}

/** @throws ApiError 404 */
export async function serveFile(key: string, request: Request, source: FileSource): Promise<Response> {
  const response = KEY.test(key) ? await serveObject(key, request, source) : undefined;
  if (!response) throw notFound();
  return response;
}
