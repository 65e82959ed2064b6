/**
 * @module Where a page is in each language, for search engines and readers of feeds.
 */
import type { Metadata } from 'next';
import { LOCALES, type Locale } from './texts';

/** @param path of the page below its locale, with a slash before it; empty for the first page */
export const alternates = (locale: Locale, path: string): Metadata['alternates'] => ({
  canonical: `/${locale}${path}`,
  languages: Object.fromEntries(LOCALES.map((each) => [each, `/${each}${path}`])),
  types: { 'application/atom+xml': `/${locale}/feed.xml` },
});
