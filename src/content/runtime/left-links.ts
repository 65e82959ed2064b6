/**
 * @module Deletes the links of deleted documents that had no room in their transaction, in steps: no read shows them.
 */

import { namedDocument } from '../../schema/document-ref.ts';
import { endKey, endsAfter } from '../plan/model/link-tables.ts';
import type { DeletedRows } from '../plan/model/write-plan.ts';
import { unlinkAll } from '../sql/write/links.ts';
import { continueTask, endTasks, selectLeftLinks } from '../sql/write/tasks.ts';
import type { SystemCall } from './call.ts';

/** Ends of a step, a statement each: it has room beside a deletion. */
const STEP = 300;

/** Deletes only links without a row. Those of a type that has gone, or has another name, stay. */
export async function deleteLeftLinks({
  database,
  registry,
}: Pick<SystemCall, 'database' | 'registry'>): Promise<void> {
  const left = selectLeftLinks.decode(await database.read(selectLeftLinks.statements, 'primary'));
  if (!left) return;
  const { task, uid, documentId, after } = left;
  const type = registry.contentTypes.get(uid);
  const ends = type ? endsAfter(after, type, registry).slice(0, STEP) : [];
  const last = ends.at(-1);
  if (!type || !last) return void (await database.write([endTasks([task])]));
  const rows: DeletedRows =
    documentId === null
      ? { kind: 'ids', type, ids: [] }
      : { kind: 'document', type, document: namedDocument(documentId) };
  const end = ends.length < STEP ? endTasks([task]) : continueTask(task, endKey(last));
  await database.write([...unlinkAll(rows, ends), end]);
}
