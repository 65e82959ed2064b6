/**
 * @module Writes the file of a backup: a gzipped tar whose last entry, the manifest, has the checksums of all others.
 */
import { createHash } from 'node:crypto';
import { writeArchive } from '../core/archive/archive-writer.ts';
import { type Chunks, seen } from '../core/bytes.ts';
import { type Checksum, MANIFEST } from './manifest.ts';

export function openBackup(path: string) {
  const archive = writeArchive(path, undefined);
  const checksums: Record<string, Checksum> = {};
  return {
    async stream(name: string, size: number, bytes: Chunks): Promise<void> {
      const hash = createHash('sha256');
      await archive.stream(
        name,
        size,
        seen(bytes, (chunk) => hash.update(chunk)),
      );
      checksums[name] = { size, sha256: hash.digest('hex') };
    },
    checksums,
    async finish(manifest: string): Promise<void> {
      await archive.file(MANIFEST, Buffer.from(manifest));
      await archive.finish();
    },
    giveUp: archive.giveUp,
  };
}

export type BackupWriter = ReturnType<typeof openBackup>;
