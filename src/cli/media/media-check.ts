/**
 * @module Files and objects side by side: what has no counterpart.
 */
import { type StoredFile, type StoredObject, storedFile } from '../../sql/files.ts';
import { keysOf } from '../../upload/call.ts';
import { counted } from '../core/counted.ts';
import { hasTable } from '../core/sql/database.ts';
import { pages } from '../core/sql/pages.ts';
import type { Storage } from '../core/storage/bindings.ts';
import { type ListedObject, listObjects } from '../core/storage/objects.ts';
import { UserError } from '../core/terminal.ts';
import { formerKey, isTrash, type Said } from './trash.ts';

/** A file that lacks objects: `main` its bytes, or some of its formats. */
export interface Incomplete {
  readonly file: StoredFile;
  readonly name: string;
  readonly main: boolean;
  /** Names of the formats whose bytes are not there. */
  readonly formats: readonly string[];
  /** Where in the trash what it lacks lies; none where its bytes are lost all the same. */
  readonly trashed: readonly string[];
}

export interface Mismatches {
  readonly files: number;
  /** How many objects there are, the trash left out. */
  readonly objects: number;
  /** How many of them belong to a file. */
  readonly owned: number;
  readonly orphans: readonly ListedObject[];
  /** Objects without a file under keys that Edgewise does not make. */
  readonly strange: readonly ListedObject[];
  readonly incomplete: readonly Incomplete[];
  readonly trash: readonly ListedObject[];
}

const PAGE = 1_000;

/** `<name>_<10 hexadecimal digits><extension>`, as `newHash` makes them, and Strapi too. */
const OWN_KEY = /^[A-Za-z0-9_.-]*_[0-9a-f]{10}(\.[A-Za-z0-9_-]{1,16})?$/;

/** Every file. @throws UserError where the database has no tables, so that it is not taken for one without files. */
export async function readFiles(db: D1Database, said: Said): Promise<readonly StoredFile[]> {
  if (!(await hasTable(db, 'files'))) throw new UserError('The database has no tables yet: npm run migrate');
  const files: StoredFile[] = [];
  for await (const rows of pages(db, 'select * from "files" where "id" > ? order by "id" limit ?', 'id', PAGE)) {
    files.push(...rows.map(storedFile));
    said(`  ${counted(files.length, 'file')} read …`);
  }
  return files;
}

export const keyOf = ({ hash, ext }: StoredObject): string => `${hash}${ext}`;

/** What there is to look for things in. */
interface Places {
  readonly there: ReadonlySet<string>;
  /** The newest object in the trash, by the key that it had. */
  readonly trashed: ReadonlyMap<string, string>;
}

function incompleteness(file: StoredFile, { there, trashed }: Places): Incomplete | undefined {
  const main = !there.has(keyOf(file));
  const formats = Object.entries(file.formats).filter(([, format]) => !there.has(keyOf(format)));
  if (!main && formats.length === 0) return undefined;
  const isLost = main && !trashed.has(keyOf(file));
  const missing = [...(main ? [file] : []), ...formats.map(([, format]) => format)].map(keyOf);
  return {
    ...{ file, name: String(file.row.name), main, formats: formats.map(([name]) => name) },
    trashed: isLost ? [] : missing.flatMap((key) => trashed.get(key) ?? []),
  };
}

/** Was nothing of what is missing put there since it was looked for? */
export async function isStillMissing({ bucket }: Storage, { file, main, formats }: Incomplete): Promise<boolean> {
  const wanted = main ? [file] : formats.map((name) => file.formats[name]);
  const heads = await Promise.all(wanted.map((each) => each && bucket.head(keyOf(each))));
  return heads.every((head) => !head);
}

/** Clocks differ by less. */
const SKEW = 60_000;

/** Files that lack something; a new one may have come since the objects were listed. */
async function incompleteOf(storage: Storage, files: readonly StoredFile[], places: Places, listedAt: number) {
  const found: Incomplete[] = [];
  for (const file of files) {
    const item = incompleteness(file, places);
    const isNew = file.updatedAt > listedAt - SKEW;
    if (item && (!isNew || (await isStillMissing(storage, item)))) found.push(item);
  }
  return found;
}

/** Compares every file with every object. Nothing is changed. */
export async function findMismatches(storage: Storage, said: Said): Promise<Mismatches> {
  const { db, bucket } = storage;
  const listedAt = Date.now();
  const all = await listObjects(bucket, (count) => said(`  ${counted(count, 'object')} listed …`));
  const files = await readFiles(db, said);
  const trash = all.filter(({ key }) => isTrash(key));
  const objects = all.filter(({ key }) => !isTrash(key));
  const known = new Set(files.flatMap(keysOf));
  const unknown = objects.filter(({ key }) => !known.has(key));
  const places: Places = {
    there: new Set(objects.map(({ key }) => key)),
    trashed: new Map(trash.map(({ key }) => [formerKey(key), key])),
  };
  return {
    files: files.length,
    objects: objects.length,
    owned: objects.length - unknown.length,
    orphans: unknown.filter(({ key }) => OWN_KEY.test(key)),
    strange: unknown.filter(({ key }) => !OWN_KEY.test(key)),
    incomplete: await incompleteOf(storage, files, places, listedAt),
    trash,
  };
}
