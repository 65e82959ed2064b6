import type { APIRoute } from 'astro';
import { findCategories, findPaths } from '../lib/api';
import { LOCALES, pathIn } from '../lib/locales';

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

export const GET: APIRoute = async ({ url }) => {
  const perLocale = await Promise.all(
    LOCALES.map(async (locale) => [
      ...['/', '/articles'].map((path) => pathIn(locale, path)),
      ...(await findCategories(locale)).map(({ slug }) => pathIn(locale, `/categories/${slug}`)),
    ]),
  );
  const paths = [...perLocale.flat(), ...(await findPaths())];
  const entries = paths.map((path) => `<url><loc>${escaped(new URL(path, url.origin).href)}</loc></url>`);
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</urlset>\n`;
  return new Response(xml, { headers: { 'content-type': 'application/xml; charset=utf-8' } });
};
