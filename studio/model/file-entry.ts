/**
 * @module Files of the media library.
 */
import type { Query } from '../api/query-string.ts';
import { formatLocale } from '../texts/text.ts';
import type { Model } from './model.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** What is said about a file. */
export interface FileInfo {
  readonly name?: string;
  readonly alternativeText?: string | null;
  readonly caption?: string | null;
  /** In percent of the width and of the height. */
  readonly focalPoint?: Point | null;
}

export interface FileEntry extends FileInfo {
  readonly id: number;
  readonly documentId: string;
  readonly name: string;
  readonly mime: string;
  readonly url: string;
  /** Smaller copies of a picture. */
  readonly formats?: Readonly<Record<string, { readonly url: string }>> | null;
  readonly width?: number | null;
  readonly height?: number | null;
  /** In thousands of bytes. */
  readonly size: number;
  readonly createdAt?: string;
  readonly updatedAt?: string;
}

export const FILES_PATH = '/api/upload/files';
export const PAGE_PATH = `${FILES_PATH}/page`;
export const UPLOAD_PATH = '/api/upload';

export const mayFindFiles = (model: Model): boolean => model.may('get', PAGE_PATH);
export const mayUpload = (model: Model): boolean => model.may('post', UPLOAD_PATH);
export const mayChange = (model: Model): boolean => model.may('put', UPLOAD_PATH);
export const mayDelete = (model: Model): boolean => model.may('delete', `${FILES_PATH}/{id}`);
/** May files be private? A server without them describes no signed addresses. */
export const hasPrivate = (model: Model): boolean => model.may('post', `${FILES_PATH}/{id}/actions/sign`);

/** Strapi's names of kinds, as in `allowedTypes` of an attribute. */
export const KINDS = {
  images: 'Pictures',
  videos: 'Videos',
  audios: 'Sound',
  files: 'Documents and other files',
} as const;
export type Kind = keyof typeof KINDS;

export const ALL_KINDS = Object.keys(KINDS) as readonly Kind[];
const PREFIXES = { images: 'image/', videos: 'video/', audios: 'audio/', files: '' };

export const kindOf = (mime: string): Kind => ALL_KINDS.find((kind) => mime.startsWith(PREFIXES[kind])) ?? 'files';

/** Returns the kinds that an attribute takes: all of them if it names none. */
export function kindsOf(allowedTypes: readonly string[] = []): readonly Kind[] {
  const named = ALL_KINDS.filter((kind) => allowedTypes.includes(kind));
  return named.length > 0 ? named : ALL_KINDS;
}

/** Returns what the browser's dialog for files offers: `image/*,video/*`; undefined for everything. */
export const acceptOf = (kinds: readonly Kind[]): string | undefined =>
  kinds.includes('files') ? undefined : kinds.map((kind) => `${PREFIXES[kind]}*`).join();

const startsWith = (kinds: readonly Kind[]) => kinds.map((kind) => ({ mime: { $startsWith: PREFIXES[kind] } }));

/** Returns the filter that leaves the files of these kinds. */
export function kindFilter(kinds: readonly Kind[]): Query {
  const others = ALL_KINDS.filter((kind) => !kinds.includes(kind));
  return kinds.includes('files') ? { $not: { $or: startsWith(others) } } : { $or: startsWith(kinds) };
}

/** Pictures that browsers show and that run nothing: no SVG. */
const SHOWN = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/bmp'];

/** Returns the address if it is one of the web, else undefined. */
export const safeUrl = (url: string): string | undefined => (/^(https?:\/\/|\/(?!\/))/.test(url) ? url : undefined);

/** Returns the address of a picture that may be shown in place, in this format if there is one; undefined for others. */
export const pictureOf = ({ mime, url, formats }: FileEntry, format: string): string | undefined =>
  SHOWN.includes(mime) ? safeUrl(formats?.[format]?.url ?? url) : undefined;

export const thumbnailOf = (file: FileEntry): string | undefined => pictureOf(file, 'thumbnail');

/** The addresses of private files are signed. */
export const isPrivate = ({ url }: FileEntry): boolean => url.includes('&signature=');

/** Is it a picture without alternative text? */
export const lacksText = ({ mime, alternativeText }: FileEntry): boolean =>
  kindOf(mime) === 'images' && !alternativeText?.trim();

/** `1234.5` thousands of bytes → `1.2 MB` */
export function sizeOf({ size }: FileEntry): string {
  const short = (value: number) => value.toLocaleString(formatLocale(), { maximumSignificantDigits: 2 });
  if (size < 1) return '< 1 kB';
  return size < 1000 ? `${short(size)} kB` : `${short(size / 1000)} MB`;
}
