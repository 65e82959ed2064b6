/**
 * @module What the toolbar of Markdown does to a text: changes at the selection alone.
 */

export interface SelectedText {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** Replaces a range of the text, and selects a range of the new one. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
  readonly selected: readonly [from: number, to: number];
}

/** Puts marks such as `**` around the selection, or removes them. Spaces at its ends stay outside. */
export function toggleMark({ text, from, to }: SelectedText, mark: string): TextChange {
  const chosen = text.slice(from, to);
  const words = chosen.trim();
  const start = words === '' ? from : from + chosen.indexOf(words);
  const end = start + words.length;
  const size = mark.length;
  if (start >= size && text.startsWith(mark, start - size) && text.startsWith(mark, end))
    return { from: start - size, to: end + size, insert: words, selected: [start - size, end - size] };
  if (words.length > 2 * size && words.startsWith(mark) && words.endsWith(mark))
    return { from: start, to: end, insert: words.slice(size, -size), selected: [start, end - 2 * size] };
  return { from: start, to: end, insert: mark + words + mark, selected: [start + size, end + size] };
}

interface LineKind {
  /** The beginning of a line that is of this kind already. */
  readonly own: RegExp;
  /** Beginnings that it replaces. */
  readonly others: RegExp;
  readonly prefix: (index: number) => string;
}

const ITEM = /^([-*+]|\d+[.)]) +/;

export const QUOTE: LineKind = { own: /^> ?/, others: /^> ?/, prefix: () => '> ' };
export const BULLETS: LineKind = { own: /^[-*+] +/, others: ITEM, prefix: () => '- ' };
export const NUMBERS: LineKind = { own: /^\d+[.)] +/, others: ITEM, prefix: (index) => `${index + 1}. ` };

/** @param level 1 to 6 */
export const headingOf = (level: number): LineKind => ({
  own: new RegExp(`^#{${level}} +`),
  others: /^#{1,6} +/,
  prefix: () => `${'#'.repeat(level)} `,
});

/** Makes the lines of the selection lines of a kind; if all of them are, plain ones. Empty lines between them stay. */
export function toggleLines({ text, from, to }: SelectedText, { own, others, prefix }: LineKind): TextChange {
  const start = from === 0 ? 0 : text.lastIndexOf('\n', from - 1) + 1;
  const next = text.indexOf('\n', to > from && text[to - 1] === '\n' ? to - 1 : to);
  const end = next < 0 ? text.length : next;
  const lines = text.slice(start, end).split('\n');
  const isMeant = (line: string) => lines.length === 1 || line.trim() !== '';
  const isAll = lines.filter(isMeant).every((line) => own.test(line.trimStart()));
  let index = 0;
  const changed = lines.map((line) => {
    if (!isMeant(line)) return line;
    const words = line.trimStart();
    const indent = line.slice(0, line.length - words.length);
    return indent + (isAll ? words.replace(own, '') : prefix(index++) + words.replace(others, ''));
  });
  const insert = changed.join('\n');
  if (lines.length > 1) return { from: start, to: end, insert, selected: [start, start + insert.length] };
  const moved = (place: number) => Math.max(start, place + insert.length - (end - start));
  return { from: start, to: end, insert, selected: [moved(from), moved(to)] };
}

/** Makes code of the selection: in its line, or, of several lines, a block. */
export function toggleCode(selected: SelectedText): TextChange {
  const { text, from, to } = selected;
  const chosen = text.slice(from, to);
  if (!chosen.includes('\n')) return toggleMark(selected, '`');
  const before = from === 0 || text[from - 1] === '\n' ? '' : '\n';
  const after = to === text.length || text[to] === '\n' ? '' : '\n';
  const insert = `${before}\`\`\`\n${chosen.replace(/\n$/, '')}\n\`\`\`${chosen.endsWith('\n') ? '\n' : after}`;
  return { from, to, insert, selected: [from, from + insert.length] };
}

const escaped = (words: string): string => words.replace(/[\\[\]]/g, '\\$&');
const encoded = (address: string): string =>
  address.trim().replace(/[ ()<>\\]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** Puts a link, or a picture, in place of the selection. Words that were selected stay as they are. */
export function insertLink(
  { text, from, to }: SelectedText,
  words: string,
  address: string,
  isPicture = false,
): TextChange {
  const label = words === text.slice(from, to) ? words : escaped(words);
  const insert = `${isPicture ? '!' : ''}[${label}](${encoded(address)})`;
  return { from, to, insert, selected: [from + insert.length, from + insert.length] };
}
