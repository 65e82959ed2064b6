/**
 * @module Values of `blocks`, and what edits do to them.
 */
import { type BaseEditor, Editor, Element, Node, type NodeEntry, Path, Point, Range, Transforms } from 'slate';
import type { HistoryEditor } from 'slate-history';
import type { ReactEditor } from 'slate-react';

/** The marks of texts: their elements of HTML, and their keys with Control (on a Mac with Command). */
export const MARKS = {
  bold: ['strong', 'b'],
  italic: ['em', 'i'],
  underline: ['u', 'u'],
  strikethrough: ['s', 'S'],
  code: ['code', 'e'],
} as const;
export type Mark = keyof typeof MARKS;

type Leaf = { readonly type?: 'text'; readonly text: string } & { readonly [M in Mark]?: boolean };

/** Keys besides these are kept as they are. */
export interface Block {
  readonly type: string;
  readonly children: Blocks;
  readonly level?: number;
  readonly format?: 'ordered' | 'unordered';
  readonly indentLevel?: number;
  readonly language?: string;
  readonly url?: string;
  readonly image?: Readonly<Record<string, unknown>>;
}

export type Blocks = (Block | Leaf)[];

declare module 'slate' {
  interface CustomTypes {
    Editor: BaseEditor & ReactEditor & HistoryEditor;
    Element: Block;
    Text: Leaf;
  }
}

const text = (value = ''): Leaf => ({ type: 'text', text: value });
const paragraph = (): Block => ({ type: 'paragraph', children: [text()] });

const isNode = (node: unknown): boolean => {
  const { text: own, children } = (node ?? {}) as Partial<Leaf & Block>;
  return typeof own === 'string' || (Array.isArray(children) && children.length > 0 && children.every(isNode));
};

/** Returns what the editor starts with; undefined for a value that it cannot show. */
export function fromBlocks(value: unknown): Blocks | undefined {
  if (!Array.isArray(value) || value.length === 0) return [paragraph()];
  return value.every((node) => isNode(node) && 'children' in node) ? value : undefined;
}

const typed = (nodes: Blocks): Blocks =>
  nodes.map((node) => ('text' in node ? { ...text(), ...node } : { ...node, children: typed(node.children) }));

/** Returns the value to store: each text names its type, and an empty document is null. */
export function toBlocks(nodes: Blocks): Blocks | null {
  const [first] = nodes as Block[];
  const isBlank = nodes.length === 1 && first?.type === 'paragraph' && Node.string(first) === '';
  return isBlank ? null : typed(nodes);
}

const isBlock = (node: unknown): node is Block => Element.isElement(node) && node.type !== 'link';
export const ofType =
  (type: string) =>
  (node: unknown): node is Block =>
    Element.isElement(node) && node.type === type;

/** The innermost block of the selection. */
export const blockAt = (editor: Editor) => Editor.above<Block>(editor, { match: isBlock, mode: 'lowest' });
const listAt = (editor: Editor, at: Path) => Editor.above<Block>(editor, { at, match: ofType('list') });

/** Turns the selected blocks into others. @param keys `level` of headings, `format` of lists */
export function setBlock(editor: Editor, type: string, keys: Partial<Block> = {}): void {
  Editor.withoutNormalizing(editor, () => {
    Transforms.unwrapNodes(editor, { match: ofType('list'), split: true, mode: 'all' });
    const match = (node: Node): node is Block => isBlock(node) && node.type !== 'image';
    Transforms.unsetNodes<Block>(editor, ['level', 'language'], { match });
    if (type !== 'list') return Transforms.setNodes<Block>(editor, { type, ...keys }, { match });
    Transforms.setNodes<Block>(editor, { type: 'list-item' }, { match });
    Transforms.wrapNodes(editor, { type, children: [], ...keys }, { match: ofType('list-item') });
  });
}

/** Moves an entry of a list one level deeper. Returns false where that is not possible. */
export function indent(editor: Editor): boolean {
  const [item, path] = blockAt(editor) ?? [];
  const [list] = (path && listAt(editor, path)) ?? [];
  if (item?.type !== 'list-item' || !path || !list || path.at(-1) === 0) return false;
  const before = Node.get(editor, Path.previous(path));
  if (ofType('list')(before)) {
    Transforms.moveNodes(editor, { at: path, to: [...Path.previous(path), before.children.length] });
  } else {
    const { format = 'unordered', indentLevel = 0 } = list;
    Transforms.wrapNodes(editor, { type: 'list', format, indentLevel: indentLevel + 1, children: [] }, { at: path });
  }
  return true;
}

/** Moves an entry of an inner list one level up. Returns false for other blocks. */
export function outdent(editor: Editor): boolean {
  const [item, path] = blockAt(editor) ?? [];
  if (item?.type !== 'list-item' || !path || !ofType('list')(Node.get(editor, path.slice(0, -2)))) return false;
  Transforms.liftNodes(editor, { at: path });
  return true;
}

