/**
 * @module The dialog that chooses files of the media library.
 */
import { useState } from 'react';
import * as files from '../model/file-entry.ts';
import { useModel } from '../shell/model.ts';
import { addUploads } from '../shell/uploads.ts';
import { text } from '../texts/text.ts';
import { Dialog } from '../ui/popups.tsx';
import { addStyles } from '../ui/styles.ts';
import { infoFor } from './folders.ts';
import { Library } from './library.tsx';
import type { View } from './library-query.ts';
import styles from './media.css' with { type: 'text' };
import { DropArea, UploadButton } from './upload-button.tsx';
import { UploadList } from './upload-list.tsx';

addStyles(styles);

interface FilePickerProps {
  /** Strapi's `images`, `videos`, `audios` and `files`; all if there are none. */
  readonly allowedTypes?: readonly string[] | undefined;
  readonly isMultiple: boolean;
  /** Is the address of the file written into a text? That of a private file ends. */
  readonly isForText?: boolean;
  /** Called once, in the order of the choice; `onClose` follows. */
  readonly onPick: (files: readonly files.FileEntry[]) => void;
  readonly onClose: () => void;
}

export function FilePicker({ allowedTypes, isMultiple, isForText = false, onPick, onClose }: FilePickerProps) {
  const model = useModel();
  const kinds = files.kindsOf(allowedTypes);
  const [view, setView] = useState<View>({});
  const [chosen, setChosen] = useState<readonly files.FileEntry[]>([]);
  const toggle = (file: files.FileEntry) =>
    setChosen((before) => {
      const others = before.filter(({ id }) => id !== file.id);
      if (others.length < before.length) return others;
      return isMultiple ? [...before, file] : [file];
    });
  const upload = (added: readonly File[]) => addUploads(added, { kinds, onUploaded: toggle, ...infoFor(view.folder) });
  const pick = () => {
    onPick(chosen);
    onClose();
  };
  const names = chosen.map(({ name }) => name).join(', ');
  const isRejected = isForText && chosen.some(files.isPrivate);
  const button = {
    label: chosen.length > 1 ? text('Choose {count} files', { count: chosen.length }) : text('Choose'),
    disabled: chosen.length === 0 || isRejected,
    onClick: pick,
  };
  const footer = (
    <>
      {files.mayUpload(model) && (
        <UploadButton label={text('Upload')} isMultiple={isMultiple} accept={files.acceptOf(kinds)} onFiles={upload} />
      )}
      <span className="muted ellipsis grow" role="status">
        {isRejected
          ? text('A private file has no place in a text: its address ends.')
          : names || text('Nothing is chosen.')}
      </span>
    </>
  );
  return (
    <Dialog
      title={text(isMultiple ? 'Choose files' : 'Choose a file')}
      isWide
      action={button}
      footer={footer}
      onClose={onClose}
    >
      <UploadList />
      <DropArea onFiles={files.mayUpload(model) ? upload : undefined}>
        {files.mayFindFiles(model) && (
          <Library
            view={view}
            kinds={kinds}
            chosen={chosen}
            onChange={(changes) => setView({ ...view, ...changes })}
            onOpen={toggle}
          />
        )}
      </DropArea>
    </Dialog>
  );
}
