/**
 * @module Links to the previous and the next page, in the order of the sidebar.
 */
import Link from 'next/link';
import type { Part } from '../lib/content';
import { type Locale, TEXTS } from '../lib/texts';

interface Props {
  readonly locale: Locale;
  /** Of the page that is open. */
  readonly slug: string;
  readonly outline: readonly Part[];
}

export function Neighbours({ locale, slug, outline }: Props) {
  const texts = TEXTS[locale];
  const pages = outline.flatMap((part) => part.pages);
  const here = pages.findIndex((page) => page.slug === slug);
  // The draft of a page that was never published has no place in the order.
  if (here === -1) return null;
  const [previous, next] = [pages[here - 1], pages[here + 1]];
  return (
    <nav className="neighbours" aria-label={texts.neighbours}>
      {previous && (
        <Link href={`/${locale}/${previous.slug}`} rel="prev">
          <span>{texts.previous}</span> {previous.title}
        </Link>
      )}
      {next && (
        <Link href={`/${locale}/${next.slug}`} rel="next">
          <span>{texts.next}</span> {next.title}
        </Link>
      )}
    </nav>
  );
}
