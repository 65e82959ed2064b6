/**
 * @module The API. Next caches what is published until a webhook says that it has changed, or a minute has passed.
 */
import { createClient } from 'edgewise-client';
import { nextFetch } from 'edgewise-client/next';
import type { ContentTypes } from '../../types/content-types';
import { API_URL } from './addresses';

export const api = createClient<ContentTypes>({ url: API_URL, fetch: nextFetch() });

/** Every message of the webhook makes it stale: any change may change the sidebar of all pages. */
export const PUBLISHED = {
  init:
    process.env.NODE_ENV === 'development' ? { cache: 'no-store' } : { next: { tags: ['edgewise'], revalidate: 60 } },
} satisfies { init: RequestInit };
