/**
 * @module The dialogs of folders: their name, place and privacy, their end with what is in them, and the place of files.
 */
import { useQuery } from '@tanstack/react-query';
import pLimit from 'p-limit';
import { type FormEvent, useId, useRef, useState } from 'react';
import { type ResponseBody, request } from '../api/request.ts';
import { personCheck } from '../api/session.ts';
import { type FileEntry, hasPrivate } from '../model/file-entry.ts';
import { useModel } from '../shell/model.ts';
import { text } from '../texts/text.ts';
import { Check, Field, Select } from '../ui/inputs.tsx';
import { useWhileHere } from '../ui/late.ts';
import { Confirm, Dialog } from '../ui/popups.tsx';
import { Result } from '../ui/states.tsx';
import { notify, notifyError } from '../ui/toasts.tsx';
import { useRefresh } from './change-file.ts';
import {
  changesOf,
  deleteFolder,
  type Folder,
  filesPath,
  isOther,
  isWithin,
  type Moved,
  ROOT,
  readWithin,
  saveFolder,
  useFolders,
  useMove,
} from './folders.ts';

interface FolderSelectProps {
  readonly label: string;
  /** An id. */
  readonly value: string | undefined;
  /** The name of the choice `''`. */
  readonly none: string;
  /** Is the place outside of all folders a choice of its own? */
  readonly hasRoot?: boolean;
  /** It and the folders in it are left out. */
  readonly except?: Folder | undefined;
  readonly onChange: (id: string) => void;
}

/** All folders, by the names on the way to them. */
export function FolderSelect({ value, hasRoot = false, except, onChange, ...rest }: FolderSelectProps) {
  const { folders, wayTo } = useFolders();
  const named = folders
    .filter((folder) => !except || !isWithin(folder, except))
    .map((folder) => {
      const way = wayTo(String(folder.id));
      return { ...folder, title: way.map(({ name }) => name).join(' / ') };
    })
    .sort((a, b) => a.title.localeCompare(b.title));
  // An object sorts keys that are numbers; a path is not a number.
  const options = {
    ...(hasRoot && { [ROOT]: text('Unsorted') }),
    ...Object.fromEntries(named.map(({ path, title }) => [path, title])),
  };
  const path = value === ROOT ? value : named.find(({ id }) => String(id) === value)?.path;
  return (
    <Select
      {...rest}
      value={path}
      options={options}
      onChange={(chosen) =>
        onChange(chosen === ROOT ? ROOT : String(named.find((folder) => folder.path === chosen)?.id ?? ''))
      }
    />
  );
}

interface FolderDialogProps {
  /** Undefined for a new one. */
  readonly folder?: Folder | undefined;
  /** The id of the folder around a new one. */
  readonly parent?: string | undefined;
  readonly onSaved: (folder: Folder) => void;
  readonly onClose: () => void;
}

const idOf = (value: string): number | null => (value ? Number(value) : null);

export function FolderDialog({ folder: current, parent: around, onSaved, onClose }: FolderDialogProps) {
  const model = useModel();
  // What another user has changed since it was opened is not changed back.
  const [folder] = useState(current);
  const seen = useRef(current);
  const refresh = useRefresh();
  const id = useId();
  const [name, setName] = useState(folder?.name ?? '');
  const [place, setPlace] = useState(around ?? String(folder?.parent?.id ?? ''));
  const [isPrivate, setPrivate] = useState(folder?.private ?? false);
  const end = useWhileHere((saved: Folder) => {
    onSaved(saved);
    onClose();
  });
  const save = async (event?: FormEvent) => {
    event?.preventDefault();
    const input = { name, parent: idOf(place), ...(hasPrivate(model) && { private: isPrivate }) };
    const changes = folder ? changesOf(input, folder) : input;
    const isSamePerson = personCheck();
    try {
      const before = seen.current;
      if (before) {
        const [now = before] = await readWithin(before.id);
        seen.current = now;
        if (isOther(changes, before, now)) throw new Error(text('It was changed meanwhile. Read it again.'));
      }
      if (!isSamePerson()) return;
      const { body } = await saveFolder(folder?.id, changes);
      await refresh();
      notify(text('Saved'));
      end(body.data);
    } catch (error) {
      notifyError(text('Not saved'), error);
    }
  };
  const action = { label: text('Save'), disabled: name.trim() === '', onClick: () => void save() };
  return (
    <Dialog
      title={folder ? text('Folder {name}', { name: folder.name }) : text('New folder')}
      action={action}
      onClose={onClose}
    >
      <form className="stack" onSubmit={save}>
        <Field id={id} label={text('Name')}>
          <input id={id} value={name} onChange={({ target }) => setName(target.value)} required maxLength={255} />
        </Field>
        <FolderSelect label={text('In')} value={place} none={text('Unsorted')} except={folder} onChange={setPlace} />
        {hasPrivate(model) && (
          <>
            <Check label={text('New files in it are private')} isOn={isPrivate} onChange={setPrivate} />
            <p className="muted small">
              {text('Files that are in it already, or are moved into it, stay as they are.')}
            </p>
          </>
        )}
      </form>
    </Dialog>
  );
}

