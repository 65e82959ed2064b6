/**
 * @module The trash of a bucket: what was removed waits there under another key, until it is purged. `/uploads/…` serves
 * no key with a slash.
 */
import { counted } from '../core/counted.ts';
import { copyObject, OBJECT_PAGE } from '../core/storage/objects.ts';

const TRASH = 'trash/';
const AT_ONCE = 8;

export type Said = (text: string) => void;

export const isTrash = (key: string): boolean => key.startsWith(TRASH);

/** `trash/20260131T120000Z/photo_3f09ab12cd.png` */
const trashKey = (key: string, now: Date): string =>
  `${TRASH}${now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z/${key}`;

/** The key that an object in the trash had. */
export const formerKey = (key: string): string => key.slice(key.indexOf('/', TRASH.length) + 1);

/** Moves objects into the trash; one that is not there is passed over. */
export async function moveToTrash(bucket: R2Bucket, keys: readonly string[], said: Said): Promise<void> {
  const now = new Date();
  for (let start = 0; start < keys.length; start += AT_ONCE) {
    const moved = keys.slice(start, start + AT_ONCE);
    await Promise.all(moved.map((key) => copyObject(bucket, key, trashKey(key, now))));
    await bucket.delete(moved);
    said(`  ${start + moved.length} of ${counted(keys.length, 'object')} moved to ${TRASH} …`);
  }
}

/**
 * Takes an object out of the trash.
 * @param trashed where it lies there.
 */
export async function takeBack(bucket: R2Bucket, trashed: string): Promise<void> {
  if (await copyObject(bucket, trashed, formerKey(trashed))) await bucket.delete(trashed);
}

/** Deletes objects for good. */
export async function purge(bucket: R2Bucket, trashed: readonly string[], said: Said): Promise<void> {
  for (let start = 0; start < trashed.length; start += OBJECT_PAGE) {
    const keys = trashed.slice(start, start + OBJECT_PAGE);
    await bucket.delete([...keys]);
    said(`  ${start + keys.length} of ${counted(trashed.length, 'object')} deleted …`);
  }
}
