/**
 * @module The file of an archive → the bytes of its tar. What a file is, is told by its bytes: gzip, tar, or, with a key,
 * one of them enciphered.
 */
import { closeSync, createReadStream, fstatSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { seen } from '../bytes.ts';
import { failureText } from '../failure-text.ts';
import { UserError } from '../terminal.ts';
import { BLOCK_BYTES, cipherKeyOf, decipherWith } from './cipher.ts';

const CHUNK = 1024 * 1024;
const BLOCK = 512;

type Packing = 'gzip' | 'tar';

export interface ArchiveFile {
  readonly path: string;
  readonly name: string;
  readonly size: number;
  /** Absent: not enciphered. */
  readonly cipherKey?: Buffer;
  readonly packing: Packing;
}

function packingOf(head: Buffer): Packing | undefined {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  return head.toString('latin1', 257, 262) === 'ustar' ? 'tar' : undefined;
}

function headOf(path: string): { readonly head: Buffer; readonly size: number } {
  if (/^https?:\/\//i.test(path))
    throw new UserError(
      `${path} is an address, and an import reads an archive: run npx strapi export --no-encrypt --file backup in the Strapi project, then npm run import -- backup.tar.gz`,
    );
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    throw new UserError(failureText(error) ?? `${path} cannot be read: ${(error as Error).message}`);
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) throw new UserError(`${path} is no file`);
    const head = Buffer.alloc(BLOCK);
    const length = readSync(file, head, 0, BLOCK, 0);
    return { head: head.subarray(0, length), size: stat.size };
  } finally {
    closeSync(file);
  }
}

/** @throws UserError for what is not there, or is no file. */
export const assertFile = (path: string): void => void headOf(path);

export const looksEnciphered = (path: string): boolean => {
  const { head } = headOf(path);
  return packingOf(head) === undefined && path.endsWith('.enc');
};

/**
 * Finds out how an archive is packed.
 * @throws UserError when it is none, or the key does not open it.
 */
export function openArchive(path: string, passphrase: string | undefined): ArchiveFile {
  const { head, size } = headOf(path);
  if (size === 0) throw new UserError(`${path} is empty`);
  const plain = packingOf(head);
  const name = basename(path);
  if (plain) return { path, name, size, packing: plain };
  if (passphrase === undefined)
    throw new UserError(
      path.endsWith('.enc')
        ? `${path} is enciphered: set EDGEWISE_IMPORT_KEY to its key`
        : `${path} is no archive: neither tar nor gzip`,
    );
  const cipherKey = cipherKeyOf(passphrase);
  // The padding at the end of a short file does not matter here.
  const blocks = head.subarray(0, head.length - (head.length % BLOCK_BYTES));
  const packing = packingOf(decipherWith(cipherKey).setAutoPadding(false).update(blocks));
  if (!packing) throw new UserError(`The key does not open ${path}, or it is no archive of Strapi`);
  return { path, name, size, cipherKey, packing };
}

/** The stages from the file to the tar. @param see gets the bytes of the file. */
export function stagesOf({ path, cipherKey, packing }: ArchiveFile, see: (chunk: Buffer) => void) {
  const source = createReadStream(path, { highWaterMark: CHUNK });
  return [
    Readable.from(seen(source, see), { objectMode: false, highWaterMark: CHUNK }),
    ...(cipherKey ? [decipherWith(cipherKey)] : []),
    ...(packing === 'gzip' ? [createGunzip({ chunkSize: CHUNK })] : []),
  ];
}
