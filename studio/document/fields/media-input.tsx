/**
 * @module The input of media: files of the library, in order.
 */
import { useState } from 'react';
import { AlternativeText, useLacksText } from '../../media/alternative-text.tsx';
import { FilePicker } from '../../media/file-picker.tsx';
import {
  ALL_KINDS,
  type FileEntry,
  isPrivate,
  KINDS,
  kindsOf,
  safeUrl,
  sizeOf,
  thumbnailOf,
} from '../../model/file-entry.ts';
import { text } from '../../texts/text.ts';
import { Button, Icon } from '../../ui/button.tsx';
import { Field } from '../../ui/inputs.tsx';
import type { InputProps } from './owner.ts';
import { Picked } from './sortable.tsx';
import { useInput } from './use-input.ts';

/** What the picture shows, in words; behind a button where they are missing. */
function Words({ file }: { readonly file: FileEntry }) {
  const [isOpen, setOpen] = useState(false);
  const isAsked = useLacksText(file);
  if (!isAsked) return <small className="muted">{file.alternativeText}</small>;
  if (isOpen) return <AlternativeText file={file} />;
  return <Button label={text('Add alternative text')} look="quiet" onClick={() => setOpen(true)} />;
}

const shown = (file: FileEntry) => (
  <>
    {thumbnailOf(file) ? (
      <img className="thumbnail" src={thumbnailOf(file)} alt="" loading="lazy" />
    ) : (
      <Icon name="document" />
    )}
    <div className="grow stack words">
      <a href={safeUrl(file.url)} target="_blank" rel="noreferrer" className="ellipsis">
        {file.name}
      </a>
      <small className="muted">
        {file.caption || sizeOf(file)} {isPrivate(file) && <span className="badge">{text('Private')}</span>}
      </small>
      <Words file={file} />
    </div>
  </>
);

export function MediaInput(props: InputProps) {
  const { multiple: isMultiple = false, allowedTypes = [] } = props.attribute;
  const kinds = kindsOf(allowedTypes);
  const hint = kinds.length < ALL_KINDS.length ? kinds.map((kind) => text(KINDS[kind])).join(', ') : '';
  const { value, setValue, field, control } = useInput(props, hint);
  const [isOpen, setOpen] = useState(false);
  const files = (value ?? []) as readonly FileEntry[];
  const isNew = (file: FileEntry) => files.every(({ id }) => id !== file.id);
  const pick = (picked: readonly FileEntry[]) =>
    setValue(isMultiple ? [...files, ...picked.filter(isNew)] : picked.slice(0, 1));
  return (
    <Field {...field} isGroup>
      <Picked
        items={files}
        keyOf={({ id }) => String(id)}
        titleOf={({ name }) => name}
        isMany={isMultiple}
        onChange={setValue}
      >
        {shown}
      </Picked>
      <div className="row">
        <Button
          label={isMultiple ? text('Choose files') : files.length > 0 ? text('Replace') : text('Choose a file')}
          icon="image"
          ref={control.ref}
          onBlur={control.onBlur}
          onClick={() => setOpen(true)}
        />
      </div>
      {isOpen && (
        <FilePicker allowedTypes={allowedTypes} isMultiple={isMultiple} onPick={pick} onClose={() => setOpen(false)} />
      )}
    </Field>
  );
}
