/**
 * @module Objects into a bucket, several small ones at once. An object that is there with the same bytes is not put again.
 */
import { PART } from '../../../upload/storage.ts';
import { type Chunks, joined } from '../bytes.ts';
import { type ObjectNotes, putObject } from './objects.ts';

const MAX_AT_ONCE = 4;

interface NewObject {
  readonly key: string;
  readonly size: number;
  /** The etag that the bucket gives to the bytes. */
  readonly etag: string | undefined;
  readonly notes: ObjectNotes;
  readonly bytes: Chunks;
}

export function objectWriter(bucket: R2Bucket) {
  const pending = new Set<Promise<void>>();
  let failure: unknown;
  const send = async ({ key, size, etag, notes, bytes }: NewObject): Promise<void> => {
    const present = await bucket.head(key);
    if (present?.size === size && present.etag === etag) return;
    await putObject(bucket, key, size, bytes, notes);
  };
  return {
    /** Has read the bytes when it resolves. @throws what an earlier object has failed with. */
    async put(object: NewObject): Promise<void> {
      if (object.size >= PART) return send(object);
      const bytes = await joined(object.bytes);
      const work = send({ ...object, bytes: [bytes] })
        .catch((error: unknown) => {
          failure ??= error;
        })
        .finally(() => pending.delete(work));
      pending.add(work);
      while (pending.size >= MAX_AT_ONCE) await Promise.race(pending);
      if (failure) throw failure;
    },
    async finish(): Promise<void> {
      await Promise.all(pending);
      if (failure) throw failure;
    },
  };
}
