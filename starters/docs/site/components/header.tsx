/**
 * @module The header: the name of the site, the search, other sites and other languages.
 */
import Form from 'next/form';
import Link from 'next/link';
import type { Site } from '../lib/content';
import { plain } from '../lib/source-maps';
import { LOCALES, type Locale, TEXTS } from '../lib/texts';
import { LanguageLinks } from './language-links';
import { SIDEBAR_ID } from './sidebar';

export function Header({ locale, site }: { readonly locale: Locale; readonly site: Site }) {
  const texts = TEXTS[locale];
  const others = LOCALES.filter((other) => other !== locale);
  return (
    <header className="header">
      <button type="button" className="menu" popoverTarget={SIDEBAR_ID}>
        {texts.menu}
      </button>
      <Link href={`/${locale}`} className="name">
        {site.name}
      </Link>
      <Form action={`/${locale}/search`} role="search" className="search">
        <input type="search" name="q" aria-label={texts.searchFor} placeholder={texts.search} required />
      </Form>
      <nav aria-label={texts.links} className="links">
        {site.links?.map(({ id, label, url }) => (
          <a key={id} href={plain(url ?? '')}>
            {label}
          </a>
        ))}
      </nav>
      <nav aria-label={texts.languages} className="languages">
        <LanguageLinks
          locale={locale}
          others={others.map((other) => ({ locale: other, language: TEXTS[other].language }))}
        />
      </nav>
    </header>
  );
}
