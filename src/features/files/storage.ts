/**
 * @module Objects of files in the bucket.
 */

import { groupsOf } from '../../common/groups.ts';
import type { InputData } from '../../content/request/body.ts';
import type { Settings } from '../../schema/settings/config.ts';
import { cacheControlOf } from './caching.ts';
import { type UploadCall, urlOf } from './call.ts';
import { type FileInfo, rejectPrivate } from './file-info.ts';
import { presentationOf } from './media-types.ts';
import { kilobytes, newHash } from './names.ts';
import { isResizable, makeFormats, type Original } from './pictures.ts';
import type { Received } from './received.ts';
import type { StoredFile, StoredObject } from './sql/files.ts';

/** Bytes of a part. R2 requires at least 5 MiB, and one size of all but the last. */
export const PART_BYTES = 8 * 1024 * 1024;

/** Milliseconds before each retry. */
const PAUSES = [100, 200];

/** Objects of one delete. */
const MAX_KEYS = 1_000;

async function deleteAtOnce(bucket: R2Bucket, keys: readonly string[]): Promise<void> {
  for (const pause of [...PAUSES, undefined]) {
    try {
      return await bucket.delete([...keys]);
    } catch (error) {
      if (pause === undefined) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

/** Deletes objects that belong to no file. @throws the error of the bucket, after two retries */
export async function deleteAll(bucket: R2Bucket, keys: readonly string[]): Promise<void> {
  for (const some of groupsOf(keys, MAX_KEYS)) await deleteAtOnce(bucket, some);
}

/** Deletes objects that belong to no file. Logs those that cannot be deleted; `npm run media` finds them. */
export const deleteObjects = (bucket: R2Bucket, keys: readonly string[]): Promise<void> =>
  deleteAll(bucket, keys).catch(({ message: cause }: Error) =>
    console.error(JSON.stringify({ message: 'objects without a file were left', keys, cause })),
  );

/** Metadata with which the bucket serves an object on a public domain. */
export function httpMetadataOf(mime: string, settings: Settings['upload']): R2HTTPMetadata {
  const { contentType, inline } = presentationOf(mime);
  const cacheControl = cacheControlOf(settings);
  return { contentType, cacheControl, ...(!inline && { contentDisposition: 'attachment' }) };
}

export type MultipartUpload = Awaited<ReturnType<UploadTransaction['begin']>>;

/** The objects that one request puts into the bucket. */
export type UploadTransaction = ReturnType<typeof openTransaction>;

export function openTransaction(bucket: R2Bucket, settings: Settings['upload']) {
  const keys = new Set<string>();
  const open = new Set<R2MultipartUpload>();
  return {
    async put(key: string, bytes: Uint8Array | ReadableStream, mime: string) {
      keys.add(key);
      await bucket.put(key, bytes, { httpMetadata: httpMetadataOf(mime, settings) });
    },
    async begin(key: string, mime: string) {
      const upload = await bucket.createMultipartUpload(key, { httpMetadata: httpMetadataOf(mime, settings) });
      open.add(upload);
      const parts: R2UploadedPart[] = [];
      return {
        /** Every part but the last has exactly `PART` bytes. */
        async add(bytes: Uint8Array) {
          parts.push(await upload.uploadPart(parts.length + 1, bytes));
        },
        /** Creates the object; repeatable. */
        async complete() {
          if (!open.has(upload)) return;
          // From now on the object may exist, even if the response is lost.
          keys.add(key);
          await upload.complete(parts);
          open.delete(upload);
        },
      };
    },
    /** Deletes everything except the keys of a file. */
    async undo(kept: ReadonlySet<string> = new Set()) {
      for (const upload of open) await upload.abort().catch(() => undefined);
      const unused = [...keys].filter((key) => !kept.has(key));
      await deleteObjects(bucket, unused);
    },
  };
}

export type StoredFileValues = InputData & Pick<StoredFile, 'hash' | 'ext' | 'formats'>;

async function openStored(key: string, { bucket }: UploadCall): Promise<ReadableStream<Uint8Array>> {
  const object = await bucket.get(key);
  if (!object) throw new Error(`${key} is not there any more`);
  return object.body;
}

async function storeFormats(
  original: Original,
  call: UploadCall,
  transaction: UploadTransaction,
): Promise<StoredFile['formats']> {
  const formats: Record<string, StoredObject & InputData> = {};
  const { upload } = call.settings;
  for await (const { key, format, bytes } of makeFormats(original, upload, call.images)) {
    const object = `${format.hash}${format.ext}`;
    await transaction.put(object, bytes, format.mime);
    formats[key] = { ...format, url: urlOf(object, upload) };
  }
  return formats;
}

/**
 * Puts a file and its formats into the bucket.
 * @param target whose bytes it replaces
 * @param kept its hash, if that stays
 * @throws ApiError 400 if the file cannot be private
 */
export async function storeReceived(
  received: Received,
  sent: FileInfo,
  call: UploadCall,
  transaction: UploadTransaction,
  target?: StoredFile,
  kept?: string,
): Promise<StoredFileValues> {
  if (!call.privateFiles) rejectPrivate(sent, target);
  const file = (await call.privateFiles?.placed(received, sent, call, transaction, target)) ?? received;
  const { private: _, folder: __, ...info } = sent;
  const { bytes, mime, extension: ext, size, dimensions } = file;
  const hash = kept ?? file.hash ?? newHash(info.name || file.name, ext);
  const key = `${hash}${ext}`;
  if (bytes) await transaction.put(key, bytes, mime);
  await file.complete?.();
  const name = info.name || file.name;
  const open = async () => (bytes ? new Blob([bytes]).stream() : openStored(key, call));
  const original = dimensions && { name, hash, ext, mime, size, dimensions, open };
  const formats = original ? await storeFormats(original, call, transaction) : {};
  const feature = call.features.find((each) => each.placeholdersOf);
  return {
    ...info,
    ...(await feature?.placeholdersOf?.(call.images, original && isResizable(original) ? open : undefined)),
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
