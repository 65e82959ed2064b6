/**
 * @module Several uploads at once, each with its progress and its error.
 */
import { useQueryClient } from '@tanstack/react-query';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { Button, IconButton } from '../ui/button.tsx';
import { type FileEntry, KINDS, type Kind, kindOf, PAGE_PATH } from './file-entry.ts';
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
  readonly items: readonly Upload[];
  readonly add: (files: Iterable<File>) => void;
  readonly dismiss: (key: number) => void;
}

/**
 * @param kinds files of others are refused
 * @param onUploaded is called for each file that was stored
 */
export function useUploads(kinds: readonly Kind[], onUploaded: (file: FileEntry) => void = () => {}): Uploads {
  const queries = useQueryClient();
  const [items, setItems] = useState<readonly Upload[]>([]);
  const waiting = useRef<Upload[]>([]);
  const running = useRef(0);
  const change = (key: number, changes: Partial<Upload>) =>
    setItems((all) => all.map((item) => (item.key === key ? { ...item, ...changes } : item)));
  const dismiss = (key: number) => setItems((all) => all.filter((item) => item.key !== key));

  async function run({ key, file }: Upload) {
    try {
      onUploaded(await uploadFile(file, (share) => change(key, { share })));
      dismiss(key);
    } catch (error) {
      change(key, { error: (error as Error).message });
    }
    running.current -= 1;
    start();
    if (running.current === 0) await queries.invalidateQueries({ queryKey: [PAGE_PATH] });
  }
  function start() {
    for (; running.current < MOST && waiting.current.length > 0; running.current += 1)
      void run(waiting.current.shift() as Upload);
  }
  function add(files: Iterable<File>) {
    const error = `Only ${kinds.map((kind) => KINDS[kind].toLowerCase()).join(', ')} are taken here.`;
    const added = [...files].map((file): Upload => {
      count += 1;
      const isTaken = file.type === '' || kinds.includes(kindOf(file.type));
      return { key: count, file, share: 0, ...(!isTaken && { error }) };
    });
    setItems((all) => [...all, ...added]);
    waiting.current.push(...added.filter((item) => !item.error));
    start();
  }
  return { items, add, dismiss };
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
      <Button icon="upload" {...(look && { look })} onClick={() => input.current?.click()}>
        {label}
      </Button>
      <input ref={input} hidden type="file" aria-label={label} multiple={isMultiple} onChange={changed} />
    </>
  );
}

/** Takes files that are dropped on its content, where there are `uploads`. */
export function DropArea({ uploads, children }: { readonly uploads: Uploads | false; readonly children: ReactNode }) {
  const [isOver, setOver] = useState(false);
  if (!uploads) return children;
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(event.type === 'dragover' && event.dataTransfer.types.includes('Files'));
    if (event.type === 'drop') uploads.add(event.dataTransfer.files);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button does the same by keyboard
    <div className={`stack drop-area ${isOver ? 'over' : ''}`} onDragOver={over} onDragLeave={over} onDrop={over}>
      {uploads.items.length > 0 && (
        <ul className="plain uploads card" aria-label="Uploads">
          {uploads.items.map(({ key, file, share, error }) => (
            <li key={key}>
              <span className="ellipsis">{file.name}</span>
              {error ? (
                <strong className="danger" role="alert">
                  {error}
                </strong>
              ) : (
                <progress value={share} aria-label={file.name} />
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
