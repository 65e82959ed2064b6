/**
 * @module Objects of a bucket: their bytes, piece by piece, and lists of them.
 */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { PART_BYTES } from '../../../src/features/files/storage.ts';
import type { Chunks } from '../bytes.ts';

/** Pieces of exactly one part, and a last one that may be smaller. */
export async function* partsOf(bytes: Chunks): AsyncGenerator<Buffer> {
  let pending: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    pending.push(chunk);
    length += chunk.length;
    while (length >= PART_BYTES) {
      const all = Buffer.concat(pending);
      yield all.subarray(0, PART_BYTES);
      pending = [all.subarray(PART_BYTES)];
      length -= PART_BYTES;
    }
  }
  if (length > 0) yield Buffer.concat(pending);
}

const md5 = (bytes: Uint8Array): Buffer => createHash('md5').update(bytes).digest();

/**
 * The etag that the bucket gives to bytes: an object that is there already is known by it. Of an object that came in parts
 * it is the MD5 of their MD5s, and how many there were: https://developers.cloudflare.com/r2/objects/upload-objects/
 * @param size of the bytes, which decides how they are put.
 */
export async function etagOf(bytes: Chunks, size: number): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of partsOf(bytes)) parts.push(md5(part));
  if (size >= PART_BYTES) return `${md5(Buffer.concat(parts)).toString('hex')}-${parts.length}`;
  return (parts[0] ?? md5(Buffer.alloc(0))).toString('hex');
}

/** Metadata of an object. */
export type ObjectNotes = Pick<R2PutOptions, 'httpMetadata' | 'customMetadata'>;

interface NewObject {
  readonly key: string;
  readonly size: number;
  readonly bytes: Chunks;
  readonly notes: ObjectNotes;
}

/** Puts an object of any size, atomically. */
async function putObject(bucket: R2Bucket, { key, size, bytes, notes }: NewObject): Promise<void> {
  if (size < PART_BYTES) return void (await bucket.put(key, new Uint8Array(await buffer(Readable.from(bytes))), notes));
  const upload = await bucket.createMultipartUpload(key, notes);
  try {
    const parts: R2UploadedPart[] = [];
    for await (const part of partsOf(bytes))
      parts.push(await upload.uploadPart(parts.length + 1, new Uint8Array(part)));
    await upload.complete(parts);
  } catch (error) {
    await upload.abort().catch(() => undefined);
    throw error;
  }
}

const MAX_AT_ONCE = 4;

/** Puts several small objects at once. */
export function objectWriter(bucket: R2Bucket) {
  const waiting: (readonly [object: NewObject, etag: string | undefined])[] = [];
  const send = async (object: NewObject, etag: string | undefined): Promise<void> => {
    const present = await bucket.head(object.key);
    if (present?.size !== object.size || present.etag !== etag) await putObject(bucket, object);
  };
  const finish = async (): Promise<void> => {
    await Promise.all(waiting.splice(0).map(([object, etag]) => send(object, etag)));
  };
  return {
    /**
     * Has read the bytes when it resolves. An object that is there with the same bytes is not put again.
     * @param etag that the bucket gives to the bytes.
     */
    async put(object: NewObject, etag: string | undefined): Promise<void> {
      if (object.size >= PART_BYTES) return send(object, etag);
      waiting.push([{ ...object, bytes: [await buffer(Readable.from(object.bytes))] }, etag]);
      if (waiting.length === MAX_AT_ONCE) await finish();
    },
    finish,
  };
}

/**
 * Copies an object within a bucket.
 * @returns false when there is none.
 */
export async function copyObject(bucket: R2Bucket, from: string, to: string): Promise<boolean> {
  const object = await bucket.get(from);
  if (!object) return false;
  const { size, body: bytes, httpMetadata = {}, customMetadata = {} } = object;
  await putObject(bucket, { key: to, size, bytes, notes: { httpMetadata, customMetadata } });
  const copy = await bucket.head(to);
  if (copy?.size !== size) throw new Error(`${to} does not have the bytes of ${from}`);
  return true;
}

/** As many as R2 lists and deletes at once. */
export const OBJECT_PAGE = 1_000;

export type ListedObject = Readonly<Pick<R2Object, 'key' | 'size' | 'uploaded' | 'etag'>>;

/** Every object, in the order of keys; those in the trash too. @param report gets how many were listed so far. */
export async function listObjects(
  bucket: R2Bucket,
  report: (count: number) => void = () => undefined,
): Promise<readonly ListedObject[]> {
  const objects: ListedObject[] = [];
  let cursor: string | undefined;
  do {
    const page: R2Objects = await bucket.list({ limit: OBJECT_PAGE, ...(cursor !== undefined && { cursor }) });
    for (const { key, size, uploaded, etag } of page.objects)
      objects.push({ key, size, uploaded: new Date(uploaded), etag });
    report(objects.length);
    cursor = page.truncated ? page.cursor : undefined;
  } while (cursor !== undefined);
  return objects;
}
