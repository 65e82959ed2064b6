/**
 * @module Reads the files of an archive in their order. Unpacks nothing to the disk.
 */
import { pipeline } from 'node:stream/promises';
import { extract } from 'tar-stream';
import { kindOf } from '../../../src/common/kinds.ts';
import { UserError } from '../terminal.ts';
import { type ArchiveFile, stagesOf } from './archive-file.ts';

export type Stage = 'schemas' | 'entities' | 'links' | 'configuration';

/** Of a file in an archive: which it is, by its name. */
type EntryKind =
  | { readonly kind: 'metadata' | 'sidecar' | 'unknown' }
  | { readonly kind: 'lines'; readonly stage: Stage }
  | { readonly kind: 'upload'; readonly key: string };

export const isUpload = kindOf('upload');

export interface Entry {
  readonly name: string;
  readonly size: number;
  readonly is: EntryKind;
  /** May be left unread. */
  readonly bytes: AsyncIterable<Buffer>;
}

/**
 * `./schemas/…` of other tar programs and `schemas\…` of Windows are the same as `schemas/…`.
 * @throws UserError for a name that leads out of the archive.
 */
function normalised(name: string): string {
  if (name.startsWith('/') || /^[a-z]:/i.test(name) || name.split('/').includes('..') || name.includes('\0'))
    throw new UserError(`The archive has a file whose name leads out of it: ${JSON.stringify(name.slice(0, 200))}`);
  return name.replaceAll('\\', '/').replace(/^(\.\/)+/, '');
}

const LINES_OR_UPLOAD = /^(?:(schemas|entities|links|configuration)\/\1_\d+\.jsonl|assets\/uploads\/([^/]+))$/;

function kindOfFile(name: string): EntryKind {
  const [, stage, key] = LINES_OR_UPLOAD.exec(name) ?? [];
  if (stage !== undefined) return { kind: 'lines', stage: stage as Stage };
  if (key !== undefined) return { kind: 'upload', key };
  if (name === 'metadata.json') return { kind: 'metadata' };
  return { kind: /^assets\/metadata\/[^/]+\.json$/.test(name) ? 'sidecar' : 'unknown' };
}

const CUT = /unexpected end|premature close|wrong final block length/i;
const DAMAGED = /incorrect|invalid|too far|bad decrypt|unknown format|Z_/i;

/** Replaces errors of zlib, the cipher and the tar reader about damaged bytes by user errors. */
function translated(error: unknown, { path, cipherKey }: ArchiveFile): unknown {
  if (!(error instanceof Error) || error instanceof UserError) return error;
  const { code } = error as NodeJS.ErrnoException;
  const text = `${code ?? ''} ${error.message}`;
  if (CUT.test(text)) return new UserError(`${path} is cut: it ends in the middle of its content`);
  if (!DAMAGED.test(text)) return error;
  const why = cipherKey ? ', or the key is wrong' : '';
  return new UserError(`${path} is damaged${why}: ${error.message}`);
}

/** The bytes of one file, with the errors of `translated`. */
async function* bytesOf(bytes: AsyncIterable<Buffer>, file: ArchiveFile): AsyncGenerator<Buffer> {
  try {
    yield* bytes;
  } catch (error) {
    throw translated(error, file);
  }
}

/**
 * The files of an archive.
 * @param see gets the bytes of the archive's file.
 * @throws UserError for an archive that is cut or damaged, and for names that lead out of it.
 */
export async function* readEntries(file: ArchiveFile, see: (chunk: Buffer) => void): AsyncGenerator<Entry> {
  const tar = extract();
  let failure: unknown;
  const finished = pipeline([...stagesOf(file, see), tar]).catch((error: unknown) => {
    failure = error;
  });
  try {
    for await (const entry of tar) {
      const { name, size = 0, type } = entry.header;
      const clean = normalised(name);
      if (type === 'file' || type === 'contiguous-file')
        yield { name: clean, size, is: kindOfFile(clean), bytes: bytesOf(entry as AsyncIterable<Buffer>, file) };
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
