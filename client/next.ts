/**
 * @module Previews and caching of a site with Next, in its App Router: what it imports as `edgewise-client/next`.
 */
import { revalidateTag } from 'next/cache';
import { cookies, draftMode } from 'next/headers';
import { type TagsByType, tagsOfRead } from './tags.ts';
import { respondToWebhook } from './webhook-route.ts';
import type { WebhookMessage } from './webhooks.ts';

const COOKIE = 'preview';
/** The page is in a frame of Studio. Seconds are those of a link. */
const COOKIE_OPTIONS = { httpOnly: true, secure: true, sameSite: 'none', path: '/', maxAge: 3_600 };

const badRequest = (message: string): Response => new Response(message, { status: 400 });

/** Returns the path of a page of this site; undefined for one of another. */
function ownPath(path: string, base: string): string | undefined {
  const url = URL.canParse(path, base) ? new URL(path, base) : undefined;
  // A path like "/.//other.example" would lead there, too.
  if (url?.origin !== new URL(base).origin || url.pathname.startsWith('//')) return undefined;
  return url.pathname + url.search + url.hash;
}

/**
 * Opens a preview, as the `GET` of a route: keeps the token of the link in a cookie, turns draft mode on or off, and redirects
 * to `path`. The `url` of the settings ends in `?path=/articles/{slug}&status={status}&token={token}`.
 */
export async function openPreview(request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url);
  const [token, path] = [searchParams.get('token'), searchParams.get('path')];
  if (!token) return badRequest('The parameter token is missing');
  const location = path ? ownPath(path, request.url) : undefined;
  if (location === undefined) return badRequest('The parameter path is not a path of this site');
  (await cookies()).set(COOKIE, token, COOKIE_OPTIONS);
  const draft = await draftMode();
  if (searchParams.get('status') === 'draft') draft.enable();
  else draft.disable();
  return new Response(null, { status: 307, headers: { location } });
}

const previewToken = async (): Promise<string | undefined> =>
  (await draftMode()).isEnabled ? (await cookies()).get(COOKIE)?.value : undefined;

/** Returns the `status` that a page reads its document with: `draft` in a preview. */
export const previewStatus = async (): Promise<'draft' | 'published'> =>
  (await previewToken()) === undefined ? 'published' : 'draft';

/**
 * Returns a `fetch` for the client. Reads with `status=draft` are not cached. In a preview they have its token, and ask for
 * source maps; if the token has expired, they return the published version. All other reads are cached with their tags.
 * @param types what reads of a type show, relations included: `{ articles: ['article', 'author', 'file'] }`
 */
export const nextFetch =
  <Types = Record<string, { readonly uid: string }>>(types: TagsByType<Types> = {}) =>
  async (address: string | URL, init: RequestInit = {}): Promise<Response> => {
    const { method = 'GET', headers } = init;
    if (method !== 'GET') return fetch(address, init);
    const url = new URL(address);
    const isDraft = url.searchParams.get('status') === 'draft';
    const token = isDraft ? await previewToken() : undefined;
    // The client's own token may read it; no message of a webhook would make it stale.
    if (isDraft && token === undefined) return fetch(url, { ...init, cache: 'no-store' });
    if (token !== undefined) {
      const preview = new Headers(headers);
      preview.set('authorization', `Bearer ${token}`);
      preview.set('strapi-encode-source-maps', 'true');
      const response = await fetch(url, { ...init, headers: preview, cache: 'no-store' });
      if (response.status !== 401) return response;
      url.searchParams.set('status', 'published');
    }
    // Of Next, not of the Workers whose types this repository has.
    const cached: object = { cache: 'force-cache', next: { tags: tagsOfRead(url, types) }, ...init };
    return fetch(url, cached);
  };

export interface RevalidateOptions {
  /** That which `secret` of the webhook in the settings names. */
  readonly secret: string | undefined;
  /** Of `cacheLife`. By default `max`: the next visitor gets the earlier page, while the new one is made. */
  readonly profile?: string | { readonly expire: number };
}

/** What no visitor may see again. */
const isRemoval = ({ event }: WebhookMessage): boolean => /\.(unpublish|delete)$/.test(event);

/** Returns the `POST` of a route that a webhook calls: it checks the signature, and revalidates the tags of what has changed. */
export const revalidateRoute =
  ({ secret, profile = 'max' }: RevalidateOptions) =>
  (request: Request): Promise<Response> =>
    respondToWebhook(request, secret, (tags, message) => {
      for (const tag of tags) revalidateTag(tag, isRemoval(message) ? { expire: 0 } : profile);
    });
