/**
 * @module Reads the file of a backup twice: first to compare the checksums, then to restore it.
 */
import { createHash } from 'node:crypto';
import { looksEnciphered, openArchive } from '../core/archive/archive-file.ts';
import { type Entry, readEntries } from '../core/archive/entries.ts';
import { joined } from '../core/bytes.ts';
import { counted } from '../core/counted.ts';
import { UserError } from '../core/terminal.ts';
import { type Checksum, MANIFEST, type Manifest, parseManifest } from './manifest.ts';

/** @param report gets how many bytes of the file were read, each time. */
export const backupEntries = (path: string, report: (bytes: number) => void): AsyncGenerator<Entry> =>
  readEntries(openArchive(path, undefined), ({ length }) => report(length));

async function checksumOf({ bytes }: Entry): Promise<Checksum> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of bytes) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { size, sha256: hash.digest('hex') };
}

/** @throws UserError for a file that is missing or differs from the manifest. */
function assertSame({ files, tables, objects }: Manifest, found: ReadonlyMap<string, Checksum>, path: string): void {
  const names = new Set([...Object.keys(files), ...[...tables, ...objects].map(({ file }) => file)]);
  const wrong = [...names].filter((name) => {
    const [stated, actual] = [files[name], found.get(name)];
    return !stated || stated.sha256 !== actual?.sha256 || stated.size !== actual.size;
  });
  if (wrong.length === 0) return;
  throw new UserError(
    `${path} is damaged: ${counted(wrong.length, 'file')} in it changed since, such as ${wrong[0]}. Nothing was changed`,
  );
}

/**
 * Reads all of a backup and compares it with its checksums.
 * @throws UserError for a file that is no backup, or is cut or damaged.
 */
export async function verifyBackup(path: string, report: (bytes: number) => void): Promise<Manifest> {
  if (looksEnciphered(path))
    throw new UserError(
      `${path} is no backup: it is enciphered, as only exports can be. To import an export, set EDGEWISE_IMPORT_KEY to its key: npm run import -- ${path}`,
    );
  const found = new Map<string, Checksum>();
  let manifest: Manifest | undefined;
  for await (const entry of backupEntries(path, report)) {
    if (entry.name === MANIFEST) manifest = parseManifest((await joined(entry.bytes)).toString(), path);
    else found.set(entry.name, await checksumOf(entry));
  }
  if (!manifest && found.has('metadata.json'))
    throw new UserError(`${path} is no backup but an export. To import it: npm run import -- ${path}`);
  if (!manifest) throw new UserError(`${path} is no backup: it has no ${MANIFEST}`);
  assertSame(manifest, found, path);
  return manifest;
}
