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
import { againWhenMet, assertUnchanged } from './write-file.ts';

/**
 * The row goes last: as long as it is there, a delete that failed half-way can be repeated.
 * @returns the file that was.
 * @throws ApiError 404 when there is none.
 */
export const deleteFile = (call: UploadCall): Promise<Document> =>
  againWhenMet(async () => {
    const { value: file, credential } = await performRead(call, call.credential, ({ grants }) => {
      refuse(grants, 'destroy');
      return { statements: [fileById(rowId(call.id))], finish: ([rows = []]) => storedFile(rows[0]) };
    });
    if (!file) throw notFound('file.notFound');
    await call.bucket.delete([...keysOf(file)]);
    const plan = planDelete(NO_PARAMS, fileType(call), file.documentId, readerOf(call, credential));
    // The caller was confirmed when the row was read. Only new bytes, put there since, may keep the row from going.
    await call.database.run([assertUnchanged(call, file), ...compileWrite(plan)], 'write');
    return shownRow(file.row, call, credential);
  });
