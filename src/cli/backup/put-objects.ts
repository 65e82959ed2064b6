/**
 * @module Files of a backup → objects of a bucket, with all that was said of them. Objects that are there already are
 * not put again; others that are there stay.
 */
import { PART } from '../../upload/storage.ts';
import type { Entry } from '../core/archive/entries.ts';
import { type ObjectNotes, putObject } from '../core/storage/objects.ts';
import type { ObjectNote } from './manifest.ts';

const MOST_AT_ONCE = 4;

export interface ObjectPutter {
  put(note: ObjectNote, entry: Entry): Promise<void>;
  finish(): Promise<void>;
}

function notesOf({ httpMetadata, customMetadata }: ObjectNote): ObjectNotes {
  const { cacheExpiry, ...texts } = httpMetadata ?? {};
  return {
    ...(httpMetadata && { httpMetadata: { ...texts, ...(cacheExpiry && { cacheExpiry: new Date(cacheExpiry) }) } }),
    ...(customMetadata && { customMetadata }),
  };
}

/** Puts objects, four small ones at once. */
export function objectPutter(bucket: R2Bucket): ObjectPutter {
  const pending = new Set<Promise<void>>();
  let failure: unknown;
  const send = async (note: ObjectNote, bytes: AsyncIterable<Uint8Array>): Promise<void> => {
    const { key, size, etag } = note;
    const present = await bucket.head(key);
    if (present?.size === size && present.etag === etag) return;
    await putObject(bucket, key, size, bytes, notesOf(note));
  };
  return {
    async put(note, { bytes }) {
      if (note.size >= PART) return send(note, bytes);
      const chunks: Buffer[] = [];
      for await (const chunk of bytes) chunks.push(chunk);
      const work = send(note, whole(Buffer.concat(chunks)))
        .catch((error: unknown) => {
          failure ??= error;
        })
        .finally(() => pending.delete(work));
      pending.add(work);
      while (pending.size >= MOST_AT_ONCE) await Promise.race(pending);
      if (failure) throw failure;
    },
    async finish() {
      await Promise.all(pending);
      if (failure) throw failure;
    },
  };
}

async function* whole(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
