/**
 * @module Deletes pictures on request whose files came from an archive: they may show other bytes or another focal point.
 */
import { listObjects } from '../core/storage/objects.ts';
import { ownerKey } from './find-mismatches.ts';
import { purge } from './trash.ts';

/** Deletes all pictures on request but those with one of these keys. They are made again when they are requested. */
export async function dropPictures(bucket: R2Bucket, kept: ReadonlySet<string>): Promise<void> {
  const objects = await listObjects(bucket);
  const dropped = objects.map(({ key }) => key).filter((key) => ownerKey(key) !== key && !kept.has(key));
  await purge(bucket, dropped, () => undefined);
}
