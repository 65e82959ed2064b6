/**
 * @module Replacing the bytes of a file, under a new key or under the same one.
 */
import { ApiError, isProblem } from '../../common/errors.ts';
import { keysOf, type UploadCall } from './call.ts';
import type { FileInfo } from './file-info.ts';
import { isPrivateKey } from './names.ts';
import { dropPictures } from './pictures/drop-pictures.ts';
import type { Received, Replacement } from './received.ts';
import { fileById, type StoredFile } from './sql/files.ts';
import { deleteObjects, type UploadTransaction } from './storage.ts';
import { storeReceived } from './store-file.ts';

export interface Replacing extends Replacement {
  readonly transaction: UploadTransaction;
  /** The file when the write was last planned. */
  replaced?: StoredFile;
  /** Has it gone to the other bucket since? Then it has none of the keys of this request. */
  hasMoved?: true;
}

export const keepsUrl = ({ settings }: Pick<UploadCall, 'settings'>): boolean => settings.upload.replace === 'same-url';

/**
 * Stores the new bytes under the old key. Deletes unused formats before it writes the row, so that a failed request can be
 * repeated. A replanned request stores its bytes again, so that row and bytes belong to one request, unless the bytes
 * came in parts.
 */
async function inPlace(
  call: UploadCall,
  file: StoredFile,
  received: Received,
  info: FileInfo,
  transaction: UploadTransaction,
) {
  const { url: _, ...data } = await storeReceived(received, info, call, transaction, file, file.hash);
  const kept = new Set(keysOf({ ...file, formats: data.formats }));
  const stale = keysOf(file).filter((key) => !kept.has(key));
  if (stale.length > 0) await call.bucket.delete(stale);
  return data;
}

/** Stores the new bytes, only once under a new key, and returns the values of the file. */
export async function replaceFile(
  call: UploadCall,
  file: StoredFile,
  received: Received,
  info: FileInfo,
  progress: Replacing,
) {
  if (keepsUrl(call)) return inPlace(call, file, received, info, progress.transaction);
  progress.replacement ??= await storeReceived(received, info, call, progress.transaction, file);
  return progress.replacement;
}

/**
 * Notes the file of an attempt.
 * @throws ApiError 503 if it has gone to the other bucket since the attempt before, which has put bytes into the former one
 */
export function noteReplaced(progress: Replacing, target: StoredFile | undefined): void {
  const { replaced } = progress;
  if (replaced && target && isPrivateKey(replaced.hash) !== isPrivateKey(target.hash)) {
    progress.hasMoved = true;
    throw new ApiError({ kind: 'overloaded', retryAfter: 1 });
  }
  if (target) progress.replaced = target;
}

/** Deletes the objects that a file had before the commit. */
export async function dropReplaced(call: UploadCall, { replaced, replacement }: Replacing): Promise<void> {
  if (replaced && replacement) await deleteObjects(call.bucket, keysOf(replaced));
}

/** Was the file deleted concurrently? Nothing else causes a 404 after authorization. */
const isGone = (error: unknown): boolean => isProblem(error, 'not-found');

/** Reads the keys of the file's current objects. @throws Error if the database fails. */
async function currentKeys(call: UploadCall, { id }: StoredFile): Promise<ReadonlySet<string>> {
  const { statements, decode } = fileById(id);
  const file = decode(await call.database.read(statements, 'primary'));
  return new Set(file ? keysOf(file) : []);
}

/**
 * Deletes the objects of a request that failed or was a repeat. Its commit outcome may be unknown: then it deletes the objects that the row does
 * not name, and none if the row cannot be read.
 */
export async function undoReplacing(call: UploadCall, progress: Replacing, error?: unknown): Promise<void> {
  const { transaction, replaced, replacement } = progress;
  if (!replaced || progress.hasMoved) return transaction.undo();
  if (!replacement) {
    if (!keepsUrl(call) || isGone(error)) return transaction.undo();
    await transaction.undo(new Set(keysOf(replaced)));
    return dropPictures(call, [replaced]);
  }
  const kept = await currentKeys(call, replaced).catch((cause: Error) => {
    const file = replaced.documentId;
    console.error(JSON.stringify({ message: 'objects of a file were left', file, cause: cause.message }));
    return undefined;
  });
  if (!kept) return;
  await transaction.undo(kept);
  await deleteObjects(
    call.bucket,
    keysOf(replaced).filter((key) => !kept.has(key)),
  );
}
