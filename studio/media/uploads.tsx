/**
 * @module Several uploads at once, each with its progress and its error.
 */
import { useQueryClient } from '@tanstack/react-query';
import pLimit from 'p-limit';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { request } from '../api/request.ts';
import { text } from '../texts/text.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { type FileEntry, type Kind, kindOf, PAGE_PATH, UPLOAD_PATH } from './file-entry.ts';

/**
 * Uploads a file, or replaces the bytes of the file with this `id`.
 * @param onProgress is called with the share that is sent, from 0 to 1
 * @throws ApiError for every status that is no success
 */
export async function uploadFile(file: File, onProgress: (share: number) => void, id?: number): Promise<FileEntry> {
  const form = new FormData();
  form.append('files', file);
  const options = { method: 'POST', query: { id }, body: form, onProgress };
  const { body } = await request<FileEntry | readonly FileEntry[]>(UPLOAD_PATH, options);
  return [body].flat()[0] as FileEntry;
}

interface Upload {
  readonly share: number;
  readonly error?: string;
}

const inTurn = pLimit(3);

/** In a sentence. */
const NAMES = { images: 'pictures', videos: 'videos', audios: 'sound', files: 'other files' } as const;

/** Uploads that are shown at the same time. */
const LINES = 12;

/**
 * @param kinds files of others are rejected
 * @param onUploaded is called for each file that was stored
 */
export function useUploads(kinds: readonly Kind[], onUploaded: (file: FileEntry) => void = () => {}) {
  const queries = useQueryClient();
  const [uploads, setUploads] = useState<ReadonlyMap<File, Upload>>(new Map());
  const change = (file: File, upload: Upload) => setUploads((all) => new Map([...all, [file, upload]]));
  const dismiss = (file: File) => setUploads((all) => new Map([...all].filter(([other]) => other !== file)));

  async function run(file: File) {
    try {
      if (file.type !== '' && !kinds.includes(kindOf(file.type)))
        throw new Error(
          text('Only {kinds} are taken here.', { kinds: kinds.map((kind) => text(NAMES[kind])).join(', ') }),
        );
      onUploaded(await uploadFile(file, (share) => change(file, { share })));
      dismiss(file);
    } catch (error) {
      change(file, { share: 0, error: (error as Error).message });
    }
  }
  async function add(files: Iterable<File>) {
    const added = [...files];
    for (const file of added) change(file, { share: 0 });
    await Promise.all(added.map((file) => inTurn(() => run(file))));
    await queries.invalidateQueries({ queryKey: [PAGE_PATH] });
  }
  return { uploads, add, dismiss };
}

interface UploadButtonProps {
  readonly label: string;
  readonly look?: 'primary';
  readonly isMultiple?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Opens the browser's own dialog for files. */
export function UploadButton({ label, look, isMultiple = false, onFiles }: UploadButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  const changed = () => {
    onFiles([...(input.current?.files ?? [])]);
    if (input.current) input.current.value = '';
  };
  return (
    <>
      <Button label={label} icon="upload" {...(look && { look })} onClick={() => input.current?.click()} />
      <input ref={input} hidden type="file" aria-label={label} multiple={isMultiple} onChange={changed} />
    </>
  );
}

interface DropAreaProps {
  /** Undefined: nothing may be dropped. */
  readonly into: ReturnType<typeof useUploads> | undefined;
  readonly children: ReactNode;
}

/** Takes files that are dropped on its content, and shows their uploads. */
export function DropArea({ into, children }: DropAreaProps) {
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(event.type === 'dragover' && event.dataTransfer.types.includes('Files'));
    if (event.type === 'drop') void into?.add(event.dataTransfer.files);
  };
  if (!into) return children;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button does the same by keyboard
    <div className={`stack ${isOver ? 'dropping' : ''}`} onDragOver={over} onDragLeave={over} onDrop={over}>
      {into.uploads.size > 0 && (
        <ul className="plain card padded" aria-label={text('Uploads')}>
          {[...into.uploads].slice(0, LINES).map(([file, { share, error }], index) => (
            <li key={index} className="row">
              <span className="grow ellipsis">{file.name}</span>
              {error ? (
                <span className="danger" role="alert">
                  {error}
                </span>
              ) : (
                <progress value={share} aria-label={file.name} />
              )}
              {error && <IconButton icon="close" label={text('Dismiss')} onClick={() => into.dismiss(file)} />}
            </li>
          ))}
          {into.uploads.size > LINES && (
            <li className="muted">{text('and {count} more', { count: into.uploads.size - LINES })}</li>
          )}
        </ul>
      )}
      {children}
    </div>
  );
}
