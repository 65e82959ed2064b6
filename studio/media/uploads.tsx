/**
 * @module Several uploads at once, each with its progress and its error.
 */
import { useQueryClient } from '@tanstack/react-query';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { Button, IconButton } from '../ui/button.tsx';
import { acceptOf, FILES_PATH, type FileEntry, KINDS, type Kind, kindOf, PAGE_PATH } from './file-entry.ts';
import { uploadFile } from './upload.ts';

interface Upload {
  readonly key: number;
  readonly file: File;
  readonly share: number;
  readonly error?: string;
}

/** Uploads that run at the same time. */
const MOST = 3;
let count = 0;

export interface Uploads {
  readonly kinds: readonly Kind[];
  readonly items: readonly Upload[];
  readonly add: (files: Iterable<File>) => void;
  readonly dismiss: (key: number) => void;
}

/** @param onUploaded is called for each file that was stored */
export function useUploads(kinds: readonly Kind[], onUploaded?: (file: FileEntry) => void): Uploads {
  const queries = useQueryClient();
  const [items, setItems] = useState<readonly Upload[]>([]);
  const waiting = useRef<Upload[]>([]);
  const running = useRef(0);
  const change = (key: number, changes: Partial<Upload>) =>
    setItems((all) => all.map((item) => (item.key === key ? { ...item, ...changes } : item)));
  const dismiss = (key: number) => setItems((all) => all.filter((item) => item.key !== key));

  const run = async ({ key, file }: Upload) => {
    running.current += 1;
    try {
      const stored = await uploadFile(file, (share) => change(key, { share }));
      onUploaded?.(stored);
      dismiss(key);
    } catch (error) {
      change(key, { error: (error as Error).message });
    }
    running.current -= 1;
    if (waiting.current.length === 0) {
      for (const path of [PAGE_PATH, FILES_PATH]) void queries.invalidateQueries({ queryKey: [path] });
    }
    start();
  };
  const start = () => {
    while (running.current < MOST && waiting.current.length > 0) void run(waiting.current.shift() as Upload);
  };
  const add = (files: Iterable<File>) => {
    const added = [...files].map((file): Upload => {
      count += 1;
      const isTaken = file.type === '' || kinds.includes(kindOf(file.type));
      const error = `Only ${kinds.map((kind) => KINDS[kind].toLowerCase()).join(', ')} are taken here.`;
      return { key: count, file, share: 0, ...(!isTaken && { error }) };
    });
    setItems((all) => [...all, ...added]);
    waiting.current.push(...added.filter(({ error }) => error === undefined));
    start();
  };
  return { kinds, items, add, dismiss };
}

interface UploadButtonProps {
  readonly label: string;
  readonly look?: 'primary';
  readonly kinds: readonly Kind[];
  readonly isMultiple: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

/** A button that opens the browser's own dialog for files. */
export function UploadButton({ label, look, kinds, isMultiple, onFiles }: UploadButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button icon="upload" {...(look && { look })} onClick={() => input.current?.click()}>
        {label}
      </Button>
      <input
        ref={input}
        hidden
        type="file"
        aria-label={label}
        accept={acceptOf(kinds)}
        multiple={isMultiple}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          target.value = '';
        }}
      />
    </>
  );
}

/** Takes files that are dropped on its content. Without `uploads` it is a plain frame. */
export function DropArea({
  uploads,
  children,
}: {
  readonly uploads: Uploads | undefined;
  readonly children: ReactNode;
}) {
  const [isOver, setOver] = useState(false);
  if (!uploads) return children;
  const over = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    uploads.add(event.dataTransfer.files);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button beside it does the same by keyboard
    <div
      className={`drop-area ${isOver ? 'over' : ''}`}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {uploads.items.length > 0 && (
        <ul className="uploads card" aria-label="Uploads">
          {uploads.items.map(({ key, file, share, error }) => (
            <li key={key}>
              <span className="ellipsis">{file.name}</span>
              {error ? (
                <span className="danger" role="alert">
                  {error}
                </span>
              ) : (
                <progress value={share} aria-label={`Upload of ${file.name}`} />
              )}
              {error && <IconButton icon="close" label="Dismiss" onClick={() => uploads.dismiss(key)} />}
            </li>
          ))}
        </ul>
      )}
      {children}
    </div>
  );
}
