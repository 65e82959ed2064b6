/**
 * @module Repairs mismatches of files and objects: moves objects without a file to the trash, restores objects from it, and
 * deletes files whose bytes are lost.
 */
import { NO_LOCALE } from '../../plan/model/versions.ts';
import { planDelete } from '../../plan/write/plan-delete.ts';
import type { Registry } from '../../registry/model.ts';
import { stampName } from '../../registry/names.ts';
import { FILE_UID, systemType } from '../../registry/system-types.ts';
import type { StoredFile } from '../../sql/files.ts';
import { rotateStamps } from '../../sql/stamps.ts';
import type { Statement } from '../../sql/statement.ts';
import { compileWrite } from '../../sql/write/mutate.ts';
import { keysOf } from '../../upload/call.ts';
import { counted } from '../core/counted.ts';
import { runBatch } from '../core/sql/database.ts';
import type { Storage } from '../core/storage/bindings.ts';
import { type Incomplete, isStillMissing, type Mismatches, readFiles } from './media-check.ts';
import { moveToTrash, type Report, restoreObject } from './trash.ts';

/** Deletes a file and the links to it, as the API does. */
const deletion = ({ documentId }: StoredFile, registry: Registry): readonly Statement[] =>
  compileWrite(planDelete({ type: systemType(registry, FILE_UID), documentId, locale: NO_LOCALE }, registry));

function withoutFormats({ file, formats }: Incomplete, now: number): Statement {
  const left = Object.entries(file.formats).filter(([name]) => !formats.includes(name));
  const text = left.length > 0 ? JSON.stringify(Object.fromEntries(left)) : null;
  return {
    sql: 'update "files" set "formats" = ?, "updated_at" = ? where "id" = ? and "updated_at" = ?',
    params: [text, now, file.id, file.updatedAt],
  };
}

/** Invalidates cached responses, which may show the file. */
const newStamps = ({ contentTypes }: Registry): Statement =>
  rotateStamps([...contentTypes.keys()].flatMap((uid) => [stampName(uid, 'draft'), stampName(uid, 'published')]));

async function repair(storage: Storage, item: Incomplete, registry: Registry): Promise<void> {
  if (!(await isStillMissing(storage, item))) return;
  for (const key of item.trashed) await restoreObject(storage.bucket, key);
  // The next check finds what it still lacks.
  if (item.trashed.length > 0) return;
  if (item.main) await moveToTrash(storage.bucket, keysOf(item.file), () => undefined);
  const change = item.main ? deletion(item.file, registry) : [withoutFormats(item, Date.now())];
  await runBatch(storage.db, [...change, newStamps(registry)]);
}

/** Repairs what was found and has not changed since. */
export async function fixMismatches(
  storage: Storage,
  { orphans, incomplete }: Pick<Mismatches, 'orphans' | 'incomplete'>,
  registry: Registry,
  report: Report,
): Promise<void> {
  const known = new Set((await readFiles(storage.db, report)).flatMap(keysOf));
  const unknown = orphans.map(({ key }) => key).filter((key) => !known.has(key));
  await moveToTrash(storage.bucket, unknown, report);
  for (const [index, item] of incomplete.entries()) {
    await repair(storage, item, registry);
    report(`  ${index + 1} of ${counted(incomplete.length, 'file')} repaired …`);
  }
}
