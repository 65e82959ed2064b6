/**
 * @module Names, hashes and sizes of files, as in Strapi.
 */
import { type ApiError, application, invalid } from '../../common/errors.ts';
import { PRIVATE_SUFFIX } from '../../schema/names.ts';

const MAX_NAME = 255;
/** Control characters, path separators and direction marks. */
const UNFIT = /[\p{Cc}/\\\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
/** Names that file systems reject, and Strapi in a part. */
const UNFIT_PART = /[<>:"/|?*\p{Cc}]|^\.\.?$|^(con|prn|aux|nul|com\d|lpt\d)$/iu;
const PLAIN_EXTENSION = /^\.[A-Za-z0-9_-]{1,16}$/;
const SUFFIX_BYTES = 5;
/** The column of hashes has 255 characters. */
const MAX_SLUG = 200;

/** @throws ApiError 400 for a name that looks like a path or another name, or is too long. */
export function checkName(name: string): string {
  if (name.length > MAX_NAME) throw invalid(`Names have at most ${MAX_NAME} characters`);
  if (UNFIT.test(name)) throw invalid('Names have no slashes, control characters and direction marks');
  return name.normalize();
}

export const unfitName = (): ApiError => application('File name contains invalid characters');

/** Returns the name of a part. @throws ApiError 400 */
export function partName(name: string): string {
  if (UNFIT_PART.test(name)) throw unfitName();
  return checkName(name);
}

/** `photo.PNG` → `.PNG`; `''` without an extension that is safe in a URL. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 ? name.slice(dot) : '';
  return PLAIN_EXTENSION.test(extension) ? extension : '';
}

const GERMAN_AND_NORDIC: Readonly<Record<string, string>> = {
  ...{ ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'Ae', Ö: 'Oe', Ü: 'Ue', ß: 'ss', æ: 'ae', Æ: 'AE', ø: 'o', Ø: 'O' },
  ...{ å: 'a', Å: 'A', đ: 'd', Đ: 'D', ł: 'l', Ł: 'L', þ: 'th', Þ: 'TH', '&': ' and ' },
};

/** `File%&Näme` → `File_and_Naeme` */
function slug(text: string): string {
  return text
    .replace(/[äöüÄÖÜßæÆøØåÅđĐłŁþÞ&]/g, (letter) => GERMAN_AND_NORDIC[letter] ?? '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([A-Z]{2,})(\d+)/g, '$1 $2')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z\d]+)/g, '$1 $2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
}

export const hexOf = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

const PRIVATE_KEY = new RegExp(`_[0-9a-f]{10}${PRIVATE_SUFFIX}`);

/** Does a hash, a key or a path name a private file? No other hash, and no extension, has such a part. */
export const isPrivateKey = (key: string): boolean => PRIVATE_KEY.test(key);

/** `photo.png` → `photo_3f09ab12cd` */
export function newHash(name: string, extension: string): string {
  const base = extension !== '' && name.endsWith(extension) ? name.slice(0, -extension.length) : name;
  return `${slug(base).slice(0, MAX_SLUG)}_${hexOf(crypto.getRandomValues(new Uint8Array(SUFFIX_BYTES)))}`;
}

/** Returns thousands of bytes, with two digits. */
export const kilobytes = (bytes: number): number => Math.round((bytes / 1000) * 100) / 100;

const UNITS = ['Bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** 1000000 → `1 MB` */
export function readable(bytes: number): string {
  const unit = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${Math.round(bytes / 1000 ** unit)} ${UNITS[unit]}`;
}
