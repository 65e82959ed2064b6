/**
 * @module Which objects of a file belong into the bucket. An import leaves the address of bytes that the archive lacks, and
 * they may be served from there, as those of an upload provider of Strapi are.
 */
import type { StoredFile, StoredObject } from '../../src/features/files/sql/files.ts';
import { objectKey } from '../core/archive/names.ts';

/** Of files whose bytes were uploaded here, or came with an import. */
const OWN_PROVIDER = 'r2';

const isAbsolute = (url: string): boolean => /^([a-z][a-z\d+.-]*:)?\/\//i.test(url);

/** Is the address of a file that of another server? That of an own one has the `publicUrl` of its time. */
export const isElsewhere = ({ row }: Pick<StoredFile, 'row'>): boolean =>
  row.provider !== OWN_PROVIDER && isAbsolute(String(row.url));

/** Returns the part of an address before the key. */
const baseOf = (url: string, object: StoredObject): string =>
  url.endsWith(objectKey(object)) ? url.slice(0, -objectKey(object).length) : url;

/** The formats of a file that belong into the bucket, by their names. */
export function formatsHere(file: StoredFile): readonly (readonly [string, StoredObject])[] {
  const ownBase = isElsewhere(file) ? undefined : baseOf(String(file.row.url), file);
  return Object.entries(file.formats).filter(([, format]) => {
    const url = String((format as { readonly url?: unknown }).url);
    return !isAbsolute(url) || baseOf(url, format) === ownBase;
  });
}

/** The keys of a file's objects that belong into the bucket. */
export const keysHere = (file: StoredFile): readonly string[] =>
  [...(isElsewhere(file) ? [] : [file]), ...formatsHere(file).map(([, format]) => format)].map(objectKey);
