/**
 * @module Puts a file that was received into the bucket, with its formats.
 */
import type { InputData } from '../../content/request/body.ts';
import { type UploadCall, urlOf } from './call.ts';
import type { FileInfo } from './file-info.ts';
import { kilobytes, newHash } from './names.ts';
import { isResizable, makeFormats, type Original } from './pictures.ts';
import { placeholdersOf } from './placeholders/placeholders.ts';
import { placeReceived } from './private/uploads.ts';
import type { Received } from './received.ts';
import type { StoredFile, StoredObject } from './sql/files.ts';
import type { UploadTransaction } from './storage.ts';

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
  const file = await placeReceived(received, sent, call, transaction, target);
  const { upload } = call.settings;
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
  return {
    ...info,
    ...(upload.placeholders &&
      (await placeholdersOf(call.images, original && isResizable(original) ? open : undefined))),
    name,
    hash,
    ext,
    mime,
    size: kilobytes(size),
    width: dimensions?.width ?? null,
    height: dimensions?.height ?? null,
    formats,
    url: urlOf(key, upload),
    provider: 'r2',
  };
}
