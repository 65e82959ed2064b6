import { API_URL } from 'astro:env/server';
import { createClient, type Document, NotFoundError } from 'edgewise-client';
import type { ContentTypes, UploadFile } from '../../../types/content-types';
import type { Locale } from './locales';

export type { UploadFile };

const client = createClient<ContentTypes>({ url: API_URL });

/** What a card shows of an article. */
const CARD = {
  fields: ['title', 'slug', 'summary', 'format', 'issueDate', 'readingMinutes'],
  populate: { cover: true, author: { fields: ['name', 'slug'] }, categories: { fields: ['name', 'slug', 'color'] } },
} as const;

/** What the page of an article shows. */
const ARTICLE = {
  populate: {
    cover: true,
    gallery: true,
    author: { populate: { avatar: true } },
    categories: { fields: ['name', 'slug', 'color'] },
    related: CARD,
    seo: true,
    sections: {
      on: {
        'content.text': true,
        'content.quote': { populate: { source: true } },
        'content.picture': { populate: { file: true } },
      },
    },
  },
} as const;

export type Category = Document<ContentTypes, 'categories', object>;
type Filters = ContentTypes['articles']['model']['filters'];

/** In this language, or in one that stands in for it. */
const within = (locale: Locale) => ({ locale, fallback: true });

/** Returns undefined for a document that is not there. */
async function ifFound<T>(reading: Promise<{ readonly data: T }>): Promise<T | undefined> {
  try {
    return (await reading).data;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

/** An article as a card shows it. */
export type Card = Document<ContentTypes, 'articles', typeof CARD>;

/** A page of a list of articles. */
export interface List {
  readonly articles: readonly Card[];
  readonly page: number;
  readonly pageCount: number;
  readonly total: number;
}

interface Wanted {
  readonly page?: number;
  readonly filters?: Filters;
  /** Words, for the best first; absent: the newest first. */
  readonly search?: string;
}

export async function findArticles(locale: Locale, { page = 1, filters, search }: Wanted = {}): Promise<List> {
  const { data, meta } = await client.articles.find({
    ...CARD,
    ...within(locale),
    ...(search === undefined ? { sort: ['issueDate:desc', 'id'] } : { search }),
    filters,
    pagination: { page, pageSize: 12, withCount: true },
  });
  return { articles: data, ...meta.pagination };
}

export const findArticle = (slug: string, locale: Locale) =>
  ifFound(client.articles.findOne({ slug }, { ...ARTICLE, ...within(locale) }));

/** Who sees a draft: the token of a preview, and which version. */
export interface Preview {
  readonly token: string;
  readonly status: 'draft' | 'published';
}

/**
 * Reads a version of an article for a preview. Its token reads this one draft, and so no related ones. Each text says where it
 * comes from, so that a click in Studio leads to its field.
 */
export async function findPreview(slug: string, locale: Locale, { token, status }: Preview) {
  const { related: _, ...populate } = ARTICLE.populate;
  const headers = { authorization: `Bearer ${token}`, 'strapi-encode-source-maps': 'true' };
  const found = await ifFound(client.articles.findOne({ slug }, { ...within(locale), populate, status, headers }));
  return found && { ...found, related: [] };
}

/** A draft may lack what a published version has. */
export type Article = NonNullable<Awaited<ReturnType<typeof findArticle | typeof findPreview>>>;

export async function findCategories(locale: Locale): Promise<readonly Category[]> {
  return (await client.categories.find({ ...within(locale), sort: 'position' })).data;
}

export const findAuthor = (slug: string) =>
  ifFound(client.authors.findOne({ slug }, { populate: { avatar: true, links: true } }));

export const findHomepage = (locale: Locale) =>
  ifFound(client.homepage.find({ ...within(locale), populate: { highlights: CARD, seo: true } }));

/** Returns the paths of all articles and authors. */
export async function findPaths(): Promise<readonly string[]> {
  const paths: string[] = [];
  for await (const { slug } of client.authors.each({ fields: ['slug'] })) paths.push(`/authors/${slug}`);
  for await (const { slug } of client.articles.each({ fields: ['slug'] })) paths.push(`/articles/${slug}`);
  return paths;
}
