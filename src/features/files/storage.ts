/**
 * @module Objects of files in the bucket.
 */

import { groupsOf } from '../../common/groups.ts';
import type { Settings } from '../../schema/settings/config.ts';
import { cacheControlOf } from './caching.ts';
import { presentationOf } from './media-types.ts';

/** Bytes of a part. R2 requires at least 5 MiB, and one size of all but the last. */
export const PART_BYTES = 8 * 1024 * 1024;

/** Milliseconds before each retry. */
const PAUSES = [100, 200];

/** Objects of one delete. */
const MAX_KEYS = 1_000;

async function deleteAtOnce(bucket: R2Bucket, keys: readonly string[]): Promise<void> {
  for (const pause of [...PAUSES, undefined]) {
    try {
      return await bucket.delete([...keys]);
    } catch (error) {
      if (pause === undefined) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

/** Deletes objects that belong to no file. @throws the error of the bucket, after two retries */
export async function deleteAll(bucket: R2Bucket, keys: readonly string[]): Promise<void> {
  for (const some of groupsOf(keys, MAX_KEYS)) await deleteAtOnce(bucket, some);
}

/** Deletes objects that belong to no file. Logs those that cannot be deleted; `npx edgewise media` finds them. */
export const deleteObjects = (bucket: R2Bucket, keys: readonly string[]): Promise<void> =>
  deleteAll(bucket, keys).catch(({ message: cause }: Error) =>
    console.error(JSON.stringify({ message: 'objects without a file were left', keys, cause })),
  );

/** Metadata with which the bucket serves an object on a public domain. */
export function httpMetadataOf(mime: string, settings: Settings['upload']): R2HTTPMetadata {
  const { contentType, inline } = presentationOf(mime);
  const cacheControl = cacheControlOf(settings);
  return { contentType, cacheControl, ...(!inline && { contentDisposition: 'attachment' }) };
}

export type MultipartUpload = Awaited<ReturnType<UploadTransaction['begin']>>;

/** The objects that one request puts into the bucket. */
export type UploadTransaction = ReturnType<typeof openTransaction>;

export function openTransaction(bucket: R2Bucket, settings: Settings['upload']) {
  const keys = new Set<string>();
  const open = new Set<R2MultipartUpload>();
  return {
    async put(key: string, bytes: Uint8Array | ReadableStream, mime: string) {
      keys.add(key);
      await bucket.put(key, bytes, { httpMetadata: httpMetadataOf(mime, settings) });
    },
    async begin(key: string, mime: string) {
      const upload = await bucket.createMultipartUpload(key, { httpMetadata: httpMetadataOf(mime, settings) });
      open.add(upload);
      const parts: R2UploadedPart[] = [];
      return {
        /** Every part but the last has exactly `PART` bytes. */
        async add(bytes: Uint8Array) {
          parts.push(await upload.uploadPart(parts.length + 1, bytes));
        },
        /** Creates the object; repeatable. */
        async complete() {
          if (!open.has(upload)) return;
          // From now on the object may exist, even if the response is lost.
          keys.add(key);
          await upload.complete(parts);
          open.delete(upload);
        },
      };
    },
    /** Deletes everything except the keys of a file. */
    async undo(kept: ReadonlySet<string> = new Set()) {
      for (const upload of open) await upload.abort().catch(() => undefined);
      const unused = [...keys].filter((key) => !kept.has(key));
      await deleteObjects(bucket, unused);
    },
  };
}
