/**
 * @module `ETag` and `If-None-Match` (https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2), and for how long an answer
 * may be kept.
 */
import type { Answer } from '../execute/answer.ts';
import type { AppContext } from './content.ts';

const CONTENT_TYPE = 'application/json; charset=utf-8';
/** So many tags of one request are looked at. */
const MOST_TAGS = 50;

const ifNoneMatch = ({ req }: AppContext): string => req.header('if-none-match')?.trim() ?? '';

/** The tags of the answers that the caller holds, in their quotes; whether they are weak does not matter here. */
export const heldTags = (context: AppContext): readonly string[] =>
  (ifNoneMatch(context).match(/"[^"]*"/g) ?? []).slice(0, MOST_TAGS);

/** Caches keep it, and ask whether it still holds each time; those that several people share only what anybody may see. */
function cacheControl({ req }: AppContext): string {
  return req.header('authorization') === undefined ? 'no-cache' : 'private, no-cache';
}

/** 200, or 304 for a caller who holds the answer. */
export function respondAnswer(context: AppContext, { bytes, etag }: Answer): Response {
  context.header('cache-control', cacheControl(context));
  context.header('vary', 'Authorization, Strapi-Response-Format', { append: true });
  if (etag !== undefined) context.header('etag', etag);
  const isHeld = ifNoneMatch(context) === '*' || (etag !== undefined && heldTags(context).includes(etag));
  if (!bytes || isHeld) return context.body(null, 304);
  return context.body(bytes as Uint8Array<ArrayBuffer>, 200, { 'content-type': CONTENT_TYPE });
}
