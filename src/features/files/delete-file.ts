/**
 * @module `DELETE /api/upload/files/:id`: the row and everything that links to it, then the bytes.
 */

import { notFound } from '../../common/errors.ts';
import type { Document } from '../../content/document/document.ts';
import { shownRow } from '../../content/operations/system-rows.ts';
import { NO_LOCALE } from '../../content/plan/model/versions.ts';
import { planDelete } from '../../content/plan/write/plan-delete.ts';
import { constant } from '../../content/sql/compiled.ts';
import { compileWrite } from '../../content/sql/write/mutate.ts';
import { namedDocument } from '../../schema/document-ref.ts';
import { fileType, isKnown, type UploadCall, withUploadGrant } from './call.ts';
import { deleteFilesJustLeft } from './left-files.ts';
import { fileNamed } from './sql/files.ts';
import { leaveFile } from './sql/left-files.ts';
import { assertUnchangedFile } from './write-file.ts';

/** Bytes that cannot be deleted after the commit are left to the cron trigger. Returns the file. @throws ApiError 404 */
export async function deleteFile(call: UploadCall): Promise<Document> {
  const { deleted, hash } = await withUploadGrant(call, 'destroy', { source: 'primary' }, async (caller) => {
    const file = await caller.read(fileNamed(call.row));
    if (!file || !isKnown(file, call, caller)) throw notFound('file.notFound');
    const type = fileType(call);
    const plan = planDelete(
      { kind: 'document', type, document: namedDocument(file.documentId), locale: NO_LOCALE },
      call.registry,
    );
    const deleted = await caller.write({
      statements: [assertUnchangedFile(call, file), leaveFile(file), ...compileWrite(plan)],
      result: constant({ ...shownRow(file.row, type, call, caller), isUrlSigned: false }),
      effectsOf: plan,
    });
    return { deleted, hash: file.hash };
  });
  await deleteFilesJustLeft(call, { hash });
  return deleted;
}
