/**
 * @module Objects in the bucket: those that one request puts there, and those that a received file becomes.
 */
import type { Settings } from '../config.ts';
import type { InputData } from '../request/body.ts';
import type { StoredFile, StoredObject } from '../sql/files.ts';
import { cacheControlOf } from './caching.ts';
import { type UploadCall, urlOf } from './call.ts';
import type { FileInfo } from './file-info.ts';
import { presentationOf } from './media-types.ts';
import { kilobytes, newHash } from './names.ts';
import { type Dimensions, makeFormats, type Original } from './pictures.ts';

/** A multipart upload needs parts of 5 MiB at least, all of one size but the last. */
export const PART = 8 * 1024 * 1024;

const TRIES = 3;
const PAUSE = 50;

const pause = (tries: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE * 2 ** tries));

async function withRetry(work: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (tries === TRIES) throw error;
      await pause(tries);
    }
  }
}

/** Deletes objects that belong to no file. Logs those that cannot be deleted; `npm run media` finds them. */
export async function deleteObjects(bucket: R2Bucket, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await withRetry(() => bucket.delete([...keys])).catch((error: Error) =>
    console.error(JSON.stringify({ message: 'objects without a file were left', keys, cause: error.message })),
  );
}

/** How the bucket itself serves an object, where it has a public domain. */
function metadataOf(mime: string, settings: Settings['upload']): R2HTTPMetadata {
  const { contentType, inline } = presentationOf(mime);
  const cacheControl = cacheControlOf(settings);
  return { contentType, cacheControl, ...(!inline && { contentDisposition: 'attachment' }) };
}

/** Bytes on their way into the bucket, in parts. */
export type MultipartUpload = Awaited<ReturnType<Deposit['begin']>>;

/** The objects that one request puts into the bucket. */
export type Deposit = ReturnType<typeof openDeposit>;

export function openDeposit(bucket: R2Bucket, settings: Settings['upload']) {
  const keys = new Set<string>();
  const open = new Set<R2MultipartUpload>();
  return {
    async put(key: string, bytes: Uint8Array, mime: string) {
      keys.add(key);
      await bucket.put(key, bytes, { httpMetadata: metadataOf(mime, settings) });
    },
    async begin(key: string, mime: string) {
      const upload = await bucket.createMultipartUpload(key, { httpMetadata: metadataOf(mime, settings) });
      open.add(upload);
      const parts: R2UploadedPart[] = [];
      return {
        /** Every part but the last has exactly `PART` bytes. */
        async add(bytes: Uint8Array) {
          parts.push(await upload.uploadPart(parts.length + 1, bytes));
        },
        /** Makes them an object; once that is done, nothing more. */
        async complete() {
          if (!open.has(upload)) return;
          // From here on the object may be there, also when the answer is lost.
          keys.add(key);
          await upload.complete(parts);
          open.delete(upload);
        },
      };
    },
    /** Takes everything out again, but for keys that belong to a file. */
    async undo(kept: ReadonlySet<string> = new Set()) {
      for (const upload of open) await upload.abort().catch(() => undefined);
      const left = [...keys].filter((key) => !kept.has(key));
      await deleteObjects(bucket, left);
    },
  };
}

/** A file that was received whole. */
export interface Received {
  readonly name: string;
  readonly extension: string;
  readonly mime: string;
  readonly size: number;
  readonly dimensions?: Dimensions;
  /** The bytes; absent: they are in the bucket already, under `hash`. */
  readonly bytes?: Uint8Array;
  readonly hash?: string;
  /** Creates an object of the parts in the bucket. Until then the parts are not visible. */
  readonly complete?: () => Promise<void>;
}

export type StoredFileValues = InputData & Pick<StoredFile, 'hash' | 'ext' | 'formats'>;

async function openStored(key: string, { bucket }: UploadCall): Promise<ReadableStream<Uint8Array>> {
  const object = await bucket.get(key);
  if (!object) throw new Error(`${key} is not there any more`);
  return object.body;
}

const streamOf = (bytes: Uint8Array): ReadableStream<Uint8Array> => new Blob([bytes]).stream();

async function storeFormats(original: Original, call: UploadCall, deposit: Deposit): Promise<StoredFile['formats']> {
  const formats: Record<string, StoredObject & InputData> = {};
  const { upload } = call.settings;
  for await (const { key, format, bytes } of makeFormats(original, upload, call.images)) {
    const object = `${format.hash}${format.ext}`;
    await deposit.put(object, bytes, format.mime);
    formats[key] = { ...format, url: urlOf(object, upload) };
  }
  return formats;
}

/**
 * Puts what is not there yet into the bucket.
 * @param hash that of the file which this one takes the place of.
 */
export async function storeReceived(
  file: Received,
  info: FileInfo,
  call: UploadCall,
  deposit: Deposit,
  hash: string = file.hash ?? newHash(info.name || file.name, file.extension),
): Promise<StoredFileValues> {
  const { bytes, mime, extension: ext, size, dimensions } = file;
  const key = `${hash}${ext}`;
  if (bytes) await deposit.put(key, bytes, mime);
  await file.complete?.();
  const name = info.name || file.name;
  const open = async () => (bytes ? streamOf(bytes) : openStored(key, call));
  const formats = dimensions
    ? await storeFormats({ name, hash, ext, mime, size, dimensions, open }, call, deposit)
    : {};
  return {
    ...info,
    name,
    hash,
    ext,
    mime,
    size: kilobytes(size),
    width: dimensions?.width ?? null,
    height: dimensions?.height ?? null,
    formats,
    url: urlOf(key, call.settings.upload),
    provider: 'r2',
  };
}
