/**
 * @module `DELETE /api/upload/files/:id`: the bytes, then the row and everything that links to it.
 */
import { performRead } from '../auth/perform.ts';
import type { Document } from '../document/assemble.ts';
import { notFound } from '../errors.ts';
import { planDelete } from '../plan/plan-delete.ts';
import { NO_PARAMS, rowId } from '../request/plain-params.ts';
import { compileWrite } from '../sql/mutate.ts';
import { fileById, fileType, keysOf, readerOf, refuse, shownRow, storedFile, type UploadCall } from './call.ts';

/**
 * The row goes last: as long as it is there, a delete that failed half-way can be repeated.
 * @returns the file that was.
 * @throws ApiError 404 when there is none.
 */
export async function deleteFile(call: UploadCall): Promise<Document> {
  const { value: file, credential } = await performRead(call, call.credential, ({ grants }) => {
    refuse(grants, 'destroy');
    return { statements: [fileById(rowId(call.id))], finish: ([rows = []]) => storedFile(rows[0]) };
  });
  if (!file) throw notFound('file.notFound');
  await call.bucket.delete([...keysOf(file)]);
  const plan = planDelete(NO_PARAMS, fileType(call), file.documentId, readerOf(call, credential));
  // The caller was confirmed when the row was read. The bytes are gone since, so nothing may keep the row from going.
  await call.database.run(compileWrite(plan), 'write');
  return shownRow(file.row, call, credential);
}
