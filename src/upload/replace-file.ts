/**
 * @module `POST /api/upload?id=`: a file keeps its place, its hash and its URL, and gets other bytes or other words.
 */
import { type Credential, doubted } from '../auth/credential.ts';
import { performRead } from '../auth/perform.ts';
import type { Document } from '../document/assemble.ts';
import { notFound } from '../errors.ts';
import type { InputData } from '../request/body.ts';
import { fileById, keysOf, refuse, type StoredFile, storedFile, type UploadCall } from './call.ts';
import type { FileInfo } from './file-info.ts';
import { type Deposit, type Received, storeReceived } from './storage.ts';
import { againWhenMet, updateFile } from './write-file.ts';

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
  dataFor: (current: StoredFile) => Promise<InputData>,
): Promise<Document> {
  return againWhenMet(async (again) => {
    const current = again ? await readAgain(call, credential, file.id) : file;
    return updateFile(call, credential, current, await dataFor(current));
  });
}

/** What is not said stays as it is. */
export const replaceInfo = (
  call: UploadCall,
  credential: Credential,
  file: StoredFile,
  info: FileInfo,
): Promise<Document> => write(call, credential, file, async () => ({ ...info }));

/**
 * The new bytes take the old key. Formats that the new file has no more go before the row is written, so that a
 * request that failed can be sent again until nothing is left of the old file. Whoever finds the row changed puts its
 * bytes there again, so that row and bytes are of one request, unless the bytes came in parts.
 */
export const replaceBytes = (
  call: UploadCall,
  credential: Credential,
  file: StoredFile,
  received: Received,
  info: FileInfo,
  deposit: Deposit,
): Promise<Document> =>
  write(call, credential, file, async (current) => {
    const { url: _, ...data } = await storeReceived(received, info, call, deposit, current.hash);
    const kept = new Set(keysOf({ ...current, formats: data.formats as StoredFile['formats'] }));
    const stale = keysOf(current).filter((key) => !kept.has(key));
    if (stale.length > 0) await call.bucket.delete(stale);
    return data;
  });
