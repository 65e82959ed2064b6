/**
 * @module The objects of a bucket in a backup. They rarely change, so they are copied before the rows that name them are
 * read; a second pass copies those that were added since.
 */
import { statSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { PART_BYTES } from '../../src/features/files/storage.ts';
import type { ArchiveWriter } from '../core/archive/archive-writer.ts';
import { seen } from '../core/bytes.ts';
import { type ProgressLine, progressLine } from '../core/progress-line.ts';
import { type ListedObject, objectWriter } from '../core/storage/objects.ts';
import { keptObjects } from '../media/trash.ts';
import { backupEntries, type Manifest } from './backup-file.ts';

const AT_ONCE = 6;

/** Fetches objects that still exist: small ones several at once, since each takes a round trip. */
async function* fetchAll(bucket: R2Bucket, objects: readonly ListedObject[]) {
  const { small = [], large = [] } = Object.groupBy(objects, ({ size }) => (size < PART_BYTES ? 'small' : 'large'));
  const groups = large.map((object) => [object]);
  while (small.length > 0) groups.push(small.splice(0, AT_ONCE));
  const fetched = async ({ key, size }: ListedObject) => {
    const object = await bucket.get(key);
    return object && { object, bytes: size < PART_BYTES ? [await buffer(object.body)] : object.body };
  };
  for (const group of groups) for (const each of await Promise.all(group.map(fetched))) if (each) yield each;
}

export function objectCopies(bucket: R2Bucket, archive: ArchiveWriter) {
  /** By key, what the manifest has of each. */
  const copied = new Map<string, Pick<R2Object, 'etag'>>();
  let files = 0;
  return {
    copied,
    /** Copies new and changed objects, and returns how many. */
    async copy(line: ProgressLine): Promise<number> {
      const due = (await keptObjects(bucket)).filter(({ key, etag }) => copied.get(key)?.etag !== etag);
      for await (const { object, bytes } of fetchAll(bucket, due)) {
        const { key, size, etag, httpMetadata = {}, customMetadata = {} } = object;
        files += 1;
        const file = `objects/${files}`;
        const advancing = seen<Uint8Array>(bytes, ({ length }) => line.advance(length));
        await archive.stream(file, size, advancing);
        line.count(1);
        const note = { key, file, size, etag, httpMetadata, customMetadata };
        copied.set(key, note);
      }
      return due.length;
    },
  };
}

/** Puts the objects of a backup into a bucket, and leaves others there. */
export async function restoreObjects(bucket: R2Bucket, path: string, { objects }: Manifest): Promise<void> {
  const byFile = new Map(objects.map((object) => [object.file, object]));
  const line = progressLine({ name: 'restoring files', bytes: statSync(path).size });
  const writing = objectWriter(bucket);
  for await (const { name, bytes } of backupEntries(path, line.advance)) {
    const object = byFile.get(name);
    if (!object) continue;
    const { cacheExpiry: expiry, ...texts } = object.httpMetadata;
    const httpMetadata = { ...texts, ...(expiry && { cacheExpiry: new Date(expiry) }) };
    await writing.put({ ...object, notes: { ...object, httpMetadata }, bytes }, object.etag);
  }
  await writing.finish();
  line.done('wrote all files');
}
