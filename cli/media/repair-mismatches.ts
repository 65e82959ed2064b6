/**
 * @module Lists mismatches of files and objects, rejects a database and bucket that do not belong together, asks, repairs.
 */
import { plural } from '../../src/common/plural.ts';

import { NO_LOCALE } from '../../src/content/plan/model/versions.ts';
import { planDelete } from '../../src/content/plan/write/plan-delete.ts';
import type { Statement } from '../../src/content/sql/statement.ts';
import { compileWrite } from '../../src/content/sql/write/mutate.ts';
import { keysOf } from '../../src/features/files/call.ts';
import { isPrivateKey } from '../../src/features/files/names.ts';
import { picturesOf } from '../../src/features/files/pictures/picture-params.ts';
import type { StoredFile } from '../../src/features/files/sql/files.ts';
import { deleteClaims } from '../../src/features/files/sql/pictures.ts';
import { namedDocument } from '../../src/schema/document-ref.ts';
import type { Registry } from '../../src/schema/model.ts';
import { PICTURE_TABLE } from '../../src/schema/names.ts';
import { FILE_UID, systemType } from '../../src/schema/system-types.ts';
import { counted, megabytes } from '../core/counted.ts';
import { docsPage } from '../core/docs-page.ts';
import { hasTable, ROTATE_STAMPS } from '../core/sql/database.ts';
import { pages } from '../core/sql/pages.ts';
import { runBatch } from '../core/sql/statements.ts';
import type { Storage } from '../core/storage/bindings.ts';
import { type ListedObject, listObjects } from '../core/storage/objects.ts';
import { print, printJson, progress, UserError } from '../core/terminal.ts';
import {
  findMismatches,
  type Incomplete,
  isStillMissing,
  type Mismatches,
  ownerKey,
  readFiles,
} from './find-mismatches.ts';
import { isTrash, moveToTrash, purge, type Report, restoreObject } from './trash.ts';

/** Asks to confirm a number. @throws UserError unless it is confirmed. */
export type Confirm = (count: number, what: string) => Promise<void>;

export interface CheckOptions {
  readonly fix: boolean;
  readonly json: boolean;
  /** Minutes; younger objects may belong to a running upload. */
  readonly minAge: number;
  /** Percent of all objects, and of all files, that may be removed at once. */
  readonly most: number;
}

const MINUTE = 60_000;

const orphanLine = ({ key, size, uploaded }: ListedObject): string =>
  `object without a file: ${key} (${size} bytes, ${uploaded.toISOString().slice(0, 16)})`;

function incompleteLine({ file, main, formats, trashed }: Incomplete): string {
  const what = main ? 'file without its bytes' : 'file without the bytes of its formats';
  const where = trashed.length > 0 ? '; they are in the trash, --fix restores them' : '';
  return `${what}: ${file.id} ${file.row.name}${main ? '' : ` (${formats.join(', ')})`}${where}`;
}

function assertShare(what: string, count: number, all: number, most: number): void {
  if (count * 100 <= all * most) return;
  const percent = Math.ceil((count * 100) / all);
  throw new UserError(
    `Nothing was removed: ${count} of ${all} ${what}, more than ${most} %. So the database or the bucket is probably the wrong one. To go ahead: --most ${percent}`,
  );
}

/** @throws UserError if database and bucket do not seem to belong together. */
function assertPlausible({ orphans, incomplete, ...found }: Mismatches, most: number): void {
  const lost = incomplete.filter(({ main, trashed }) => main && trashed.length === 0);
  if (orphans.length > 0 && found.files === 0)
    throw new UserError('Nothing was removed: the database has no files, so it is empty or belongs to another bucket');
  if ((orphans.length > 0 || lost.length > 0) && found.owned === 0)
    throw new UserError('Nothing was removed: no object belongs to a file, so this is not the bucket of this database');
  if (!found.hasPrivate && lost.some(({ file }) => isPrivateKey(file.hash)))
    throw new UserError(
      'Nothing was removed: no private file has its bytes, so the binding PRIVATE_MEDIA is missing or names another bucket',
    );
  assertShare('objects have no file', orphans.length, found.objects, most);
  assertShare('files have no bytes', lost.length, found.files, most);
}

function report({ orphans, young, strange, incomplete, unchecked, ...found }: Mismatches): void {
  for (const line of [...orphans.map(orphanLine), ...incomplete.map(incompleteLine)]) print(line);
  if (young > 0) progress(`skipped, since uploads may be running: ${counted(young, 'young object')} without a file`);
  if (unchecked > 0)
    progress(`not checked: ${counted(unchecked, 'private file')}, since no bucket has the binding PRIVATE_MEDIA`);
  if (found.elsewhere > 0)
    progress(`left alone: ${counted(found.elsewhere, 'file')} with bytes at other addresses, which are not checked`);
  if (strange.length > 0)
    progress(
      `left alone: ${counted(strange.length, 'object')} with keys that Edgewise does not make, such as ${strange[0]?.key}`,
    );
  progress(
    `${counted(found.files, 'file')}, ${counted(found.objects, 'object')}, ${orphans.length + incomplete.length} without a match, ${found.trash.length} in the trash`,
  );
}

