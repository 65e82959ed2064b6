/**
 * @module Bytes of an archive → objects of the bucket, under the names that the file rows have.
 */
import type { Settings } from '../../config.ts';
import { httpMetadataOf } from '../../upload/storage.ts';
import type { Entry } from '../core/archive/entries.ts';
import { objectWriter } from '../core/storage/object-writer.ts';
import type { Remarks } from './remarks.ts';
import type { Staging } from './staging.ts';

/** What can be served; see `GET /uploads/:key`. */
const KEY = /^(?!\.{1,2}$)[A-Za-z0-9_.-]{1,512}$/;

export interface AssetWriter {
  put(entry: Entry, key: string): Promise<void>;
  finish(): Promise<void>;
}

interface Assets {
  readonly bucket: R2Bucket;
  readonly settings: Settings['upload'];
  readonly staging: Staging;
  readonly remarks: Remarks;
  /** Key → etag, of what the archive holds. */
  readonly uploads: ReadonlyMap<string, string>;
}

export function assetWriter({ bucket, settings, staging, remarks, uploads }: Assets): AssetWriter {
  const { put, finish } = objectWriter(bucket);
  const select = staging.prepare('select mime from objects where key = ?');
  return {
    finish,
    async put({ size, bytes }, key) {
      const found = select.get(key);
      if (!found) return remarks.note('bytes of a file that the archive does not name; not taken');
      if (!KEY.test(key))
        return remarks.note(`${JSON.stringify(key.slice(0, 80))}: a name that cannot be served; not taken`);
      const mime = String(found.mime) || 'application/octet-stream';
      await put({ key, size, bytes, etag: uploads.get(key), notes: { httpMetadata: httpMetadataOf(mime, settings) } });
    },
  };
}
