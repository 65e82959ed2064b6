/**
 * @module Which type a file is stored under: that of its content, and only if every claim about it is allowed.
 */
import { parse } from 'file-type-mime';
import type { Settings } from '../config.ts';
import { type ApiError, invalid } from '../errors.ts';
import { isMediaType, typeOfExtension } from './media-types.ts';
import { extensionOf } from './names.ts';

/** The number of bytes that Strapi inspects. */
const LOOKED_AT = 4_100;

/** Names that the library has for types which are called otherwise elsewhere. */
const USUAL: Readonly<Record<string, string>> = { 'audio/mp3': 'audio/mpeg', 'audio/x-flac': 'audio/flac' };

/** What the library does not know, and what must not pass as text: their first bytes in hexadecimal. */
const SIGNATURES: readonly (readonly [start: RegExp, type: string])[] = [
  [/^7f454c46/, 'application/x-executable'],
  [/^(feedfac[ef]|c[ef]faedfe|cafebabe)/, 'application/x-mach-binary'],
  [/^4[36]5753/, 'application/x-shockwave-flash'],
  [/^d0cf11e0a1b11ae1/, 'application/x-cfb'],
  [/^1a45dfa3/, 'video/webm'],
];

const MARKUP: readonly (readonly [pattern: RegExp, type: string])[] = [
  [/^(<!doctype html|<(html|head|body|script|iframe)\b)/i, 'text/html'],
  [/^(<!doctype svg|<svg\b)/i, 'image/svg+xml'],
];

const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

function bySignature(head: Uint8Array): string | undefined {
  const start = hex(head.subarray(0, 8));
  return SIGNATURES.find(([signature]) => signature.test(start))?.[1];
}

/** What may stand before the first element: space, comments, an XML declaration. */
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

/** @returns undefined for text, and for what has no signature that is known here. */
function detectType(content: Uint8Array): string | undefined {
  const head = content.slice(0, LOOKED_AT);
  const found = bySignature(head) ?? parse(head.buffer)?.mime ?? byMarkup(head);
  return found && (USUAL[found] ?? found);
}

export interface Claim {
  readonly name: string;
  /** What the sender says: `''` and `application/octet-stream` say nothing. */
  readonly declared: string;
}

type Rules = Pick<Settings['upload'], 'allowedTypes' | 'deniedTypes'>;

/** Containers whose signature does not tell what is in them: there the extension decides among these. */
const CONTAINERS: Readonly<Record<string, RegExp>> = {
  'application/zip': /^application\/(vnd\.(openxml|oasis|android)|epub\+zip|java-archive)/,
  'application/x-cfb': /^application\/(msword|vnd\.ms-(excel|powerpoint))$/,
  'application/ogg': /^(audio|video)\/ogg$/,
  'application/gzip': /^image\/svg\+xml$/,
  'application/xml': /^application\/(xhtml\+xml|vnd\.apple\.installer\+xml)$/,
  'video/mp4': /^(audio\/mp4|video\/(quicktime|3gpp))$/,
  'video/webm': /^(audio\/webm|video\/x-matroska)$/,
  'image/heic': /^image\/heif$/,
};

/** Types that are always recognized by their content: a file that only claims one of them does not have it. */
const SIGNED =
  /^(image\/(png|jpeg|gif|webp|avif|bmp|tiff|heic|heif|x-icon|vnd\.adobe\.photoshop)|application\/(pdf|zip|gzip|msword|vnd\.(ms-excel|ms-powerpoint|openxml.*|oasis.*)))$/;

/** `image/*`, `application/vnd.*`: a star stands for anything. */
function matches(type: string, patterns: readonly string[]): boolean {
  const wanted = type.toLowerCase();
  return patterns.some((pattern) => {
    const parts = pattern.toLowerCase().split('*');
    const [start = ''] = parts;
    if (parts.length === 1) return wanted === start;
    const end = parts.at(-1) ?? '';
    const middle = parts.slice(1, -1);
    let at = start.length;
    const fits = wanted.startsWith(start) && wanted.length >= start.length + end.length && wanted.endsWith(end);
    return (
      fits &&
      middle.every((part) => {
        const found = wanted.indexOf(part, at);
        at = found + part.length;
        return found >= 0 && at <= wanted.length - end.length;
      })
    );
  });
}

const isDenied = (type: string | undefined, { deniedTypes }: Rules): type is string =>
  type !== undefined && matches(type, deniedTypes);
const isAllowed = (type: string, { allowedTypes }: Rules): boolean =>
  isMediaType(type) && (allowedTypes === null || matches(type, allowedTypes));

const notAllowed = (type: string): ApiError => invalid(`File type '${type}' is not allowed`);

const generic = (declared: string): boolean => declared === '' || declared === 'application/octet-stream';

/** The type of the content; where the content does not tell, what is claimed. */
function typeOf(claim: string | undefined, byName: string | undefined, detected: string | undefined) {
  if (!detected) return claim;
  return byName && CONTAINERS[detected]?.test(byName) ? byName : detected;
}

/**
 * Decides the type of a file.
 * @param head its first bytes.
 * @throws ApiError 400 when its content, its name or its sender claims a type that is denied, or its content or its
 * name one that is not allowed; when its content is not what it must be by its name; and when nothing tells its type.
 */
export function decideType({ name, declared }: Claim, head: Uint8Array, rules: Rules): string {
  const byName = typeOfExtension(extensionOf(name));
  const claimed = generic(declared) ? undefined : declared;
  for (const type of [claimed, byName]) if (isDenied(type, rules)) throw notAllowed(type);
  const detected = detectType(head);
  if (isDenied(detected, rules)) throw notAllowed(detected);
  const type = typeOf(byName ?? claimed, byName, detected);
  if (type === undefined) throw invalid('Cannot verify file type for security reasons');
  const hidden = type === detected && type !== byName && type !== claimed;
  if (!isAllowed(type, rules)) throw hidden ? invalid('MIME type is not allowed') : notAllowed(type);
  if (byName !== undefined && !isAllowed(byName, rules)) throw notAllowed(byName);
  if (!detected && SIGNED.test(type)) throw invalid(`The content of '${name}' is not of the type '${type}'`);
  return type;
}
