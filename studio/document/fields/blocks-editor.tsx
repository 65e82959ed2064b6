/**
 * @module The editor of blocks: Slate, which stays mounted whatever happens to the value.
 */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { createEditor, type Operation } from 'slate';
import { withHistory } from 'slate-history';
import {
  Editable,
  ReactEditor,
  type RenderElementProps,
  type RenderLeafProps,
  Slate,
  useSlateStatic,
  withReact,
} from 'slate-react';
import { type FileEntry, pictureOf } from '../../media/file-entry.ts';
import { type Block, type Blocks, fromBlocks, indent, outdent, toBlocks, toggleMark, withBlocks } from './blocks.ts';
import { BlocksToolbar } from './blocks-toolbar.tsx';
import { safeAddress } from './safe-address.ts';

function Shown({ attributes, children, element }: RenderElementProps) {
  const editor = useSlateStatic();
  const { type, level = 1, format, language, url = '', image } = element;
  if (type === 'heading') {
    // The page has headings of its own.
    return (
      <p {...attributes} className={`heading-${level}`}>
        {children}
      </p>
    );
  }
  if (type === 'list') {
    const List = format === 'ordered' ? 'ol' : 'ul';
    if (ReactEditor.findPath(editor, element).length === 1) return <List {...attributes}>{children}</List>;
    return (
      <li {...attributes} className="nested">
        <List>{children}</List>
      </li>
    );
  }
  if (type === 'list-item') return <li {...attributes}>{children}</li>;
  if (type === 'quote') return <blockquote {...attributes}>{children}</blockquote>;
  if (type === 'code')
    return (
      <pre {...attributes} title={language}>
        {children}
      </pre>
    );
  if (type === 'link')
    return (
      <a {...attributes} href={safeAddress(url)} title={url} rel="noreferrer">
        {children}
      </a>
    );
  if (type === 'image') {
    const file = image as unknown as FileEntry;
    return (
      <div {...attributes}>
        <img contentEditable={false} src={pictureOf(file, 'small')} alt={file.alternativeText ?? file.name} />
        {children}
      </div>
    );
  }
  return <p {...attributes}>{children}</p>;
}

function Words({ attributes, children, leaf }: RenderLeafProps) {
  const names = Object.keys(leaf).filter((key) => key !== 'text' && key !== 'type');
  return (
    <span {...attributes} className={names.map((name) => `mark-${name}`).join(' ')}>
      {children}
    </span>
  );
}

/** `mod`: Control, on a Mac Command. */
const SHORTCUTS = { b: 'bold', i: 'italic', u: 'underline', e: 'code', 'shift+s': 'strikethrough' } as const;

interface BlocksEditorProps {
  readonly value: unknown;
  readonly label: string;
  readonly error: string | undefined;
  readonly isReadOnly: boolean;
  readonly onChange: (value: Blocks | null) => void;
  readonly onBlur: () => void;
}

export function BlocksEditor({ value, label, error, isReadOnly, onChange, onBlur }: BlocksEditorProps) {
  const [editor] = useState(() => withBlocks(withHistory(withReact(createEditor()))));
  const [start] = useState(() => fromBlocks(value));
  const seen = useRef(JSON.stringify(value ?? null));

  useEffect(() => {
    const next = JSON.stringify(value ?? null);
    // While it is typed here, what comes is an echo, perhaps of an earlier key.
    if (next === seen.current || ReactEditor.isFocused(editor)) return;
    const blocks = fromBlocks(value);
    seen.current = next;
    if (!blocks) return;
    editor.selection = null;
    editor.history = { undos: [], redos: [] };
    editor.children = blocks as Block[];
    editor.onChange();
  }, [editor, value]);

  const emit = () => {
    if (editor.operations.every(({ type }: Operation) => type === 'set_selection')) return;
    const blocks = toBlocks(editor.children as Blocks);
    seen.current = JSON.stringify(blocks);
    onChange(blocks);
  };

  const press = (event: KeyboardEvent) => {
    const key = `${event.shiftKey ? 'shift+' : ''}${event.key.toLowerCase()}`;
    const mark = SHORTCUTS[key as keyof typeof SHORTCUTS];
    const isTab = event.key === 'Tab' && (event.shiftKey ? outdent(editor) : indent(editor));
    if ((event.ctrlKey || event.metaKey) && mark) toggleMark(editor, mark);
    else if (!isTab) return;
    event.preventDefault();
  };

  if (!start) return <p className="muted">This value is no list of blocks. It stays as it is.</p>;
  return (
    <Slate editor={editor} initialValue={start as Block[]} onChange={emit}>
      {!isReadOnly && <BlocksToolbar />}
      <Editable
        className="blocks"
        aria-label={label}
        aria-description={error}
        aria-invalid={error !== undefined}
        readOnly={isReadOnly}
        renderElement={Shown}
        renderLeaf={Words}
        onKeyDown={press}
        onBlur={onBlur}
      />
    </Slate>
  );
}
