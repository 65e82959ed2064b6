/**
 * @module One file: its preview, its texts, its uses, other bytes for it, and its end.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type MouseEvent, useState } from 'react';
import { Link } from 'react-router';
import { ApiError, request } from '../api/request.ts';
import { titleOf } from '../model/model.ts';
import { useModel } from '../shell/model-context.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { Failure, Loading } from '../ui/states.tsx';
import { notify, notifyError } from '../ui/toasts.tsx';
import {
  FILES_PATH,
  type FileEntry,
  mayUpload,
  PAGE_PATH,
  pictureOf,
  safeUrl,
  sizeOf,
  UPLOAD_PATH,
} from './file-entry.ts';
import { uploadFile } from './upload.ts';
import { UploadButton } from './uploads.tsx';

type Point = NonNullable<FileEntry['focalPoint']>;

interface PreviewProps {
  readonly file: FileEntry;
  readonly point: Point | null;
  readonly onPoint: ((point: Point) => void) | undefined;
}

function Preview({ file, point, onPoint }: PreviewProps) {
  const picture = pictureOf(file, 'large');
  const url = safeUrl(file.url);
  const set = ({ nativeEvent, currentTarget }: MouseEvent) => {
    const share = (offset: number, length: number) => Math.round((100 * offset) / length);
    const { offsetX, offsetY } = nativeEvent;
    onPoint?.({ x: share(offsetX, currentTarget.clientWidth), y: share(offsetY, currentTarget.clientHeight) });
  };
  if (picture)
    return (
      <div className="preview">
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the two numbers beside it do the same by keyboard */}
        <img src={picture} alt={file.alternativeText ?? ''} onClick={set} />
        {point && <span className="focal-point" style={{ left: `${point.x}%`, top: `${point.y}%` }} />}
      </div>
    );
  // biome-ignore lint/a11y/useMediaCaption: the library has no captions of films
  if (file.mime.startsWith('video/')) return <video className="preview" src={url} controls preload="metadata" />;
  // biome-ignore lint/a11y/useMediaCaption: the library has no captions of sound
  if (file.mime.startsWith('audio/')) return <audio className="preview" src={url} controls preload="metadata" />;
  return <p className="muted">{file.mime} is not shown in place.</p>;
}

/** The documents that use the file, each once for its locale. */
export function usesOf({ related = [] }: FileEntry): readonly NonNullable<FileEntry['related']>[number][] {
  return [...new Map(related.map((use) => [`${use.__type} ${use.documentId} ${use.locale}`, use])).values()];
}

