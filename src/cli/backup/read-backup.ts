/**
 * @module The file of a backup, read: first all of it, to compare each checksum, and then once more for what is in it.
 */
import { createHash } from 'node:crypto';
import { looksEnciphered, openArchive } from '../core/archive/archive-file.ts';
import { type Entry, readEntries } from '../core/archive/entries.ts';
import { joined } from '../core/bytes.ts';
import { UserError } from '../core/terminal.ts';
import { type FileNote, MANIFEST, type Manifest, parseManifest } from './manifest.ts';

async function noteOf({ bytes }: Entry): Promise<FileNote> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of bytes) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { size, sha256: hash.digest('hex') };
}

/** @throws UserError for a file that is not as the manifest says, or is not there. */
function assertSame({ files, tables, objects }: Manifest, found: ReadonlyMap<string, FileNote>, path: string): void {
  const wanted = new Set([...Object.keys(files), ...[...tables, ...objects].map(({ file }) => file)]);
  const wrong = [...wanted].filter((name) => {
    const [said, note] = [files[name], found.get(name)];
    return !said || !note || said.sha256 !== note.sha256 || said.size !== note.size;
  });
  if (wrong.length === 0) return;
  throw new UserError(
    `${path} is damaged: ${wrong.length} of its files are not as they were written, such as ${wrong[0]}. Nothing was changed`,
  );
}

/**
 * Reads all of a backup and compares it with its checksums.
 * @throws UserError for a file that is none, or is cut or damaged.
 */
export async function verifyBackup(path: string, told: (bytes: number) => void): Promise<Manifest> {
  if (looksEnciphered(path))
    throw new UserError(
      `${path} is no backup: it is enciphered, as exports alone can be. To import an export, set EDGEWISE_IMPORT_KEY to its key: npm run import -- ${path}`,
    );
  const found = new Map<string, FileNote>();
  let manifest: Manifest | undefined;
  for await (const entry of readEntries(openArchive(path, undefined), told)) {
    if (entry.name === MANIFEST) manifest = parseManifest((await joined(entry.bytes)).toString(), path);
    else found.set(entry.name, await noteOf(entry));
  }
  if (!manifest && found.has('metadata.json'))
    throw new UserError(`${path} is no backup but an export. To import it: npm run import -- ${path}`);
  if (!manifest) throw new UserError(`${path} is no backup: it has no ${MANIFEST}`);
  assertSame(manifest, found, path);
  return manifest;
}

/** The files of a backup, one after the other. */
export const backupEntries = (path: string, told: (bytes: number) => void): AsyncGenerator<Entry> =>
  readEntries(openArchive(path, undefined), told);
