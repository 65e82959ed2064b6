/**
 * @module The editor of blocks: Slate, which stays mounted whatever happens to the value.
 */
import { createElement, type KeyboardEvent, useRef, useState } from 'react';
import { createEditor, Editor, Node, type Operation, type Point, Text, Transforms } from 'slate';
import { withHistory } from 'slate-history';
import * as slate from 'slate-react';
import { safeAddress } from '../../api/query-string.ts';
import { type FileEntry, pictureOf } from '../../model/file-entry.ts';
import { text } from '../../texts/text.ts';
import * as blocks from './blocks.ts';
import { withShortcuts } from './blocks-shortcuts.ts';
import { BlocksToolbar } from './blocks-toolbar.tsx';
import type { EditorProps } from './owner.ts';
import { useOutsideValue } from './use-input.ts';

/** Elements of HTML for blocks. Headings of a text are none of the page. */
function tagOf({ type, format }: blocks.Block): string {
  if (type === 'list') return format === 'ordered' ? 'ol' : 'ul';
  return { 'list-item': 'li', quote: 'blockquote', code: 'pre', image: 'div', link: 'a' }[type] ?? 'p';
}

function Shown({ attributes, children, element }: slate.RenderElementProps) {
  const editor = slate.useSlateStatic();
  const { type, level, language, url, image } = element;
  const tag = tagOf(element);
  if (type === 'list' && slate.ReactEditor.findPath(editor, element).length > 1) {
    return (
      <li {...attributes} className="nested">
        {createElement(tag, null, children)}
      </li>
    );
  }
  const file = image as unknown as FileEntry | undefined;
  const picture = file && (
    <img contentEditable={false} src={pictureOf(file, 'small')} alt={file.alternativeText ?? file.name} />
  );
  const link = url && { href: safeAddress(url), title: url, rel: 'noreferrer' };
  const className = type === 'heading' ? `heading-${level ?? 1}` : undefined;
  return createElement(tag, { className, title: language, ...link, ...attributes }, picture, children);
}

const MARKS = Object.entries(blocks.MARKS) as [blocks.Mark, readonly [string, string]][];

const Words = ({ attributes, children, leaf }: slate.RenderLeafProps) => (
  <span {...attributes}>
    {MARKS.reduce((inner, [mark, [tag]]) => (leaf[mark] ? createElement(tag, null, inner) : inner), children)}
  </span>
);

/** Returns a place that is there, in other blocks than it was in: itself, or the end. */
const nearest = (editor: Editor, { path, offset }: Point): Point =>
  Editor.hasPath(editor, path) && Text.isText(Node.get(editor, path))
    ? { path, offset: Math.min(offset, Node.string(Node.get(editor, path)).length) }
    : Editor.end(editor, []);

interface BlocksEditorProps extends EditorProps {
  readonly value: unknown;
  readonly onChange: (value: blocks.Blocks | null) => void;
}

export function BlocksEditor({ value, label, error, isReadOnly, current, onChange, onBlur }: BlocksEditorProps) {
  const [editor] = useState(() => withShortcuts(blocks.withBlocks(withHistory(slate.withReact(createEditor())))));
  const [start] = useState(() => blocks.fromBlocks(value));
  const seen = useRef(JSON.stringify(value ?? null));

  useOutsideValue(
    value,
    current,
    (now) => JSON.stringify(now ?? null) === seen.current,
    (now) => {
      seen.current = JSON.stringify(now ?? null);
      const children = blocks.fromBlocks(now);
      if (!children) return;
      const { selection } = editor;
      Object.assign(editor, { selection: null, history: { undos: [], redos: [] }, children });
      if (selection) Transforms.select(editor, nearest(editor, selection.focus));
      editor.onChange();
    },
  );

  const emit = () => {
    if (editor.operations.every(({ type }: Operation) => type === 'set_selection')) return;
    const next = blocks.toBlocks(editor.children as blocks.Blocks);
    seen.current = JSON.stringify(next);
    onChange(next);
  };

  const press = (event: KeyboardEvent) => {
    const [mark] = event.ctrlKey || event.metaKey ? (MARKS.find(([, [, key]]) => key === event.key) ?? []) : [];
    const isMoved = event.key === 'Tab' && (event.shiftKey ? blocks.outdent(editor) : blocks.indent(editor));
    if (mark) blocks.toggleMark(editor, mark);
    if (mark || isMoved) event.preventDefault();
  };

  if (!start) return <p className="muted">{text('This value is no list of blocks. It stays as it is.')}</p>;
  return (
    <slate.Slate editor={editor} initialValue={start as blocks.Block[]} onChange={emit}>
      {!isReadOnly && <BlocksToolbar />}
      <slate.Editable
        className="blocks card padded"
        aria-label={label}
        aria-description={error}
        aria-invalid={error !== undefined}
        readOnly={isReadOnly}
        renderElement={Shown}
        renderLeaf={Words}
        onKeyDown={press}
        onBlur={onBlur}
      />
    </slate.Slate>
  );
}
