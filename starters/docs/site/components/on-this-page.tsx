/**
 * @module The headings of a page, as links.
 */
import type { Heading } from '../lib/headings';

interface Props {
  readonly title: string;
  readonly headings: readonly Heading[];
}

export function OnThisPage({ title, headings }: Props) {
  if (headings.length < 2) return null;
  return (
    <nav className="on-this-page" aria-labelledby="on-this-page">
      <h2 id="on-this-page">{title}</h2>
      <ul>
        {headings.map(({ id, text, isSub }) => (
          <li key={id} className={isSub ? 'sub' : undefined}>
            <a href={`#${id}`}>{text}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
