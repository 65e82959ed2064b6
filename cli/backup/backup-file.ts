/**
 * @module The file of a backup: a gzipped tar whose last entry, `manifest.json`, states its contents and the checksum of
 * each other file. It is read twice: first to compare the checksums, then to restore it.
 */
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import * as z from 'zod/mini';
import { looksEnciphered, openArchive } from '../core/archive/archive-file.ts';
import { writeArchive } from '../core/archive/archive-writer.ts';
import { type Entry, readEntries } from '../core/archive/entries.ts';
import { parseLine } from '../core/archive/json-lines.ts';
import type { Chunks } from '../core/bytes.ts';
import { counted } from '../core/counted.ts';
import { readValue } from '../core/read-value.ts';
import { UserError } from '../core/terminal.ts';

const MANIFEST = 'manifest.json';
const FORMAT = 'edgewise-backup';
const VERSION = 1;

const count = z.int().check(z.nonnegative());

const table = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  /** Of each column, in the same order. */
  types: z.array(z.string()),
  /** The file of its rows, one a line. */
  file: z.string(),
  rows: count,
});

const object = z.object({
  key: z.string(),
  file: z.string(),
  size: count,
  etag: z.string(),
  httpMetadata: z.optional(z.record(z.string(), z.string())),
  customMetadata: z.optional(z.record(z.string(), z.string())),
});

const content = z.object({ documents: count, versions: count, links: count, files: count });

const manifest = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  createdAt: z.string(),
  /** Names of the migrations that the database has, in order. */
  migrations: z.array(z.string()),
  tables: z.array(table),
  /** What the tables and objects hold; backups of earlier versions do not state it. */
  content: z.optional(content),
  /** SQL of indexes, triggers and views. None of it is ever executed. */
  rest: z.array(z.string()),
  /** Highest id so far of each table that counts its ids. */
  sequences: z.array(z.tuple([z.string(), count])),
  objects: z.array(object),
  files: z.record(z.string(), z.object({ size: count, sha256: z.string() })),
});

export type Manifest = z.infer<typeof manifest>;
export type TableEntry = z.infer<typeof table>;
export type ObjectEntry = z.infer<typeof object>;
type Checksum = Manifest['files'][string];

/** Passes the bytes of a file on, and notes their checksum at the end. */
async function* summed(name: string, bytes: Chunks, checksums: Map<string, Checksum>): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of bytes) {
    hash.update(chunk);
    size += chunk.length;
    yield chunk;
  }
  checksums.set(name, { size, sha256: hash.digest('hex') });
}

export function openBackup(path: string) {
  const archive = writeArchive(path, undefined);
  const checksums = new Map<string, Checksum>();
  return {
    stream: (name: string, size: number, bytes: Chunks) => archive.stream(name, size, summed(name, bytes, checksums)),
    async finish(values: Omit<Manifest, 'format' | 'version' | 'files'>): Promise<void> {
      const files = Object.fromEntries(checksums);
      const text = JSON.stringify({ format: FORMAT, version: VERSION, ...values, files }, null, 1);
      await archive.file(MANIFEST, Buffer.from(text));
      await archive.finish();
    },
    giveUp: archive.giveUp,
  };
}

export type BackupWriter = ReturnType<typeof openBackup>;

/** @param report gets how many bytes of the file were read, each time. */
export const backupEntries = (path: string, report: (bytes: number) => void): AsyncGenerator<Entry> =>
  readEntries(openArchive(path, undefined), ({ length }) => report(length));

/** @throws UserError for a file that is missing or differs from the manifest. */
function assertSame({ files, tables, objects }: Manifest, found: ReadonlyMap<string, Checksum>, path: string): void {
  const names = new Set([...Object.keys(files), ...[...tables, ...objects].map(({ file }) => file)]);
  const wrong = [...names].filter((name) => {
    const [stated, actual] = [files[name], found.get(name)];
    return !stated || stated.sha256 !== actual?.sha256 || stated.size !== actual.size;
  });
  if (wrong.length === 0) return;
  throw new UserError(
    `${path} is damaged: ${counted(wrong.length, 'file')} in it changed since, such as ${wrong[0]}. Nothing was changed`,
  );
}

/**
 * Reads all of a backup and compares it with its checksums.
 * @throws UserError for a file that is no backup, or is cut or damaged.
 */
export async function verifyBackup(path: string, report: (bytes: number) => void): Promise<Manifest> {
  if (looksEnciphered(path))
    throw new UserError(
      `${path} is no backup: it is enciphered, as only exports can be. To import an export, set EDGEWISE_IMPORT_KEY to its key: npm run import -- ${path}`,
    );
  const found = new Map<string, Checksum>();
  const place = `${path}: ${MANIFEST}`;
  let stated: unknown;
  for await (const entry of backupEntries(path, report)) {
    if (entry.name === MANIFEST) stated = parseLine((await buffer(entry.bytes)).toString(), place, 1);
    else for await (const _ of summed(entry.name, entry.bytes, found));
  }
  if (stated === undefined && found.has('metadata.json'))
    throw new UserError(`${path} is no backup but an export. To import it: npm run import -- ${path}`);
  if (stated === undefined) throw new UserError(`${path} is no backup: it has no ${MANIFEST}`);
  const parsed = readValue(manifest, stated, place);
  assertSame(parsed, found, path);
  return parsed;
}
