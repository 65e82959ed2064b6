import { createEditor, Editor, Transforms } from 'slate';
import { withHistory } from 'slate-history';
import { describe, expect, it } from 'vitest';
import {
  type Blocks,
  fromBlocks,
  indent,
  outdent,
  setBlock,
  setLink,
  toBlocks,
  withBlocks,
} from '../../../studio/document/fields/blocks.ts';

const text = (value: string, marks = {}) => ({ type: 'text', text: value, ...marks });
const item = (value: string) => ({ type: 'list-item', children: [text(value)] });
const list = (...children: unknown[]) => ({ type: 'list', format: 'unordered', children });
const image = { type: 'image', image: { name: 'a.png', url: '/a.png' }, children: [text('')] };

const LINK = { type: 'link', url: 'https://a.example', children: [text('alone')] };

const STORED = [
  { type: 'heading', level: 2, children: [text('Head')] },
  { type: 'paragraph', children: [LINK] },
  list(item('a'), { type: 'list', format: 'ordered', indentLevel: 1, children: [item('b')] }),
  { type: 'code', language: 'ts', children: [text('x\ny')] },
  image,
];

function editorOf(value: unknown) {
  const editor = withBlocks(withHistory(createEditor() as Editor));
  editor.children = structuredClone(fromBlocks(value)) as Editor['children'];
  return editor;
}

const saved = (editor: Editor) => JSON.parse(JSON.stringify(toBlocks(editor.children as Blocks)));

describe('the editor of blocks', () => {
  it('stores what it does not change as it was', () => {
    const editor = editorOf(STORED);
    Transforms.insertText(editor, '!', { at: Editor.end(editor, [0]) });
    expect(JSON.stringify(saved(editor).slice(1))).toBe(JSON.stringify(STORED.slice(1)));
  });

  it('names the type of the texts that it puts beside a link', () => {
    const editor = editorOf(STORED);
    Transforms.insertText(editor, '!', { at: Editor.end(editor, [1, 0]) });
    expect(saved(editor)[1].children).toEqual([text(''), { ...LINK, children: [text('alone!')] }, text('')]);
  });

  it('nests entries of a list, and takes them out again', () => {
    const editor = editorOf([list(item('a'), item('b'), item('c'))]);
    Transforms.select(editor, Editor.end(editor, [0, 1]));
    expect(indent(editor)).toBe(true);
    const nested = { type: 'list', format: 'unordered', indentLevel: 1, children: [item('b')] };
    expect(saved(editor)).toEqual([list(item('a'), nested, item('c'))]);
    expect(outdent(editor)).toBe(true);
    expect(saved(editor)).toEqual([list(item('a'), item('b'), item('c'))]);
    Transforms.select(editor, Editor.end(editor, [0, 0]));
    expect(indent(editor)).toBe(false);
  });

  it('leaves a list by an empty entry, and a heading by its end', () => {
    const editor = editorOf([list(item('a')), { type: 'heading', level: 1, children: [text('b')] }]);
    Transforms.select(editor, Editor.end(editor, [0]));
    editor.insertBreak();
    editor.insertBreak();
    Transforms.select(editor, Editor.end(editor, [2]));
    editor.insertBreak();
    expect(saved(editor).map(({ type }: { type: string }) => type)).toEqual([
      'list',
      'paragraph',
      'heading',
      'paragraph',
    ]);
  });

  it('turns blocks into each other without keys of the former ones', () => {
    const editor = editorOf([{ type: 'heading', level: 3, children: [text('a')] }]);
    Transforms.select(editor, Editor.range(editor, [0]));
    setLink(editor, 'https://a.example');
    setBlock(editor, 'list', { format: 'ordered' });
    setBlock(editor, 'code');
    expect(saved(editor)).toEqual([{ type: 'code', children: [text('a')] }]);
  });

  it('stores an empty document as null, and shows nothing that is no list of nodes', () => {
    expect(toBlocks(fromBlocks(null) ?? [])).toBeNull();
    expect(fromBlocks([{ type: 'paragraph' }])).toBeUndefined();
  });
});
