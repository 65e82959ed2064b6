/**
 * @module Which type a file is stored under: that of its content, and only if every claim about it is allowed.
 */
import type { Settings } from '../config.ts';
import { type ApiError, invalid } from '../errors.ts';
import { detectType } from './detect-type.ts';
import { extensionOf } from './file-name.ts';
import { typeOfExtension } from './file-types.ts';

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

/** Types that are always known by their content: a file that only claims to be one is none. */
const SIGNED =
  /^(image\/(png|jpeg|gif|webp|avif|bmp|tiff|heic|heif|x-icon|vnd\.adobe\.photoshop)|application\/(pdf|zip|gzip|msword|vnd\.(ms-excel|ms-powerpoint|openxml.*|oasis.*)))$/;

/** https://www.rfc-editor.org/rfc/rfc6838#section-4.2: of `image/x,text/html` a browser reads the last part. */
const TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/;

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
  TYPE.test(type) && (allowedTypes === null || matches(type, allowedTypes));

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
