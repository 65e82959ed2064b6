/**
 * @module `If-Match` and `If-None-Match` → their tags (https://www.rfc-editor.org/rfc/rfc9110#section-13.1).
 */
import { invalid } from '../../common/errors.ts';

/** The strong tags without quotes, since weak ones never match; `*` for any. */
export type Matching = '*' | readonly string[];

/** Tags, which may contain commas; items of the list may be empty. */
const LIST = /^(?:[ \t]*(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[ \t]*)?(?:,|$))+$/;
const TAG = /(?:W\/)?"[^"]*"/g;
const MAX_TAGS = 50;

/** Reads a header of a write. @throws ApiError 400 for a malformed header, and for one without tags */
export function parseTags(value: string, header: 'If-Match' | 'If-None-Match'): Matching {
  if (value.trim() === '*') return '*';
  const tags = LIST.test(value) ? (value.match(TAG) ?? []) : [];
  if (tags.length > 0 && tags.length <= MAX_TAGS)
    return tags.filter((tag) => tag.startsWith('"')).map((tag) => tag.slice(1, -1));
  const message = `Malformed header ${header}. Expected * or at most ${MAX_TAGS} quoted tags`;
  throw invalid(message, { source: 'header', header });
}

/** Reads `If-None-Match` of a read, which rejects nothing: quoted tags without `W/`, or `*`. */
export const heldTags = (header = ''): readonly string[] =>
  header.trim() === '*' ? ['*'] : (header.match(/"[^"]*"/g) ?? []).slice(0, MAX_TAGS);
