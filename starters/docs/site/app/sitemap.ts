/**
 * @module The sitemap: each page in each language.
 */
import type { MetadataRoute } from 'next';
import { SITE_URL } from '../lib/addresses';
import { readOutline } from '../lib/content';
import { LOCALES } from '../lib/texts';

const inAll = (path: string) =>
  LOCALES.map((locale) => ({
    url: `${SITE_URL}/${locale}${path}`,
    alternates: { languages: Object.fromEntries(LOCALES.map((other) => [other, `${SITE_URL}/${other}${path}`])) },
  }));

export default async function sitemap(): Promise<MetadataRoute.Sitemap> {
  const outline = await readOutline(LOCALES[0]);
  const pages = outline.flatMap((part) => part.pages);
  return [
    ...inAll(''),
    ...pages.flatMap(({ slug, updatedAt }) =>
      inAll(`/${slug}`).map((entry) => ({ ...entry, lastModified: updatedAt })),
    ),
  ];
}
