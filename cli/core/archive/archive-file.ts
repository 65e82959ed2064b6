/**
 * @module The file of an archive → the bytes of its tar. The first bytes decide: gzip, tar, or, with a key, one of them
 * enciphered.
 */
import { type Cipheriv, createCipheriv, createDecipheriv, type Decipheriv, scryptSync } from 'node:crypto';
import { closeSync, createReadStream, fstatSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { createGunzip } from 'node:zlib';
import { askTerminal, UserError } from '../terminal.ts';

const CHUNK = 1024 * 1024;
const BLOCK = 512;

/** As Strapi enciphers an archive: no salt, no initialisation vector. */
const CIPHER = 'aes-128-ecb';
/** Bytes of a key, and of a block of the cipher. */
const CIPHER_BLOCK = 16;

export const cipherKeyOf = (passphrase: string): Buffer => scryptSync(passphrase, '', CIPHER_BLOCK);
export const cipherWith = (key: Buffer): Cipheriv => createCipheriv(CIPHER, key, null);
const decipherWith = (key: Buffer): Decipheriv => createDecipheriv(CIPHER, key, null);

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
      `${path} is an address, and an import reads an archive: run npx strapi export --no-encrypt --file backup in the Strapi project, then npx edgewise import backup.tar.gz`,
    );
  const file = openSync(path, 'r');
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

/** @throws the system's error; UserError for what is no file. */
export const assertFile = (path: string): void => void headOf(path);

export const looksEnciphered = (path: string): boolean => {
  const { head } = headOf(path);
  return packingOf(head) === undefined && path.endsWith('.enc');
};

/**
 * Finds out how an archive is packed.
 * @throws the system's error; UserError for a file that is no archive, and for a key that does not open it.
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
  const blocks = head.subarray(0, head.length - (head.length % CIPHER_BLOCK));
  const packing = packingOf(decipherWith(cipherKey).setAutoPadding(false).update(blocks));
  if (!packing) throw new UserError(`The key does not open ${path}, or it is no archive of Strapi`);
  return { path, name, size, cipherKey, packing };
}

/** The stages from the file to the tar. @param see gets the bytes of the file. */
export function stagesOf({ path, cipherKey, packing }: ArchiveFile, see: (chunk: Buffer) => void) {
  return [
    createReadStream(path, { highWaterMark: CHUNK }).on('data', (chunk) => see(chunk as Buffer)),
    ...(cipherKey ? [decipherWith(cipherKey)] : []),
    ...(packing === 'gzip' ? [createGunzip({ chunkSize: CHUNK })] : []),
  ];
}

const KEY_VARIABLE = 'EDGEWISE_IMPORT_KEY';

/** Returns the key of an enciphered archive: the one that is given, from the environment, or from the terminal. */
export async function keyOfArchive(path: string, key = process.env[KEY_VARIABLE]): Promise<string | undefined> {
  if (key !== undefined || !process.stdin.isTTY || !looksEnciphered(path)) return key;
  return askTerminal('Key of the archive (it is shown as you type): ');
}
