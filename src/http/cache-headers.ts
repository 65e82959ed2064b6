/**
 * @module `ETag` and 304 (https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2), and `Cache-Control`.
 */
import { etag as hashed } from 'hono/etag';
import { memoized } from '../common/cache.ts';
import type { ReadResponse } from '../content/runtime/cached-response.ts';
import type { Call } from '../content/runtime/call.ts';
import type { ContentType } from '../schema/model.ts';
import type { Settings } from '../schema/settings/config.ts';
import { type AppContext, isLocal, isRead, OF_TOOL, SOURCE_MAPS_HEADER } from './context.ts';
import { cacheTag } from './purge.ts';

const CONTENT_TYPE = 'application/json; charset=utf-8';

const isAnonymous = ({ req, env }: AppContext): boolean =>
  req.header('authorization') === undefined && env[OF_TOOL]?.claims === undefined;

/** For what no shared cache may store. */
export const REVALIDATED = 'private, no-cache';

const revalidated = (context: AppContext): string => (isAnonymous(context) ? 'no-cache' : REVALIDATED);

/** Tags API responses without version stamps by a hash of the body, which HEAD lacks. */
async function tagBody(context: AppContext): Promise<void> {
  const { method, path } = context.req;
  const { headers } = context.res;
  if (method !== 'GET' || !path.startsWith('/api/') || headers.has('etag')) return;
  // Reading the body would hold up a stream.
  if (headers.get('cache-control') === 'no-store') return;
  // A 304 keeps all headers except those about the body.
  const tagged = hashed({ retainedHeaders: ['etag', ...headers.keys()] });
  await tagged(context, () => Promise.resolve());
}

/** Adds missing `ETag` and `Cache-Control`: caches revalidate each read, and store nothing else. */
export async function cacheRules(context: AppContext, next: () => Promise<void>): Promise<void> {
  await next();
  await tagBody(context);
  const { headers, status } = context.res;
  if (headers.has('cache-control')) return;
  const isStored = isRead(context) && (status === 200 || status === 304);
  headers.set('cache-control', isStored ? revalidated(context) : 'no-store');
}

type Policy = Settings['cache'][string];

/** Does a condition of the public role change its result with time? */
const namesTime = memoized(
  ({ roles }: Settings) => JSON.stringify(roles.public ?? []).includes('"$now"'),
  new WeakMap(),
);

/** Shared caches may store only responses to the public role, of types in the settings. */
function policyOf(context: AppContext, settings: Settings, type?: ContentType): Policy | undefined {
  if (!type || !isAnonymous(context) || namesTime(settings)) return undefined;
  return settings.cache[type.uid];
}

/** https://developers.cloudflare.com/cache/how-to/purge-cache/purge-by-tags/#a-few-things-to-remember */
const MAX_TAG_BYTES = 16_000;

/** Lets shared caches store a response, unless it has too many tags: then some commits could not purge it. */
function share(context: AppContext, { maxAge, staleWhileRevalidate }: Policy, names: readonly string[]): boolean {
  const tags = names.map(cacheTag).join(',');
  if (tags.length > MAX_TAG_BYTES) return false;
  const stale = staleWhileRevalidate > 0 ? `, stale-while-revalidate=${staleWhileRevalidate}` : '';
  context.header('cache-control', `public, max-age=${maxAge}${stale}`);
  context.header('cache-tag', tags);
  // The id is that of one request.
  context.header('x-request-id', undefined);
  return true;
}

export const isShared = (headers: Headers): boolean => headers.get('cache-control')?.startsWith('public') === true;

/** Does a response report its cost? A shared cache would repeat it. */
export const reportsCost = (context: AppContext, { server }: Settings, shared: boolean): boolean =>
  isLocal(context) || (server.timing && !shared);

/** Responds with 200, or 304 if the caller holds the response. */
export function respondConditionally(
  context: AppContext,
  { bytes, etag, names, cached, isUnshared, isSigned }: ReadResponse,
  { settings, type, held }: Pick<Call, 'settings' | 'held'> & { readonly type?: ContentType },
): Response {
  const policy = isUnshared || isSigned ? undefined : policyOf(context, settings, type);
  const shared = policy !== undefined && share(context, policy, names);
  if (!shared)
    context.header('cache-control', isUnshared ? 'private, no-store' : isSigned ? REVALIDATED : revalidated(context));
  const formats = settings.preview ? `Strapi-Response-Format, ${SOURCE_MAPS_HEADER}` : 'Strapi-Response-Format';
  context.header('vary', `Authorization, ${formats}`, { append: true });
  context.header('etag', etag);
  if (reportsCost(context, settings, shared))
    context.header('server-timing', `answer;desc="${cached ? 'cached' : 'recomputed'}"`);
  const isHeld = held.includes('*') || (etag !== undefined && held.includes(etag));
  if (!bytes || isHeld) return context.body(null, 304);
  return context.body(bytes as Uint8Array<ArrayBuffer>, 200, { 'content-type': CONTENT_TYPE });
}
