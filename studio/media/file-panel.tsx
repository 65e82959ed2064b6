/**
 * @module One file: its preview, its texts, its uses, other bytes for it, and its end.
 */
import { type FormEvent, type KeyboardEvent, lazy, type MouseEvent, Suspense, useState } from 'react';
import { type ResponseBody, request, useRead } from '../api/request.ts';
import { personCheck } from '../api/session.ts';
import * as files from '../model/file-entry.ts';
import { useModel } from '../shell/model.ts';
import { useUnsaved } from '../shell/unsaved.tsx';
import { Uses } from '../shell/uses.tsx';
import { text } from '../texts/text.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { type Fields, useChangedFields } from '../ui/changed-fields.ts';
import { useWhileHere } from '../ui/late.ts';
import { Confirm, type ConfirmProps, Dialog } from '../ui/popups.tsx';
import { resetSent } from '../ui/sent-form.ts';
import { Empty, Result } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { copyText, notify, notifyError } from '../ui/toasts.tsx';
import { changeFile, checkBytes, pointOf, readFile, replaceBytes, sizeOf, useRefresh } from './change-file.ts';
import { UploadButton } from './upload-button.tsx';

type Point = NonNullable<files.FileEntry['focalPoint']>;

interface PreviewProps {
  readonly file: files.FileEntry;
  readonly point: Point | null;
  /** Missing where it stays. */
  readonly onPoint: ((point: Point) => void) | undefined;
}

const ARROWS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

const percent = (value: number): number => Math.round(Math.min(100, Math.max(0, value)));

/** A picture with its focal point, which a click and the arrow keys move. */
function Preview({ file, point, onPoint }: PreviewProps) {
  const picture = files.pictureOf(file, 'large');
  const Player = (['video', 'audio'] as const).find((kind) => file.mime.startsWith(`${kind}/`));
  const { x, y } = point ?? { x: 50, y: 50 };
  const click = ({ nativeEvent: { offsetX, offsetY }, currentTarget: { clientWidth, clientHeight } }: MouseEvent) =>
    onPoint?.({ x: percent((100 * offsetX) / clientWidth), y: percent((100 * offsetY) / clientHeight) });
  const press = (event: KeyboardEvent) => {
    const arrow = ARROWS[event.key];
    if (!arrow) return;
    event.preventDefault();
    const step = event.shiftKey ? 10 : 1;
    onPoint?.({ x: percent(x + step * arrow.x), y: percent(y + step * arrow.y) });
  };
  if (Player) return <Player className="preview" src={files.safeUrl(file.url)} controls preload="metadata" />;
  if (!picture) return <p className="muted">{text('{type} is not shown in place.', { type: file.mime })}</p>;
  return (
    <div className="preview">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys do the same on the point */}
      <img src={picture} alt={file.alternativeText ?? ''} onClick={click} />
      {(point || onPoint) && (
        <button
          type="button"
          className="focal-point"
          style={{ left: `${x}%`, top: `${y}%` }}
          aria-label={text('Focal point: {x} % from the left, {y} % from the top. Arrow keys move it.', { x, y })}
          disabled={!onPoint}
          onKeyDown={press}
        />
      )}
    </div>
  );
}

const Crop = lazy(async () => ({ default: (await import('./crop.tsx')).Crop }));

const TEXTS = { name: 'Name', alternativeText: 'Alternative text', caption: 'Caption' } as const;

/** Types that are cut in the browser: no animated GIF, of which one picture would stay. */
const CROPPED = ['image/png', 'image/jpeg', 'image/webp', 'image/avif'];

const textsOf = ({ name, alternativeText, caption }: files.FileEntry): Fields => ({
  name,
  alternativeText: alternativeText ?? '',
  caption: caption ?? '',
});
const FAILURES = { Saved: 'Not saved', Deleted: 'Not deleted' } as const;

interface PanelProps {
  readonly id: string;
  /** The shown folder. */
  readonly folder: string | undefined;
  readonly onClose: () => void;
}

type DetailsProps = Omit<PanelProps, 'id'> & { readonly file: files.FileEntry };

