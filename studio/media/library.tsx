/**
 * @module A page of the media library: its toolbar, its files as a grid or a list, and the way to the other pages.
 */
import { type ResponseBody, useRead } from '../api/request.ts';
import { ApiError } from '../api/send.ts';
import * as files from '../model/file-entry.ts';
import { useModel } from '../shell/model.ts';
import { text } from '../texts/text.ts';
import { Button } from '../ui/button.tsx';
import { Empty, Result } from '../ui/states.tsx';
import { FileTile, type TileProps } from './file-tile.tsx';
import { filesPath } from './folders.ts';
import { libraryQuery } from './library-query.ts';
import { LibraryToolbar, type ToolbarProps } from './library-toolbar.tsx';

type LibraryProps = TileProps & ToolbarProps;

export function Library({ view, kinds, onChange, ...tile }: LibraryProps) {
  const found = useRead<ResponseBody<readonly files.FileEntry[]>>(filesPath(view.folder), libraryQuery(view, kinds));
  const { page = 1, pageCount = 1, total = 0 } = found.data?.meta.pagination ?? {};
  const isPaged = pageCount > 1 || page > 1;
  const isList = view.look === 'list';
  const model = useModel();
  const isNarrowed = [view.q, view.kind, view.only, view.size, view.days].some(Boolean);
  if (view.folder && found.error instanceof ApiError && found.error.status === 404)
    return (
      <Empty title={text('This folder was deleted')}>
        <Button label={text('All files')} onClick={() => onChange({ folder: '', page: '' })} />
      </Empty>
    );
  return (
    <div className="stack">
      <LibraryToolbar view={view} kinds={kinds} onChange={onChange} />
      <Result of={found}>
        {({ data }) => (
          <>
            {data.length === 0 && total > 0 && (
              <Empty title={text('There is no such page')}>
                <Button label={text('The first page')} onClick={() => onChange({ page: '' })} />
              </Empty>
            )}
            {total === 0 && (
              <Empty title={text(isNarrowed ? 'There are no such files' : 'There are no files here yet')}>
                {!isNarrowed && files.mayUpload(model) && (
                  <p className="muted">{text('Drop files here, or choose them with Upload.')}</p>
                )}
                {isNarrowed && (
                  <Button
                    label={text('Clear search and filters')}
                    onClick={() => onChange({ q: '', kind: '', only: '', size: '', days: '', page: '' })}
                  />
                )}
              </Empty>
            )}
            <ul className={`plain files ${isList ? 'list' : ''}`}>
              {data.map((file) => (
                <FileTile key={file.documentId} file={file} isList={isList} {...tile} />
              ))}
            </ul>
            <nav className={total === 0 ? 'unseen' : 'row'} aria-label={text('Pages')}>
              <span className="muted" role="status">
                {isPaged
                  ? text('{count} file, page {page} of {last} | {count} files, page {page} of {last}', {
                      count: total,
                      page,
                      last: Math.max(pageCount, 1),
                    })
                  : text('{count} file | {count} files', { count: total })}
              </span>
              {isPaged && (
                <>
                  <Button
                    label={text('Previous')}
                    disabled={page <= 1}
                    onClick={() => onChange({ page: String(Math.min(page - 1, pageCount)) })}
                  />
                  <Button
                    label={text('Next')}
                    disabled={page >= pageCount}
                    onClick={() => onChange({ page: String(page + 1) })}
                  />
                </>
              )}
            </nav>
          </>
        )}
      </Result>
    </div>
  );
}
