/**
 * @module Puts right what a comparison of files and objects has found: objects without a file go to the trash, files get
 * what lies there back, and what cannot be had back goes from the database.
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
import { moveToTrash, type Said, takeBack } from './trash.ts';

/** A file without its bytes is deleted as the API would, with all that links to it. */
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

/** Answers that isolates remember may show the file. */
const newStamps = ({ contentTypes }: Registry): Statement =>
  rotateStamps([...contentTypes.keys()].flatMap((uid) => [stampName(uid, 'draft'), stampName(uid, 'published')]));

async function complete(storage: Storage, item: Incomplete, registry: Registry): Promise<void> {
  if (!(await isStillMissing(storage, item))) return;
  for (const key of item.trashed) await takeBack(storage.bucket, key);
  // What it still lacks then is found by the next comparison.
  if (item.trashed.length > 0) return;
  if (item.main) await moveToTrash(storage.bucket, keysOf(item.file), () => undefined);
  const change = item.main ? deletion(item.file, registry) : [withoutFormats(item, Date.now())];
  await runBatch(storage.db, [...change, newStamps(registry)]);
}

/** Puts right what was found, but for what has changed since. */
export async function fixMismatches(
  storage: Storage,
  { orphans, incomplete }: Pick<Mismatches, 'orphans' | 'incomplete'>,
  registry: Registry,
  said: Said,
): Promise<void> {
  const known = new Set((await readFiles(storage.db, said)).flatMap(keysOf));
  const unknown = orphans.map(({ key }) => key).filter((key) => !known.has(key));
  await moveToTrash(storage.bucket, unknown, said);
  for (const [index, item] of incomplete.entries()) {
    await complete(storage, item, registry);
    said(`  ${index + 1} of ${counted(incomplete.length, 'file')} put right …`);
  }
}