function Uses({ file }: { readonly file: FileEntry }) {
  const { types } = useModel();
  const uses = usesOf(file);
  return (
    <section>
      <h3>Used by</h3>
      {uses.length === 0 && (
        <p className="muted">No document that you may see, but for components, which are not listed.</p>
      )}
      <ul>
        {uses.map((use) => {
          const type = types.get(use.__type);
          const path = type && `/content/${type.segment}${type.kind === 'singleType' ? '' : `/${use.documentId}`}`;
          const title = titleOf(type, use);
          return (
            <li key={`${use.documentId} ${use.locale}`}>
              {path ? <Link to={use.locale ? `${path}?locale=${use.locale}` : path}>{title}</Link> : title}{' '}
              <span className="muted">
                {type?.name ?? use.__type} {use.locale}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const TEXTS = { name: 'Name', alternativeText: 'Alternative text', caption: 'Caption' };

function Details({ file, onClose }: { readonly file: FileEntry; readonly onClose: () => void }) {
  const model = useModel();
  const queries = useQueryClient();
  const mayChange = mayUpload(model);
  const { id, name, alternativeText, caption, width, height, mime, createdAt } = file;
  const [texts, setTexts] = useState({ name, alternativeText: alternativeText ?? '', caption: caption ?? '' });
  const [point, setPoint] = useState(file.focalPoint ?? null);
  const [question, setQuestion] = useState<File | 'delete' | null>(null);
  const [share, setShare] = useState<number | null>(null);
  const url = safeUrl(file.url);
  const attempt = async (done: string, failed: string, action: () => Promise<unknown>) => {
    try {
      await action();
      notify(done);
    } catch (error) {
      notifyError(failed, error);
    }
    setShare(null);
    for (const path of [PAGE_PATH, FILES_PATH]) await queries.invalidateQueries({ queryKey: [path] });
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    const body = { fileInfo: { ...texts, ...(point && { focalPoint: point }) } };
    void attempt('Saved', 'Not saved', () => request(UPLOAD_PATH, { method: 'POST', query: { id }, body }));
  };
  const replace = (bytes: File) => attempt('Replaced', 'Not replaced', () => uploadFile(bytes, setShare, id));
  const remove = () =>
    attempt('Deleted', 'Not deleted', async () => {
      await request(`${FILES_PATH}/${id}`, { method: 'DELETE' });
      onClose();
    });
  const copy = () =>
    attempt('Copied', 'Not copied', () => navigator.clipboard.writeText(new URL(file.url, window.location.href).href));
  const uses = usesOf(file).map((use) => titleOf(model.types.get(use.__type), use));
  return (
    <div className="dialog-body file-panel">
      <div className="stack">
        <Preview file={file} point={point} onPoint={mayChange ? setPoint : undefined} />
        <p className="muted">
          {mime}, {sizeOf(file)}
          {width && `, ${width} × ${height}`}
          {createdAt && `, ${new Date(createdAt).toLocaleString()}`}
        </p>
        <div className="row">
          {url && (
            <a href={url} target="_blank" rel="noreferrer" className="ellipsis file-url">
              {url}
            </a>
          )}
          <IconButton icon="copy" label="Copy the URL" onClick={copy} />
        </div>
        <div className="row">
          {mayChange && <UploadButton label="Replace" onFiles={([bytes]) => bytes && setQuestion(bytes)} />}
          {share !== null && <progress value={share} aria-label="Upload" />}
          {model.may('delete', `${FILES_PATH}/{id}`) && (
            <Button icon="trash" look="danger" onClick={() => setQuestion('delete')}>
              Delete
            </Button>
          )}
        </div>
      </div>
      <form className="stack" onSubmit={save}>
        {(Object.keys(TEXTS) as (keyof typeof TEXTS)[]).map((key) => (
          <label key={key} className="field">
            <span className="label">{TEXTS[key]}</span>
            <input
              value={texts[key]}
              required={key === 'name'}
              disabled={!mayChange}
              onChange={({ target }) => setTexts({ ...texts, [key]: target.value })}
            />
          </label>
        ))}
        {pictureOf(file, 'large') && (
          <fieldset className="row" disabled={!mayChange}>
            <legend className="label">Focal point, in percent from the left and the top</legend>
            {(['x', 'y'] as const).map((axis) => (
              <input
                key={axis}
                type="number"
                min={0}
                max={100}
                aria-label={axis}
                value={point?.[axis] ?? ''}
                onChange={({ target }) => setPoint({ x: 50, y: 50, ...point, [axis]: Number(target.value) })}
              />
            ))}
          </fieldset>
        )}
        {mayChange && (
          <Button look="primary" type="submit">
            Save
          </Button>
        )}
        {file.related && <Uses file={file} />}
      </form>
      {question instanceof File && (
        <Confirm
          title="Replace the bytes?"
          text={`The bytes of ${question.name} take the place of those of ${name}. The file gets another URL, and the present one is a 404 from then on, unless the setting upload.replace is 'same-url'. Documents that use the file show the new bytes.`}
          action="Replace"
          onConfirm={() => replace(question)}
          onClose={() => setQuestion(null)}
        />
      )}
      {question === 'delete' && (
        <Confirm
          title={`Delete ${name}?`}
          text={
            uses.length > 0
              ? `It disappears from the documents that use it: ${uses.join(', ')}. Uses in components are not listed.`
              : 'It disappears from all documents that use it; those in components and those that you may not see are not known here.'
          }
          action="Delete"
          isDangerous
          onConfirm={remove}
          onClose={() => setQuestion(null)}
        />
      )}
    </div>
  );
}

export function FilePanel({ id, onClose }: { readonly id: number; readonly onClose: () => void }) {
  const mayReadOne = useModel().may('get', `${FILES_PATH}/{id}`);
  const path = mayReadOne ? `${FILES_PATH}/${id}` : FILES_PATH;
  const query = { populate: 'related', ...(!mayReadOne && { filters: { id } }) };
  const { data, error } = useQuery({
    queryKey: [FILES_PATH, path, query],
    queryFn: async () => [(await request<FileEntry | readonly FileEntry[]>(path, { query })).body].flat()[0] ?? null,
  });
  return (
    <Dialog title={data?.name || 'File'} isWide onClose={onClose}>
      {data === undefined && !error && <Loading />}
      {(error || data === null) && <Failure error={error ?? new ApiError(404, 'There is no such file.')} />}
      {data && <Details key={data.url} file={data} onClose={onClose} />}
    </Dialog>
  );
}
