/**
 * @module One file: its preview, its texts, its uses, other bytes for it, and its end.
 */
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type MouseEvent, useState } from 'react';
import { type ResponseBody, request, useRead } from '../api/request.ts';
import { DocumentLine } from '../shell/document-link.tsx';
import { useModel } from '../shell/model.ts';
import { Uses } from '../shell/uses.tsx';
import { text } from '../texts/text.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Confirm, type ConfirmProps, Dialog } from '../ui/popups.tsx';
import { Empty, Result } from '../ui/states.tsx';
import { timeText } from '../ui/texts.ts';
import { copyText, notify, notifyError } from '../ui/toasts.tsx';
import * as files from './file-entry.ts';
import { UploadButton, uploadFile } from './uploads.tsx';

type Point = NonNullable<files.FileEntry['focalPoint']>;

interface PreviewProps {
  readonly file: files.FileEntry;
  readonly point: Point | null;
  readonly onPoint: (point: Point) => void;
}

function Preview({ file, point, onPoint }: PreviewProps) {
  const picture = files.pictureOf(file, 'large');
  const Player = (['video', 'audio'] as const).find((kind) => file.mime.startsWith(`${kind}/`));
  const click = ({ nativeEvent: { offsetX, offsetY }, currentTarget: { clientWidth, clientHeight } }: MouseEvent) =>
    onPoint({ x: Math.round((100 * offsetX) / clientWidth), y: Math.round((100 * offsetY) / clientHeight) });
  if (Player) return <Player className="preview" src={files.safeUrl(file.url)} controls preload="metadata" />;
  if (!picture) return <p className="muted">{text('{type} is not shown in place.', { type: file.mime })}</p>;
  return (
    <div className="preview">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the two numbers beside it do the same by keyboard */}
      <img src={picture} alt={file.alternativeText ?? ''} onClick={click} />
      {point && <span className="focal-point" style={{ left: `${point.x}%`, top: `${point.y}%` }} />}
    </div>
  );
}

const TEXTS = { name: 'Name', alternativeText: 'Alternative text', caption: 'Caption' } as const;

const FAILURES = { Saved: 'Not saved', Replaced: 'Not replaced', Deleted: 'Not deleted' } as const;

function Details({ file, onClose }: { readonly file: files.FileEntry; readonly onClose: () => void }) {
  const model = useModel();
  const queries = useQueryClient();
  const [point, setPoint] = useState(file.focalPoint ?? null);
  const [share, setShare] = useState<number | null>(null);
  const [question, setQuestion] = useState<Omit<ConfirmProps, 'onClose'> | null>(null);
  const { id, name, mime, width, height } = file;
  const mayChange = files.mayChange(model);
  const url = files.safeUrl(file.url);
  const uses = files.usesOf(file);
  const attempt = async (done: 'Saved' | 'Replaced' | 'Deleted', action: Promise<unknown>) => {
    try {
      await action;
      notify(text(done));
      if (done === 'Deleted') onClose();
    } catch (error) {
      notifyError(text(FAILURES[done]), error);
    }
    setShare(null);
    await queries.invalidateQueries({ queryKey: [files.PAGE_PATH] });
  };
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const texts = Object.fromEntries(new FormData(event.currentTarget));
    const body = { fileInfo: { ...texts, ...(point && { focalPoint: point }) } };
    void attempt('Saved', request(files.UPLOAD_PATH, { method: 'POST', query: { id }, body }));
  };
  const replace = ([bytes]: readonly File[]) =>
    bytes &&
    setQuestion({
      title: text('Replace the bytes of {name}?', { name }),
      text: text(
        "Those of {name} take their place, in all documents. The file gets another URL, and this one is a 404 from then on, unless the setting upload.replace is 'same-url'.",
        { name: bytes.name },
      ),
      action: text('Replace'),
      onConfirm: () => attempt('Replaced', uploadFile(bytes, setShare, id)),
    });
  const remove = () =>
    setQuestion({
      title: text('Delete {name}?', { name }),
      text: (
        <>
          <p>{text('It disappears from all documents that use it.')}</p>
          <Uses uid="plugin::upload.file" documentId={file.documentId} />
        </>
      ),
      action: text('Delete'),
      isDangerous: true,
      onConfirm: () => attempt('Deleted', request(`${files.FILES_PATH}/${id}`, { method: 'DELETE' })),
    });
  return (
    <div className="columns">
      <div className="stack">
        <Preview file={file} point={point} onPoint={(next) => mayChange && setPoint(next)} />
        <p className="muted">
          {[mime, files.sizeOf(file), width && `${width} × ${height}`, timeText(file.createdAt)]
            .filter(Boolean)
            .join(', ')}
        </p>
        <div className="row">
          <a href={url} target="_blank" rel="noreferrer" className="grow ellipsis">
            {file.url}
          </a>
          <IconButton
            icon="copy"
            label={text('Copy the URL')}
            onClick={() => copyText(new URL(file.url, location.href).href)}
          />
        </div>
        <div className="row">
          {mayChange && <UploadButton label={text('Replace')} onFiles={replace} />}
          {share !== null && <progress value={share} aria-label={text('Upload')} />}
          {model.may('delete', `${files.FILES_PATH}/{id}`) && (
            <Button label={text('Delete')} icon="trash" look="danger" onClick={remove} />
          )}
        </div>
      </div>
      <form className="stack" onSubmit={save}>
        {Object.entries(TEXTS).map(([key, label]) => (
          <label key={`${key} ${file[key as keyof typeof TEXTS]}`} className="stack field">
            <span className="label">{text(label)}</span>
            <input
              name={key}
              defaultValue={file[key as keyof typeof TEXTS] ?? ''}
              required={key === 'name'}
              disabled={!mayChange}
            />
          </label>
        ))}
        {files.pictureOf(file, 'large') && (
          <div className="row">
            <span className="label">{text('Focal point, in %')}</span>
            {(['x', 'y'] as const).map((axis) => (
              <input
                key={axis}
                type="number"
                style={{ width: 70 }}
                min={0}
                max={100}
                aria-label={text('Focal point {axis}', { axis })}
                value={point?.[axis] ?? ''}
                disabled={!mayChange}
                onChange={({ target }) => setPoint({ x: 50, y: 50, ...point, [axis]: Number(target.value) })}
              />
            ))}
          </div>
        )}
        {mayChange && <Button label={text('Save')} look="primary" type="submit" />}
        <h3>{text('Used by')}</h3>
        <ul className="plain">
          {uses.map((use) => (
            <li key={`${use.__type} ${use.documentId} ${use.locale}`}>
              <DocumentLine uid={use.__type} document={use} />
            </li>
          ))}
          <li className="muted">{text('Uses in components are listed before a deletion.')}</li>
        </ul>
      </form>
      {question && <Confirm {...question} onClose={() => setQuestion(null)} />}
    </div>
  );
}

/** Reads the file through the list, for which the screen has the right anyway. */
export function FilePanel({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const query = { filters: { id }, populate: 'related' };
  const found = useRead<ResponseBody<readonly files.FileEntry[]>>(files.PAGE_PATH, query);
  return (
    <Dialog title={found.data?.data[0]?.name || text('File')} isWide onClose={onClose}>
      <Result of={found}>
        {({ data: [file] }) =>
          file ? <Details file={file} onClose={onClose} /> : <Empty title={text('There is no such file')} />
        }
      </Result>
    </Dialog>
  );
}
