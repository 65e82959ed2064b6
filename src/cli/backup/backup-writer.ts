/**
 * @module The file of a backup: a gzipped tar whose last file states what all the others are.
 */
import { createHash } from 'node:crypto';
import { writeArchive } from '../core/archive/archive-writer.ts';
import type { Chunks } from '../core/bytes.ts';
import { type FileNote, MANIFEST } from './manifest.ts';

export interface BackupWriter {
  /** @param bytes so many as `size` says. */
  stream(name: string, size: number, bytes: Chunks): Promise<void>;
  /** Of each file so far. */
  notes(): Readonly<Record<string, FileNote>>;
  finish(manifest: string): Promise<void>;
  /** Leaves nothing behind. */
  giveUp(): Promise<void>;
}

export function openBackup(path: string): BackupWriter {
  const archive = writeArchive(path, undefined);
  const notes: Record<string, FileNote> = {};
  return {
    async stream(name, size, bytes) {
      const hash = createHash('sha256');
      async function* hashed(): AsyncGenerator<Uint8Array> {
        for await (const chunk of bytes) {
          hash.update(chunk);
          yield chunk;
        }
      }
      await archive.stream(name, size, hashed());
      notes[name] = { size, sha256: hash.digest('hex') };
    },
    notes: () => notes,
    async finish(manifest) {
      await archive.file(MANIFEST, Buffer.from(manifest));
      await archive.finish();
    },
    giveUp: archive.giveUp,
  };
}
