/**
 * @module Uploads, which go on while one works elsewhere in Studio.
 */
import pLimit from 'p-limit';
import { request } from '../api/request.ts';
import { createStore, onOtherPerson, personCheck } from '../api/session.ts';
import { ALL_KINDS, type FileEntry, type FileInfo, type Kind, kindOf, UPLOAD_PATH } from '../model/file-entry.ts';
import { text } from '../texts/text.ts';
import { notifyError } from '../ui/toasts.tsx';

interface UploadOptions {
  /** Files of others are rejected. */
  readonly kinds?: readonly Kind[];
  /** Of the file whose bytes are replaced. */
  readonly id?: number;
  readonly info?: FileInfo & { readonly folder?: number; readonly private?: boolean };
  /** Throws where it must no longer be sent: it may have waited, or be sent again. */
  readonly check?: () => Promise<void>;
  /** Is called with each file that was stored. */
  readonly onUploaded?: (file: FileEntry) => void;
}

export interface Upload extends UploadOptions {
  /** Also the `Idempotency-Key`: a file whose response was lost is not stored twice. */
  readonly key: string;
  readonly file: File;
  /** Sent so far, from 0 to 1. */
  readonly share: number;
  readonly error?: string | undefined;
  readonly stored?: FileEntry;
}

const uploads = createStore<readonly Upload[]>([]);

export const useUploads = uploads.use;
export const isRunning = ({ error, stored }: Upload): boolean => error === undefined && !stored;
/** Forgets uploads, all that are not kept. Those that run are stored all the same, those that wait are not sent. */
export const dropUploads = (isKept: (upload: Upload) => boolean = () => false): void =>
  uploads.set(uploads.get().filter(isKept));

onOtherPerson(() => {
  const { length: count } = uploads.get().filter(({ stored }) => !stored);
  dropUploads();
  if (count === 0) return;
  const title = text('{count} upload was cut off | {count} uploads were cut off', { count });
  notifyError(title, text('The session has ended.'));
});

const change = (key: string, changes: Partial<Upload>) =>
  uploads.set(uploads.get().map((each) => (each.key === key ? { ...each, ...changes } : each)));

/** In a sentence. */
const NAMES = { images: 'pictures', videos: 'videos', audios: 'sound', files: 'other files' } as const;

/** @throws ApiError for every status that is no success */
async function send({ key, file, id, info, kinds = ALL_KINDS }: Upload): Promise<FileEntry> {
  if (file.type !== '' && !kinds.includes(kindOf(file.type)))
    throw new Error(text('Only {kinds} are taken here.', { kinds: kinds.map((kind) => text(NAMES[kind])).join(', ') }));
  const form = new FormData();
  // First: it says into which bucket the bytes go.
  if (info) form.append('fileInfo', JSON.stringify(info));
  form.append('files', file);
  const { body } = await request<FileEntry | readonly FileEntry[]>(UPLOAD_PATH, {
    method: 'POST',
    query: { id },
    headers: { 'idempotency-key': key },
    body: form,
    onProgress: (share) => change(key, { share }),
  });
  return [body].flat()[0] as FileEntry;
}

const inTurn = pLimit(3);

async function run(upload: Upload, isSamePerson: () => boolean): Promise<void> {
  if (!isSamePerson()) return;
  try {
    await upload.check?.();
    if (!isSamePerson()) return;
    const stored = await send(upload);
    if (!isSamePerson()) return;
    change(upload.key, { stored });
    upload.onUploaded?.(stored);
  } catch (error) {
    change(upload.key, { error: (error as Error).message });
  }
}

/** Uploads files, or replaces the bytes of one. */
export function addUploads(files: Iterable<File>, options: UploadOptions): void {
  const added = [...files].map((file): Upload => ({ key: crypto.randomUUID(), file, share: 0, ...options }));
  uploads.set([...uploads.get(), ...added]);
  const isSamePerson = personCheck();
  for (const upload of added) void inTurn(() => run(upload, isSamePerson));
}

export function retryUpload(upload: Upload): void {
  change(upload.key, { share: 0, error: undefined });
  const isSamePerson = personCheck();
  void inTurn(() => run(upload, isSamePerson));
}
