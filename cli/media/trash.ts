/**
 * @module The trash of a bucket: removed objects stay under another key until it is purged. `/uploads/…` serves no key with
 * a slash.
 */
import { counted } from '../core/counted.ts';
import { copyObject, type ListedObject, listObjects, OBJECT_PAGE } from '../core/storage/objects.ts';

const TRASH = 'trash/';
const AT_ONCE = 8;

export type Report = (text: string) => void;

export const isTrash = (key: string): boolean => key.startsWith(TRASH);

/** Lists all objects but those in the trash. */
export const keptObjects = async (bucket: R2Bucket): Promise<readonly ListedObject[]> =>
  (await listObjects(bucket)).filter(({ key }) => !isTrash(key));

/** `trash/20260131T120000Z/photo_3f09ab12cd.png` */
const trashKey = (key: string, now: Date): string =>
  `${TRASH}${now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z/${key}`;

/** Returns the key that an object in the trash had. */
export const formerKey = (key: string): string => key.slice(key.indexOf('/', TRASH.length) + 1);

/** Moves objects that exist into the trash. */
export async function moveToTrash(bucket: R2Bucket, keys: readonly string[], report: Report): Promise<void> {
  const now = new Date();
  for (let start = 0; start < keys.length; start += AT_ONCE) {
    const moved = keys.slice(start, start + AT_ONCE);
    await Promise.all(moved.map((key) => copyObject(bucket, key, trashKey(key, now))));
    await bucket.delete(moved);
    report(`  ${start + moved.length} of ${counted(keys.length, 'object')} moved to ${TRASH} …`);
  }
}

/** @param key of an object in the trash */
export async function restoreObject(bucket: R2Bucket, key: string): Promise<void> {
  if (await copyObject(bucket, key, formerKey(key))) await bucket.delete(key);
}

export async function purge(bucket: R2Bucket, trashed: readonly string[], report: Report): Promise<void> {
  for (let start = 0; start < trashed.length; start += OBJECT_PAGE) {
    const keys = trashed.slice(start, start + OBJECT_PAGE);
    await bucket.delete([...keys]);
    report(`  ${start + keys.length} of ${counted(trashed.length, 'object')} deleted …`);
  }
}
