/**
 * @module The dialog that chooses files of the library, or uploads them.
 */
import { useState } from 'react';
import { useModel } from '../shell/model-context.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { type FileEntry, kindsOf, mayFindFiles, mayUpload } from './file-entry.ts';
import { Library, type View } from './library.tsx';
import { DropArea, UploadButton, useUploads } from './uploads.tsx';

interface FilePickerProps {
  /** Strapi's `images`, `videos`, `audios` and `files`; all if there are none. */
  readonly allowedTypes?: readonly string[] | undefined;
  readonly isMultiple: boolean;
  /** Called once, in the order of the choice; `onClose` follows. */
  readonly onPick: (files: readonly FileEntry[]) => void;
  readonly onClose: () => void;
}

export function FilePicker({ allowedTypes, isMultiple, onPick, onClose }: FilePickerProps) {
  const model = useModel();
  const kinds = kindsOf(allowedTypes);
  const [view, setView] = useState<View>({});
  const [chosen, setChosen] = useState<ReadonlyMap<string, FileEntry>>(new Map());
  const toggle = (file: FileEntry) =>
    setChosen((before) => {
      const files = new Map(isMultiple ? before : []);
      if (before.has(file.documentId)) files.delete(file.documentId);
      else files.set(file.documentId, file);
      return files;
    });
  const uploads = useUploads(kinds, toggle);
  const pick = () => {
    onPick([...chosen.values()]);
    onClose();
  };
  return (
    <Dialog title={isMultiple ? 'Choose files' : 'Choose a file'} isWide onClose={onClose}>
      <div className="dialog-body">
        <DropArea into={mayUpload(model) ? uploads : undefined}>
          {mayFindFiles(model) && (
            <Library
              view={view}
              kinds={kinds}
              chosen={chosen}
              onChange={(changes) => setView({ ...view, ...changes })}
              onOpen={toggle}
            />
          )}
        </DropArea>
      </div>
      <footer className="row dialog-footer">
        {mayUpload(model) && <UploadButton label="Upload" isMultiple={isMultiple} onFiles={uploads.add} />}
        <span className="muted ellipsis grows" role="status">
          {[...chosen.values()].map(({ name }) => name).join(', ') || 'Nothing is chosen.'}
        </span>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" disabled={chosen.size === 0} onClick={pick}>
          Choose{chosen.size > 1 && ` ${chosen.size} files`}
        </Button>
      </footer>
    </Dialog>
  );
}
