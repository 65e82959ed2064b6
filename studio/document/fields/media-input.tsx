/**
 * @module The input of media: files of the library, in order.
 */
import { arrayMove } from '@dnd-kit/sortable';
import { useState } from 'react';
import { type FileEntry, safeUrl, sizeOf, thumbnailOf } from '../../media/file-entry.ts';
import { FilePicker } from '../../media/file-picker.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Group, useInput } from './frame.tsx';
import type { InputProps } from './owner.ts';
import { SortableItem, SortableList } from './sortable.tsx';

function FileLine({ file }: { readonly file: FileEntry }) {
  const picture = thumbnailOf(file);
  return (
    <>
      <span className="media-picture">
        {picture ? <img src={picture} alt="" loading="lazy" /> : <Icon name="document" />}
      </span>
      <span className="target-title">
        <a href={safeUrl(file.url)} target="_blank" rel="noreferrer" className="ellipsis">
          {file.name}
        </a>
        <small className="muted ellipsis">{file.caption || `${file.mime} · ${sizeOf(file)}`}</small>
      </span>
    </>
  );
}

export function MediaInput(props: InputProps) {
  const { multiple: isMultiple = false, allowedTypes } = props.attribute;
  const { value, setValue, frame, control } = useInput(props, allowedTypes?.length === 4 ? [] : allowedTypes);
  const [isOpen, setOpen] = useState(false);
  const files = (value ?? []) as readonly FileEntry[];
  const pick = (picked: readonly FileEntry[]) => {
    const ids = new Set(files.map(({ id }) => id));
    setValue(isMultiple ? [...files, ...picked.filter(({ id }) => !ids.has(id))] : picked.slice(0, 1));
  };
  return (
    <Group frame={frame}>
      <SortableList
        ids={files.map(({ id }) => String(id))}
        className="targets"
        onMove={(from, to) => setValue(arrayMove([...files], from, to))}
      >
        {files.map((file) => (
          <SortableItem key={file.id} id={String(file.id)} label={file.name} className="target" isFixed={!isMultiple}>
            <FileLine file={file} />
            <IconButton
              icon="close"
              label={`Remove ${file.name}`}
              onClick={() => setValue(files.filter((each) => each !== file))}
            />
          </SortableItem>
        ))}
      </SortableList>
      <div className="row">
        <Button icon="image" ref={control.ref} onBlur={control.onBlur} onClick={() => setOpen(true)}>
          {files.length > 0 && !isMultiple ? 'Replace' : `Choose ${isMultiple ? 'files' : 'a file'}`}
        </Button>
      </div>
      {isOpen && (
        <FilePicker allowedTypes={allowedTypes} isMultiple={isMultiple} onPick={pick} onClose={() => setOpen(false)} />
      )}
    </Group>
  );
}
