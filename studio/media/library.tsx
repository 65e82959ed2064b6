/**
 * @module A page of the media library: its controls, its files as a grid or a list, and the pages; and the dialog that
 * chooses of them.
 */
import { useState } from 'react';
import type { Query } from '../api/query-string.ts';
import { type ResponseBody, useRead } from '../api/request.ts';
import * as files from '../model/file-entry.ts';
import { useModel } from '../shell/model.ts';
import { addUploads } from '../shell/uploads.ts';
import { type Text, text, textsOf } from '../texts/text.ts';
import { Button, Icon } from '../ui/button.tsx';
import { DelayedInput, Select } from '../ui/inputs.tsx';
import { Dialog } from '../ui/popups.tsx';
import { Empty, Result } from '../ui/states.tsx';
import { timeText } from '../ui/texts.ts';
import { FolderSelect } from './folder-dialogs.tsx';
import { dragged, filesPath, infoFor, useFolderRights } from './folders.ts';
import { DropArea, UploadButton } from './upload-button.tsx';
import { UploadList } from './upload-list.tsx';

/** What a page of the library shows; the address of the screen has the same names. `days`: no older files. */
export type View = Readonly<
  Partial<Record<'q' | 'kind' | 'days' | 'size' | 'only' | 'sort' | 'page' | 'look' | 'folder' | 'file', string>>
>;

const TIMES = { 1: 'Since yesterday', 7: 'Last 7 days', 30: 'Last 30 days', 365: 'Last year' } as const;
/** From and to, in thousands of bytes. */
const SIZES = {
  '0-100': 'Up to 100 kB',
  '100-1000': '100 kB to 1 MB',
  '1000-10000': '1 to 10 MB',
  '10000-': 'Over 10 MB',
} as const;
const SORTS = {
  'createdAt:asc': 'Oldest first',
  'updatedAt:desc': 'Last changed',
  'name:asc': 'By name',
  'size:desc': 'Largest first',
  'size:asc': 'Smallest first',
} as const;
const CONDITIONS = { unused: 'Unused', text: 'Without alternative text', private: 'Private' } as const;
const FILTERS = {
  text: {
    $and: [files.kindFilter(['images']), { $or: [{ alternativeText: { $null: true } }, { alternativeText: '' }] }],
  },
  private: { hash: { $endsWith: '-private' } },
} as const;
const DAY = 86_400_000;

/** @param kinds the kinds that may be shown at all */
export function libraryQuery(
  { q, kind, days, size = '', only, sort, page }: View,
  kinds: readonly files.Kind[],
): Query {
  const since = (Math.floor(Date.now() / DAY) - Number(days)) * DAY;
  const [from, to] = Object.hasOwn(SIZES, size) ? size.split('-') : [];
  const filters = [
    files.kindFilter(kinds.filter((one) => !kind || one === kind)),
    days && Object.hasOwn(TIMES, days) && { createdAt: { $gte: new Date(since).toISOString() } },
    from && { size: { $gte: from, ...(to && { $lt: to }) } },
    (only === 'text' || only === 'private') && FILTERS[only],
  ];
  return {
    _q: q || null,
    unused: only === 'unused' || null,
    filters: { $and: filters.filter(Boolean) },
    sort: [sort || 'createdAt:desc', 'id'],
    pagination: { page: page || 1, pageSize: 36 },
  };
}

interface TileProps {
  /** Missing where files are not chosen. */
  readonly chosen?: readonly files.FileEntry[];
  readonly onOpen: (file: files.FileEntry) => void;
  /** Files to move, and what selects another one; missing where none is moved. */
  readonly selected?: readonly number[];
  readonly onSelect?: (ids: readonly number[]) => void;
}

interface LibraryProps extends TileProps {
  readonly view: View;
  readonly kinds: readonly files.Kind[];
  /** Is there no tree of folders beside it? */
  readonly hasFolderSelect?: boolean;
  readonly onChange: (changes: View) => void;
}

