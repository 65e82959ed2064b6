/**
 * @module Other bytes for a file that is there: under a key of their own, or under the one that it has.
 */
import { ApiError } from '../errors.ts';
import { fileById, type StoredFile } from '../sql/files.ts';
import { keysOf, type UploadCall } from './call.ts';
import type { FileInfo } from './file-info.ts';
import { type Deposit, deleteObjects, type Received, type StoredFileValues, storeReceived } from './storage.ts';

/** What a request knows of the file it is about. */
export interface Replacing {
  readonly deposit: Deposit;
  /** The file as it was when the write was planned last. */
  replaced?: StoredFile;
  /** Its values under a new key. */
  replacement?: StoredFileValues;
}

export const keepsUrl = ({ settings }: Pick<UploadCall, 'settings'>): boolean => settings.upload.replace === 'same-url';

/**
 * Stores the new bytes under the old key. Deletes formats that the new file lacks before it writes the row, so that a
 * failed request can be repeated until nothing is left of the old file. A request that finds the row changed stores its
 * bytes again, so that row and bytes belong to one request, unless the bytes came in parts.
 */
async function inPlace(call: UploadCall, file: StoredFile, received: Received, info: FileInfo, deposit: Deposit) {
  const { url: _, ...data } = await storeReceived(received, info, call, deposit, file.hash);
  const kept = new Set(keysOf({ ...file, formats: data.formats }));
  const stale = keysOf(file).filter((key) => !kept.has(key));
  if (stale.length > 0) await call.bucket.delete(stale);
  return data;
}

/**
 * Stores the new bytes, once however often the write is planned, unless they take the old key.
 * @returns the values that the file gets.
 */
export async function replaceFile(
  call: UploadCall,
  file: StoredFile,
  received: Received,
  info: FileInfo,
  progress: Replacing,
) {
  if (keepsUrl(call)) return inPlace(call, file, received, info, progress.deposit);
  progress.replacement ??= await storeReceived(received, info, call, progress.deposit);
  return progress.replacement;
}

/** Takes out the bytes that a file had before the commit. */
export async function dropReplaced(call: UploadCall, { replaced, replacement }: Replacing): Promise<void> {
  if (replaced && replacement) await deleteObjects(call.bucket, keysOf(replaced));
}

/** Was the file deleted concurrently? After authorization that is the only cause of a 404. */
const isGone = (error: unknown): boolean => error instanceof ApiError && error.problem.kind === 'not-found';

/** The objects that belong to the file now. @throws Error when the database cannot be asked. */
async function keysNow(call: UploadCall, { id }: StoredFile): Promise<ReadonlySet<string>> {
  const { statements, decode } = fileById(id);
  const file = decode(await call.database.read(statements, 'primary'));
  return new Set(file ? keysOf(file) : []);
}

/**
 * Takes out what a request that failed has put into the bucket. Its write may have been done all the same: then the
 * row tells which bytes are those of the file, and all others go. Where nobody can tell, both stay.
 */
export async function undoReplacing(call: UploadCall, progress: Replacing, error: unknown): Promise<void> {
  const { deposit, replaced, replacement } = progress;
  if (!replaced || (keepsUrl(call) && isGone(error))) return deposit.undo();
  if (keepsUrl(call)) return deposit.undo(new Set(keysOf(replaced)));
  if (!replacement) return deposit.undo();
  const kept = await keysNow(call, replaced).catch((cause: Error) => {
    const file = replaced.documentId;
    console.error(JSON.stringify({ message: 'objects of a file were left', file, cause: cause.message }));
    return undefined;
  });
  if (!kept) return;
  await deposit.undo(kept);
  await deleteObjects(
    call.bucket,
    keysOf(replaced).filter((key) => !kept.has(key)),
  );
}
