/**
 * @module A preview of Markdown: React elements of what marked reads. HTML in a text is shown as text.
 */
import { lexer, type Token } from 'marked';
import { createElement, Fragment, type ReactNode } from 'react';
import { safeAddress } from '../../api/query-string.ts';
import { text } from '../../texts/text.ts';

/** What is read of a token, whatever its type. */
interface Part {
  readonly type: string;
  readonly raw: string;
  readonly text?: string;
  readonly href?: string;
  readonly depth?: number;
  readonly ordered?: boolean;
  readonly tokens?: readonly Part[];
  readonly items?: readonly Part[];
}

const TAGS: Readonly<Record<string, string>> = {
  blockquote: 'blockquote',
  del: 's',
  em: 'em',
  list_item: 'li',
  paragraph: 'p',
  strong: 'strong',
};

const shown = (parts: readonly Part[] = []): ReactNode => createElement(Fragment, null, ...parts.map(elementOf));

function elementOf({ type, raw, text: words = raw, href = '', depth = 1, ordered, tokens, items }: Part): ReactNode {
  const tag = TAGS[type];
  if (tag) return createElement(tag, null, shown(tokens));
  // Headings of a text are none of the page.
  if (type === 'heading') return <p className={`heading-${depth}`}>{shown(tokens)}</p>;
  if (type === 'list') return createElement(ordered ? 'ol' : 'ul', null, shown(items));
  if (type === 'code') return <pre>{words}</pre>;
  if (type === 'codespan') return <code>{words}</code>;
  if (type === 'image') return <img alt={words} src={safeAddress(href)} />;
  if (type === 'br' || type === 'hr') return createElement(type);
  if (type === 'space' || type === 'def') return null;
  if (type !== 'link') return tokens ? shown(tokens) : words;
  return (
    <a href={safeAddress(href)} target="_blank" rel="noreferrer">
      {shown(tokens)}
    </a>
  );
}

export const Markdown = ({ text: written }: { readonly text: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by keyboard as well
  <section className="markdown card padded" aria-label={text('Preview')} tabIndex={0}>
    {shown(lexer(written) as readonly Token[] as readonly Part[])}
  </section>
);