export const hasMark = (editor: Editor, mark: Mark): boolean => Editor.marks(editor)?.[mark] === true;

export function toggleMark(editor: Editor, mark: Mark): void {
  if (hasMark(editor, mark)) Editor.removeMark(editor, mark);
  else Editor.addMark(editor, mark, true);
}

/** Links the selection, or changes the link in it; an empty address takes the link away. */
export function setLink(editor: Editor, url: string) {
  const [link] = Editor.nodes<Block>(editor, { match: ofType('link') });
  const isExpanded = editor.selection && Range.isExpanded(editor.selection);
  if (url === '') Transforms.unwrapNodes(editor, { match: ofType('link') });
  else if (link) Transforms.setNodes<Block>(editor, { url }, { at: link[1] });
  else if (isExpanded) Transforms.wrapNodes(editor, { type: 'link', url, children: [] }, { split: true });
  else Transforms.insertNodes(editor, { type: 'link', url, children: [text(url)] });
}

const IMAGE =
  'name alternativeText url caption width height formats hash ext mime size previewUrl provider provider_metadata createdAt updatedAt';

export function insertImage(editor: Editor, file: Readonly<Record<string, unknown>>): void {
  const image = Object.fromEntries(IMAGE.split(' ').map((key) => [key, file[key] ?? null]));
  Transforms.insertNodes(editor, [{ type: 'image', image, children: [text()] }, paragraph()]);
}

/** Leaves a block by an empty paragraph after it. */
function leave(editor: Editor, path: Path): void {
  editor.deleteBackward('character');
  Transforms.insertNodes(editor, paragraph(), { at: Path.next(path), select: true });
}

function insertBreak(editor: Editor, split: () => void) {
  const [block, path] = blockAt(editor) ?? [];
  const { selection } = editor;
  if (!block || !path || !selection) return split();
  const isAtEnd = Editor.isEnd(editor, selection.anchor, path);
  const content = Node.string(block);
  if (block.type === 'code' || block.type === 'quote')
    return isAtEnd && content.endsWith('\n') ? leave(editor, path) : editor.insertText('\n');
  if (block.type === 'list-item' && content === '') return outdent(editor) ? undefined : setBlock(editor, 'paragraph');
  if (block.type === 'image') {
    return Transforms.insertNodes(editor, paragraph(), { at: Path.next(path), select: true });
  }
  split();
  if (block.type === 'heading' && isAtEnd) setBlock(editor, 'paragraph');
}

function deleteBackward(editor: Editor, remove: () => void) {
  const [block, path] = blockAt(editor) ?? [];
  const { selection } = editor;
  const isAtStart = selection && path && Point.equals(selection.anchor, Editor.start(editor, path));
  if (!isAtStart || block?.type === 'paragraph' || block?.type === 'image') return remove();
  if (!outdent(editor)) setBlock(editor, 'paragraph');
}

/** Repairs what an edit left: links without text or in code, entries without a list, and no block at all. */
function repair(editor: Editor, node: Node, path: Path): boolean {
  if (Editor.isEditor(node)) {
    if (node.children.length > 0) return false;
    Transforms.insertNodes(editor, paragraph(), { at: [0] });
  } else if (ofType('link')(node) && Node.string(node) === '') Transforms.removeNodes(editor, { at: path });
  else if (ofType('code')(node) && node.children.some(ofType('link')))
    Transforms.unwrapNodes(editor, { at: path, match: ofType('link') });
  else if (ofType('list-item')(node) && path.length === 1)
    Transforms.setNodes<Block>(editor, { type: 'paragraph' }, { at: path });
  else return false;
  return true;
}

export function withBlocks<E extends Editor & ReactEditor>(editor: E): E {
  const { insertBreak: split, deleteBackward: remove, normalizeNode, insertTextData } = editor;
  return Object.assign(editor, {
    isInline: (node: Block) => node.type === 'link',
    isVoid: (node: Block) => node.type === 'image',
    insertBreak: () => insertBreak(editor, split),
    insertSoftBreak: () => editor.insertText('\n'),
    deleteBackward: (unit: 'character' | 'word' | 'line' | 'block') => deleteBackward(editor, () => remove(unit)),
    normalizeNode: ([node, path]: NodeEntry, options?: object) => {
      if (!repair(editor, node, path)) normalizeNode([node, path], options);
    },
    insertTextData: (data: DataTransfer & { getData(format: string): string }) => {
      if (blockAt(editor)?.[0].type !== 'code') return insertTextData(data);
      editor.insertText(data.getData('text/plain'));
      return true;
    },
  });
}
