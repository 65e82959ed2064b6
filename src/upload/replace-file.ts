/**
 * @module `POST /api/upload?id=`: a file keeps its place, its hash and its URL, and gets other bytes or other words.
 */
import { type Credential, doubted } from '../auth/credential.ts';
import { performRead } from '../auth/perform.ts';
import type { Document } from '../document/assemble.ts';
import { ApiError, notFound } from '../errors.ts';
import { AssertionFailed, CONFLICT } from '../sql/batch.ts';
import { fileById, keysOf, refuse, type StoredFile, storedFile, type UploadCall } from './call.ts';
import type { Deposit } from './deposit.ts';
import type { FileInfo } from './file-info.ts';
import type { Received } from './receive-file.ts';
import { storeReceived } from './store-received.ts';
import { updateFile } from './write-file.ts';

const ATTEMPTS = 5;

const isConflict = (error: unknown): boolean => error instanceof AssertionFailed && error.code === CONFLICT;

/** @throws ApiError 404 when the file was deleted meanwhile. */
async function readAgain(call: UploadCall, credential: Credential, id: number): Promise<StoredFile> {
  const { value } = await performRead(call, doubted(credential), ({ grants }) => {
    refuse(grants, 'upload');
    return { statements: [fileById(id)], finish: ([rows = []]) => storedFile(rows[0]) };
  });
  if (!value) throw notFound('Entity not found');
  return value;
}

/** Writes the row, whoever else writes it at the same time: the last one counts. */
async function write(
  call: UploadCall,
  credential: Credential,
  file: StoredFile,
  data: Readonly<Record<string, unknown>>,
): Promise<Document> {
  let current = file;
  for (let tries = 0; tries < ATTEMPTS; tries += 1) {
    try {
      return await updateFile(call, credential, current, data);
    } catch (error) {
      if (!isConflict(error)) throw error;
      current = await readAgain(call, credential, file.id);
    }
  }
  throw new ApiError({ kind: 'overloaded', retryAfter: 1 });
}

/** What is not said stays as it is. */
export const replaceInfo = (
  call: UploadCall,
  credential: Credential,
  file: StoredFile,
  info: FileInfo,
): Promise<Document> => write(call, credential, file, { ...info });

/**
 * The new bytes take the old key. Formats that the new file has no more go before the row is written, so that a
 * request that failed can be sent again until nothing is left of the old file.
 */
export async function replaceBytes(
  call: UploadCall,
  credential: Credential,
  file: StoredFile,
  received: Received,
  info: FileInfo,
  deposit: Deposit,
): Promise<Document> {
  const { url: _, ...data } = await storeReceived(received, info, call, deposit, file.hash);
  const kept = new Set(keysOf({ ...file, formats: data.formats as StoredFile['formats'] }));
  const stale = keysOf(file).filter((key) => !kept.has(key));
  if (stale.length > 0) await call.bucket.delete(stale);
  return write(call, credential, file, data);
}
