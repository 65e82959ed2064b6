/**
 * @module The editor of Markdown: a toolbar, CodeMirror, and, beside it, what the text becomes.
 */
import type { EditorView } from 'codemirror';
import { type KeyboardEvent, type MouseEvent, useDeferredValue, useId, useRef, useState } from 'react';
import { safeAddress } from '../../api/query-string.ts';
import { FilePicker } from '../../media/file-picker.tsx';
import { TYPES } from '../../model/attribute-types.ts';
import { type ContentType, type Document, ownTypes, titleOf } from '../../model/model.ts';
import { useModel } from '../../shell/model.ts';
import { text } from '../../texts/text.ts';
import { IconButton, type IconName } from '../../ui/button.tsx';
import { describedBy, Field, Select } from '../../ui/inputs.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Dialog } from '../../ui/popups.tsx';
import { CodeEditor } from './code-editor.tsx';
import { Markdown } from './markdown.tsx';
import * as edits from './markdown-edits.ts';
import type { EditorProps, FieldOwner } from './owner.ts';
import { mayFind, TargetSearch } from './relation-input.tsx';

const uidOf = ({ attributes, shown }: ContentType): string | undefined =>
  Object.entries(attributes).find(([name, { type }]) => TYPES[type].isSlug && shown.has(name))?.[0];

/** `/articles/night-ferry`: the segment of the type, and the uid of the document, else its `documentId`. */
function pathOfDocument(type: ContentType, document: Document): string {
  const name = uidOf(type);
  const end = (name && document[name]) || document.documentId;
  return type.kind === 'singleType' ? `/${type.segment}` : `/${type.segment}/${encodeURIComponent(String(end))}`;
}

interface LinkDialogProps {
  /** The selected words. */
  readonly selected: string;
  readonly owner: FieldOwner;
  readonly onInsert: (words: string, address: string) => void;
  readonly onClose: () => void;
}

function LinkDialog({ selected, owner, onInsert, onClose }: LinkDialogProps) {
  const id = useId();
  const model = useModel();
  const types = ownTypes(model).filter((type) => mayFind(model, type));
  const [uid, setUid] = useState(types.some((type) => type === owner.type) ? owner.type.uid : types[0]?.uid);
  const [address, setAddress] = useState('');
  const [words, setWords] = useState(selected);
  const type = model.types.get(uid ?? '');
  const isWrong = safeAddress(address) === undefined;
  const error = isWrong ? text('An address of the web, of mail, or a path') : undefined;
  const isDone = address.trim() !== '' && !isWrong;
  const insert = () => {
    onInsert(words || address, address);
    onClose();
  };
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !isDone) return;
    // The editor, which gets the focus, would take the key.
    event.preventDefault();
    insert();
  };
  const pick = (document: Document) => {
    if (!type) return;
    setAddress(pathOfDocument(type, document));
    if (words === '') setWords(titleOf(type, document));
  };
  return (
    <Dialog
      title={text('Link')}
      action={{ label: text('Insert'), disabled: !isDone, onClick: insert }}
      onClose={onClose}
    >
      <Field id={`${id}-address`} label={text('Address')} error={error}>
        <input
          {...describedBy(`${id}-address`, error)}
          value={address}
          onChange={({ target }) => setAddress(target.value)}
          onKeyDown={press}
        />
      </Field>
      {type && (
        <Field id={`${id}-document`} label={text('Or a document')} isGroup>
          <div className="row nowrap">
            <Select
              label={text('Content type')}
              value={uid}
              options={Object.fromEntries(types.map((each) => [each.uid, each.name]))}
              onChange={setUid}
            />
            <TargetSearch
              key={uid}
              type={type}
              label={text('Document')}
              owner={owner}
              chosen={[]}
              more={uidOf(type)}
              onPick={pick}
            />
          </div>
        </Field>
      )}
      <Field id={`${id}-words`} label={text('Text')}>
        <input
          {...describedBy(`${id}-words`)}
          value={words}
          onChange={({ target }) => setWords(target.value)}
          onKeyDown={press}
        />
      </Field>
    </Dialog>
  );
}

/** A click on a tool leaves the focus in the editor. */
const keepFocus = (event: MouseEvent) => event.preventDefault();

