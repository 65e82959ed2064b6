/**
 * @module A page of the media library: its controls, its files as a grid or a list, and the pages.
 */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Query } from '../api/query-string.ts';
import { type Answer, request } from '../api/request.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Empty, Failure, Loading } from '../ui/states.tsx';
import { type FileEntry, KINDS, type Kind, kindFilter, PAGE_PATH, sizeOf, thumbnailOf } from './file-entry.ts';

/** What a page of the library shows; the address of a screen has the same names. */
export interface View {
  readonly q?: string;
  readonly kind?: string;
  /** Dates, both included. */
  readonly from?: string;
  readonly to?: string;
  readonly sort?: string;
  readonly page?: string;
  readonly look?: string;
}

const SORTS = {
  'createdAt:desc': 'Newest first',
  'createdAt:asc': 'Oldest first',
  'updatedAt:desc': 'Last changed',
  'name:asc': 'Name',
  'size:desc': 'Largest first',
};

const PAGE_SIZE = 36;

/** The day after, at midnight. */
const dayAfter = (date: string): string => new Date(Date.parse(date) + 86_400_000).toISOString();

/** @param kinds the kinds that may be shown at all */
export function queryOf({ q, kind, from, to, sort, page }: View, kinds: readonly Kind[]): Query {
  const filters = [
    kindFilter(kinds.filter((one) => !kind || one === kind)),
    from && { createdAt: { $gte: new Date(from).toISOString() } },
    to && { createdAt: { $lt: dayAfter(to) } },
  ].filter(Boolean);
  return {
    ...(q && { _q: q }),
    ...(filters.length > 0 && { filters: { $and: filters } }),
    sort: [sort && Object.hasOwn(SORTS, sort) ? sort : 'createdAt:desc', 'id'],
    pagination: { page: page ?? '1', pageSize: PAGE_SIZE },
  };
}

function Thumbnail({ file }: { readonly file: FileEntry }) {
  const url = thumbnailOf(file);
  return url ? (
    <img src={url} alt="" loading="lazy" className="thumbnail" />
  ) : (
    <span className="thumbnail">
      <Icon name="document" />
      {file.mime.split('/').pop()}
    </span>
  );
}

interface FilesProps {
  readonly files: readonly FileEntry[];
  readonly chosen?: ReadonlySet<string> | undefined;
  readonly onOpen: (file: FileEntry) => void;
}

const Grid = ({ files, chosen, onOpen }: FilesProps) => (
  <ul className="files">
    {files.map((file) => (
      <li key={file.documentId}>
        <button
          type="button"
          className="file card"
          aria-pressed={chosen?.has(file.documentId)}
          onClick={() => onOpen(file)}
        >
          <Thumbnail file={file} />
          <span className="ellipsis" title={file.name}>
            {file.name}
          </span>
          <span className="muted ellipsis">
            {sizeOf(file)}
            {file.width && ` · ${file.width} × ${file.height}`}
          </span>
        </button>
      </li>
    ))}
  </ul>
);

const List = ({ files, onOpen }: FilesProps) => (
  <div className="table-frame">
    <table>
      <thead>
        <tr>
          {['Name', 'Type', 'Size', 'Width × height', 'Alternative text', 'Created'].map((name) => (
            <th key={name}>{name}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {files.map((file) => (
          <tr key={file.documentId}>
            <td>
              <button type="button" className="file-line" onClick={() => onOpen(file)}>
                <Thumbnail file={file} />
                <span className="ellipsis">{file.name}</span>
              </button>
            </td>
            <td className="ellipsis">{file.mime}</td>
            <td>{sizeOf(file)}</td>
            <td>{file.width ? `${file.width} × ${file.height}` : ''}</td>
            <td className="ellipsis">{file.alternativeText}</td>
            <td>{file.createdAt && new Date(file.createdAt).toLocaleString()}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

interface ControlsProps {
  readonly view: View;
  readonly kinds: readonly Kind[];
  readonly onChange: (changes: View) => void;
}

function Controls({ view, kinds, onChange }: ControlsProps) {
  const change = (changes: View) => onChange({ page: '', ...changes });
  return (
    <search className="row media-controls">
      <input
        type="search"
        aria-label="Search files"
        placeholder="Search files"
        value={view.q ?? ''}
        onChange={({ target }) => change({ q: target.value })}
      />
      {kinds.length > 1 && (
        <select aria-label="Kind" value={view.kind ?? ''} onChange={({ target }) => change({ kind: target.value })}>
          <option value="">All kinds</option>
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {KINDS[kind]}
            </option>
          ))}
        </select>
      )}
      <select aria-label="Sort" value={view.sort ?? ''} onChange={({ target }) => change({ sort: target.value })}>
        {Object.entries(SORTS).map(([value, label], index) => (
          <option key={value} value={index === 0 ? '' : value}>
            {label}
          </option>
        ))}
      </select>
      {(['from', 'to'] as const).map((end) => (
        <label key={end} className="row muted">
          {end}
          <input
            type="date"
            aria-label={`Uploaded ${end}`}
            value={view[end] ?? ''}
            onChange={({ target }) => change({ [end]: target.value })}
          />
        </label>
      ))}
    </search>
  );
}

interface LibraryProps extends ControlsProps {
  readonly chosen?: ReadonlySet<string>;
  readonly onOpen: (file: FileEntry) => void;
}

export function Library({ view, kinds, chosen, onChange, onOpen }: LibraryProps) {
  const query = queryOf(view, kinds);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: [PAGE_PATH, query],
    queryFn: async ({ signal }) => (await request<Answer<readonly FileEntry[]>>(PAGE_PATH, { query, signal })).body,
    placeholderData: keepPreviousData,
  });
  const { page = 1, pageCount = 1, total = 0 } = data?.meta.pagination ?? {};
  const isFiltered = view.q || view.kind || view.from || view.to;
  const Files = view.look === 'list' ? List : Grid;
  return (
    <div className="stack">
      <Controls view={view} kinds={kinds} onChange={onChange} />
      {error && <Failure error={error} onRetry={() => refetch()} />}
      {!data && !error && <Loading />}
      {data && (
        <>
          {data.data.length === 0 ? (
            <Empty title={isFiltered ? 'No file matches' : 'There are no files here'} />
          ) : (
            <div aria-busy={isPlaceholderData}>
              <Files files={data.data} chosen={chosen} onOpen={onOpen} />
            </div>
          )}
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
        </>
      )}
    </div>
  );
}
