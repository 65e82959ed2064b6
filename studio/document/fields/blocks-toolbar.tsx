/**
 * @module The toolbar of the editor of blocks.
 */
import { createElement, type KeyboardEvent, useState } from 'react';
import { Editor, Transforms } from 'slate';
import { ReactEditor, useSlate } from 'slate-react';
import { FilePicker } from '../../media/file-picker.tsx';
import { type Text, text } from '../../texts/text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import * as blocks from './blocks.ts';

const KINDS: readonly (readonly [label: Text, type: string, keys?: Partial<blocks.Block>])[] = [
  ['Paragraph', 'paragraph'],
  ...[1, 2, 3, 4, 5, 6].map((level) => ['Heading {level}', 'heading', { level }] as const),
  ['Quote', 'quote'],
  ['Code', 'code'],
  ['Bulleted list', 'list', { format: 'unordered' }],
  ['Numbered list', 'list', { format: 'ordered' }],
];

const MARK_NAMES: Readonly<Record<blocks.Mark, Text>> = {
  bold: 'bold',
  italic: 'italic',
  underline: 'underline',
  strikethrough: 'strikethrough',
  code: 'code',
};

/** Addresses that the API takes, and none. */
const IS_LINK = /^$|^((https?|mailto|tel):.|\/)/;

/** The kind of the block of the selection, or of the list around it. */
function kindAt(editor: Editor): number {
  const [block] =
    Editor.above<blocks.Block>(editor, { match: blocks.ofType('list'), mode: 'lowest' }) ??
    blocks.blockAt(editor) ??
    [];
  return KINDS.findIndex(
    ([, type, keys]) => type === block?.type && keys?.level === block.level && keys?.format === block.format,
  );
}

export function BlocksToolbar() {
  const editor = useSlate();
  const [isPicking, setPicking] = useState(false);
  /** Of the link that is written. */
  const [address, setAddress] = useState<string>();
  const kind = editor.selection ? kindAt(editor) : 0;
  const code = Editor.above<blocks.Block>(editor, { match: blocks.ofType('code') });
  /** Without a selection, the end of the document is meant. */
  const change = (edit: () => void) => {
    if (!editor.selection) Transforms.select(editor, Editor.end(editor, []));
    edit();
  };
  const withFocus = (edit: () => void) => {
    change(edit);
    ReactEditor.focus(editor);
  };
  // A dialog or a menu gives the focus back to its button first.
  const focus = () => setTimeout(() => ReactEditor.focus(editor), 50);
  const close = () => {
    setPicking(false);
    setAddress(undefined);
    focus();
  };
  const kinds = KINDS.map(([label, type, keys]) => ({
    label: text(label, { level: keys?.level ?? 0 }),
    onSelect: () => {
      change(() => blocks.setBlock(editor, type, keys));
      focus();
    },
  }));
  const kindName = kinds[kind]?.label ?? '—';
  const openLink = () => {
    const [link] = Editor.nodes<blocks.Block>(editor, { match: blocks.ofType('link') });
    setAddress(link?.[0].url ?? '');
  };
  const pressInLink = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    if (event.key === 'Enter' && !IS_LINK.test(address ?? '')) return;
    if (event.key === 'Enter') blocks.setLink(editor, address ?? '');
    close();
  };
  return (
    <div role="toolbar" aria-label={text('Format')} className="row">
      <Menu
        trigger={<Button label={kindName} icon="down" aria-label={`${text('Kind of block')}: ${kindName}`} />}
        items={kinds}
      />
      {Object.entries(blocks.MARKS).map(([mark, [tag]]) => (
        <button
          key={mark}
          type="button"
          className="icon-button"
          aria-label={text(MARK_NAMES[mark as blocks.Mark])}
          title={text(MARK_NAMES[mark as blocks.Mark])}
          aria-pressed={blocks.hasMark(editor, mark as blocks.Mark)}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => withFocus(() => blocks.toggleMark(editor, mark as blocks.Mark))}
        >
          {createElement(tag, null, mark === 'code' ? '<>' : mark.charAt(0).toUpperCase())}
        </button>
      ))}
      <IconButton icon="globe" label={text('Link')} onClick={() => change(openLink)} />
      <IconButton icon="image" label={text('Image')} onClick={() => change(() => setPicking(true))} />
      {address !== undefined && (
        <input
          // biome-ignore lint/a11y/noAutofocus: it is what the button was pressed for
          autoFocus
          aria-label={text('Address')}
          aria-invalid={!IS_LINK.test(address)}
          placeholder={text('https://… and Enter; nothing: no link')}
          value={address}
          onChange={({ target }) => setAddress(target.value)}
          onKeyDown={pressInLink}
        />
      )}
      {code && (
        <input
          aria-label={text('Language of the code')}
          placeholder={text('Language')}
          className="short"
          value={code[0].language ?? ''}
          onChange={({ target }) =>
            Transforms.setNodes<blocks.Block>(editor, { language: target.value }, { at: code[1] })
          }
        />
      )}
      {isPicking && (
        <FilePicker
          allowedTypes={['images']}
          isMultiple={false}
          isForText
          onPick={([file]) => file && blocks.insertImage(editor, { ...file })}
          onClose={close}
        />
      )}
    </div>
  );
}
