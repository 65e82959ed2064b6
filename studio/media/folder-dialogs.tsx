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
  readFolder,
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
  /** It and the folders in it are left out. */
  readonly except?: Folder | undefined;
  readonly onChange: (id: string) => void;
}

/** All folders, by the names on the way to them. */
export function FolderSelect({ value, except, onChange, ...rest }: FolderSelectProps) {
  const { folders, wayTo } = useFolders();
  const named = folders
    .filter((folder) => !except || !isWithin(folder, except))
    .map((folder) => {
      const way = wayTo(String(folder.id));
      return { ...folder, title: way.map(({ name }) => name).join(' / ') };
    })
    .sort((a, b) => a.title.localeCompare(b.title));
  // An object sorts keys that are numbers; a path is not a number.
  const options = Object.fromEntries(named.map(({ path, title }) => [path, title]));
  const path = named.find(({ id }) => String(id) === value)?.path;
  return (
    <Select
      {...rest}
      value={path}
      options={options}
      onChange={(chosen) => onChange(String(named.find((folder) => folder.path === chosen)?.id ?? ''))}
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
        const now = (await readFolder(before.id)) ?? before;
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
        <FolderSelect
          label={text('In')}
          value={place}
          none={text('In no folder')}
          except={folder}
          onChange={setPlace}
        />
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

/** Reads the first names of the files in a folder, and how many files there are. */
async function readContent({ id }: Folder) {
  const query = { fields: ['name'], sort: 'name', pagination: { pageSize: MOST_NAMES } };
  const { body } = await request<ResponseBody<readonly FileEntry[]>>(filesPath(String(id)), { query });
  return { names: body.data.map(({ name }) => name), total: body.meta.pagination?.total ?? 0 };
}

interface FolderDeletionProps {
  readonly folder: Folder;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}

/** Names the folders and the files that go. */
export function FolderDeletion({ folder, onDeleted, onClose }: FolderDeletionProps) {
  const refresh = useRefresh();
  const within = useFolders().folders.filter((other) => isWithin(other, folder));
  const content = useQuery({
    queryKey: ['content of folders', ...within.map(({ id }) => id)],
    queryFn: () => Promise.all(within.map((each) => inTurn(() => readContent(each)))),
    // Not what was in it a while ago.
    gcTime: 0,
  });
  const remove = async () => {
    try {
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
            const names = found.flatMap((each) => each.names).slice(0, MOST_NAMES);
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
                  {names.map((name, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: two files may have the same name
                    <li key={index}>{name}</li>
                  ))}
                  {count > names.length && <li>{text('… and {count} more', { count: count - names.length })}</li>}
                </ul>
                {within.length > 1 && (
                  <p>
                    {text('Folders in it: {names}', {
                      names: within
                        .filter(({ id }) => id !== folder.id)
                        .map(({ name }) => name)
                        .join(', '),
                    })}
                  </p>
                )}
              </>
            );
          }}
        </Result>
      }
      action={text('Delete')}
      isDangerous
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
      <FolderSelect label={text('Folder')} value={place} none={text('In no folder')} onChange={setPlace} />
    </Dialog>
  );
}
