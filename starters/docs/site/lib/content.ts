/**
 * @module The content of the site. Where a translation is missing, the API responds with the next locale of its chain.
 */
import type { Page, Section, Site } from '../../types/content-types';
import { read, readDraft } from './api';
import { LOCALES, type Locale } from './texts';

/** A page as the sidebar lists it. */
export type Entry = Pick<Page, 'title' | 'slug' | 'summary' | 'updatedAt' | 'locale'>;

/** A section with its pages, in their order. */
export interface Part {
  readonly slug: string;
  readonly title: string;
  readonly pages: readonly Entry[];
}

const PAGE_SIZE = 100;

async function readAll<T>(path: string, query: Readonly<Record<string, string>>): Promise<readonly T[]> {
  const all: T[] = [];
  for (let start = 0; ; start += PAGE_SIZE) {
    const range = { 'pagination[start]': String(start), 'pagination[limit]': String(PAGE_SIZE) };
    const found = await read<readonly T[]>(path, { ...query, ...range });
    all.push(...found);
    if (found.length < PAGE_SIZE) return all;
  }
}

/**
 * Returns the published pages by section: what the sidebar, the first page, the sitemap and the feed list. A translation
 * without a section of its own has that of its original.
 */
export async function readOutline(locale: Locale): Promise<readonly Part[]> {
  const sorted = { sort: 'order,title', 'populate[section][fields]': 'slug' };
  const fields = 'title,slug,summary,updatedAt,locale';
  const [sections, pages, originals] = await Promise.all([
    readAll<Section>('sections', { locale, fallback: 'true', sort: 'order,title', fields: 'title,slug' }),
    readAll<Page>('pages', { ...sorted, fields, locale, fallback: 'true' }),
    readAll<Page>('pages', { ...sorted, fields: 'slug', locale: LOCALES[0] }),
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

/** Returns the draft if the reader has opened its preview, else what is published. */
async function readOne<T>(path: string, query: Readonly<Record<string, string>>): Promise<T | undefined> {
  type Found = T | readonly T[] | null;
  const [draft] = [(await readDraft<Found>(path, query)) ?? []].flat() as T[];
  if (draft !== undefined) return draft;
  return ([(await read<Found>(path, { ...query, fallback: 'true' })) ?? []].flat() as T[])[0];
}

export type ShownPage = Page<'draft' | 'published'>;

/** Returns undefined if there is no page with that slug in any locale of the chain. */
export const readPage = (locale: Locale, slug: string): Promise<ShownPage | undefined> =>
  readOne<ShownPage>('pages', {
    locale,
    'filters[slug]': slug,
    'populate[pictures]': 'true',
    'populate[section][fields]': 'title',
  });

/** @throws Error if the single type has no content yet */
export async function readSite(locale: Locale): Promise<Site> {
  const site = await readOne<Site>('site', { locale, populate: 'links' });
  if (!site) throw new Error('Publish the single type "Site" first: every page shows its name');
  return site;
}

/** What the API takes in one search. */
const MAX_WORDS = 10;

/** Returns the pages that have all words, the best first, 20 at most. */
export const searchPages = (locale: Locale, text: string): Promise<readonly Page[]> => {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  const search = words.slice(0, MAX_WORDS).join(' ');
  if (search === '') return Promise.resolve([]);
  const query = { locale, fallback: 'true', fields: 'title,slug,summary,locale', 'pagination[limit]': '20' };
  return read<readonly Page[]>('pages', { ...query, search });
};
