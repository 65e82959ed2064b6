/**
 * @module Bytes of an archive → objects of the bucket, under the names that the file rows have.
 */
import type { Settings } from '../../config.ts';
import { httpMetadataOf } from '../../upload/storage.ts';
import type { Entry } from '../core/archive/entries.ts';
import { objectWriter } from '../core/storage/object-writer.ts';
import type { Survey } from './survey.ts';

/** What can be served; see `GET /uploads/:key`. */
const KEY = /^(?!\.{1,2}$)[A-Za-z0-9_.-]{1,512}$/;

export function assetWriter(bucket: R2Bucket, survey: Survey, settings: Settings['upload']) {
  const { staging, remarks, uploads } = survey;
  const { put, finish } = objectWriter(bucket);
  const select = staging.prepare('select mime from objects where key = ?');
  return {
    finish,
    async put({ size, bytes }: Entry, key: string): Promise<void> {
      const found = select.get(key);
      if (!found) return remarks.note('bytes of a file that the archive does not name; not taken');
      if (!KEY.test(key))
        return remarks.note(`${JSON.stringify(key.slice(0, 80))}: a name that cannot be served; not taken`);
      const mime = String(found.mime) || 'application/octet-stream';
      await put({ key, size, bytes, etag: uploads.get(key), notes: { httpMetadata: httpMetadataOf(mime, settings) } });
    },
  };
}
