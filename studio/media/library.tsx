/**
 * @module A page of the media library: its controls, its files as a grid or a list, and the pages.
 */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Query } from '../api/query-string.ts';
import { type Answer, request } from '../api/request.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Select } from '../ui/select.tsx';
import { Empty, Failure, Loading } from '../ui/states.tsx';
import { type FileEntry, KINDS, type Kind, kindFilter, PAGE_PATH, sizeOf, thumbnailOf } from './file-entry.ts';

/** What a page of the library shows; the address of the screen has the same names. Dates are included. */
export type View = Readonly<Partial<Record<'q' | 'kind' | 'from' | 'to' | 'sort' | 'page' | 'look' | 'file', string>>>;

const SORTS = {
  'createdAt:asc': 'Oldest first',
  'updatedAt:desc': 'Last changed',
  'name:asc': 'By name',
  'size:desc': 'Largest first',
};

const midnight = (date: string, day = 0): string => new Date(Date.parse(date) + day * 86_400_000).toISOString();

/** @param kinds the kinds that may be shown at all */
export function queryOf({ q, kind, from, to, sort, page }: View, kinds: readonly Kind[]): Query {
  const filters = [
    kindFilter(kinds.filter((one) => !kind || one === kind)),
    from && { createdAt: { $gte: midnight(from) } },
    to && { createdAt: { $lt: midnight(to, 1) } },
  ];
  return {
    _q: q || null,
    filters: { $and: filters.filter(Boolean) },
    sort: [sort || 'createdAt:desc', 'id'],
    pagination: { page: page || 1, pageSize: 36 },
  };
}

interface FileTileProps {
  readonly file: FileEntry;
  readonly isChosen: boolean | undefined;
  readonly onOpen: (file: FileEntry) => void;
}

function FileTile({ file, isChosen, onOpen }: FileTileProps) {
  const { name, mime, width, height, createdAt } = file;
  const url = thumbnailOf(file);
  return (
    <button type="button" className="file card" aria-pressed={isChosen} onClick={() => onOpen(file)}>
      <span className="thumbnail">{url ? <img src={url} alt="" loading="lazy" /> : <Icon name="document" />}</span>
      <span className="ellipsis" title={name}>
        {name}
      </span>
      <span className="muted ellipsis">{width ? `${width} × ${height}` : mime}</span>
      <span className="muted">{sizeOf(file)}</span>
      <time className="muted">{createdAt && new Date(createdAt).toLocaleDateString()}</time>
    </button>
  );
}

interface LibraryProps {
  readonly view: View;
  readonly kinds: readonly Kind[];
  /** By `documentId`, where files are chosen. */
  readonly chosen?: ReadonlyMap<string, FileEntry>;
  readonly onChange: (changes: View) => void;
  readonly onOpen: (file: FileEntry) => void;
}

function Controls({ view, kinds, onChange }: Pick<LibraryProps, 'view' | 'kinds' | 'onChange'>) {
  const { kind = '', sort = '' } = view;
  const change = (changes: View) => onChange({ page: '', ...changes });
  const field = (type: string, name: 'q' | 'from' | 'to', label: string) => (
    <input
      type={type}
      aria-label={label}
      title={label}
      placeholder={label}
      value={view[name] ?? ''}
      onChange={({ target }) => change({ [name]: target.value })}
    />
  );
  const names = Object.fromEntries(kinds.map((one) => [one, KINDS[one]]));
  return (
    <search className="row media-controls">
      {field('search', 'q', 'Search files')}
      {kinds.length > 1 && (
        <Select label="Kind" value={kind} options={names} none="All kinds" onChange={(one) => change({ kind: one })} />
      )}
      <Select label="Sort" value={sort} options={SORTS} none="Newest first" onChange={(one) => change({ sort: one })} />
      {field('date', 'from', 'Uploaded from')}
      {field('date', 'to', 'Uploaded until')}
    </search>
  );
}

export function Library({ view, kinds, chosen, onChange, onOpen }: LibraryProps) {
  const query = queryOf(view, kinds);
  const { data, error, refetch } = useQuery({
    queryKey: [PAGE_PATH, query],
    queryFn: async ({ signal }) => (await request<Answer<readonly FileEntry[]>>(PAGE_PATH, { query, signal })).body,
    placeholderData: keepPreviousData,
  });
  const { page = 1, pageCount = 1, total = 0 } = data?.meta.pagination ?? {};
  return (
    <div className="stack">
      <Controls view={view} kinds={kinds} onChange={onChange} />
      {error && <Failure error={error} onRetry={() => refetch()} />}
      {!data && !error && <Loading />}
      {data?.data.length === 0 && <Empty title="There are no such files" />}
      <ul className={`files ${view.look === 'list' ? 'list' : ''}`}>
        {data?.data.map((file) => (
          <li key={file.documentId}>
            <FileTile file={file} isChosen={chosen?.has(file.documentId)} onOpen={onOpen} />
          </li>
        ))}
      </ul>
      {data && (
        <nav className="row" aria-label="Pages">
          <Button disabled={page <= 1} onClick={() => onChange({ page: String(Math.min(page - 1, pageCount)) })}>
            Previous
          </Button>
          <span className="muted" role="status">
            {total === 1 ? '1 file' : `${total.toLocaleString()} files`}, page {page} of {Math.max(pageCount, 1)}
          </span>
          <Button disabled={page >= pageCount} onClick={() => onChange({ page: String(page + 1) })}>
            Next
          </Button>
        </nav>
      )}
    </div>
  );
}
