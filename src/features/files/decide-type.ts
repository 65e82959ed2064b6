/**
 * @module The type of a file: that of its content, only if its content, name and sender are all allowed.
 */
import { parse } from 'file-type-mime';
import { type ApiError, invalid } from '../../common/errors.ts';
import type { Settings } from '../../schema/settings/config.ts';
import { boxes, fourLetters, viewOf } from './containers.ts';
import { isMediaType, typeOfExtension } from './media-types.ts';
import { extensionOf, hexOf } from './names.ts';

/** Bytes that Strapi inspects. */
const INSPECTED = 4_100;

/** Unusual names of types in the library. */
const USUAL: Readonly<Record<string, string>> = { 'audio/mp3': 'audio/mpeg', 'audio/x-flac': 'audio/flac' };

/** First bytes, in hexadecimal, of types that the library does not detect. */
const SIGNATURES: readonly (readonly [start: RegExp, type: string])[] = [
  [/^7f454c46/, 'application/x-executable'],
  [/^(feedfac[ef]|c[ef]faedfe|cafebabe)/, 'application/x-mach-binary'],
  [/^4[36]5753/, 'application/x-shockwave-flash'],
  [/^d0cf11e0a1b11ae1/, 'application/x-cfb'],
  [/^1a45dfa3/, 'video/webm'],
];

const PDF = 'application/pdf';

const MARKUP: readonly (readonly [pattern: RegExp, type: string])[] = [
  [/^(<!doctype html|<(html|head|body|script|iframe)\b)/i, 'text/html'],
  [/^(<!doctype svg|<svg\b)/i, 'image/svg+xml'],
];

function bySignature(head: Uint8Array): string | undefined {
  const start = hexOf(head.subarray(0, 8));
  return SIGNATURES.find(([signature]) => signature.test(start))?.[1];
}

/** Brands of pictures in a container that films have, too; the first type counts of which a file names a brand. */
const PICTURE_BRANDS: readonly (readonly [brand: RegExp, type: string])[] = [
  [/^avi[fos]$/, 'image/avif'],
  [/^he[iv][cmsx]$/, 'image/heic'],
  [/^m[is]f[12]$/, 'image/heif'],
];

/** Yields the brands of a file: the first one, and the others after its version. ISO/IEC 14496-12, 4.3 */
function* brandsOf(head: Uint8Array): Generator<string> {
  const [first] = boxes(viewOf(head));
  if (first?.type !== 'ftyp') return;
  const { content } = first;
  for (let at = 0; at + 4 <= content.byteLength; at += at === 0 ? 8 : 4) yield fourLetters(content, at);
}

function byBrand(head: Uint8Array): string | undefined {
  const brands = [...brandsOf(head)];
  return PICTURE_BRANDS.find(([brand]) => brands.some((each) => brand.test(each)))?.[1];
}

/** Removes space, comments and an XML declaration before the first element. */
function withoutPreamble(text: string): string {
  let rest = text.trimStart();
  for (;;) {
    const close = rest.startsWith('<!--') ? '-->' : rest.startsWith('<?') ? '?>' : undefined;
    const end = close === undefined ? -1 : rest.indexOf(close);
    if (close === undefined || end < 0) return rest;
    rest = rest.slice(end + close.length).trimStart();
  }
}

function byMarkup(head: Uint8Array): string | undefined {
  const text = new TextDecoder().decode(head);
  const start = withoutPreamble(text);
  const found = MARKUP.find(([pattern]) => pattern.test(start))?.[1];
  return found ?? (text.trimStart().startsWith('<?xml') ? 'application/xml' : undefined);
}

/** Returns undefined for text, and for unknown signatures. */
function detectType(content: Uint8Array): string | undefined {
  const head = content.slice(0, INSPECTED);
  const found = bySignature(head) ?? byBrand(head) ?? parse(head.buffer)?.mime ?? byMarkup(head);
  return found && (USUAL[found] ?? found);
}

type Rules = Pick<Settings['upload'], 'allowedTypes' | 'deniedTypes'>;

