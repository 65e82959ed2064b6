/**
 * @module A preview of Markdown: React elements, never HTML.
 */
import { createElement, Fragment, type ReactNode } from 'react';
import { safeAddress } from './safe-address.ts';

const INLINE =
  /`([^`]+)`|!\[([^\]]*)\]\(([^\s)]+)[^)]*\)|\[([^\]]+)\]\(([^\s)]+)[^)]*\)|\*\*([^*]+)\*\*|__([^_]+)__|~~([^~]+)~~|\*([^*]+)\*|\b_([^_]+)_\b/;

function inline(text: string): ReactNode {
  const parts: ReactNode[] = [];
  let rest = text;
  for (let match = INLINE.exec(rest); match; match = INLINE.exec(rest)) {
    const [whole, code, alt = '', src, label, href, bold, bold2, struck, soft, soft2] = match;
    const strong = bold ?? bold2;
    const emphasis = soft ?? soft2;
    const key = parts.length;
    parts.push(rest.slice(0, match.index));
    if (code !== undefined) parts.push(<code key={key}>{code}</code>);
    else if (src !== undefined) parts.push(<img key={key} alt={alt} src={safeAddress(src)} />);
    else if (label !== undefined && href !== undefined)
      parts.push(
        <a key={key} href={safeAddress(href)} target="_blank" rel="noreferrer">
          {inline(label)}
        </a>,
      );
    else if (strong !== undefined) parts.push(<strong key={key}>{inline(strong)}</strong>);
    else if (struck !== undefined) parts.push(<s key={key}>{inline(struck)}</s>);
    else if (emphasis !== undefined) parts.push(<em key={key}>{inline(emphasis)}</em>);
    rest = rest.slice(match.index + whole.length);
  }
  return [...parts, rest].map((part, index) => <Fragment key={index}>{part}</Fragment>);
}

/** Lines that begin alike, without their beginning; null where the block is no such list. */
function stripped(block: string, mark: RegExp): readonly string[] | null {
  if (!mark.test(block)) return null;
  return block.split(new RegExp(`^${mark.source.slice(1)}`, 'm')).slice(1);
}

function blockOf(block: string): ReactNode {
  const fence = /^```[^\n]*\n([\s\S]*?)(\n```|$)/.exec(block);
  if (fence) return <pre>{fence[1]}</pre>;
  const heading = /^(#{1,6}) +(.*)/.exec(block);
  // The page has a heading of its own.
  if (heading) return createElement(`h${Math.min(6, (heading[1]?.length ?? 1) + 1)}`, null, inline(heading[2] ?? ''));
  if (/^(-{3,}|\*{3,})$/.test(block)) return <hr />;
  const quote = stripped(block, /^> ?/);
  if (quote) return <blockquote>{inline(quote.join(''))}</blockquote>;
  const bullets = stripped(block, /^[-*+] +/);
  const items = bullets ?? stripped(block, /^\d+[.)] +/);
  const list = items?.map((item, index) => <li key={index}>{inline(item)}</li>);
  if (list) return bullets ? <ul>{list}</ul> : <ol>{list}</ol>;
  return <p>{inline(block)}</p>;
}

const BLOCKS = /^```[^\n]*\n[\s\S]*?(?:\n```|$(?![\s\S]))|^#{1,6} .*|(?:^(?!#{1,6} |```).+\n?)+/gm;

export function Markdown({ text }: { readonly text: string }) {
  const blocks = text.replace(/\r\n?/g, '\n').match(BLOCKS) ?? [];
  return (
    <div className="markdown card">
      {blocks.map((block, index) => (
        <Fragment key={index}>{blockOf(block.trimEnd())}</Fragment>
      ))}
    </div>
  );
}
