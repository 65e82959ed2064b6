/**
 * @module A preview of Markdown: React elements, never HTML.
 */
import { createElement, Fragment, type ReactNode } from 'react';

/** Returns the address of a link if it leads to the web, a mailbox, a telephone or within the site; else undefined. */
export const safeAddress = (address: string): string | undefined =>
  /^(https?:|mailto:|tel:|[/#?.]|[^:]*$)/i.test(address.trim()) ? address.trim() : undefined;

const keyed = (parts: readonly ReactNode[]) => parts.map((part, index) => <Fragment key={index}>{part}</Fragment>);

/** Each part is limited, so that a text of brackets alone takes no longer. */
const INLINE =
  /`([^`]{1,999})`|(!?)\[([^\]]{0,999})\]\(([^\s)]{1,999})[^)]{0,99}\)|(\*\*|__)([^*_]{1,999})\5|~~([^~]{1,999})~~|(\*|\b_)([^*_]{1,999})\8/;

function inline(text: string): ReactNode {
  const parts: ReactNode[] = [];
  let rest = text;
  for (let match = INLINE.exec(rest); match; match = INLINE.exec(rest)) {
    const [whole, code, isImage, label = '', address = '', , strong, struck, , emphasis] = match;
    parts.push(rest.slice(0, match.index));
    if (code) parts.push(<code>{code}</code>);
    else if (strong) parts.push(<strong>{inline(strong)}</strong>);
    else if (struck) parts.push(<s>{inline(struck)}</s>);
    else if (emphasis) parts.push(<em>{inline(emphasis)}</em>);
    else if (isImage) parts.push(<img alt={label} src={safeAddress(address)} />);
    else
      parts.push(
        <a href={safeAddress(address)} target="_blank" rel="noreferrer">
          {inline(label)}
        </a>,
      );
    rest = rest.slice(match.index + whole.length);
  }
  return keyed([...parts, rest]);
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
  const list = items && keyed(items.map((item) => <li>{inline(item)}</li>));
  if (list) return bullets ? <ul>{list}</ul> : <ol>{list}</ol>;
  return <p>{inline(block)}</p>;
}

const BLOCKS = /^```[^\n]*\n[\s\S]*?(?:\n```|$(?![\s\S]))|^#{1,6} .*|(?:^(?!#{1,6} |```).+\n?)+/gm;

export function Markdown({ text }: { readonly text: string }) {
  const blocks = text.replace(/\r\n?/g, '\n').match(BLOCKS) ?? [];
  return <div className="markdown card">{keyed(blocks.map((block) => blockOf(block.trimEnd())))}</div>;
}
