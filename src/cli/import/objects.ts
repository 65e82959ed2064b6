/**
 * @module Bytes of an archive → objects of the bucket, under the names that the file rows have.
 */
import type { Settings } from '../../config.ts';
import { openDeposit } from '../../upload/storage.ts';
import type { Entry } from '../core/archive/entries.ts';
import { partsOf } from '../core/storage/objects.ts';
import { inParts } from './etag.ts';
import type { Remarks } from './remarks.ts';
import type { Staging } from './staging.ts';

/** What can be served; see `GET /uploads/:key`. */
const KEY = /^(?!\.{1,2}$)[A-Za-z0-9_.-]{1,512}$/;
const MOST_AT_ONCE = 4;

export interface ObjectWriter {
  /** Takes the bytes of an entry; those of small ones are put while others are read. */
  put(entry: Entry, key: string): Promise<void>;
  finish(): Promise<void>;
}

interface Means {
  readonly bucket: R2Bucket;
  readonly settings: Settings['upload'];
  readonly staging: Staging;
  readonly remarks: Remarks;
  /** Key → etag, of what the archive holds. */
  readonly uploads: ReadonlyMap<string, string>;
}

/** Puts objects, four small ones at once; one that is there with the same bytes is not put again. */
export function objectWriter({ bucket, settings, staging, remarks, uploads }: Means): ObjectWriter {
  const pending = new Set<Promise<void>>();
  let failure: unknown;
  const mimeOf = (key: string): string | undefined => {
    const found = staging.prepare('select mime from objects where key = ?').get(key);
    return found ? String(found.mime) || 'application/octet-stream' : undefined;
  };
  const whole = async (entry: Entry): Promise<Buffer> => {
    const chunks: Buffer[] = [];
    for await (const chunk of entry.bytes) chunks.push(chunk);
    return Buffer.concat(chunks);
  };
  const putSmall = (key: string, bytes: Buffer, mime: string): void => {
    const work = openDeposit(bucket, settings)
      .put(key, new Uint8Array(bytes), mime)
      .catch((error: unknown) => {
        failure ??= error;
      })
      .finally(() => pending.delete(work));
    pending.add(work);
  };
  const putLarge = async (key: string, entry: Entry, mime: string): Promise<void> => {
    const deposit = openDeposit(bucket, settings);
    try {
      const upload = await deposit.begin(key, mime);
      for await (const part of partsOf(entry.bytes)) await upload.add(new Uint8Array(part));
      await upload.complete();
    } catch (error) {
      await deposit.undo();
      throw error;
    }
  };
  return {
    async put(entry, key) {
      const mime = mimeOf(key);
      if (mime === undefined) return remarks.note('bytes of a file that the archive does not name; not taken');
      if (!KEY.test(key))
        return remarks.note(`${JSON.stringify(key.slice(0, 80))}: a name that cannot be served; not taken`);
      const present = await bucket.head(key);
      if (present && present.etag === uploads.get(key)) return;
      if (inParts(entry.size)) return putLarge(key, entry, mime);
      putSmall(key, await whole(entry), mime);
      while (pending.size >= MOST_AT_ONCE) await Promise.race(pending);
      if (failure) throw failure;
    },
    async finish() {
      await Promise.all(pending);
      if (failure) throw failure;
    },
  };
}