/** Containers with several kinds of content, among which the extension decides. */
const CONTAINERS: Readonly<Record<string, RegExp>> = {
  'application/zip': /^application\/(vnd\.(openxml|oasis|android)|epub\+zip|java-archive)/,
  'application/x-cfb': /^application\/(msword|vnd\.ms-(excel|powerpoint))$/,
  'application/ogg': /^(audio|video)\/ogg$/,
  'application/gzip': /^image\/svg\+xml$/,
  'application/xml': /^application\/(xhtml\+xml|vnd\.apple\.installer\+xml)$/,
  'video/mp4': /^(audio\/mp4|video\/(quicktime|3gpp))$/,
  'video/webm': /^(audio\/webm|video\/x-matroska)$/,
  'image/heic': /^image\/heif$/,
  'image/heif': /^image\/heic$/,
};

/**
 * Readers of PDF find its header in the first 1,024 bytes. A text may mention it there, so nothing else may be claimed.
 * https://opensource.adobe.com/dc-acrobat-sdk-docs/pdfstandards/pdfreference1.7old.pdf#page=1102
 */
const isPdf = (head: Uint8Array): boolean => new TextDecoder('latin1').decode(head.subarray(0, 1_024)).includes('%PDF');

/** Types that are always detected: a claim alone is false. */
const SIGNED =
  /^(image\/(png|jpeg|gif|webp|avif|bmp|tiff|heic|heif|x-icon|vnd\.adobe\.photoshop)|application\/(pdf|zip|gzip|msword|vnd\.(ms-excel|ms-powerpoint|openxml.*|oasis.*)))$/;

/** `image/*`, `application/vnd.*`. In linear time, which a regular expression with many stars does not have. */
function matchesPattern(type: string, pattern: string): boolean {
  const [start = '', ...middle] = pattern.split('*');
  const end = middle.pop();
  if (end === undefined) return type === start;
  let at = start.length;
  for (const part of middle) {
    const found = type.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return type.startsWith(start) && type.endsWith(end) && at + end.length <= type.length;
}

const matches = (type: string, patterns: readonly string[]): boolean =>
  patterns.some((pattern) => matchesPattern(type.toLowerCase(), pattern.toLowerCase()));

const isDenied = (type: string | undefined, { deniedTypes }: Rules): type is string =>
  type !== undefined && matches(type, deniedTypes);
const isAllowed = (type: string, { allowedTypes }: Rules): boolean =>
  isMediaType(type) && (allowedTypes === null || matches(type, allowedTypes));

const notAllowed = (type: string): ApiError => invalid(`File type '${type}' is not allowed`);

/** Returns the detected type, else the claimed one. */
function typeOf(claim: string | undefined, byName: string | undefined, detected: string | undefined) {
  if (!detected) return claim;
  return byName && CONTAINERS[detected]?.test(byName) ? byName : detected;
}

/**
 * Decides the type of a file.
 * @param declared the type that the sender declares; `''` and `application/octet-stream` declare none
 * @param head its first bytes
 * @throws ApiError 400 for a denied type of the content, name or sender; for a type of the content or name that is not
 * allowed; for content that contradicts the name; and for an unknown type
 */
export function decideType(
  { name, declared }: { readonly name: string; readonly declared: string },
  head: Uint8Array,
  rules: Rules,
): string {
  const byName = typeOfExtension(extensionOf(name));
  const claimed = ['', 'application/octet-stream'].includes(declared) ? undefined : declared;
  for (const type of [claimed, byName]) if (isDenied(type, rules)) throw notAllowed(type);
  const detected = detectType(head) ?? ([PDF, undefined].includes(byName ?? claimed) && isPdf(head) ? PDF : undefined);
  if (isDenied(detected, rules)) throw notAllowed(detected);
  const type = typeOf(byName ?? claimed, byName, detected);
  if (type === undefined) throw invalid('Cannot verify file type for security reasons');
  const hidden = type !== byName && type !== claimed;
  if (!isAllowed(type, rules)) throw hidden ? invalid('MIME type is not allowed') : notAllowed(type);
  if (byName !== undefined && !isAllowed(byName, rules)) throw notAllowed(byName);
  if (!detected && SIGNED.test(type)) throw invalid(`The content of '${name}' is not of the type '${type}'`);
  return type;
}
