/**
 * @module Copies the objects of a bucket into a backup. Objects rarely change, so they are copied before the rows that
 * name them are read; a second pass copies those that were added since.
 */
import { buffer } from 'node:stream/consumers';
import { PART_BYTES } from '../../src/upload/storage.ts';
import { type Chunks, seen } from '../core/bytes.ts';
import type { ProgressLine } from '../core/progress-line.ts';
import { type ListedObject, listObjects } from '../core/storage/objects.ts';
import { isTrash } from '../media/trash.ts';
import type { BackupWriter, ObjectEntry } from './backup-file.ts';

const AT_ONCE = 6;
/** Keys that can be file names in the backup. */
const PLAIN = /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,511}$/;

/** Lists all objects but those in the trash. */
export const keptObjects = async (bucket: R2Bucket): Promise<readonly ListedObject[]> =>
  (await listObjects(bucket)).filter(({ key }) => !isTrash(key));

const textsOf = (values: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : String(value)]),
  );

interface Fetched {
  readonly object: R2Object;
  readonly bytes: Chunks;
}

async function fetched(bucket: R2Bucket, { key, size }: ListedObject): Promise<Fetched | undefined> {
  const object = await bucket.get(key);
  if (!object) return undefined;
  return { object, bytes: size < PART_BYTES ? [await buffer(object.body)] : object.body };
}

/** Fetches objects that still exist: small ones several at once, since each takes a round trip. */
async function* fetchAll(bucket: R2Bucket, objects: readonly ListedObject[]): AsyncGenerator<Fetched> {
  const { small = [], large = [] } = Object.groupBy(objects, ({ size }) => (size < PART_BYTES ? 'small' : 'large'));
  while (small.length > 0)
    for (const each of await Promise.all(small.splice(0, AT_ONCE).map((object) => fetched(bucket, object))))
      if (each) yield each;
  for (const object of large) {
    const each = await fetched(bucket, object);
    if (each) yield each;
  }
}

export function objectCopies(bucket: R2Bucket, archive: BackupWriter) {
  const copied = new Map<string, ObjectEntry>();
  let others = 0;
  const nameFor = (key: string): string => {
    if (PLAIN.test(key) && !copied.has(key)) return `objects/${key}`;
    others += 1;
    return `objects/other/${others}`;
  };
  return {
    copied,
    /** Copies new and changed objects, and returns how many. */
    async copy(line: ProgressLine): Promise<number> {
      const due = (await keptObjects(bucket)).filter(({ key, etag }) => copied.get(key)?.etag !== etag);
      for await (const { object, bytes } of fetchAll(bucket, due)) {
        const { key, size, etag, httpMetadata, customMetadata } = object;
        const file = nameFor(key);
        const advancing = seen(bytes, ({ length }) => line.advance(length));
        await archive.stream(file, size, advancing);
        line.count(1);
        copied.set(key, {
          ...{ key, file, size, etag },
          ...(httpMetadata && { httpMetadata: textsOf(httpMetadata) }),
          ...(customMetadata && { customMetadata: textsOf(customMetadata) }),
        });
      }
      return due.length;
    },
  };
}