function Details({ file, folder, onClose }: DetailsProps) {
  const model = useModel();
  const refresh = useRefresh();
  const close = useWhileHere(onClose);
  /** Other bytes have another point. */
  const [moved, setMoved] = useState<{ readonly point: Point; readonly size: string; readonly from: string }>();
  const stored = textsOf(file);
  const fields = useChangedFields(stored);
  const [isCropping, setCropping] = useState(false);
  const [question, setQuestion] = useState<Omit<ConfirmProps, 'onClose'> | null>(null);
  const { id, name, mime, width, height } = file;
  const isMoved = moved?.size === sizeOf(file);
  const unsaved = useUnsaved(() => isMoved || fields.isChanged());
  const point = isMoved ? moved.point : (file.focalPoint ?? null);
  const mayChange = files.mayChange(model);
  const url = files.safeUrl(file.url);
  const isPrivate = files.isPrivate(file);
  /** Changes the file, unless the check throws, or another user has signed in meanwhile. */
  const attempt = async (
    done: keyof typeof FAILURES,
    action: () => Promise<unknown>,
    check = () => checkBytes(file),
  ) => {
    const isSamePerson = personCheck();
    let isDone = false;
    try {
      await check();
      if (!isSamePerson()) return false;
      await action();
      isDone = true;
      notify(text(done));
      if (done === 'Deleted') {
        unsaved.end();
        close();
      }
    } catch (error) {
      notifyError(text(FAILURES[done]), error);
    }
    await refresh();
    return isDone;
  };
  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const sent = new FormData(form);
    const texts = fields.changed(sent);
    const change = { ...texts, ...(isMoved && { focalPoint: point }) };
    if (Object.keys(change).length === 0) return notify(text('There is nothing to save'));
    const check = async () => {
      const now = await readFile(id);
      setMoved((last) => last && { ...last, from: pointOf(now) });
      const isPointOther = isMoved && pointOf(now) !== moved.from;
      if (fields.isOther(texts, textsOf(now)) || isPointOther)
        throw new Error(text('It was changed meanwhile. Read it again.'));
    };
    if (!(await attempt('Saved', () => changeFile(id, change), check))) return;
    fields.saved(texts);
    resetSent(form, sent);
    setMoved((last) => (last?.point === moved?.point ? undefined : last));
  };
  const movePoint = (to: Point) =>
    setMoved({ point: to, size: sizeOf(file), from: isMoved ? moved.from : pointOf(file) });
  const replace = ([bytes]: readonly File[]) =>
    bytes &&
    setQuestion({
      title: text('Replace the bytes of {name}?', { name }),
      text: text(
        "Those of {name} take their place, in all documents. The file gets another URL, and this one is a 404 from then on, unless the setting upload.replace is 'same-url'.",
        { name: bytes.name },
      ),
      action: text('Replace'),
      onConfirm: async () => {
        await replaceBytes(file, bytes).catch((error) => notifyError(text('Not saved'), error));
        await refresh();
      },
    });
  const changeAccess = () =>
    setQuestion({
      title: text(isPrivate ? 'Make {name} public?' : 'Make {name} private?', { name }),
      text: text(
        isPrivate
          ? 'Everybody who knows its URL can open it then. The URL is another one, which does not end.'
          : 'Only those who may see the library can open it then, and readers of documents that show it, by addresses that end. Its URL of today leads nowhere; what browsers and caches have of it stays until they forget it.',
      ),
      action: text(isPrivate ? 'Make public' : 'Make private'),
      onConfirm: () => attempt('Saved', () => changeFile(id, { private: !isPrivate })),
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
      onConfirm: () => attempt('Deleted', () => request(`${files.FILES_PATH}/${id}`, { method: 'DELETE' })),
    });
  return (
    <div className="columns">
      <div className="stack">
        <Preview file={file} point={point} onPoint={mayChange ? movePoint : undefined} />
        <p className="muted">
          {[mime, width && `${width} × ${height}`, files.sizeOf(file)].filter(Boolean).join(' · ')} ·{' '}
          <Time of={file.createdAt} />
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
        {isPrivate && (
          <p className="muted">
            <span className="badge">{text('Private')}</span> {text('This address ends.')}
          </p>
        )}
        <div className="row">
          {mayChange && <UploadButton label={text('Replace')} onFiles={replace} />}
          {mayChange && CROPPED.includes(mime) && (
            <Button label={text('Crop')} icon="crop" onClick={() => setCropping(true)} />
          )}
          {mayChange && files.hasPrivate(model) && (
            <Button label={text(isPrivate ? 'Make public' : 'Make private')} icon="lock" onClick={changeAccess} />
          )}
          {files.mayDelete(model) && <Button label={text('Delete')} icon="trash" look="danger" onClick={remove} />}
        </div>
      </div>
      <form className="stack" onInput={fields.onInput} onSubmit={save}>
        {Object.entries(TEXTS).map(([key, label]) => (
          <label key={key} className="stack field">
            <span className="label">{text(label)}</span>
            <input name={key} defaultValue={stored[key]} required={key === 'name'} disabled={!mayChange} />
          </label>
        ))}
        {mayChange && <Button label={text('Save')} look="primary" type="submit" />}
        <Uses uid="plugin::upload.file" documentId={file.documentId} />
        <p className="muted small">{text('Links inside texts are not counted.')}</p>
      </form>
      {isCropping && (
        <Suspense>
          <Crop file={file} folder={folder} onClose={() => setCropping(false)} />
        </Suspense>
      )}
      {question && <Confirm {...question} onClose={() => setQuestion(null)} />}
      {unsaved.question}
    </div>
  );
}

/** Reads the file through the list, for which the screen has the right anyway. */
export function FilePanel({ id, ...rest }: PanelProps) {
  const query = { filters: { id } };
  const found = useRead<ResponseBody<readonly files.FileEntry[]>>(files.PAGE_PATH, query);
  return (
    <Dialog title={found.data?.data[0]?.name || text('File')} isWide onClose={rest.onClose}>
      <Result of={found}>
        {({ data: [file] }) =>
          file ? (
            <Details file={file} {...rest} />
          ) : (
            <Empty title={text('This file was deleted')}>
              <Button label={text('To the library')} onClick={rest.onClose} />
            </Empty>
          )
        }
      </Result>
    </Dialog>
  );
}
