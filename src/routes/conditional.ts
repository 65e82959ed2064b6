/**
 * @module `ETag` and `If-None-Match` (https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2), and `Cache-Control`.
 */
import { etag as hashed } from 'hono/etag';
import type { Settings } from '../config.ts';
import type { ReadResponse } from '../execute/cached-response.ts';
import type { Call } from '../execute/call.ts';
import type { ContentType } from '../registry/model.ts';
import { type AppContext, isLocal } from './context.ts';
import { cacheTag } from './purge.ts';

const CONTENT_TYPE = 'application/json; charset=utf-8';
/** Maximum number of tags that are read from a request. */
const MAX_TAGS = 50;

/** Returns the tags of `If-None-Match` in their quotes, without the `W/` of weak ones; `*` for any. */
export function heldTags({ req }: AppContext): readonly string[] {
  const header = req.header('if-none-match')?.trim();
  if (!header) return [];
  return header === '*' ? [header] : (header.match(/"[^"]*"/g) ?? []).slice(0, MAX_TAGS);
}

const isAnonymous = ({ req }: AppContext): boolean => req.header('authorization') === undefined;

/** Caches store the response, and revalidate it each time. */
const revalidated = (context: AppContext): string => (isAnonymous(context) ? 'no-cache' : 'private, no-cache');

/** Tags API responses without version stamps by a hash of the body. HEAD is not tagged: its body lacks the values. */
async function tagBody(context: AppContext): Promise<void> {
  const { method, path } = context.req;
  if (method !== 'GET' || !path.startsWith('/api/') || context.res.headers.has('etag')) return;
  // A 304 keeps all headers except those about the body, since the client receives no other response.
  const tagged = hashed({ retainedHeaders: ['etag', ...context.res.headers.keys()] });
  await tagged(context, () => Promise.resolve());
}

/**
 * Adds `ETag` and `Cache-Control` where they are missing: caches revalidate reads each time, and do not store anything
 * else. Without `Cache-Control` they would use heuristics.
 */
export async function cacheRules(context: AppContext, next: () => Promise<void>): Promise<void> {
  await next();
  await tagBody(context);
  const { headers, status } = context.res;
  if (headers.has('cache-control')) return;
  const { method } = context.req;
  const isRead = (method === 'GET' || method === 'HEAD') && (status === 200 || status === 304);
  headers.set('cache-control', isRead ? revalidated(context) : 'no-store');
}

/** Returns how long shared caches may store a response to the public role; undefined if the settings do not allow it. */
function policyOf(
  context: AppContext,
  { cache }: Settings,
  type: ContentType | undefined,
): Settings['cache'][string] | undefined {
  return type && Object.hasOwn(cache, type.uid) && isAnonymous(context) ? cache[type.uid] : undefined;
}

/** Maximum for all tags of a response: https://developers.cloudflare.com/cache/how-to/purge-cache/purge-by-tags/#a-few-things-to-remember */
const MAX_TAG_BYTES = 16_000;

/** Lets shared caches store a response, unless its tags do not all fit: then some commits could not purge it. */
function share(
  context: AppContext,
  { maxAge, staleWhileRevalidate }: Settings['cache'][string],
  names: readonly string[],
): boolean {
  const tags = names.map(cacheTag).join(',');
  if (tags.length > MAX_TAG_BYTES) return false;
  const stale = staleWhileRevalidate > 0 ? `, stale-while-revalidate=${staleWhileRevalidate}` : '';
  context.header('cache-control', `public, max-age=${maxAge}${stale}`);
  context.header('cache-tag', tags);
  // The id belongs to one request, and this response serves many.
  context.header('x-request-id', undefined);
  return true;
}

/** May a shared cache store the response? Then it contains nothing about a single request. */
export const isShared = (headers: Headers): boolean => headers.get('cache-control')?.startsWith('public') === true;

/** Does a response report its cost? Not if a shared cache would repeat it; a local server has no shared cache. */
export const reportsCost = (context: AppContext, { server }: Settings, shared: boolean): boolean =>
  isLocal(context) || (server.timing && !shared);

/** Responds with 200, or 304 if the caller holds the response. Shared caches store only those of content types. */
export function respondAnswer(
  context: AppContext,
  { bytes, etag, names, cached }: ReadResponse,
  { settings, type, held }: Pick<Call, 'settings' | 'held'> & { readonly type?: ContentType },
): Response {
  const policy = policyOf(context, settings, type);
  const shared = policy !== undefined && share(context, policy, names);
  if (!shared) context.header('cache-control', revalidated(context));
  context.header('vary', 'Authorization, Strapi-Response-Format', { append: true });
  if (etag !== undefined) context.header('etag', etag);
  if (reportsCost(context, settings, shared))
    context.header('server-timing', `answer;desc="${cached ? 'cached' : 'recomputed'}"`);
  const isHeld = held.includes('*') || (etag !== undefined && held.includes(etag));
  if (!bytes || isHeld) return context.body(null, 304);
  return context.body(bytes as Uint8Array<ArrayBuffer>, 200, { 'content-type': CONTENT_TYPE });
}
