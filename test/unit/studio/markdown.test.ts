import { describe, expect, it } from 'vitest';
import { safeAddress } from '../../../studio/api/query-string.ts';
import * as edits from '../../../studio/document/fields/markdown-edits.ts';

describe('an address in content', () => {
  it('leads to the web, a mailbox, a telephone or within the site, and runs nothing', () => {
    const good = ['https://a.b', 'mailto:a@b.c', 'tel:1', '/path?x=y:z', '#part', 'page'];
    expect(good.map(safeAddress)).toEqual(good);
    const bad = ['javascript:x', ' JaVaScript:x', 'data:text/html,x', 'vbscript:x', 'java\nscript:x', 'blob:x'];
    expect(bad.map(safeAddress)).toEqual(bad.map(() => undefined));
  });
});

/** Changes a text whose selection is between `⟦` and `⟧`, and shows the new one in the same way. */
function changed(marked: string, change: (selected: edits.SelectedText) => edits.TextChange): string {
  const [before = '', chosen = '', after = ''] = marked.split(/[⟦⟧]/);
  const text = before + chosen + after;
  const { from, to, insert, selected } = change({ text, from: before.length, to: before.length + chosen.length });
  const next = text.slice(0, from) + insert + text.slice(to);
  return `${next.slice(0, selected[0])}⟦${next.slice(...selected)}⟧${next.slice(selected[1])}`;
}

describe('a button over Markdown', () => {
  it.each([
    ['a ⟦word⟧ b', 'a **⟦word⟧** b'],
    ['a ⟦ word ⟧b', 'a  **⟦word⟧** b'],
    ['a **⟦word⟧** b', 'a ⟦word⟧ b'],
    ['a ⟦**word**⟧ b', 'a ⟦word⟧ b'],
    ['⟦⟧', '**⟦⟧**'],
    ['**⟦⟧**', '⟦⟧'],
    ['*⟦a⟧**', '***⟦a⟧****'],
  ])('puts marks around the selection of %s, or removes them: %s', (before, after) => {
    expect(changed(before, (selected) => edits.toggleMark(selected, '**'))).toBe(after);
  });

  it.each([
    ['one\nt⟦⟧wo', edits.QUOTE, 'one\n> t⟦⟧wo'],
    ['> t⟦w⟧o', edits.QUOTE, 't⟦w⟧o'],
    ['⟦⟧\nx', edits.BULLETS, '- ⟦⟧\nx'],
    ['a\n⟦b\n\n  c\n⟧d', edits.BULLETS, 'a\n⟦- b\n\n  - c⟧\nd'],
    ['- ⟦a\n* b⟧', edits.NUMBERS, '⟦1. a\n2. b⟧'],
    ['⟦1. a\n7) b⟧', edits.NUMBERS, '⟦a\nb⟧'],
    ['# ⟦a⟧', edits.headingOf(3), '### ⟦a⟧'],
    ['### ⟦a⟧', edits.headingOf(3), '⟦a⟧'],
    ['### ⟦⟧', edits.headingOf(3), '⟦⟧'],
    ['⟦⟧- a', edits.BULLETS, '⟦⟧a'],
  ])('changes the lines of the selection of %j', (before, kind, after) => {
    expect(changed(before, (selected) => edits.toggleLines(selected, kind))).toBe(after);
  });

  it.each([
    ['a ⟦b⟧ c', 'a `⟦b⟧` c'],
    ['a ⟦b\nc⟧', 'a ⟦\n```\nb\nc\n```⟧'],
    ['⟦b\nc\n⟧d', '⟦```\nb\nc\n```\n⟧d'],
  ])('makes code of %j', (before, after) => {
    expect(changed(before, edits.toggleCode)).toBe(after);
  });

  it.each([
    ['see ⟦**this**⟧', '**this**', 'https://a.b/c', 'see [**this**](https://a.b/c)⟦⟧'],
    ['⟦⟧', 'a]b', '/x (1).html', '[a\\]b](/x%20%281%29.html)⟦⟧'],
    ['⟦⟧', 'x](javascript:1)', ' /y ', '[x\\](javascript:1)](/y)⟦⟧'],
  ])('puts a link into %j', (before, words, address, after) => {
    expect(changed(before, (selected) => edits.insertLink(selected, words, address))).toBe(after);
  });

  it('puts a picture in place of the selection', () => {
    const picture = (selected: edits.SelectedText) => edits.insertLink(selected, 'A [cat]', '/uploads/a.png', true);
    expect(changed('x⟦y⟧z', picture)).toBe('x![A \\[cat\\]](/uploads/a.png)⟦⟧z');
  });
});
