/**
 * @module The sidebar: all pages by section. On a phone it is a popover that a button in the header opens.
 */
import type { Part } from '../lib/content';
import { type Locale, TEXTS } from '../lib/texts';
import { CurrentLink } from './current-link';

export const SIDEBAR_ID = 'contents';

export function Sidebar({ locale, outline }: { readonly locale: Locale; readonly outline: readonly Part[] }) {
  return (
    <nav id={SIDEBAR_ID} className="sidebar" popover="auto" aria-label={TEXTS[locale].contents}>
      {outline.map(({ slug, title, pages }) => (
        <section key={slug} aria-labelledby={`section-${slug}`}>
          <h2 id={`section-${slug}`}>{title}</h2>
          <ul>
            {pages.map((page) => (
              <li key={page.slug}>
                <CurrentLink href={`/${locale}/${page.slug}`}>{page.title}</CurrentLink>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}
