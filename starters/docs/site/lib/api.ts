/**
 * @module Reads of the API. Next caches what is published until a webhook says that it has changed, or a minute has passed.
 */
import { nextFetch, previewStatus } from 'edgewise-client/next';
import { API_URL } from './addresses';

type Query = Readonly<Record<string, string>>;

const fetchContent = nextFetch();

/** Every message of the webhook makes it stale: any change may change the sidebar of all pages. */
const CACHED: RequestInit =
  process.env.NODE_ENV === 'development' ? { cache: 'no-store' } : { next: { tags: ['edgewise'], revalidate: 60 } };

async function get<T>(path: string, query: Query, init?: RequestInit): Promise<T> {
  const url = `${API_URL}/api/${path}?${new URLSearchParams(query)}`;
  const response = await fetchContent(url, init);
  if (!response.ok) throw new Error(`GET ${url} responded with ${response.status}: ${await response.text()}`);
  const { data } = (await response.json()) as { readonly data: T };
  return data;
}

/** @throws Error for any response without content */
export const read = <T>(path: string, query: Query): Promise<T> => get(path, query, CACHED);

/**
 * Reads the draft whose preview the reader has opened, with its source maps. Returns undefined without a preview, and where
 * it is that of another document.
 */
export async function readDraft<T>(path: string, query: Query): Promise<T | undefined> {
  if ((await previewStatus()) === 'published') return undefined;
  return get<T>(path, { ...query, status: 'draft' }).catch(() => undefined);
}
