/**
 * @module The media library of a running Strapi: rows of files, and their bytes with those of their smaller formats.
 */
import { createReadStream, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { isObject } from '../../json.ts';
import { FILE_UID } from '../../registry/system-types.ts';
import { objectKey } from '../archive/names.ts';
import type { ArchiveWriter } from '../export/archive-writer.ts';
import type { Remarks } from '../import/remarks.ts';
import { UserError } from '../terminal.ts';
import type { StrapiRow } from './answers.ts';
import type { StrapiClient } from './client.ts';
import { pagesOf } from './pages.ts';
import type { DocumentReading } from './read-documents.ts';

export const FILES = { path: '/api/upload/files', grant: 'plugin::upload.content-api.find' } as const;

/** What can be served, and what an archive may be called in. */
const KEY = /^(?!\.{1,2}$)[A-Za-z0-9_.-]{1,512}$/;
const KILOBYTE = 1000;
/** What the sizes of rows leave out. */
const MORE_BYTES = 64 * 1024 * 1024;
/** Formats of a file that are asked for at once. */
const MOST_AT_ONCE = 6;

interface Source {
  readonly key: string;
  readonly url: string;
  /** Bytes, as the server says; 0: it does not. */
  readonly said: number;
}

/** `/uploads/…` lies below the address, also where that has a path of its own. */
function urlOf(url: string, base: string): string {
  const address = url.startsWith('/') ? `${base}${url}` : url;
  return url !== '' && URL.canParse(address, `${base}/`) ? new URL(address, `${base}/`).href : '';
}

function sourceOf({ hash, ext, url, size }: Readonly<Record<string, unknown>>, base: string): Source {
  const bytes = typeof size === 'number' && Number.isFinite(size) && size > 0 ? size * KILOBYTE : 0;
  const key = typeof hash === 'string' ? objectKey({ hash, ext }) : '';
  return { key, url: typeof url === 'string' ? urlOf(url, base) : '', said: bytes };
}

/** A file and its formats. */
function sourcesOf(row: StrapiRow, base: string): readonly Source[] {
  const formats = isObject(row.formats) ? Object.values(row.formats).filter(isObject) : [];
  return [row, ...formats].map((value) => sourceOf(value, base));
}

/** Sizes are rounded, and of some formats a little off. */
const isAsSaid = ({ said }: Source, size: number): boolean =>
  said === 0 || Math.abs(size - said) <= Math.max(KILOBYTE, said / 10);

/** Writes bytes to a file. @returns how many there were. */
async function spool(path: string, bytes: AsyncIterable<Uint8Array>, { key, said }: Source): Promise<number> {
  const file = await open(path, 'w', 0o600);
  let size = 0;
  try {
    for await (const chunk of bytes) {
      size += chunk.length;
      if (size > said * 2 + MORE_BYTES) throw new UserError(`${key} has more bytes than the server says of it`);
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

interface Spooled extends Source {
  readonly path: string;
  /** Undefined: the server does not have it. */
  readonly size: number | undefined;
}

const UNNAMED = 'a file whose name cannot be served; its bytes were not taken';
const UNREACHED =
  'a file whose address is none that is asked (no http, or inside of another network); its bytes were not taken';

async function wanted({ seen, remarks, client }: ByteReading, sources: readonly Source[]): Promise<readonly Source[]> {
  const found: Source[] = [];
  for (const source of sources) {
    const { key, url } = source;
    if (seen.has(key)) continue;
    if (!KEY.test(key)) remarks.note(UNNAMED);
    else if (!(await client.mayAsk(url))) remarks.note(UNREACHED);
    else {
      seen.add(key);
      found.push(source);
    }
  }
  return found;
}

async function writeSpooled({ archive, remarks }: ByteReading, spooled: Spooled): Promise<number> {
  const { key, path, size } = spooled;
  if (size === undefined) {
    remarks.note('bytes that the server does not have; their file was taken with its old address');
    return 0;
  }
  if (!isAsSaid(spooled, size)) remarks.note('a file has not as many bytes as the server says of it; taken as it is');
  await archive.stream(`assets/uploads/${key}`, size, createReadStream(path));
  rmSync(path, { force: true });
  return 1;
}

/** The bytes of a file and of its formats, asked for at once. @returns how many objects there were. */
export async function readBytes(reading: ByteReading, row: StrapiRow): Promise<number> {
  const { client, spoolPath } = reading;
  const sources = await wanted(reading, sourcesOf(row, client.base));
  let count = 0;
  for (let start = 0; start < sources.length; start += MOST_AT_ONCE) {
    const spooled = await Promise.all(
      sources.slice(start, start + MOST_AT_ONCE).map(async (source, index) => {
        const path = `${spoolPath}-${index}`;
        return { ...source, path, size: await client.file(source.url, (bytes) => spool(path, bytes, source)) };
      }),
    );
    for (const one of spooled) count += await writeSpooled(reading, one);
  }
  return count;
}

/** The rows of files. @param take is handed each row behind its line. */
export async function readFiles(
  { client, changed, add }: DocumentReading,
  take: (row: StrapiRow) => Promise<void>,
): Promise<void> {
  for await (const rows of pagesOf(client, { ...FILES, form: 'plain', queries: [changed.slice(1)] }))
    for (const row of rows) {
      const { id, isUrlSigned: _, ...data } = row;
      await add({ type: FILE_UID, id, data: { folderPath: '/', ...data, locale: null } });
      await take(row);
    }
}
