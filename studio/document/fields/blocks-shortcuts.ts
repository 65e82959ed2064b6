/**
 * @module Markdown that becomes a block or a mark as it is typed. It is typed first, so that undo brings it back.
 */
import { Editor, Node, type Point, Range, Text, Transforms } from 'slate';
import { HistoryEditor } from 'slate-history';
import * as blocks from './blocks.ts';

type Kind = readonly [type: string, keys?: Partial<blocks.Block>];

/** By what stands before the space that is typed. */
const KINDS: Readonly<Record<string, Kind>> = {
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((level) => ['#'.repeat(level), ['heading', { level }] as const])),
  '-': ['list', { format: 'unordered' }],
  '*': ['list', { format: 'unordered' }],
  '1.': ['list', { format: 'ordered' }],
  '>': ['quote'],
};

/** A fence, and the language of its code. */
const FENCE = /^```([\w+#.-]*)$/;

/** The longest first. */
const DELIMITERS: readonly (readonly [delimiter: string, mark: blocks.Mark])[] = [
  ['**', 'bold'],
  ['__', 'bold'],
  ['~~', 'strikethrough'],
  ['*', 'italic'],
  ['_', 'italic'],
  ['`', 'code'],
];

/** What may stand before the first delimiter. */
const MAY_OPEN = /^$|[\s\p{Ps}\p{Pi}"'—–*_~]$/u;
const IN_WORD = /^[\p{L}\p{N}_]/u;
/** Without spaces at its ends, in one line. */
const MARKED = /^\S(.*\S)?$/;

function kindOf(typed: string): Kind | undefined {
  const [, language] = FENCE.exec(typed) ?? [];
  if (language !== undefined) return ['code', language === '' ? {} : { language }];
  return KINDS[typed];
}

interface Typed {
  readonly block: blocks.Block;
  /** Returns the point so many characters behind the start of the block. */
  readonly pointAt: (offset: number) => Point;
  /** What stands in the block before the selection, and behind it. */
  readonly before: string;
  readonly after: string;
}

/** Returns what is around the selection; null where it has a length, or no block around it. */
function typedIn(editor: Editor): Typed | null {
  const { selection } = editor;
  const [block, path] = blocks.blockAt(editor) ?? [];
  if (!selection || !Range.isCollapsed(selection) || !block || !path) return null;
  const before = Editor.string(editor, { anchor: Editor.start(editor, path), focus: selection.anchor });
  const pointAt = (offset: number): Point => {
    let left = offset;
    for (const [leaf, below] of Node.texts(block)) {
      if (left <= leaf.text.length) return { path: [...path, ...below], offset: left };
      left -= leaf.text.length;
    }
    return Editor.end(editor, path);
  };
  return { block, pointAt, before, after: Node.string(block).slice(before.length) };
}

/** Makes the paragraph another block where it begins with Markdown. Returns whether it did. */
function becomeBlock(editor: Editor, { block, pointAt, before }: Typed, typed: string): boolean {
  const kind = block.type === 'paragraph' ? kindOf(typed) : undefined;
  if (!kind) return false;
  HistoryEditor.withNewBatch(editor, () => {
    Transforms.delete(editor, { at: { anchor: pointAt(0), focus: pointAt(before.length) } });
    blocks.setBlock(editor, ...kind);
  });
  return true;
}

function hasCode(editor: Editor, at: Range): boolean {
  const leaves = Editor.nodes(editor, { at, match: (node) => Text.isText(node) && node.code === true });
  return !leaves.next().done;
}

/** Marks what was put between two delimiters. */
function becomeMarked(editor: Editor, { block, pointAt, before, after }: Typed): void {
  if (block.type === 'code' || IN_WORD.test(after)) return;
  for (const [delimiter, mark] of DELIMITERS) {
    if (!before.endsWith(delimiter)) continue;
    const end = before.length - delimiter.length;
    const start = before.lastIndexOf(delimiter, end - 1);
    const outside = before.slice(0, Math.max(start, 0));
    const inside = before.slice(start + delimiter.length, end);
    if (start < 0 || !MARKED.test(inside)) continue;
    if (!MAY_OPEN.test(outside) || outside.endsWith(delimiter.charAt(0))) continue;
    if (hasCode(editor, { anchor: pointAt(start), focus: pointAt(before.length) })) continue;
    const outer = Editor.marks(editor);
    HistoryEditor.withNewBatch(editor, () => {
      Transforms.delete(editor, { at: { anchor: pointAt(end), focus: pointAt(before.length) } });
      const marked = { anchor: pointAt(start + delimiter.length), focus: pointAt(end) };
      Transforms.setNodes<Text>(editor, { [mark]: true }, { at: marked, match: Text.isText, split: true });
      Transforms.delete(editor, { at: { anchor: pointAt(start), focus: pointAt(start + delimiter.length) } });
    });
    // What follows looks like what was typed.
    editor.marks = outer;
    return;
  }
}

function follow(editor: Editor): void {
  const typed = typedIn(editor);
  if (!typed) return;
  const isSpace = typed.before.endsWith(' ');
  if (!isSpace || !becomeBlock(editor, typed, typed.before.slice(0, -1))) becomeMarked(editor, typed);
}

/** Watches what is typed; what is pasted stays as it is. */
export function withShortcuts<E extends Editor>(editor: E): E {
  const { insertText, insertBreak } = editor;
  return Object.assign(editor, {
    insertText: (typed: string, options?: object) => {
      insertText(typed, options);
      if (typed.length === 1) follow(editor);
    },
    insertBreak: () => {
      const typed = typedIn(editor);
      const isFence = typed && typed.after === '' && FENCE.test(typed.before);
      if (!isFence || !becomeBlock(editor, typed, typed.before)) insertBreak();
    },
  });
}
