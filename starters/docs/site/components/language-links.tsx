'use client';

/**
 * @module Links to the page that is open in the other languages: its slug is the same in all of them.
 */
import { usePathname } from 'next/navigation';

interface Props {
  /** The language of the page that is open. */
  readonly locale: string;
  readonly others: readonly { readonly locale: string; readonly language: string }[];
}

export function LanguageLinks({ locale, others }: Props) {
  const path = usePathname().slice(`/${locale}`.length);
  return others.map((other) => (
    <a key={other.locale} href={`/${other.locale}${path}`} hrefLang={other.locale} lang={other.locale}>
      {other.language}
    </a>
  ));
}
