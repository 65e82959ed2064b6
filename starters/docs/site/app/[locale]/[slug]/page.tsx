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
import { plain, sourceOf } from '../../../lib/preview';
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
  return { locale, page };
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { locale, page } = await pageOf(props);
  return {
    title: plain(page.title ?? ''),
    description: plain(page.summary ?? ''),
    alternates: alternates(locale, `/${page.slug}`),
  };
}

export default async function DocumentationPage(props: Props) {
  const { locale, page } = await pageOf(props);
  const texts = TEXTS[locale];
  const text = page.body ?? '';
  const outline = await readOutline(locale);
  const section = partOf(outline, page.slug ?? '')?.title ?? page.section?.title;
  const { body, headings } = renderMarkdown(plain(text), { locale, pictures: page.pictures ?? [] });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(page.updatedAt));
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
            {texts.updated} <time dateTime={page.updatedAt}>{date}</time>
          </p>
          <Neighbours locale={locale} slug={page.slug ?? ''} outline={outline} />
        </footer>
      </article>
      <OnThisPage headings={headings} title={texts.onThisPage} />
    </div>
  );
}
