/**
 * @module The media library.
 */
import { useSearchParams } from 'react-router';
import { useModel } from '../shell/model.ts';
import { PageLayout } from '../shell/page.tsx';
import { text } from '../texts/text.ts';
import { IconButton } from '../ui/button.tsx';
import { Empty } from '../ui/states.tsx';
import { ALL_KINDS, mayFindFiles, mayUpload } from './file-entry.ts';
import { FilePanel } from './file-panel.tsx';
import { Library, type View } from './library.tsx';
import { DropArea, UploadButton, useUploads } from './uploads.tsx';

export function MediaPage() {
  const model = useModel();
  const [search, setSearch] = useSearchParams();
  const view: View = Object.fromEntries(search);
  const uploads = useUploads(ALL_KINDS);
  const isList = view.look === 'list';
  /** Typing replaces the entry of the browser's history; another page or an opened file is a new one. */
  const change = (changes: View) => {
    const entries = Object.entries({ ...view, ...changes }).filter(([, value]) => value !== '');
    setSearch(Object.fromEntries(entries), { replace: !changes.page && !changes.file });
  };
  return (
    <PageLayout
      title={text('Media')}
      actions={
        <>
          <IconButton
            icon={isList ? 'image' : 'list'}
            label={text(isList ? 'Show a grid' : 'Show a list')}
            onClick={() => change({ look: isList ? '' : 'list' })}
          />
          {mayUpload(model) && <UploadButton label={text('Upload')} look="primary" isMultiple onFiles={uploads.add} />}
        </>
      }
    >
      <DropArea into={mayUpload(model) ? uploads : undefined}>
        {mayFindFiles(model) ? (
          <Library view={view} kinds={ALL_KINDS} onChange={change} onOpen={({ id }) => change({ file: String(id) })} />
        ) : (
          <Empty title={text('You may not see the library')} />
        )}
      </DropArea>
      {view.file && <FilePanel key={view.file} id={view.file} onClose={() => change({ file: '' })} />}
    </PageLayout>
  );
}
