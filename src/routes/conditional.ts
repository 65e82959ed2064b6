/**
 * @module `ETag` and `If-None-Match` (https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2), and for how long which caches
 * may keep an answer.
 */
import { etag as hashed } from 'hono/etag';
import type { Settings } from '../config.ts';
import type { Answer } from '../execute/answer.ts';
import type { Call } from '../execute/call.ts';
import type { ContentType } from '../registry/model.ts';
import { type AppContext, isLocal } from './content.ts';
import { cacheTag } from './purge.ts';

const CONTENT_TYPE = 'application/json; charset=utf-8';
/** So many tags of one request are looked at. */
const MOST_TAGS = 50;

/** The tags of the answers that the caller holds, in their quotes; whether they are weak does not matter here. `*`: any. */
export function heldTags({ req }: AppContext): readonly string[] {
  const header = req.header('if-none-match')?.trim();
  if (!header) return [];
  return header === '*' ? [header] : (header.match(/"[^"]*"/g) ?? []).slice(0, MOST_TAGS);
}

const isAnonymous = ({ req }: AppContext): boolean => req.header('authorization') === undefined;

/** Caches keep it, and ask each time whether it still holds. */
const revalidated = (context: AppContext): string => (isAnonymous(context) ? 'no-cache' : 'private, no-cache');

/** Tags of answers of the API that are not known by stamps. What is made for HEAD lacks the values, and changes with none of them. */
async function tagBody(context: AppContext): Promise<void> {
  const { method, path } = context.req;
  if (method !== 'GET' || !path.startsWith('/api/') || context.res.headers.has('etag')) return;
  // A 304 keeps all headers but what is about its body: who asked with If-None-Match reads no other answer.
  const tagged = hashed({ retainedHeaders: ['etag', ...context.res.headers.keys()] });
  await tagged(context, () => Promise.resolve());
}

/**
 * Tags what has no tag yet. What is not told otherwise: reads are asked about again each time, everything else is kept by
 * nobody. Without a word caches would guess.
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

/** Shared caches take answers made for the public role, where the settings say for how long. */
function policyOf(
  context: AppContext,
  { cache }: Settings,
  type: ContentType | undefined,
): Settings['cache'][string] | undefined {
  return type && Object.hasOwn(cache, type.uid) && isAnonymous(context) ? cache[type.uid] : undefined;
}

/** Of all tags of an answer: https://developers.cloudflare.com/cache/how-to/purge-cache/purge-by-tags/#a-few-things-to-remember */
const MOST_TAG_BYTES = 16_000;

/** An answer some of whose tags cannot be told is shared with nobody, since not every commit could drop it. */
function share(
  context: AppContext,
  { maxAge, staleWhileRevalidate }: Settings['cache'][string],
  names: readonly string[],
): boolean {
  const tags = names.map(cacheTag).join(',');
  if (tags.length > MOST_TAG_BYTES) return false;
  const stale = staleWhileRevalidate > 0 ? `, stale-while-revalidate=${staleWhileRevalidate}` : '';
  context.header('cache-control', `public, max-age=${maxAge}${stale}`);
  context.header('cache-tag', tags);
  // They are about one request, and this answer is for many.
  context.header('x-request-id', undefined);
  return true;
}

/** Does a shared cache keep the answer? Then it says nothing that is about one request. */
export const isShared = (headers: Headers): boolean => headers.get('cache-control')?.startsWith('public') === true;

/** Does an answer say what it has cost? Not where a shared cache would go on saying it; there is none on a local server. */
export const tellsCosts = (context: AppContext, { server }: Settings, shared: boolean): boolean =>
  isLocal(context) || (server.timing && !shared);

/** 200, or 304 for a caller who holds the answer. Shared caches take none but those of content types. */
export function respondAnswer(
  context: AppContext,
  { bytes, etag, names, known }: Answer,
  { settings, type, held }: Pick<Call, 'settings' | 'held'> & { readonly type?: ContentType },
): Response {
  const policy = policyOf(context, settings, type);
  const shared = policy !== undefined && share(context, policy, names);
  if (!shared) context.header('cache-control', revalidated(context));
  context.header('vary', 'Authorization, Strapi-Response-Format', { append: true });
  if (etag !== undefined) context.header('etag', etag);
  if (tellsCosts(context, settings, shared))
    context.header('server-timing', `answer;desc="${known ? 'known' : 'made anew'}"`);
  const isHeld = held.includes('*') || (etag !== undefined && held.includes(etag));
  if (!bytes || isHeld) return context.body(null, 304);
  return context.body(bytes as Uint8Array<ArrayBuffer>, 200, { 'content-type': CONTENT_TYPE });
}
