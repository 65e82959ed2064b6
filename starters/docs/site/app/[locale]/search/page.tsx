/**
 * @module The search. It works without a script: the form of the header leads here.
 */
import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { partOf, readOutline, searchPages } from '../../../lib/content';
import { isLocale, TEXTS } from '../../../lib/texts';

type Props = PageProps<'/[locale]/search'>;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { locale } = await params;
  return isLocale(locale) ? { title: TEXTS[locale].search, robots: { index: false } } : {};
}

export default async function Search({ params, searchParams }: Props) {
  const { locale } = await params;
  if (!isLocale(locale)) notFound();
  const words = [(await searchParams).q ?? ''].flat().join(' ').trim().slice(0, 100);
  const texts = TEXTS[locale];
  const [pages, outline] = await Promise.all([words === '' ? [] : searchPages(locale, words), readOutline(locale)]);
  return (
    <div className="results">
      <h1>{texts.search}</h1>
      <p role="status">{words === '' ? texts.noWords : texts.results(pages.length, words)}</p>
      <ol>
        {pages.map((page) => (
          <li key={page.documentId} lang={page.locale}>
            <p className="section">{partOf(outline, page.slug)?.title}</p>
            <Link href={`/${locale}/${page.slug}`}>{page.title}</Link>
            <p>{page.summary}</p>
          </li>
        ))}
      </ol>
    </div>
  );
}
