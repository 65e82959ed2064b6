/**
 * @module A page that does not exist, beside the sidebar. It has no parameters, so it says so in every language.
 */
import Link from 'next/link';
import { LOCALES, TEXTS } from '../../lib/texts';

export default function NotFound() {
  return LOCALES.map((locale) => (
    <section key={locale} lang={locale} className="not-found">
      <h1>{TEXTS[locale].notFound}</h1>
      <p>{TEXTS[locale].notFoundHint}</p>
      <p>
        <Link href={`/${locale}`}>{TEXTS[locale].home}</Link>
      </p>
    </section>
  ));
}
