/**
 * @module The feed of a language: its twenty pages that were changed last.
 */
import { SITE_URL } from '../../../lib/addresses';
import { readOutline, readSite } from '../../../lib/content';
import { isLocale, LOCALES } from '../../../lib/texts';

export const dynamic = 'force-static';

export const generateStaticParams = () => LOCALES.map((locale) => ({ locale }));

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

export async function GET(_: Request, { params }: RouteContext<'/[locale]/feed.xml'>): Promise<Response> {
  const { locale } = await params;
  if (!isLocale(locale)) return new Response(null, { status: 404 });
  const [site, outline] = await Promise.all([readSite(locale), readOutline(locale)]);
  const pages = outline
    .flatMap((part) => part.pages)
    .sort((a, b) => b.updatedAt.localeCompare(a.updatedAt))
    .slice(0, 20);
  const entries = pages.map(({ slug, title, summary, updatedAt }) => {
    const url = `${SITE_URL}/${locale}/${slug}`;
    return `<entry>
  <id>${url}</id>
  <title>${escaped(title)}</title>
  <link href="${url}"/>
  <updated>${updatedAt}</updated>
  <summary>${escaped(summary ?? '')}</summary>
</entry>`;
  });
  const feed = `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${locale}">
<id>${SITE_URL}/${locale}</id>
<title>${escaped(site.name)}</title>
<author><name>${escaped(site.name)}</name></author>
<link href="${SITE_URL}/${locale}"/>
<link rel="self" href="${SITE_URL}/${locale}/feed.xml"/>
<updated>${pages[0]?.updatedAt ?? new Date(0).toISOString()}</updated>
${entries.join('\n')}
</feed>
`;
  return new Response(feed, { headers: { 'content-type': 'application/atom+xml; charset=utf-8' } });
}
