/**
 * @module Writes a gzipped tar, with a key an enciphered one. It has another name until it is complete.
 */
import { createWriteStream, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import type { Chunks } from '../bytes.ts';
import { atExit, OWN_MARK, reportLeftovers } from '../leftovers.ts';
import { cipherKeyOf, cipherWith } from './archive-file.ts';

function stagesOf(path: string, passphrase: string | undefined) {
  const cipher = passphrase === undefined ? [] : [cipherWith(cipherKeyOf(passphrase))];
  // Opened at once: what cannot be written is known before anything is read.
  const file = createWriteStream(path, { fd: openSync(path, 'w', 0o600) });
  return [createGzip({ level: 6 }), ...cipher, file];
}

/** Opens an archive that only its owner may read, since it contains hashes of passwords. */
export function writeArchive(path: string, passphrase: string | undefined) {
  const unfinished = `${path}.${OWN_MARK}.part`;
  const remove = () => rmSync(unfinished, { force: true });
  const stages = stagesOf(unfinished, passphrase);
  const forget = atExit(remove);
  reportLeftovers(dirname(path));
  const tar = pack();
  let failure: unknown;
  const written = pipeline([tar, ...stages]).catch((error: unknown) => {
    // Failures of a write do not state the file.
    failure = (error as NodeJS.ErrnoException).syscall === 'write' ? Object.assign(error as Error, { path }) : error;
  });
  /** @param bytes so many as `size` says. */
  const stream = async (name: string, size: number, bytes: Chunks): Promise<void> => {
    if (failure) throw failure;
    await pipeline(bytes, tar.entry({ name, size, mode: 0o644 }) as Writable).catch(async (error: unknown) => {
      // Where the disk has failed, the entry fails first, and does not state why.
      await nextTurn();
      throw failure ?? error;
    });
  };
  return {
    file: (name: string, bytes: Buffer) => stream(name, bytes.length, [bytes]),
    stream,
    async finish(): Promise<void> {
      tar.finalize();
      await written;
      if (failure) throw failure;
      renameSync(unfinished, path);
      forget();
    },
    /** Leaves nothing behind. */
    async giveUp(): Promise<void> {
      tar.destroy();
      await written;
      forget();
      remove();
    },
  };
}

export type ArchiveWriter = ReturnType<typeof writeArchive>;
