/**
 * @module Compares the files of the database with the objects of the bucket.
 */

import { keysOf } from '../../src/features/files/call.ts';
import { isPrivateKey } from '../../src/features/files/names.ts';
import { type StoredFile, storedFile } from '../../src/features/files/sql/files.ts';
import { objectKey } from '../core/archive/names.ts';
import { counted } from '../core/counted.ts';
import { hasTable } from '../core/sql/database.ts';
import { pages } from '../core/sql/pages.ts';
import type { Storage } from '../core/storage/bindings.ts';
import { listObjects } from '../core/storage/objects.ts';
import { UserError } from '../core/terminal.ts';
import { formatsHere, isElsewhere } from './objects-here.ts';
import { formerKey, isTrash, type Report } from './trash.ts';

/** A file that lacks objects: `main` its bytes, or some of its formats. */
export interface Incomplete {
  readonly file: StoredFile;
  readonly main: boolean;
  /** Names of the formats without bytes. */
  readonly formats: readonly string[];
  /** Keys in the trash of what it lacks; empty if its bytes are lost anyway. */
  readonly trashed: readonly string[];
}

/** Keys of Edgewise and Strapi: `<name>_<10 hexadecimal digits><extension>`; those of private files have a mark. */
const OWN_KEY = /^[A-Za-z0-9_.-]*_[0-9a-f]{10}(-private)?(\.[A-Za-z0-9_-]{1,16})?$/;

/** Reads every file. @throws UserError for a database without tables, which would seem to have no files. */
export async function readFiles(db: D1Database, report: Report): Promise<readonly StoredFile[]> {
  if (!(await hasTable(db, 'files'))) throw new UserError('The database has no tables yet: npx edgewise migrate');
  const files: StoredFile[] = [];
  for await (const rows of pages(db, 'files')) {
    files.push(...rows.map(storedFile));
    report(`  ${counted(files.length, 'file')} read …`);
  }
  return files;
}

/** Returns the key of the file whose picture on request an object is; that of any other object. */
export const ownerKey = (key: string): string => /^pictures\/([^/]+)\//.exec(key)?.[1] ?? key;

/**
 * @param present keys of objects.
 * @param trashed the newest object in the trash, by the key that it had.
 */
function incompleteness(
  file: StoredFile,
  present: ReadonlySet<string>,
  trashed: ReadonlyMap<string, string>,
): Incomplete | undefined {
  const main = !isElsewhere(file) && !present.has(objectKey(file));
  const formats = formatsHere(file).filter(([, format]) => !present.has(objectKey(format)));
  if (!main && formats.length === 0) return undefined;
  const isLost = main && !trashed.has(objectKey(file));
  const missing = [...(main ? [file] : []), ...formats.map(([, format]) => format)].map(objectKey);
  return {
    ...{ file, main, formats: formats.map(([name]) => name) },
    trashed: isLost ? [] : missing.flatMap((key) => trashed.get(key) ?? []),
  };
}

/** Is everything still missing? */
export async function isStillMissing({ bucket }: Storage, { file, main, formats }: Incomplete): Promise<boolean> {
  const missing = main ? [file] : formats.map((name) => file.formats[name]);
  const heads = await Promise.all(missing.map((each) => each && bucket.head(objectKey(each))));
  return heads.every((head) => !head);
}

/** Clocks differ by less, in milliseconds. */
const SKEW = 60_000;

/**
 * Compares every file with every object; changes nothing.
 * @param minAge milliseconds; younger objects may belong to a running upload.
 */
export async function findMismatches(storage: Storage, report: Report, minAge = 0) {
  const listedAt = Date.now();
  const all = await listObjects(storage.bucket, (count) => report(`  ${counted(count, 'object')} listed …`));
  const files = await readFiles(storage.db, report);
  const trash = all.filter(({ key }) => isTrash(key));
  const objects = all.filter(({ key }) => !isTrash(key));
  const known = new Set(files.flatMap(keysOf));
  const unknown = objects.filter(({ key }) => !known.has(ownerKey(key)));
  const own = unknown.filter(({ key }) => OWN_KEY.test(ownerKey(key)));
  const orphans = own.filter(({ uploaded }) => minAge === 0 || uploaded.getTime() <= Date.now() - minAge);
  const present = new Set(objects.map(({ key }) => key));
  const trashed = new Map(trash.map(({ key }) => [formerKey(key), key]));
  const incomplete: Incomplete[] = [];
  const checked = storage.lacksPrivate ? files.filter(({ hash }) => !isPrivateKey(hash)) : files;
  for (const file of checked) {
    const item = incompleteness(file, present, trashed);
    // Objects of a recent file may be newer than the list of objects.
    const isNew = file.updatedAt > listedAt - SKEW;
    if (item && (!isNew || (await isStillMissing(storage, item)))) incomplete.push(item);
  }
  return {
    files: files.length,
    /** Number of objects, without the trash. */
    objects: objects.length,
    /** Number of objects that belong to a file. */
    owned: objects.length - unknown.length,
    /** Has the bucket the bytes of a private file? */
    hasPrivate: [...known].some((key) => isPrivateKey(key) && present.has(key)),
    /** Objects without a file. */
    orphans,
    /** Number of objects without a file that are younger. */
    young: own.length - orphans.length,
    /** Objects without a file under keys that Edgewise does not make. */
    strange: unknown.filter(({ key }) => !OWN_KEY.test(ownerKey(key))),
    incomplete,
    /** Number of files whose bytes are at another address. */
    elsewhere: files.filter(isElsewhere).length,
    /** Number of private files whose bucket is missing. */
    unchecked: files.length - checked.length,
    trash,
  };
}

export type Mismatches = Awaited<ReturnType<typeof findMismatches>>;
