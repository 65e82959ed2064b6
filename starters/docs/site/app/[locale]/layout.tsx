/**
 * @module What all pages of a language have: header and sidebar.
 */
import '../site.css';
import type { Metadata } from 'next';
import { draftMode } from 'next/headers';
import { Header } from '../../components/header';
import { PreviewBar } from '../../components/preview-bar';
import { Sidebar } from '../../components/sidebar';
import { SITE_URL } from '../../lib/addresses';
import { readOutline, readSite } from '../../lib/content';
import { plain } from '../../lib/source-maps';
import { LOCALES, localeOf, TEXTS } from '../../lib/texts';

export const generateStaticParams = () => LOCALES.map((locale) => ({ locale }));

export async function generateMetadata({ params }: LayoutProps<'/[locale]'>): Promise<Metadata> {
  const locale = localeOf((await params).locale);
  const site = await readSite(locale);
  const name = plain(site.name);
  return {
    metadataBase: new URL(SITE_URL),
    title: { default: name, template: `%s – ${name}` },
    description: plain(site.tagline ?? ''),
    openGraph: { siteName: name, locale, type: 'website' },
  };
}

export default async function LocaleLayout({ params, children }: LayoutProps<'/[locale]'>) {
  const locale = localeOf((await params).locale);
  const [site, outline, { isEnabled }] = await Promise.all([readSite(locale), readOutline(locale), draftMode()]);
  return (
    <html lang={locale}>
      <body>
        <a className="skip" href="#main">
          {TEXTS[locale].skip}
        </a>
        {isEnabled && <PreviewBar locale={locale} />}
        <Header locale={locale} site={site} />
        <div className="columns">
          <Sidebar locale={locale} outline={outline} />
          <main id="main">{children}</main>
        </div>
      </body>
    </html>
  );
}