const inTurn = pLimit(6);
/** File names of a folder that a deletion lists. */
const MOST_NAMES = 10;

/** Reads the first files of a folder, and how many there are. */
async function readFiles(folder: Folder) {
  const query = { fields: ['name'], sort: 'name', pagination: { pageSize: MOST_NAMES } };
  const { body } = await request<ResponseBody<readonly FileEntry[]>>(filesPath(String(folder.id)), { query });
  const files = body.data.map(({ id, name }) => ({ id, name }));
  return { folder: folder.name, files, total: body.meta.pagination?.total ?? 0 };
}

/** Reads what is in a folder, and in each folder in it. */
const readContent = async ({ id }: Folder) =>
  Promise.all((await readWithin(id)).map((each) => inTurn(() => readFiles(each))));

interface FolderDeletionProps {
  readonly folder: Folder;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}

/** Names the folders and the files that go. */
export function FolderDeletion({ folder, onDeleted, onClose }: FolderDeletionProps) {
  const refresh = useRefresh();
  const content = useQuery({
    queryKey: ['content of a folder', folder.id],
    queryFn: () => readContent(folder),
    // Not what was in it a while ago.
    gcTime: 0,
  });
  const remove = async () => {
    const isSamePerson = personCheck();
    try {
      if (JSON.stringify(await readContent(folder)) !== JSON.stringify(content.data))
        throw new Error(text('It was changed meanwhile. Read it again.'));
      if (!isSamePerson()) return;
      await deleteFolder(folder.id);
      notify(text('Deleted'));
      onDeleted();
    } catch (error) {
      notifyError(text('Not deleted'), error);
    }
    await refresh();
  };
  return (
    <Confirm
      title={text('Delete the folder {name}?', { name: folder.name })}
      text={
        <Result of={content}>
          {(found) => {
            const count = found.reduce((sum, { total }) => sum + total, 0);
            const files = found.flatMap((each) => each.files).slice(0, MOST_NAMES);
            const [, ...inner] = found;
            return (
              <>
                <p>
                  {count === 0
                    ? text('There are no files in it.')
                    : text(
                        '{count} file goes with it, and disappears from all documents: | {count} files go with it, and disappear from all documents:',
                        { count },
                      )}
                </p>
                <ul className="plain">
                  {files.map(({ id, name }) => (
                    <li key={id}>{name}</li>
                  ))}
                  {count > files.length && <li>{text('… and {count} more', { count: count - files.length })}</li>}
                </ul>
                {inner.length > 0 && (
                  <p>{text('Folders in it: {names}', { names: inner.map((each) => each.folder).join(', ') })}</p>
                )}
              </>
            );
          }}
        </Result>
      }
      action={text('Delete')}
      isDangerous
      isDisabled={!content.data}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}

interface MoveDialogProps {
  readonly moved: Moved;
  readonly title: string;
  readonly onMove: () => void;
  readonly onClose: () => void;
}

/** Moves files by keyboard, and on a phone. */
export function MoveDialog({ moved, title, onMove, onClose }: MoveDialogProps) {
  const move = useMove();
  const [place, setPlace] = useState('');
  const confirm = () => {
    onClose();
    onMove();
    void move(moved, idOf(place));
  };
  return (
    <Dialog title={title} action={{ label: text('Move'), onClick: confirm }} onClose={onClose}>
      <FolderSelect label={text('Folder')} value={place} none={text('Unsorted')} onChange={setPlace} />
    </Dialog>
  );
}
