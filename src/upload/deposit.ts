/**
 * @module The objects that one request has put into the bucket: kept when all went well, else taken out again.
 */
import { INLINE } from './serving-rules.ts';

/** A multipart upload needs parts of 5 MiB at least, all of one size but the last. */
export const PART = 8 * 1024 * 1024;

const TRIES = 3;
const PAUSE = 50;

const pause = (tries: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE * 2 ** tries));

async function insistently(work: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (tries === TRIES) throw error;
      await pause(tries);
    }
  }
}

/** How the bucket itself serves an object, where it has a public domain. */
const metadataOf = (mime: string, cacheSeconds: number): R2HTTPMetadata => ({
  contentType: mime,
  cacheControl: `public, max-age=${cacheSeconds}`,
  ...(!INLINE.test(mime) && { contentDisposition: 'attachment' }),
});

/** Bytes on their way into the bucket in parts. */
export interface Parts {
  /** Every part but the last has exactly `PART` bytes. */
  add(bytes: Uint8Array): Promise<void>;
  /** Makes them an object; once that is done, nothing more. */
  complete(): Promise<void>;
}

export interface Deposit {
  put(key: string, bytes: Uint8Array, mime: string): Promise<void>;
  begin(key: string, mime: string): Promise<Parts>;
  /** Takes everything out again, but for keys that were there before. What cannot be taken out is told in the log. */
  undo(kept?: ReadonlySet<string>): Promise<void>;
}

export function openDeposit(bucket: R2Bucket, cacheSeconds: number): Deposit {
  const keys = new Set<string>();
  const open = new Set<R2MultipartUpload>();
  const begin = async (key: string, mime: string): Promise<Parts> => {
    const upload = await bucket.createMultipartUpload(key, { httpMetadata: metadataOf(mime, cacheSeconds) });
    open.add(upload);
    const parts: R2UploadedPart[] = [];
    return {
      async add(bytes) {
        parts.push(await upload.uploadPart(parts.length + 1, bytes));
      },
      async complete() {
        if (!open.has(upload)) return;
        // From here on the object may be there, also when the answer is lost.
        keys.add(key);
        await upload.complete(parts);
        open.delete(upload);
      },
    };
  };
  return {
    async put(key, bytes, mime) {
      keys.add(key);
      await bucket.put(key, bytes, { httpMetadata: metadataOf(mime, cacheSeconds) });
    },
    begin,
    async undo(kept = new Set()) {
      for (const upload of open) await upload.abort().catch(() => undefined);
      const own = [...keys].filter((key) => !kept.has(key));
      if (own.length === 0) return;
      await insistently(() => bucket.delete(own)).catch((error: Error) =>
        console.error(JSON.stringify({ message: 'objects without a file were left', keys: own, cause: error.message })),
      );
    },
  };
}
