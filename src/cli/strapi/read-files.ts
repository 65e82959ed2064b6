/**
 * @module The media library of a running Strapi: rows of files, and their bytes with those of their smaller formats.
 */
import { createReadStream, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { FILE_UID } from '../../registry/system-types.ts';
import { isObject } from '../../request/body.ts';
import { objectKey } from '../archive/names.ts';
import type { ArchiveWriter } from '../export/archive-writer.ts';
import type { Remarks } from '../import/remarks.ts';
import { UserError } from '../terminal.ts';
import type { Row } from './answers.ts';
import type { StrapiClient } from './client.ts';
import { pagesOf } from './pages.ts';
import type { DocumentReading } from './read-documents.ts';

export const FILES = { path: '/api/upload/files', grant: 'plugin::upload.content-api.find' } as const;

/** What can be served, and what an archive may be called in. */
const KEY = /^[A-Za-z0-9_.-]{1,512}$/;
const KILOBYTE = 1000;
/** What the sizes of rows leave out. */
const MORE_BYTES = 64 * 1024 * 1024;

interface Source {
  readonly key: string;
  readonly url: string;
  readonly mostBytes: number;
}

function sourceOf(value: unknown, base: string): Source | undefined {
  if (!isObject(value) || typeof value.url !== 'string' || !URL.canParse(value.url, `${base}/`)) return undefined;
  // `/uploads/…` lies below the address, also where that has a path of its own.
  const address = value.url.startsWith('/') ? `${base}${value.url}` : value.url;
  const url = new URL(address, `${base}/`);
  const size = Number(value.size);
  const mostBytes = (Number.isFinite(size) && size > 0 ? size * KILOBYTE * 2 : 0) + MORE_BYTES;
  return /^https?:$/.test(url.protocol) ? { key: objectKey(value), url: url.href, mostBytes } : undefined;
}

/** A file and its formats, as far as they say where they are. */
function sourcesOf(row: Row, base: string): readonly Source[] {
  const formats = isObject(row.formats) ? Object.values(row.formats) : [];
  return [row, ...formats].flatMap((value) => {
    const source = sourceOf(value, base);
    return source ? [source] : [];
  });
}

/** Writes bytes to a file. @returns how many there were. */
async function spool(path: string, bytes: AsyncIterable<Uint8Array>, { key, mostBytes }: Source): Promise<number> {
  const file = await open(path, 'w', 0o600);
  let size = 0;
  try {
    for await (const chunk of bytes) {
      size += chunk.length;
      if (size > mostBytes) throw new UserError(`${key} has more bytes than the server says of it`);
      await file.writeFile(chunk);
    }
  } finally {
    await file.close();
  }
  return size;
}

export interface ByteReading {
  readonly client: StrapiClient;
  readonly archive: ArchiveWriter;
  readonly remarks: Remarks;
  /** Begin of the names of files that may be written to, and are gone afterwards. */
  readonly spoolPath: string;
  /** Keys that were asked for. */
  readonly seen: Set<string>;
}

interface Spooled {
  readonly key: string;
  readonly path: string;
  /** Undefined: the server does not have it. */
  readonly size: number | undefined;
}

function wanted({ seen, remarks }: ByteReading, sources: readonly Source[]): readonly Source[] {
  return sources.filter(({ key }) => {
    if (!KEY.test(key)) remarks.note('a file whose name cannot be served; its bytes were not taken');
    const isNew = KEY.test(key) && !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

async function writeSpooled({ archive, remarks }: ByteReading, { key, path, size }: Spooled): Promise<number> {
  if (size === undefined) {
    remarks.note('bytes that the server does not have; their file was taken with its old address');
    return 0;
  }
  await archive.stream(`assets/uploads/${key}`, size, createReadStream(path));
  rmSync(path, { force: true });
  return 1;
}

/** The bytes of a file and of its formats, asked for at once. @returns how many objects there were. */
export async function readBytes(reading: ByteReading, row: Row): Promise<number> {
  const { client, spoolPath } = reading;
  const sources = wanted(reading, sourcesOf(row, client.base));
  const spooled = await Promise.all(
    sources.map(async (source, index) => {
      const path = `${spoolPath}-${index}`;
      return { key: source.key, path, size: await client.file(source.url, (bytes) => spool(path, bytes, source)) };
    }),
  );
  let count = 0;
  for (const one of spooled) count += await writeSpooled(reading, one);
  return count;
}

/** The rows of files. @param take is handed each row behind its line. */
export async function readFiles(
  { client, changed, add }: DocumentReading,
  take: (row: Row) => Promise<void>,
): Promise<void> {
  for await (const rows of pagesOf(client, { ...FILES, form: 'plain', queries: [changed.slice(1)] }))
    for (const row of rows) {
      const { id, isUrlSigned: _, ...data } = row;
      await add({ type: FILE_UID, id, data: { folderPath: '/', ...data, locale: null } });
      await take(row);
    }
}
