/**
 * @module The media library.
 */
import { useSearchParams } from 'react-router';
import { useModel } from '../shell/model-context.ts';
import { Page } from '../shell/page.tsx';
import { IconButton } from '../ui/button.tsx';
import { kindsOf, mayUpload } from './file-entry.ts';
import { Library, type View } from './library.tsx';
import { DropArea, UploadButton, useUploads } from './uploads.tsx';

const KINDS = kindsOf(undefined);

export function MediaPage() {
  const model = useModel();
  const [search, setSearch] = useSearchParams();
  const view: View & { readonly file?: string } = Object.fromEntries(search);
  const uploads = useUploads(KINDS);
  const change = (changes: Readonly<Record<string, string>>) => {
    const entries = Object.entries({ ...view, ...changes }).filter(([, value]) => value !== '');
    setSearch(Object.fromEntries(entries), { replace: !('page' in changes && changes.page !== '') && !changes.file });
  };
  return (
    <Page
      title="Media"
      actions={
        <>
          {view.look === 'list' ? (
            <IconButton icon="image" label="Show a grid" onClick={() => change({ look: '' })} />
          ) : (
            <IconButton icon="list" label="Show a list" onClick={() => change({ look: 'list' })} />
          )}
          {mayUpload(model) && (
            <UploadButton label="Upload" look="primary" kinds={KINDS} isMultiple onFiles={uploads.add} />
          )}
        </>
      }
    >
      <DropArea uploads={mayUpload(model) ? uploads : undefined}>
        <Library
          view={view}
          kinds={KINDS}
          onChange={(changes) => change({ ...changes })}
          onOpen={({ id }) => change({ file: String(id) })}
        />
      </DropArea>
    </Page>
  );
}
