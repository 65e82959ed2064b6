/**
 * @module Reads of the API. Next caches what is published until a webhook names its tags, or a minute has passed.
 */
import { API_URL } from './addresses';

/** Singular names of the content types: a change of any of them may change the sidebar of every page. */
export const TAGS = ['page', 'section', 'site'];

type Query = Readonly<Record<string, string>>;

async function get<T>(path: string, query: Query, init: RequestInit): Promise<T> {
  const url = `${API_URL}/api/${path}?${new URLSearchParams(query)}`;
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`GET ${url} responded with ${response.status}: ${await response.text()}`);
  const { data } = (await response.json()) as { readonly data: T };
  return data;
}

const isDevelopment = process.env.NODE_ENV === 'development';

/** @throws Error for any response without content */
export const read = <T>(path: string, query: Query): Promise<T> =>
  get(path, query, isDevelopment ? { cache: 'no-store' } : { next: { tags: TAGS, revalidate: 60 } });

/** Reads a draft with its source maps, which lead from a text to its field in Studio. */
export const readDraft = <T>(path: string, query: Query, token: string): Promise<T> =>
  get(
    path,
    { ...query, status: 'draft' },
    { cache: 'no-store', headers: { authorization: `Bearer ${token}`, 'strapi-encode-source-maps': 'true' } },
  );
