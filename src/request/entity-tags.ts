/**
 * @module `If-Match` → its tags (https://www.rfc-editor.org/rfc/rfc9110#section-13.1.1).
 */
import { invalid } from '../errors.ts';

/** The strong tags without quotes, since weak ones never match; `*` for any. */
export type Matching = '*' | readonly string[];

/** An item of the list, which may be empty, with the comma after it. A tag may contain commas. */
const ITEM = /[ \t]*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*)?(,|$)/y;
const MAX_TAGS = 50;

const malformed = (): Error =>
  invalid(`Malformed header If-Match. Expected * or at most ${MAX_TAGS} quoted tags`, {
    source: 'header',
    header: 'If-Match',
  });

/** @throws ApiError 400 for a malformed header, and for one without tags */
export function parseIfMatch(header: string): Matching {
  if (header.trim() === '*') return '*';
  const tags: { readonly isWeak: boolean; readonly text: string }[] = [];
  for (let start = 0, isLast = false; !isLast; ) {
    ITEM.lastIndex = start;
    const [item, weak, text, end] = ITEM.exec(header) ?? [];
    if (item === undefined) throw malformed();
    if (text !== undefined) tags.push({ isWeak: weak !== undefined, text });
    isLast = end === '';
    start += item.length;
  }
  if (tags.length === 0 || tags.length > MAX_TAGS) throw malformed();
  return tags.filter(({ isWeak }) => !isWeak).map(({ text }) => text);
}
