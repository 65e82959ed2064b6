/**
 * @module The media library.
 */
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { ALL_KINDS, hasPrivate, mayFindFiles, mayUpload } from '../model/file-entry.ts';
import { useModel } from '../shell/model.ts';
import { PageLayout } from '../shell/page.tsx';
import { OPENED, usePanelClose } from '../shell/panel.ts';
import { addUploads } from '../shell/uploads.ts';
import { text } from '../texts/text.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Check } from '../ui/inputs.tsx';
import { useWhileHere } from '../ui/late.ts';
import { Empty, Notice } from '../ui/states.tsx';
import { addStyles } from '../ui/styles.ts';
import { FilePanel } from './file-panel.tsx';
import { FolderDeletion, FolderDialog, MoveDialog } from './folder-dialogs.tsx';
import { Breadcrumb, FolderTree, type PlaceProps } from './folder-tree.tsx';
import { infoFor, useFolders } from './folders.ts';
import { Library } from './library.tsx';
import type { View } from './library-query.ts';
import styles from './media.css' with { type: 'text' };
import { DropArea, UploadButton } from './upload-button.tsx';

addStyles(styles);

/** The way to the shown folder, and what one may do with it. Is mounted again for each folder. */
function FolderBar(place: PlaceProps) {
  const { current, onOpen } = place;
  const { wayTo, mayUpdate, mayDelete } = useFolders();
  const [dialog, setDialog] = useState<'change' | 'delete'>();
  const folder = wayTo(current).at(-1);
  const close = () => setDialog(undefined);
  const leave = useWhileHere(() => onOpen(folder?.parent ? String(folder.parent.id) : ''));
  if (!folder) return null;
  return (
    <div className="row">
      <Breadcrumb {...place} />
      {mayUpdate && <IconButton icon="edit" label={text('Change the folder')} onClick={() => setDialog('change')} />}
      {mayDelete && <IconButton icon="trash" label={text('Delete the folder')} onClick={() => setDialog('delete')} />}
      {dialog === 'change' && <FolderDialog folder={folder} onSaved={() => {}} onClose={close} />}
      {dialog === 'delete' && <FolderDeletion folder={folder} onDeleted={leave} onClose={close} />}
    </div>
  );
}

/** Tells views apart that show other files. */
const filesOf = (view: View): string => JSON.stringify({ ...view, file: undefined, look: undefined });

export function MediaPage() {
  const model = useModel();
  const { hasFolders, isKnown, mayCreate, mayMoveFiles, wayTo } = useFolders();
  const [search, setSearch] = useSearchParams();
  /** Undefined: as the folder says. */
  const [isPrivate, setPrivate] = useState<boolean>();
  const [selected, setSelected] = useState<readonly number[]>([]);
  const [isMoving, setMoving] = useState(false);
  const view: View = Object.fromEntries(search);
  const [last, setLast] = useState(view);
  // Also where the browser goes back.
  if (filesOf(last) !== filesOf(view)) {
    setLast(view);
    if (last.folder !== view.folder) setPrivate(undefined);
    setSelected([]);
  }
  /** Typing replaces the entry of the browser's history; another page, folder or an opened file is a new one. */
  const change = (changes: View) => {
    const entries = Object.entries({ ...view, ...changes }).filter(([, value]) => value !== '');
    const replace = !changes.page && !changes.file && changes.folder === undefined;
    setSearch(Object.fromEntries(entries), { replace, flushSync: true, ...(changes.file && { state: OPENED }) });
  };
  const closeFile = usePanelClose(() => change({ file: '' }));
  const place = {
    current: view.folder,
    onOpen: (opened: string) => change({ folder: opened, page: '' }),
    onMove: () => setSelected([]),
  };
  const [isMaking, setMaking] = useState(false);
  const arePrivate = hasPrivate(model) && (isPrivate ?? wayTo(view.folder).at(-1)?.private ?? false);
  const upload = (added: readonly File[]) => {
    const { info } = infoFor(view.folder);
    // Another user may have made the folder public since.
    const access = arePrivate || isPrivate === false ? { private: arePrivate } : {};
    addUploads(added, { info: { ...info, ...access } });
  };
  return (
    <PageLayout
      title={text('Media')}
      actions={
        <>
          {mayUpload(model) && hasPrivate(model) && (
            <Check label={text('Upload as private')} isOn={arePrivate} onChange={setPrivate} />
          )}
          {mayCreate && <Button label={text('New folder')} icon="folder" onClick={() => setMaking(true)} />}
          {mayUpload(model) && <UploadButton label={text('Upload')} look="primary" isMultiple onFiles={upload} />}
        </>
      }
    >
      <div className="beside-content media-page">
        {hasFolders && <FolderTree {...place} />}
        <DropArea onFiles={mayUpload(model) ? upload : undefined} folder={wayTo(view.folder).at(-1)?.name}>
          {hasFolders && <FolderBar key={view.folder} {...place} />}
          {mayUpload(model) && arePrivate && (
            <Notice>
              {text('New files are private: they open from the library and from documents that show them.')}
            </Notice>
          )}
          {selected.length > 0 && (
            <div className="row card padded">
              <span role="status">
                {text('{count} file selected | {count} files selected', { count: selected.length })}
              </span>
              <Button label={text('Move to…')} icon="folder" onClick={() => setMoving(true)} />
              <Button label={text('Select none')} look="quiet" onClick={() => setSelected([])} />
            </div>
          )}
          {mayFindFiles(model) ? (
            // Nothing moves down once the folder has a name.
            (isKnown || !view.folder) && (
              <Library
                view={view}
                kinds={ALL_KINDS}
                onChange={change}
                onOpen={({ id }) => change({ file: String(id) })}
                {...(mayMoveFiles && { selected, onSelect: setSelected })}
              />
            )
          ) : (
            <Empty title={text('You may not see the library')}>
              <p>
                {text('Who runs the server grants it in edgewise.config.ts: {action}', {
                  action: 'plugin::upload.content-api.find',
                })}
              </p>
            </Empty>
          )}
        </DropArea>
      </div>
      {isMaking && (
        <FolderDialog
          parent={Number(view.folder) ? view.folder : undefined}
          onSaved={({ id }) => place.onOpen(String(id))}
          onClose={() => setMaking(false)}
        />
      )}
      {isMoving && (
        <MoveDialog
          title={text('Move {count} file | Move {count} files', { count: selected.length })}
          moved={{ files: selected }}
          onMove={place.onMove}
          onClose={() => setMoving(false)}
        />
      )}
      {view.file && <FilePanel key={view.file} id={view.file} folder={view.folder} onClose={closeFile} />}
    </PageLayout>
  );
}
