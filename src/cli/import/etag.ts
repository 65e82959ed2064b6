/**
 * @module The etag that the bucket gives to bytes, so that an object which is there already is known without its bytes.
 * https://developers.cloudflare.com/r2/objects/upload-objects/: of an object that came in parts it is the MD5 of their
 * MD5s, and how many there were.
 */
import { createHash } from 'node:crypto';
import { PART } from '../../upload/storage.ts';
import { partsOf } from '../core/storage/objects.ts';

const md5 = (bytes: Buffer): Buffer => createHash('md5').update(bytes).digest();

/** @param size of the bytes, which decides how they are put. */
export async function etagOf(bytes: AsyncIterable<Buffer>, size: number): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of partsOf(bytes)) parts.push(md5(part));
  if (size >= PART) return `${md5(Buffer.concat(parts)).toString('hex')}-${parts.length}`;
  return (parts[0] ?? md5(Buffer.alloc(0))).toString('hex');
}
