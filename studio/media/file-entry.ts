/**
 * @module Files of the media library.
 */
import type { Query } from '../api/query-string.ts';
import type { Document, Model } from '../model/model.ts';

/** A smaller copy of a picture. */
export interface FileFormat {
  readonly url: string;
  readonly width?: number;
  readonly height?: number;
}

/** A document that uses a file, with its content type. */
export type FileUse = Document & { readonly __type: string };

export interface FileEntry {
  readonly id: number;
  readonly documentId: string;
  readonly name: string;
  readonly mime: string;
  readonly url: string;
  readonly formats?: Readonly<Record<string, FileFormat>> | null;
  readonly width?: number | null;
  readonly height?: number | null;
  /** In thousands of bytes. */
  readonly size: number;
  readonly alternativeText?: string | null;
  readonly caption?: string | null;
  /** In percent of the width and of the height. */
  readonly focalPoint?: { readonly x: number; readonly y: number } | null;
  readonly createdAt?: string;
  readonly updatedAt?: string;
  readonly related?: readonly FileUse[];
}

export const FILES_PATH = '/api/upload/files';
export const PAGE_PATH = `${FILES_PATH}/page`;
export const UPLOAD_PATH = '/api/upload';

/** Strapi's names of kinds, as in `allowedTypes` of an attribute. */
export const KINDS = { images: 'Pictures', videos: 'Videos', audios: 'Sound', files: 'Other files' } as const;
export type Kind = keyof typeof KINDS;

const PREFIXES: Readonly<Record<string, string>> = { images: 'image/', videos: 'video/', audios: 'audio/' };

export const kindOf = (mime: string): Kind =>
  (Object.keys(PREFIXES).find((kind) => mime.startsWith(PREFIXES[kind] ?? '')) ?? 'files') as Kind;

/** Returns the kinds that an attribute takes: all of them if it names none. */
export function kindsOf(allowedTypes: readonly string[] | undefined): readonly Kind[] {
  const all = Object.keys(KINDS) as Kind[];
  const named = all.filter((kind) => allowedTypes?.includes(kind));
  return named.length > 0 ? named : all;
}

/** Returns the filter that leaves the files of these kinds; undefined for all. */
export function kindFilter(kinds: readonly Kind[]): Query | undefined {
  if (kinds.length === Object.keys(KINDS).length) return undefined;
  const startsWith = (names: readonly string[]) => names.map((kind) => ({ mime: { $startsWith: PREFIXES[kind] } }));
  const named = startsWith(kinds.filter((kind) => kind !== 'files'));
  return { $or: kinds.includes('files') ? [...named, { $not: { $or: startsWith(Object.keys(PREFIXES)) } }] : named };
}

/** `accept` of an input for files of these kinds. */
export const acceptOf = (kinds: readonly Kind[]): string | undefined =>
  kinds.includes('files') ? undefined : kinds.map((kind) => `${PREFIXES[kind]}*`).join();

/** Pictures that browsers show and that run nothing: no SVG. */
const SHOWN = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/bmp'];

/** Returns the address of a file if it is one of the web, else undefined. */
export function safeUrl(url: string): string | undefined {
  const base = window.location.href;
  return URL.canParse(url, base) && /^https?:$/.test(new URL(url, base).protocol) ? url : undefined;
}

/** Returns the address of a picture that may be shown in place, at most as large as `format`; undefined for others. */
export function pictureOf({ mime, url, formats }: FileEntry, format: string): string | undefined {
  return SHOWN.includes(mime) ? safeUrl(formats?.[format]?.url ?? url) : undefined;
}

export const thumbnailOf = (file: FileEntry): string | undefined => pictureOf(file, 'thumbnail');

/** `1234.5` thousands of bytes → `1.2 MB` */
export function sizeOf({ size }: FileEntry): string {
  const [value, unit] = size < 1000 ? [size, 'kB'] : size < 1_000_000 ? [size / 1000, 'MB'] : [size / 1_000_000, 'GB'];
  return `${value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 })} ${unit}`;
}

export const mayFindFiles = (model: Model): boolean => model.may('get', PAGE_PATH);
export const mayUpload = (model: Model): boolean => model.may('post', UPLOAD_PATH);
