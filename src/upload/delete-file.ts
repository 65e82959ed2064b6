/**
 * @module `DELETE /api/upload/files/:id`: the bytes, then the row and everything that links to it.
 */

import { notFound } from '../common/errors.ts';
import type { Document } from '../document/document.ts';
import { shownRow } from '../operations/system-rows.ts';
import { NO_LOCALE } from '../plan/model/versions.ts';
import { planDelete } from '../plan/write/plan-delete.ts';
import { namedDocument } from '../registry/document-ref.ts';
import { rowId } from '../request/plain-params.ts';
import { constant } from '../sql/compiled.ts';
import { fileById } from '../sql/files.ts';
import { compileWrite } from '../sql/write/mutate.ts';
import { dropPictures, fileType, isKnown, keysOf, type UploadCall, withUploadGrant } from './call.ts';
import { assertUnchangedFile } from './write-file.ts';

/** Deletes the row last, so that a partial delete can be repeated. Returns the file. @throws ApiError 404 */
export const deleteFile = (call: UploadCall): Promise<Document> =>
  withUploadGrant(call, 'destroy', { source: 'primary' }, async (caller) => {
    const file = await caller.read(fileById(rowId(call.id)));
    if (!file || !isKnown(file, call, caller)) throw notFound('file.notFound');
    await call.bucket.delete([...keysOf(file)]);
    const type = fileType(call);
    const plan = planDelete({ type, document: namedDocument(file.documentId), locale: NO_LOCALE }, call.registry);
    const deleted = await caller.write({
      statements: [assertUnchangedFile(call, file), ...compileWrite(plan)],
      result: constant({ ...shownRow(file.row, type, call, caller), isUrlSigned: false }),
      effectsOf: plan,
    });
    await dropPictures(call, [file]);
    return deleted;
  });