const shownMismatches = ({
  files,
  objects,
  trash,
  orphans,
  incomplete,
  unchecked,
  young,
  strange,
  ...found
}: Mismatches) => ({
  files,
  objects,
  inTrash: trash.length,
  objectsWithoutFile: orphans.map(({ key, size, uploaded }) => ({ key, bytes: size, uploadedAt: uploaded })),
  filesWithoutBytes: incomplete.map(({ file, main, formats, trashed }) => ({
    ...{ id: file.id, name: String(file.row.name), missing: main ? 'bytes' : 'formats', formats },
    isInTrash: trashed.length > 0,
  })),
  filesElsewhere: found.elsewhere,
  privateFilesNotChecked: unchecked,
  youngObjectsWithoutFile: young,
  objectsOfOthers: strange.map(({ key }) => key),
});

/** Deletes a file and the links to it, as the API does. */
const deletion = ({ documentId }: StoredFile, registry: Registry): readonly Statement[] =>
  compileWrite(
    planDelete(
      {
        kind: 'document',
        type: systemType(registry, FILE_UID),
        document: namedDocument(documentId),
        locale: NO_LOCALE,
      },
      registry,
    ),
  );

function withoutFormats({ file, formats }: Incomplete, now: number): Statement {
  const left = Object.entries(file.formats).filter(([name]) => !formats.includes(name));
  const text = left.length > 0 ? JSON.stringify(Object.fromEntries(left)) : null;
  return {
    sql: 'update "files" set "formats" = ?, "updated_at" = ? where "id" = ? and "updated_at" = ?',
    params: [text, now, file.id, file.updatedAt],
  };
}

async function repair(storage: Storage, item: Incomplete, registry: Registry): Promise<void> {
  if (!(await isStillMissing(storage, item))) return;
  for (const key of item.trashed) await restoreObject(storage.bucket, key);
  // The next check finds what it still lacks.
  if (item.trashed.length > 0) return;
  if (item.main) await moveToTrash(storage.bucket, keysOf(item.file), () => undefined);
  const change = item.main ? deletion(item.file, registry) : [withoutFormats(item, Date.now())];
  // Cached responses may show the file.
  await runBatch(storage.db, [...change, ROTATE_STAMPS]);
}

/** Returns the keys of the files whose pictures on request are claimed. */
async function claimedFiles({ db }: Storage): Promise<ReadonlySet<string>> {
  const files = new Set<string>();
  if (!(await hasTable(db, PICTURE_TABLE))) return files;
  for await (const rows of pages(db, PICTURE_TABLE, '"key"'))
    for (const { key } of rows) files.add(ownerKey(String(key)));
  return files;
}

/** Repairs what was found and has not changed since. */
export async function fixMismatches(
  storage: Storage,
  { orphans, incomplete }: Pick<Mismatches, 'orphans' | 'incomplete'>,
  registry: Registry,
  report: Report,
): Promise<void> {
  // Before the files: a file that is uploaded meanwhile has no claims here.
  const claimed = await claimedFiles(storage);
  const known = new Set((await readFiles(storage.db, report)).flatMap(keysOf));
  const unknown = orphans.map(({ key }) => key).filter((key) => !known.has(ownerKey(key)));
  await moveToTrash(storage.bucket, unknown, report);
  const gone = [...claimed].filter((key) => !known.has(key));
  for (const key of gone) await runBatch(storage.db, [deleteClaims([picturesOf(key)])]);
  for (const [index, item] of incomplete.entries()) {
    await repair(storage, item, registry);
    report(`  ${index + 1} of ${counted(incomplete.length, 'file')} repaired …`);
  }
}

/**
 * Compares files and objects, and repairs mismatches if `fix` is set.
 * @throws UserError for mismatches without `fix`, and for private files without their bucket
 */
export async function checkMedia(
  storage: Storage,
  registry: Registry,
  { fix, json, minAge, most }: CheckOptions,
  confirm: Confirm,
): Promise<void> {
  const found = await findMismatches(storage, progress, minAge * MINUTE);
  if (json) printJson(shownMismatches(found));
  else report(found);
  const count = found.orphans.length + found.incomplete.length;
  if (count === 0 && found.unchecked > 0)
    throw new UserError(
      `Private files were not checked. Add their bucket to wrangler.toml: see ${docsPage('media.md')}`,
    );
  if (count === 0) return;
  if (!fix) throw new UserError('To repair what is listed: npx edgewise media check --fix');
  assertPlausible(found, most);
  await confirm(
    count,
    `${plural(count, 'is', 'are')} listed. Objects without a file move to the trash, files without bytes are deleted`,
  );
  await fixMismatches(storage, found, registry, progress);
  progress('done; to empty the trash: npx edgewise media check --purge');
}

export async function purgeTrash({ bucket }: Storage, confirm: Confirm): Promise<void> {
  const objects = await listObjects(bucket, (count) => progress(`  ${counted(count, 'object')} listed …`));
  const trashed = objects.filter(({ key }) => isTrash(key));
  if (trashed.length === 0) return progress('the trash is empty');
  const bytes = trashed.reduce((sum, { size }) => sum + size, 0);
  for (const { key, size } of trashed) print(`in the trash: ${key} (${size} bytes)`);
  await confirm(trashed.length, `${plural(trashed.length, 'object')} with ${megabytes(bytes)} to delete for good`);
  const keys = trashed.map(({ key }) => key);
  await purge(bucket, keys, progress);
  progress('the trash is empty');
}
