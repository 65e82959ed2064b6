/**
 * @module A page of the documentation.
 */
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { renderMarkdown } from '../../../components/markdown';
import { Neighbours } from '../../../components/neighbours';
import { OnThisPage } from '../../../components/on-this-page';
import { partOf, readOutline, readPage } from '../../../lib/content';
import { alternates } from '../../../lib/metadata';
import { plain, sourceOf } from '../../../lib/source-maps';
import { isLocale, TEXTS } from '../../../lib/texts';

type Props = PageProps<'/[locale]/[slug]'>;

export async function generateStaticParams({ params: { locale } }: { params: { locale: string } }) {
  const outline = isLocale(locale) ? await readOutline(locale) : [];
  return outline.flatMap(({ pages }) => pages.map(({ slug }) => ({ slug })));
}

async function pageOf({ params }: Props) {
  const { locale, slug } = await params;
  if (!isLocale(locale)) notFound();
  const page = await readPage(locale, slug);
  if (!page) notFound();
  return { locale, slug, page };
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { locale, slug, page } = await pageOf(props);
  return {
    title: plain(page.title ?? ''),
    description: plain(page.summary ?? ''),
    alternates: alternates(locale, `/${slug}`),
  };
}

export default async function DocumentationPage(props: Props) {
  const { locale, slug, page } = await pageOf(props);
  const texts = TEXTS[locale];
  const text = page.body ?? '';
  const outline = await readOutline(locale);
  const section = partOf(outline, slug)?.title ?? page.section?.title;
  const { body, headings } = renderMarkdown(plain(text), { locale, pictures: page.pictures ?? [] });
  const updated = new Date(plain(page.updatedAt));
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(updated);
  return (
    <div className="page">
      <article lang={page.locale}>
        {page.locale !== locale && (
          <p className="untranslated" lang={locale}>
            {texts.untranslated}
          </p>
        )}
        <header>
          {section && <p className="section">{section}</p>}
          <h1>{page.title}</h1>
          {page.summary && <p className="lead">{page.summary}</p>}
        </header>
        <div className="text" data-strapi-source={sourceOf(text)}>
          {body}
        </div>
        <footer lang={locale}>
          <p>
            {texts.updated} <time dateTime={updated.toISOString()}>{date}</time>
          </p>
          <Neighbours locale={locale} slug={slug} outline={outline} />
        </footer>
      </article>
      <OnThisPage headings={headings} title={texts.onThisPage} />
    </div>
  );
}