function FileTile({ file, chosen, onOpen, selected = [], onSelect }: TileProps & { readonly file: files.FileEntry }) {
  const { id, name, mime, width, height, createdAt } = file;
  const url = files.thumbnailOf(file);
  const isSelected = selected.includes(id);
  return (
    <li {...(onSelect && dragged({ files: isSelected ? selected : [id] }))}>
      {onSelect && (
        <input
          type="checkbox"
          aria-label={text('Select {name}', { name })}
          checked={isSelected}
          onChange={() => onSelect(isSelected ? selected.filter((other) => other !== id) : [...selected, id])}
        />
      )}
      <button
        type="button"
        className="file card"
        aria-pressed={chosen?.some((other) => other.id === id)}
        onClick={() => onOpen(file)}
      >
        <span className="file-picture">
          {url ? <img src={url} alt="" loading="lazy" draggable={false} /> : <Icon name="document" />}
        </span>
        <span className="ellipsis" title={name}>
          {name}
        </span>
        <span className="muted ellipsis">{width ? `${width} × ${height}` : mime}</span>
        <span className="muted">{files.sizeOf(file)}</span>
        <span className="muted ellipsis">{timeText(createdAt)}</span>
        <span className="row badges">
          {files.isPrivate(file) && <span className="badge">{text('Private')}</span>}
          {files.lacksText(file) && <span className="badge warn">{text('No alternative text')}</span>}
        </span>
      </button>
    </li>
  );
}

function Controls({ view, kinds, hasFolderSelect, onChange }: Omit<LibraryProps, 'onOpen'>) {
  const model = useModel();
  const { hasFolders } = useFolderRights();
  const set = (name: keyof View) => (value: string) => onChange({ page: '', [name]: value });
  const select = (
    name: 'kind' | 'size' | 'days' | 'only' | 'sort',
    label: Text,
    none: Text,
    options: Readonly<Record<string, Text>>,
  ) => (
    <Select label={text(label)} value={view[name]} options={textsOf(options)} none={text(none)} onChange={set(name)} />
  );
  const conditions = Object.entries(CONDITIONS).filter(
    ([name]) => (name !== 'unused' || files.mayDelete(model)) && (name !== 'private' || files.hasPrivate(model)),
  );
  return (
    <search className="row media-controls">
      <DelayedInput type="search" label={text('Search files')} value={view.q ?? ''} onCommit={set('q')} />
      {hasFolderSelect && hasFolders && (
        <FolderSelect label={text('Folder')} value={view.folder} none={text('All files')} onChange={set('folder')} />
      )}
      {kinds.length > 1 &&
        select('kind', 'Kind', 'All kinds', Object.fromEntries(kinds.map((one) => [one, files.KINDS[one]])))}
      {select('only', 'State', 'Any state', Object.fromEntries(conditions))}
      {select('size', 'Size', 'Any size', SIZES)}
      {select('days', 'Time', 'Any time', TIMES)}
      {select('sort', 'Sort', 'Newest first', SORTS)}
    </search>
  );
}

export function Library({ view, kinds, hasFolderSelect = false, onChange, ...tile }: LibraryProps) {
  const found = useRead<ResponseBody<readonly files.FileEntry[]>>(filesPath(view.folder), libraryQuery(view, kinds));
  const { page = 1, pageCount = 1, total = 0 } = found.data?.meta.pagination ?? {};
  return (
    <div className="stack">
      <Controls view={view} kinds={kinds} hasFolderSelect={hasFolderSelect} onChange={onChange} />
      <Result of={found}>
        {({ data }) => (
          <>
            {data.length === 0 && <Empty title={text('There are no such files')} />}
            <ul className={`plain files ${view.look ?? ''}`}>
              {data.map((file) => (
                <FileTile key={file.documentId} file={file} {...tile} />
              ))}
            </ul>
            <nav className="row" aria-label={text('Pages')}>
              <Button
                label={text('Previous')}
                disabled={page <= 1}
                onClick={() => onChange({ page: String(Math.min(page - 1, pageCount)) })}
              />
              <span className="muted" role="status">
                {text('{count} file, page {page} of {last} | {count} files, page {page} of {last}', {
                  count: total,
                  page,
                  last: Math.max(pageCount, 1),
                })}
              </span>
              <Button
                label={text('Next')}
                disabled={page >= pageCount}
                onClick={() => onChange({ page: String(page + 1) })}
              />
            </nav>
          </>
        )}
      </Result>
    </div>
  );
}

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
      {files.mayUpload(model) && <UploadButton label={text('Upload')} isMultiple={isMultiple} onFiles={upload} />}
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
            hasFolderSelect
            onChange={(changes) => setView({ ...view, ...changes })}
            onOpen={toggle}
          />
        )}
      </DropArea>
    </Dialog>
  );
}
