/**
 * @module The toolbar of the editor of blocks.
 */
import { type FormEvent, useState } from 'react';
import { Editor, Range, Transforms } from 'slate';
import { ReactEditor, useSlate } from 'slate-react';
import { FilePicker } from '../../media/file-picker.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { type Block, blockAt, hasMark, insertImage, MARKS, ofType, setBlock, setLink, toggleMark } from './blocks.ts';
import { safeAddress } from './safe-address.ts';

interface Kind {
  readonly label: string;
  readonly type: string;
  readonly keys?: Partial<Block>;
}

const KINDS: readonly Kind[] = [
  { label: 'Paragraph', type: 'paragraph' },
  ...[1, 2, 3, 4, 5, 6].map((level) => ({ label: `Heading ${level}`, type: 'heading', keys: { level } })),
  { label: 'Quote', type: 'quote' },
  { label: 'Code', type: 'code' },
  { label: 'Bulleted list', type: 'list', keys: { format: 'unordered' } },
  { label: 'Numbered list', type: 'list', keys: { format: 'ordered' } },
];

const LABELS = { bold: 'B', italic: 'I', underline: 'U', strikethrough: 'S', code: '<>' };

/** The block of the selection, or the list around it. */
function kindAt(editor: Editor): number {
  const [list] = Editor.above<Block>(editor, { match: ofType('list'), mode: 'lowest' }) ?? [];
  const block = list ?? blockAt(editor)?.[0];
  return KINDS.findIndex(
    ({ type, keys }) => type === block?.type && keys?.level === block.level && keys?.format === block.format,
  );
}

function LinkDialog({ onClose }: { readonly onClose: () => void }) {
  const editor = useSlate();
  const { selection } = editor;
  const [link] = selection ? Editor.nodes<Block>(editor, { match: ofType('link') }) : [];
  const [url, setUrl] = useState(link?.[0].url ?? '');
  const [label, setLabel] = useState('');
  const apply = (address: string) => {
    if (selection) setLink(editor, address, label);
    onClose();
  };
  const isValid = safeAddress(url) !== undefined && /^(https?|mailto|tel):.|^\//.test(url);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (isValid) apply(url);
  };
  return (
    <Dialog title="Link" onClose={onClose}>
      <form onSubmit={submit}>
        <div className="dialog-body stack">
          <input
            aria-label="Address"
            placeholder="https://…"
            value={url}
            onChange={(event) => setUrl(event.target.value)}
          />
          {!link && selection && Range.isCollapsed(selection) && (
            <input
              aria-label="Text"
              placeholder="Text"
              value={label}
              onChange={(event) => setLabel(event.target.value)}
            />
          )}
        </div>
        <footer className="dialog-footer">
          {link && <Button onClick={() => apply('')}>Remove link</Button>}
          <Button type="submit" look="primary" disabled={!isValid}>
            Link
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

export function BlocksToolbar() {
  const editor = useSlate();
  const [dialog, setDialog] = useState<'link' | 'image'>();
  const kind = editor.selection ? kindAt(editor) : 0;
  const code = Editor.above<Block>(editor, { match: ofType('code') });
  const withFocus = (change: () => void) => {
    if (!editor.selection) Transforms.select(editor, Editor.end(editor, []));
    change();
    ReactEditor.focus(editor);
  };
  const close = () => {
    setDialog(undefined);
    // The dialog gives the focus back to its button first.
    setTimeout(() => ReactEditor.focus(editor), 50);
  };
  const open = (name: 'link' | 'image') => {
    if (!editor.selection) Transforms.select(editor, Editor.end(editor, []));
    setDialog(name);
  };
  return (
    <div role="toolbar" aria-label="Format" className="row blocks-toolbar">
      <select
        aria-label="Kind of block"
        value={kind}
        onChange={({ target }) => {
          const kind = KINDS[Number(target.value)];
          if (kind) withFocus(() => setBlock(editor, kind.type, kind.keys));
        }}
      >
        {kind < 0 && <option value={-1}>—</option>}
        {KINDS.map(({ label }, index) => (
          <option key={label} value={index}>
            {label}
          </option>
        ))}
      </select>
      {MARKS.map((mark) => (
        <button
          key={mark}
          type="button"
          className={`icon-button mark-${mark}`}
          aria-label={mark}
          title={mark}
          aria-pressed={hasMark(editor, mark)}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => withFocus(() => toggleMark(editor, mark))}
        >
          {LABELS[mark]}
        </button>
      ))}
      <IconButton icon="globe" label="Link" onClick={() => open('link')} />
      <IconButton icon="image" label="Image" onClick={() => open('image')} />
      {code && (
        <input
          aria-label="Language of the code"
          placeholder="Language"
          className="short"
          value={code[0].language ?? ''}
          onChange={({ target }) => Transforms.setNodes<Block>(editor, { language: target.value }, { at: code[1] })}
        />
      )}
      {dialog === 'link' && <LinkDialog onClose={close} />}
      {dialog === 'image' && (
        <FilePicker
          allowedTypes={['images']}
          isMultiple={false}
          onPick={([file]) => file && insertImage(editor, { ...file })}
          onClose={close}
        />
      )}
    </div>
  );
}
