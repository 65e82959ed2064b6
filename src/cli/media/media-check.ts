/**
 * @module Files and objects side by side: what has no counterpart, and how to be rid of it.
 */
import { planDelete } from '../../plan/plan-delete.ts';
import { NO_LOCALE } from '../../plan/versions.ts';
import type { Registry } from '../../registry/model.ts';
import { FILE_UID, systemType } from '../../registry/system-types.ts';
import { type StoredFile, storedFile } from '../../sql/files.ts';
import { compileWrite } from '../../sql/mutate.ts';
import type { Statement } from '../../sql/statement.ts';
import { keysOf } from '../../upload/call.ts';

/** The database and the bucket of a deployment, wherever they are. */
export interface Storage {
  readonly db: D1Database;
  readonly bucket: R2Bucket;
}

/** An object that no file has. */
export interface Orphan {
  readonly key: string;
  readonly size: number;
  readonly uploaded: Date;
}

/** A file that lacks objects: `main` its bytes, or some of its formats. */
export interface Incomplete {
  readonly file: StoredFile;
  readonly name: string;
  readonly main: boolean;
  /** Names of the formats whose bytes are not there. */
  readonly formats: readonly string[];
}

export interface Mismatches {
  readonly files: number;
  readonly objects: number;
  readonly orphans: readonly Orphan[];
  readonly incomplete: readonly Incomplete[];
}

type Said = (text: string) => void;

const PAGE = 1_000;

async function readFiles(db: D1Database, said: Said): Promise<readonly StoredFile[]> {
  const files: StoredFile[] = [];
  for (let last = 0; ; last = files.at(-1)?.id ?? 0) {
    const { results } = await db
      .prepare('select * from "files" where "id" > ? order by "id" limit ?')
      .bind(last, PAGE)
      .all();
    files.push(...results.map(storedFile));
    said(`  ${files.length} file(s) read …`);
    if (results.length < PAGE) return files;
  }
}

async function readObjects(bucket: R2Bucket, said: Said): Promise<ReadonlyMap<string, Orphan>> {
  const objects = new Map<string, Orphan>();
  let cursor: string | undefined;
  do {
    const page: R2Objects = await bucket.list({ limit: PAGE, ...(cursor !== undefined && { cursor }) });
    for (const { key, size, uploaded } of page.objects) objects.set(key, { key, size, uploaded: new Date(uploaded) });
    said(`  ${objects.size} object(s) listed …`);
    cursor = page.truncated ? page.cursor : undefined;
  } while (cursor !== undefined);
  return objects;
}

const keyOf = ({ hash, ext }: { readonly hash: string; readonly ext: string }): string => `${hash}${ext}`;

function incompleteness(file: StoredFile, has: (key: string) => boolean): Incomplete | undefined {
  const main = !has(keyOf(file));
  const formats = Object.entries(file.formats).filter(([, format]) => !has(keyOf(format)));
  if (!main && formats.length === 0) return undefined;
  return { file, name: String(file.row.name), main, formats: formats.map(([name]) => name) };
}

/** Compares every file with every object. Nothing is changed. */
export async function findMismatches({ db, bucket }: Storage, said: Said): Promise<Mismatches> {
  const objects = await readObjects(bucket, said);
  const files = await readFiles(db, said);
  const known = new Set(files.flatMap(keysOf));
  return {
    files: files.length,
    objects: objects.size,
    orphans: [...objects.values()].filter(({ key }) => !known.has(key)),
    incomplete: files
      .map((file) => incompleteness(file, (key) => objects.has(key)))
      .filter((item) => item !== undefined),
  };
}

const run = (db: D1Database, statements: readonly Statement[]) =>
  db.batch(statements.map(({ sql, params }) => db.prepare(sql).bind(...params)));

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

/** Was it put there since it was looked for? */
async function stillMissing({ bucket }: Storage, { file, main, formats }: Incomplete): Promise<boolean> {
  const wanted = main ? [file] : formats.map((name) => file.formats[name]);
  const heads = await Promise.all(wanted.map((each) => each && bucket.head(keyOf(each))));
  return heads.every((head) => !head);
}

/** Removes what was found: objects without a file, files without their bytes, formats that are not there. */
export async function fixMismatches(
  storage: Storage,
  { orphans, incomplete }: Pick<Mismatches, 'orphans' | 'incomplete'>,
  registry: Registry,
  said: Said,
): Promise<void> {
  for (let start = 0; start < orphans.length; start += PAGE) {
    const keys = orphans.slice(start, start + PAGE).map(({ key }) => key);
    await storage.bucket.delete(keys);
    said(`  ${start + keys.length} of ${orphans.length} object(s) removed …`);
  }
  for (const [index, item] of incomplete.entries()) {
    if (!(await stillMissing(storage, item))) continue;
    if (item.main) await storage.bucket.delete([...keysOf(item.file)]);
    const statements = item.main ? deletion(item.file, registry) : [withoutFormats(item, Date.now())];
    await run(storage.db, statements);
    said(`  ${index + 1} of ${incomplete.length} file(s) put right …`);
  }
}
