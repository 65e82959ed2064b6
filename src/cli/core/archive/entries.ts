/**
 * @module What is in an archive, file by file, in the order in which it lies there. Nothing is unpacked to the disk.
 */
import type { Hash } from 'node:crypto';
import { pipeline } from 'node:stream';
import { extract } from 'tar-stream';
import { UserError } from '../terminal.ts';
import { type ArchiveFile, stagesOf } from './archive-file.ts';

export type Stage = 'schemas' | 'entities' | 'links' | 'configuration';

/** Of a file in an archive: which it is, by its name. */
export type EntryKind =
  | { readonly kind: 'metadata' }
  | { readonly kind: 'lines'; readonly stage: Stage }
  | { readonly kind: 'upload'; readonly key: string }
  | { readonly kind: 'sidecar'; readonly key: string }
  | { readonly kind: 'unknown' };

export interface Entry {
  readonly name: string;
  readonly size: number;
  readonly is: EntryKind;
  /** May be left unread. */
  readonly bytes: AsyncIterable<Buffer>;
}

const LINES = /^(schemas|entities|links|configuration)\/\1_\d+\.jsonl$/;
const UPLOAD = /^assets\/uploads\/([^/]+)$/;
const SIDECAR = /^assets\/metadata\/([^/]+)\.json$/;

/** `./schemas/…` of other tar programs and `schemas\…` of Windows are the same as `schemas/…`. */
const normalised = (name: string): string => name.replaceAll('\\', '/').replace(/^(\.\/)+/, '');

/** @throws UserError for a name that leads out of the archive. */
function checked(name: string): string {
  if (name.startsWith('/') || /^[a-z]:/i.test(name) || name.split('/').includes('..') || name.includes('\0'))
    throw new UserError(`The archive has a file whose name leads out of it: ${JSON.stringify(name.slice(0, 200))}`);
  return name;
}

export function kindOf(name: string): EntryKind {
  if (name === 'metadata.json') return { kind: 'metadata' };
  const stage = LINES.exec(name)?.[1];
  if (stage !== undefined) return { kind: 'lines', stage: stage as Stage };
  const upload = UPLOAD.exec(name)?.[1];
  if (upload !== undefined) return { kind: 'upload', key: upload };
  const sidecar = SIDECAR.exec(name)?.[1];
  return sidecar === undefined ? { kind: 'unknown' } : { kind: 'sidecar', key: sidecar };
}

const CUT = /unexpected end|premature close|wrong final block length/i;
const DAMAGED = /incorrect|invalid|too far|bad decrypt|unknown format|Z_/i;

/** What zlib, the cipher and the tar reader say of broken bytes, in words of ours. */
function translated(error: unknown, { path, cipherKey }: ArchiveFile): unknown {
  if (!(error instanceof Error) || error instanceof UserError) return error;
  const { code } = error as NodeJS.ErrnoException;
  const text = `${code ?? ''} ${error.message}`;
  if (CUT.test(text)) return new UserError(`${path} is cut: it ends in the middle of its content`);
  if (!DAMAGED.test(text)) return error;
  const why = cipherKey ? ', or the key is wrong' : '';
  return new UserError(`${path} is damaged${why}: ${error.message}`);
}

/** The bytes of one file; what goes wrong below them is told in words of ours. */
async function* bytesOf(bytes: AsyncIterable<Buffer>, file: ArchiveFile): AsyncGenerator<Buffer> {
  try {
    yield* bytes;
  } catch (error) {
    throw translated(error, file);
  }
}

/**
 * The files of an archive.
 * @param told how many bytes of the archive's file were read, each time.
 * @throws UserError for an archive that is cut or damaged, and for names that lead out of it.
 */
export async function* readEntries(
  file: ArchiveFile,
  told: (bytes: number) => void = () => undefined,
  hash?: Hash,
): AsyncGenerator<Entry> {
  const tar = extract();
  let failure: unknown;
  const finished = new Promise<void>((resolve) => {
    pipeline([...stagesOf(file, told, hash), tar], (error) => {
      failure = error ?? undefined;
      resolve();
    });
  });
  try {
    for await (const entry of tar) {
      const { name, size = 0, type } = entry.header;
      const clean = normalised(checked(name));
      if (type === 'file' || type === 'contiguous-file')
        yield { name: clean, size, is: kindOf(clean), bytes: bytesOf(entry as AsyncIterable<Buffer>, file) };
      entry.resume();
    }
    await finished;
    if (failure) throw failure;
  } catch (error) {
    throw translated(failure ?? error, file);
  } finally {
    tar.destroy();
    await finished;
  }
}
