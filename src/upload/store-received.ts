/**
 * @module A received file → its objects in the bucket, and the values of its row.
 */
import type { InputData } from '../request/body.ts';
import { kilobytes } from './bytes.ts';
import { type UploadCall, urlOf } from './call.ts';
import type { Deposit } from './deposit.ts';
import type { FileInfo } from './file-info.ts';
import { newHash } from './file-name.ts';
import { makeFormats, type Original } from './formats.ts';
import type { Received } from './receive-file.ts';

export interface StoredValues extends InputData {
  readonly hash: string;
  readonly ext: string;
}

async function openStored(key: string, { bucket }: UploadCall): Promise<ReadableStream<Uint8Array>> {
  const object = await bucket.get(key);
  if (!object) throw new Error(`${key} is not there any more`);
  return object.body;
}

const streamOf = (bytes: Uint8Array): ReadableStream<Uint8Array> => new Blob([bytes]).stream();

async function storeFormats(original: Original, call: UploadCall, deposit: Deposit): Promise<InputData> {
  const formats: Record<string, unknown> = {};
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
): Promise<StoredValues> {
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
