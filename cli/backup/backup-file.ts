/**
 * @module The file of a backup: a gzipped tar with the objects, a SQLite database of all rows, and `manifest.json` at its end.
 * It is read twice, first completely, since gzip shows damage at its end.
 */
import { createWriteStream, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod/mini';
import { looksEnciphered, openArchive } from '../core/archive/archive-file.ts';
import { type Entry, readEntries } from '../core/archive/entries.ts';
import { parseLine } from '../core/archive/json-lines.ts';
import { temporaryFolder } from '../core/leftovers.ts';
import { readValue } from '../core/read-value.ts';
import { UserError } from '../core/terminal.ts';

export const DATABASE = 'database.sqlite';
export const MANIFEST = 'manifest.json';
export const FORMAT = { format: 'edgewise-backup', version: 2 } as const;

const count = z.int().check(z.nonnegative());

// https://developers.cloudflare.com/r2/platform/limits/
const MAX_KEY = 1_024;
const MAX_METADATA = 8_192;

const bytesIn = (text: string): number => Buffer.byteLength(text);

const metadata = z
  .record(z.string(), z.string())
  .check(z.refine((texts) => bytesIn(JSON.stringify(texts)) <= MAX_METADATA, { error: 'longer than R2 stores' }));

const isTime = (text: string | undefined): boolean => text === undefined || !Number.isNaN(Date.parse(text));

const object = z.object({
  key: z.string().check(z.refine((key) => key !== '' && bytesIn(key) <= MAX_KEY, { error: 'no key that R2 stores' })),
  ...{ file: z.string(), size: count, etag: z.string(), customMetadata: metadata },
  httpMetadata: metadata.check(z.refine(({ cacheExpiry }) => isTime(cacheExpiry), { error: 'no time' })),
});

const isOnce = (values: readonly string[]): boolean => new Set(values).size === values.length;

const manifest = z.object({
  format: z.literal(FORMAT.format),
  version: z.literal(FORMAT.version),
  createdAt: z.string(),
  /** Bytes of the database. */
  databaseSize: count,
  /** What the tables and objects hold. */
  content: z.object({ documents: count, versions: count, links: count, files: count }),
  /** SQL of indexes, triggers and views. None of it is ever executed. */
  rest: z.array(z.string()),
  /** Highest id so far of each table that counts its ids. */
  sequences: z.record(z.string(), count),
  objects: z.array(object).check(
    z.refine((all) => isOnce(all.map(({ key }) => key)) && isOnce(all.map(({ file }) => file)), {
      error: 'an object twice',
    }),
  ),
});

export type Manifest = z.infer<typeof manifest>;

/** @param report gets how many bytes of the file were read, each time. @throws UserError for a file that is no backup. */
export function backupEntries(path: string, report: (bytes: number) => void): AsyncGenerator<Entry> {
  if (looksEnciphered(path))
    throw new UserError(
      `${path} is no backup: it is enciphered, as only exports can be. To import an export, set EDGEWISE_IMPORT_KEY to its key: npx edgewise import ${path}`,
    );
  return readEntries(openArchive(path, undefined), ({ length }) => report(length));
}

/**
 * Reads all of a backup.
 * @returns its manifest, and the path of its database in the folder for temporary files.
 * @throws UserError for a file that is no backup, or is cut or damaged.
 */
export async function readBackup(path: string, report: (bytes: number) => void) {
  const file = join(mkdtempSync(join(temporaryFolder(), 'backup-')), DATABASE);
  const sizes = new Map<string, number>();
  let stated: string | undefined;
  for await (const { name, size, bytes } of backupEntries(path, report)) {
    sizes.set(name, size);
    if (name === DATABASE) await pipeline(bytes, createWriteStream(file));
    if (name === MANIFEST) stated = await text(bytes);
  }
  if (stated === undefined && sizes.has('metadata.json'))
    throw new UserError(`${path} is no backup but an export. To import it: npx edgewise import ${path}`);
  if (stated === undefined) throw new UserError(`${path} is no backup: it has no ${MANIFEST}`);
  if (openArchive(path, undefined).packing !== 'gzip')
    throw new UserError(`${path} is not gzipped, so damage to it would not show: gzip ${path}, then restore that`);
  const place = `${path}: ${MANIFEST}`;
  const parsed = readValue(manifest, parseLine(stated, place, 1), place);
  const stored = [{ file: DATABASE, size: parsed.databaseSize }, ...parsed.objects];
  const wrong = stored.find((each) => sizes.get(each.file) !== each.size)?.file;
  if (wrong !== undefined)
    throw new UserError(`${path} is damaged: ${wrong} is missing or has another size. Nothing was changed`);
  return { manifest: parsed, file };
}
