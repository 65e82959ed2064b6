/**
 * @module `GET /uploads/:key`: bytes, with ranges and conditions, in a form that no browser executes.
 */
import type { Settings } from '../config.ts';
import { notFound } from '../errors.ts';
import { cacheControlOf } from './caching.ts';
import { presentationOf } from './media-types.ts';

const KEY = /^[A-Za-z0-9_.-]{1,512}$/;
/** Of several ranges at once none is served: the answer is the whole file, as HTTP lets a server do. */
const RANGE = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/i;

/** A PDF is shown by the browser's own viewer, which a sandbox would keep out. */
const policyOf = (mime: string): string =>
  mime === 'application/pdf'
    ? "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'"
    : "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/**
 * Which of `size` bytes are asked for; none of them exists if the length is not positive. Only GET has ranges:
 * https://www.rfc-editor.org/rfc/rfc9110#section-14.2
 */
function partOf({ method, headers }: Request, size: number) {
  const [range, first, last, suffix] = RANGE.exec(headers.get('range')?.trim() ?? '') ?? [];
  if (method !== 'GET' || !range || (last && Number(last) < Number(first))) return undefined;
  const offset = suffix ? Math.max(0, size - Number(suffix)) : Number(first);
  return { offset, length: (last ? Math.min(size, Number(last) + 1) : size) - offset };
}

function headersOf(object: R2Object, settings: Settings['upload']): Headers {
  const { contentType, inline } = presentationOf(object.httpMetadata?.contentType);
  const headers = new Headers({
    'content-type': contentType.startsWith('text/') ? `${contentType}; charset=utf-8` : contentType,
    'cache-control': cacheControlOf(settings),
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

/** What is not the bytes must not be found where they are looked for later. */
export const UNCACHED = 'no-store';

const unsatisfiable = (size: number): Response =>
  new Response(null, {
    status: 416,
    headers: { 'content-range': `bytes */${size}`, 'accept-ranges': 'bytes', 'cache-control': UNCACHED },
  });

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

/**
 * The answer that all of these bytes are: nothing when the client has them already, or wanted others.
 * @param body null for what was asked without it.
 */
function whole(
  object: R2Object,
  body: ReadableStream | null,
  request: Request,
  settings: Settings['upload'],
): Response {
  const headers = headersOf(object, settings);
  const status = failedCondition(object, request.headers);
  if (status === undefined) headers.set('content-length', String(object.size));
  if (status === 412) headers.set('cache-control', UNCACHED);
  return new Response(status === undefined ? body : null, { status: status ?? 200, headers });
}

/**
 * What is asked for of an object that is there: a part of it, or nothing.
 * @returns undefined where the whole is to be answered, also because other bytes took the place of these meanwhile.
 */
async function partial(
  bucket: R2Bucket,
  object: R2Object,
  request: Request,
  settings: Settings['upload'],
): Promise<Response | undefined> {
  if (failedCondition(object, request.headers)) return whole(object, null, request, settings);
  const part = wantsRange(object, request.headers) ? partOf(request, object.size) : undefined;
  if (!part) return undefined;
  if (part.length <= 0) return unsatisfiable(object.size);
  const found = await bucket.get(object.key, { range: part, onlyIf: { etagMatches: object.etag } });
  if (!found || !('body' in found)) return undefined;
  const headers = headersOf(found, settings);
  headers.set('content-length', String(part.length));
  headers.set('content-range', `bytes ${part.offset}-${part.offset + part.length - 1}/${object.size}`);
  return new Response(found.body, { status: 206, headers });
}

/**
 * All that an answer tells is of the object whose bytes it brings, whatever takes its place meanwhile.
 * @throws ApiError 404 when there are no such bytes.
 */
export async function serveFile(
  bucket: R2Bucket,
  key: string,
  request: Request,
  settings: Settings['upload'],
): Promise<Response> {
  if (!KEY.test(key)) throw notFound();
  const asksHead = request.method === 'HEAD';
  const head = asksHead || request.headers.has('range') ? await bucket.head(key) : undefined;
  if (head === null) throw notFound();
  if (head && asksHead) return whole(head, null, request, settings);
  const answer = head && (await partial(bucket, head, request, settings));
  if (answer) return answer;
  const object = await bucket.get(key);
  if (!object) throw notFound();
  const response = whole(object, object.body, request, settings);
  if (!response.body) await object.body.cancel();
  return response;
}
