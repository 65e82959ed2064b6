/**
 * @module The content of the site. Where a translation is missing, the API responds with the next locale of its chain.
 */
import type { Document } from 'edgewise-client';
import { previewStatus } from 'edgewise-client/next';
import type { ContentTypes } from '../../types/content-types';
import { api, PUBLISHED } from './api';
import { LOCALES, type Locale } from './texts';

const LISTED = {
  fields: ['title', 'slug', 'summary', 'updatedAt', 'locale'],
  populate: { section: { fields: ['slug'] } },
} as const;

const SHOWN = { populate: { pictures: true, section: { fields: ['title'] } } } as const;

/** A page as the sidebar lists it. */
export type Entry = Document<ContentTypes, 'pages', typeof LISTED>;

/** A section with its pages, in their order. */
export interface Part {
  readonly slug: string;
  readonly title: string;
  readonly pages: readonly Entry[];
}

async function all<T>(documents: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const document of documents) found.push(document);
  return found;
}

/**
 * Returns the published pages by section: what the sidebar, the first page, the sitemap and the feed list. A translation
 * without a section of its own has that of its original.
 */
export async function readOutline(locale: Locale): Promise<readonly Part[]> {
  const sorted = { sort: ['order', 'title'], ...PUBLISHED } as const;
  const [sections, pages, originals] = await Promise.all([
    all(api.sections.each({ ...sorted, fields: ['title', 'slug'], locale, fallback: true })),
    all(api.pages.each({ ...sorted, ...LISTED, locale, fallback: true })),
    all(api.pages.each({ ...sorted, ...LISTED, locale: LOCALES[0] })),
  ]);
  const places = new Map(originals.map(({ slug, section }) => [slug, section?.slug]));
  return sections
    .map(({ slug, title }) => ({
      ...{ slug, title },
      pages: pages.filter((page) => (page.section?.slug ?? places.get(page.slug)) === slug),
    }))
    .filter((part) => part.pages.length > 0);
}

/** Returns the section that lists a page. */
export const partOf = (outline: readonly Part[], slug: string): Part | undefined =>
  outline.find(({ pages }) => pages.some((page) => page.slug === slug));

/** Returns the draft whose preview the reader has opened. An error means that it is that of another document. */
async function draftOf<T>(find: () => Promise<T>): Promise<T | undefined> {
  return (await previewStatus()) === 'draft' ? find().catch(() => undefined) : undefined;
}

/** Returns undefined if there is no page with that slug in any locale of the chain. */
export async function readPage(locale: Locale, slug: string) {
  const query = { ...SHOWN, filters: { slug }, locale } as const;
  const draft = await draftOf(() => api.pages.find({ ...query, status: 'draft' }));
  return draft?.data[0] ?? (await api.pages.find({ ...query, ...PUBLISHED, fallback: true })).data[0];
}

/** @throws NotFoundError if the single type has no content yet */
export async function readSite(locale: Locale) {
  const query = { populate: { links: true }, locale } as const;
  const draft = await draftOf(() => api.site.find({ ...query, status: 'draft' }));
  const { data } = draft ?? (await api.site.find({ ...query, ...PUBLISHED, fallback: true }));
  return { ...data, name: data.name ?? '' };
}

export type Site = Awaited<ReturnType<typeof readSite>>;

/** What the API takes in one search. */
const MAX_WORDS = 10;

/** Returns the pages that have all words, the best first, 20 at most. */
export async function searchPages(locale: Locale, text: string) {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length === 0) return [];
  const { data } = await api.pages.find({
    ...{ ...LISTED, ...PUBLISHED, locale, fallback: true },
    search: words.slice(0, MAX_WORDS).join(' '),
    pagination: { limit: 20 },
  });
  return data;
}