interface MarkdownEditorProps extends EditorProps {
  readonly value: string;
  readonly owner: FieldOwner;
  readonly isPreview: boolean;
  readonly onChange: (value: string) => void;
}

export function MarkdownEditor({ owner, isPreview, ...editor }: MarkdownEditorProps) {
  const view = useRef<EditorView>(null);
  const [open, setOpen] = useState<'link' | 'picture'>();
  const shown = useDeferredValue(editor.value);
  const edit = (change: (selected: edits.SelectedText) => edits.TextChange) => {
    if (!view.current) return;
    const { doc, selection, lineBreak } = view.current.state;
    const { from, to } = selection.main;
    const { insert, selected, ...range } = change({ text: doc.toString(), from, to });
    view.current.dispatch({
      changes: { ...range, insert: insert.replaceAll('\n', lineBreak) },
      selection: { anchor: selected[0], head: selected[1] },
      scrollIntoView: true,
      userEvent: 'input',
    });
    view.current.focus();
  };
  const mark = (sign: string) => edit((selected) => edits.toggleMark(selected, sign));
  const lines = (kind: Parameters<typeof edits.toggleLines>[1]) =>
    edit((selected) => edits.toggleLines(selected, kind));
  const link = (words: string, address: string) => edit((selected) => edits.insertLink(selected, words, address));
  // A dialog or a menu gives the focus back to its button first.
  const focus = () => setTimeout(() => view.current?.focus(), 50);
  const close = () => {
    setOpen(undefined);
    focus();
  };
  const keys: Readonly<Record<string, () => void>> = {
    b: () => mark('**'),
    i: () => mark('_'),
    k: () => setOpen('link'),
  };
  const press = (event: KeyboardEvent) => {
    const isAlone = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && !editor.isReadOnly;
    const action = isAlone ? keys[event.key.toLowerCase()] : undefined;
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  };
  const headings = [1, 2, 3, 4, 5, 6].map((level) => ({
    label: text('Heading {level}', { level }),
    onSelect: () => {
      lines(edits.headingOf(level));
      focus();
    },
  }));
  const tools: readonly { readonly icon: IconName; readonly label: string; readonly act: () => void }[] = [
    { icon: 'bold', label: text('bold'), act: () => mark('**') },
    { icon: 'italic', label: text('italic'), act: () => mark('_') },
    { icon: 'list', label: text('Bulleted list'), act: () => lines(edits.BULLETS) },
    { icon: 'numbers', label: text('Numbered list'), act: () => lines(edits.NUMBERS) },
    { icon: 'quote', label: text('Quote'), act: () => lines(edits.QUOTE) },
    { icon: 'code', label: text('Code'), act: () => edit(edits.toggleCode) },
    { icon: 'globe', label: text('Link'), act: () => setOpen('link') },
    { icon: 'image', label: text('Image'), act: () => setOpen('picture') },
  ];
  const { from = 0, to = 0 } = view.current?.state.selection.main ?? {};
  return (
    <>
      {!editor.isReadOnly && (
        <div role="toolbar" aria-label={text('Format')} className={isPreview ? 'row beside-preview' : 'row'}>
          <Menu trigger={<IconButton icon="heading" label={text('Heading')} />} items={headings} />
          {tools.map(({ icon, label, act }) => (
            <IconButton key={label} icon={icon} label={label} onMouseDown={keepFocus} onClick={act} />
          ))}
        </div>
      )}
      <div className={isPreview ? 'markdown-split' : undefined} onKeyDownCapture={press}>
        <CodeEditor {...editor} isJson={false} view={view} />
        {isPreview && <Markdown text={shown} />}
      </div>
      {open === 'link' && (
        <LinkDialog
          selected={view.current?.state.doc.sliceString(from, to) ?? ''}
          owner={owner}
          onInsert={link}
          onClose={close}
        />
      )}
      {open === 'picture' && (
        <FilePicker
          allowedTypes={['images']}
          isMultiple={false}
          isForText
          onPick={([file]) =>
            file && edit((selected) => edits.insertLink(selected, file.alternativeText || file.name, file.url, true))
          }
          onClose={close}
        />
      )}
    </>
  );
}
