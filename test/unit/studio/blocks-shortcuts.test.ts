import { createEditor, Editor, Transforms } from 'slate';
import { withHistory } from 'slate-history';
import { describe, expect, it } from 'vitest';
import { type Blocks, fromBlocks, toBlocks, withBlocks } from '../../../studio/document/fields/blocks.ts';
import { withShortcuts } from '../../../studio/document/fields/blocks-shortcuts.ts';

const text = (value: string, marks = {}) => ({ type: 'text', text: value, ...marks });
const paragraph = (...children: unknown[]) => ({ type: 'paragraph', children });
const heading = (level: number, value: string) => ({ type: 'heading', level, children: [text(value)] });
const list = (format: string, value: string) => ({
  type: 'list',
  format,
  children: [{ type: 'list-item', children: [text(value)] }],
});

/** An editor whose selection is at the end of what is stored. */
function editorOf(value: unknown = null) {
  const editor = withShortcuts(withBlocks(withHistory(createEditor() as Editor)));
  editor.children = structuredClone(fromBlocks(value)) as Editor['children'];
  Transforms.select(editor, Editor.end(editor, []));
  return editor;
}

/** Types key by key. ⏎ is Enter. */
async function type(editor: Editor, typed: string): Promise<void> {
  for (const key of typed) {
    if (key === '⏎') editor.insertBreak();
    else editor.insertText(key);
    // The editor notes what belongs together when the key is done.
    await Promise.resolve();
  }
}

const saved = (editor: Editor) => JSON.parse(JSON.stringify(toBlocks(editor.children as Blocks)));

async function afterTyping(typed: string, value?: unknown) {
  const editor = editorOf(value);
  await type(editor, typed);
  return saved(editor);
}

const BLOCKS: Readonly<Record<string, unknown>> = {
  '# a': heading(1, 'a'),
  '## a': heading(2, 'a'),
  '###### a': heading(6, 'a'),
  '- a': list('unordered', 'a'),
  '* a': list('unordered', 'a'),
  '1. a': list('ordered', 'a'),
  '> a': { type: 'quote', children: [text('a')] },
  '``` a': { type: 'code', children: [text('a')] },
  '```⏎a': { type: 'code', children: [text('a')] },
  '```ts⏎a': { type: 'code', language: 'ts', children: [text('a')] },
};

const MARKS: Readonly<Record<string, readonly unknown[]>> = {
  '**a b** c': [text('a b', { bold: true }), text(' c')],
  'so __a__.': [text('so '), text('a', { bold: true }), text('.')],
  '_a_ b': [text('a', { italic: true }), text(' b')],
  '*a* b': [text('a', { italic: true }), text(' b')],
  '(`a_b_c`)': [text('('), text('a_b_c', { code: true }), text(')')],
  '~~a~~ b': [text('a', { strikethrough: true }), text(' b')],
  '**_a_** b': [text('a', { italic: true, bold: true }), text(' b')],
  '_a **b** c_ d': [
    text('a ', { italic: true }),
    text('b', { bold: true, italic: true }),
    text(' c', { italic: true }),
    text(' d'),
  ],
  '**🙂 x** y': [text('🙂 x', { bold: true }), text(' y')],
};

describe('Markdown that is typed', () => {
  it.each(Object.entries(BLOCKS))('becomes a block: %s', async (typed, block) => {
    expect(await afterTyping(typed)).toEqual([block]);
  });

  it.each(Object.entries(MARKS))('becomes a mark: %s', async (typed, children) => {
    expect(await afterTyping(typed)).toEqual([paragraph(...children)]);
  });

  it.each([
    'a # b',
    '####### a',
    '#a b',
    '2. a',
    'a ``` b',
    'snake_case_name and_',
    'a**b** c',
    '5 * 3 * 2',
    '** a ** b',
    '** a',
    '__ b',
    '`` a',
    '[a](b) *',
  ])('stays as it is where it is none: %s', async (typed) => {
    expect(await afterTyping(typed)).toEqual([paragraph(text(typed))]);
  });

  it('stays as it is before the rest of a word', async () => {
    const editor = editorOf([paragraph(text('case'))]);
    Transforms.select(editor, Editor.start(editor, []));
    await type(editor, '_a_');
    expect(saved(editor)).toEqual([paragraph(text('_a_case'))]);
  });

  it('makes the block of what is there already', async () => {
    const editor = editorOf([paragraph(text('Head', { bold: true }))]);
    Transforms.select(editor, Editor.start(editor, []));
    await type(editor, '## ');
    expect(saved(editor)).toEqual([{ type: 'heading', level: 2, children: [text('Head', { bold: true })] }]);
  });

  it('stays as it is in code, and makes no block of other blocks', async () => {
    const code = { type: 'code', children: [text('x ')] };
    expect(await afterTyping('# **a** `b` ', [code])).toEqual([{ ...code, children: [text('x # **a** `b` ')] }]);
    expect(await afterTyping('# b', [heading(1, '')])).toEqual([heading(1, '# b')]);
    const marked = paragraph(text('x', { code: true }));
    expect(await afterTyping(' *a*', [marked])).toEqual([paragraph(text('x *a*', { code: true }))]);
    const around = paragraph(text('_a', { code: true }), text(' b'));
    expect(await afterTyping('_', [around])).toEqual([paragraph(text('_a', { code: true }), text(' b_'))]);
  });

  it('stays as it is where it is pasted', () => {
    const editor = editorOf();
    editor.insertText('**a**');
    editor.insertText('# ');
    expect(saved(editor)).toEqual([paragraph(text('**a**# '))]);
  });

  it.each(['# ', '1. ', '``` ', '**a b**', '`a`'])('is there again after undo, and stays: %s', async (typed) => {
    const editor = editorOf([paragraph(text('before')), paragraph(text(''))]);
    await type(editor, typed);
    expect(saved(editor)[1]).not.toEqual(paragraph(text(typed)));
    editor.undo();
    expect(saved(editor)[1]).toEqual(paragraph(text(typed)));
    await type(editor, 'x');
    expect(saved(editor)[1]).toEqual(paragraph(text(`${typed}x`)));
    editor.undo();
    editor.undo();
    expect(saved(editor)[0]).toEqual(paragraph(text('before')));
  });

  it('is there again without the Enter that ended a fence', async () => {
    const editor = editorOf();
    await type(editor, '```ts⏎');
    editor.undo();
    expect(saved(editor)).toEqual([paragraph(text('```ts'))]);
  });
});
