import rss from '@astrojs/rss';
import type { APIRoute } from 'astro';
import { findArticles, findHomepage } from '../../lib/api';
import { localeOf, pathIn } from '../../lib/locales';

export const GET: APIRoute = async ({ params, url, rewrite }) => {
  const locale = localeOf(params.locale);
  if (locale === undefined) return rewrite('/404');
  const [homepage, { articles }] = await Promise.all([findHomepage(locale), findArticles(locale)]);
  return rss({
    title: homepage?.headline ?? 'Magazine',
    description: homepage?.seo?.metaDescription ?? '',
    site: new URL(pathIn(locale), url.origin),
    customData: `<language>${locale}</language>`,
    items: articles.map(({ title, slug, summary, issueDate, author, categories }) => ({
      title,
      description: summary ?? '',
      link: pathIn(locale, `/articles/${slug}`),
      ...(issueDate && { pubDate: new Date(issueDate) }),
      ...(author && {
        customData: `<dc:creator>${author.name.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</dc:creator>`,
      }),
      categories: categories.map(({ name }) => name),
    })),
    trailingSlash: false,
    xmlns: { dc: 'http://purl.org/dc/elements/1.1/' },
  });
};
