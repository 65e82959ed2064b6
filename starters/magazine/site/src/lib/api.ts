import { API_URL } from 'astro:env/server';
import type { Article, Author, Category, Homepage, UploadFile } from '../../../types/content-types';
import type { Locale } from './locales';

export type { Article, Author, Category, UploadFile };

type Query = { readonly [key: string]: unknown };
interface List<T> {
  readonly data: readonly T[];
  readonly meta: { readonly pagination: { readonly page: number; readonly pageCount: number; readonly total: number } };
}

/** `{ a: { b: 1 } }` → `[['a[b]', '1']]` */
const pairs = (query: Query, prefix = ''): [string, string][] =>
  Object.entries(query).flatMap(([key, value]) => {
    const name = prefix === '' ? key : `${prefix}[${key}]`;
    if (value === undefined) return [];
    return typeof value === 'object' && value !== null ? pairs(value as Query, name) : [[name, String(value)]];
  });

/** Reads from the API. @returns undefined for what is not there. @throws Error for any other failure */
async function read<T>(path: string, query: Query, headers: Record<string, string> = {}): Promise<T | undefined> {
  const response = await fetch(`${API_URL}/api/${path}?${new URLSearchParams(pairs(query))}`, { headers });
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`${response.status} ${path}: ${await response.text()}`);
  return (await response.json()) as T;
}

const IN = (locale: Locale) => ({ locale, fallback: true });
const CARD = {
  fields: ['title', 'slug', 'summary', 'format', 'issueDate', 'readingMinutes'],
  populate: { cover: true, author: { fields: ['name', 'slug'] }, categories: { fields: ['name', 'slug', 'color'] } },
};
const NEWEST = ['issueDate:desc', 'id'];
export const PAGE_SIZE = 12;

export async function findArticles(locale: Locale, query: Query = {}): Promise<List<Article>> {
  const found = await read<List<Article>>('articles', {
    ...IN(locale),
    ...CARD,
    sort: NEWEST,
    pagination: { pageSize: PAGE_SIZE, withCount: true },
    ...query,
  });
  if (!found) throw new Error('The API has no articles.');
  return found;
}

/** Who sees a draft: the token of a preview, and which version. */
export interface Preview {
  readonly token: string;
  readonly status: 'draft' | 'published';
}

const previewHeaders = ({ token }: Preview) => ({
  authorization: `Bearer ${token}`,
  'strapi-encode-source-maps': 'true',
});

export async function findArticle(slug: string, locale: Locale, preview?: Preview): Promise<Article | undefined> {
  const query = {
    ...IN(locale),
    ...(preview && { status: preview.status }),
    populate: {
      ...CARD.populate,
      author: { populate: { avatar: true, links: true } },
      gallery: true,
      seo: { populate: '*' },
      related: CARD,
      sections: {
        on: { 'content.text': true, 'content.quote': { populate: 'source' }, 'content.picture': { populate: 'file' } },
      },
    },
  };
  const found = await read<{ data: Article }>(
    `articles/slug:${encodeURIComponent(slug)}`,
    query,
    preview ? previewHeaders(preview) : {},
  );
  return found?.data;
}

export async function findCategories(locale: Locale): Promise<readonly Category[]> {
  return (await read<List<Category>>('categories', { ...IN(locale), sort: 'position' }))?.data ?? [];
}

export async function findAuthor(slug: string): Promise<Author | undefined> {
  const found = await read<{ data: Author }>(`authors/slug:${encodeURIComponent(slug)}`, {
    populate: { avatar: true, links: true },
  });
  return found?.data;
}

export async function findHomepage(locale: Locale): Promise<Homepage | undefined> {
  const found = await read<{ data: Homepage }>('homepage', {
    ...IN(locale),
    populate: { highlights: CARD, seo: true },
  });
  return found?.data;
}

/** Returns the paths of all pages of a kind: `/articles/<slug>`. */
export async function findPaths(kind: 'articles' | 'authors'): Promise<readonly string[]> {
  const paths: string[] = [];
  for (let page = 1, pageCount = 1; page <= pageCount; page += 1) {
    const found = await read<List<{ readonly slug: string }>>(kind, {
      fields: 'slug',
      sort: 'id',
      pagination: { page, pageSize: 100 },
    });
    pageCount = found?.meta.pagination.pageCount ?? 0;
    paths.push(...(found?.data ?? []).map(({ slug }) => `/${kind}/${slug}`));
  }
  return paths;
}
