/**
 * @module A page of the media library: its controls, its files as a grid or a list, and the pages; and the dialog that
 * chooses of them.
 */
import { useState } from 'react';
import type { Query } from '../api/query-string.ts';
import { type ResponseBody, useRead } from '../api/request.ts';
import { useModel } from '../shell/model.ts';
import { text, textsOf } from '../texts/text.ts';
import { Button, Icon } from '../ui/button.tsx';
import { DelayedInput, Select } from '../ui/inputs.tsx';
import { Dialog } from '../ui/popups.tsx';
import { Empty, Result } from '../ui/states.tsx';
import { timeText } from '../ui/texts.ts';
import * as files from './file-entry.ts';
import { DropArea, UploadButton, useUploads } from './uploads.tsx';

/** What a page of the library shows; the address of the screen has the same names. `days`: no older files. */
export type View = Readonly<Partial<Record<'q' | 'kind' | 'days' | 'sort' | 'page' | 'look' | 'file', string>>>;

const TIMES = { 1: 'Since yesterday', 7: 'Last 7 days', 30: 'Last 30 days', 365: 'Last year' } as const;
const SORTS = {
  'createdAt:asc': 'Oldest first',
  'updatedAt:desc': 'Last changed',
  'name:asc': 'By name',
  'size:desc': 'Largest first',
} as const;
const DAY = 86_400_000;

/** @param kinds the kinds that may be shown at all */
export function libraryQuery({ q, kind, days, sort, page }: View, kinds: readonly files.Kind[]): Query {
  const since = (Math.floor(Date.now() / DAY) - Number(days)) * DAY;
  const filters = [
    files.kindFilter(kinds.filter((one) => !kind || one === kind)),
    days && Object.hasOwn(TIMES, days) && { createdAt: { $gte: new Date(since).toISOString() } },
  ];
  return {
    _q: q || null,
    filters: { $and: filters.filter(Boolean) },
    sort: [sort || 'createdAt:desc', 'id'],
    pagination: { page: page || 1, pageSize: 36 },
  };
}

interface LibraryProps {
  readonly view: View;
  readonly kinds: readonly files.Kind[];
  /** Missing where files are not chosen. */
  readonly chosen?: readonly files.FileEntry[];
  readonly onChange: (changes: View) => void;
  readonly onOpen: (file: files.FileEntry) => void;
}

function FileTile({
  file,
  chosen,
  onOpen,
}: Pick<LibraryProps, 'chosen' | 'onOpen'> & { readonly file: files.FileEntry }) {
  const { name, mime, width, height, createdAt } = file;
  const url = files.thumbnailOf(file);
  return (
    <button
      type="button"
      className="file card"
      aria-pressed={chosen?.some(({ id }) => id === file.id)}
      onClick={() => onOpen(file)}
    >
      <span className="file-picture">{url ? <img src={url} alt="" loading="lazy" /> : <Icon name="document" />}</span>
      <span className="ellipsis" title={name}>
        {name}
      </span>
      <span className="muted ellipsis">{width ? `${width} × ${height}` : mime}</span>
      <span className="muted">{files.sizeOf(file)}</span>
      <span className="muted ellipsis">{timeText(createdAt)}</span>
    </button>
  );
}

function Controls({ view: { q, kind, days, sort }, kinds, onChange }: Omit<LibraryProps, 'onOpen'>) {
  const set = (name: keyof View) => (value: string) => onChange({ page: '', [name]: value });
  const names = Object.fromEntries(kinds.map((one) => [one, text(files.KINDS[one])]));
  return (
    <search className="row media-controls">
      <DelayedInput type="search" label={text('Search files')} value={q ?? ''} onCommit={set('q')} />
      {kinds.length > 1 && (
        <Select label={text('Kind')} value={kind} options={names} none={text('All kinds')} onChange={set('kind')} />
      )}
      <Select
        label={text('Time')}
        value={days}
        options={textsOf(TIMES)}
        none={text('Any time')}
        onChange={set('days')}
      />
      <Select
        label={text('Sort')}
        value={sort}
        options={textsOf(SORTS)}
        none={text('Newest first')}
        onChange={set('sort')}
      />
    </search>
  );
}

export function Library({ view, kinds, chosen, onChange, onOpen }: LibraryProps) {
  const found = useRead<ResponseBody<readonly files.FileEntry[]>>(files.PAGE_PATH, libraryQuery(view, kinds));
  const { page = 1, pageCount = 1, total = 0 } = found.data?.meta.pagination ?? {};
  return (
    <div className="stack">
      <Controls view={view} kinds={kinds} onChange={onChange} />
      <Result of={found}>
        {({ data }) => (
          <>
            {data.length === 0 && <Empty title={text('There are no such files')} />}
            <ul className={`plain files ${view.look ?? ''}`}>
              {data.map((file) => (
                <li key={file.documentId}>
                  <FileTile file={file} onOpen={onOpen} {...(chosen && { chosen })} />
                </li>
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
  /** Called once, in the order of the choice; `onClose` follows. */
  readonly onPick: (files: readonly files.FileEntry[]) => void;
  readonly onClose: () => void;
}

export function FilePicker({ allowedTypes, isMultiple, onPick, onClose }: FilePickerProps) {
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
  const uploads = useUploads(kinds, toggle);
  const pick = () => {
    onPick(chosen);
    onClose();
  };
  const names = chosen.map(({ name }) => name).join(', ');
  const button = {
    label: chosen.length > 1 ? text('Choose {count} files', { count: chosen.length }) : text('Choose'),
    disabled: chosen.length === 0,
    onClick: pick,
  };
  const footer = (
    <>
      {files.mayUpload(model) && <UploadButton label={text('Upload')} isMultiple={isMultiple} onFiles={uploads.add} />}
      <span className="muted ellipsis grow" role="status">
        {names || text('Nothing is chosen.')}
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
      <DropArea into={files.mayUpload(model) ? uploads : undefined}>
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
