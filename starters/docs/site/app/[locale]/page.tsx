/**
 * @module The first page of a language: what the documentation is about, and its pages.
 */
import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { readOutline, readSite } from '../../lib/content';
import { alternates } from '../../lib/metadata';
import { isLocale } from '../../lib/texts';

export async function generateMetadata({ params }: PageProps<'/[locale]'>): Promise<Metadata> {
  const { locale } = await params;
  return isLocale(locale) ? { alternates: alternates(locale, '') } : {};
}

export default async function Home({ params }: PageProps<'/[locale]'>) {
  const { locale } = await params;
  if (!isLocale(locale)) notFound();
  const [site, outline] = await Promise.all([readSite(locale), readOutline(locale)]);
  return (
    <div className="home">
      <h1>{site.headline}</h1>
      <p className="lead">{site.tagline}</p>
      {outline.map(({ slug, title, pages }) => (
        <section key={slug}>
          <h2>{title}</h2>
          <ul className="cards">
            {pages.map((page) => (
              <li key={page.slug}>
                <Link href={`/${locale}/${page.slug}`}>{page.title}</Link>
                <p>{page.summary}</p>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
