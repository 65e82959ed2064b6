/**
 * @module File name extensions ↔ media types: those that the default rules speak of, allowed or denied, and their kin.
 */

/** The first extension is the one for files that come without. */
const TYPES: Readonly<Record<string, string>> = {
  'application/epub+zip': 'epub',
  'application/gzip': 'gz tgz',
  'application/java-archive': 'jar war',
  'application/json': 'json map',
  'application/msword': 'doc dot',
  'application/pdf': 'pdf',
  'application/rtf': 'rtf',
  'application/vnd.android.package-archive': 'apk',
  'application/vnd.apple.installer+xml': 'mpkg',
  'application/vnd.microsoft.portable-executable': 'efi scr sys',
  'application/vnd.ms-excel': 'xls xlt',
  'application/vnd.ms-powerpoint': 'ppt pps',
  'application/vnd.oasis.opendocument.presentation': 'odp',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.rar': 'rar',
  'application/wasm': 'wasm',
  'application/x-7z-compressed': '7z',
  'application/x-bat': 'bat cmd',
  'application/x-httpd-php': 'php phtml',
  'application/x-mach-binary': 'dylib',
  'application/x-msdos-program': 'exe',
  'application/x-msdownload': 'dll com msi',
  'application/x-sh': 'sh bash zsh',
  'application/x-shockwave-flash': 'swf',
  'application/x-tar': 'tar',
  'application/xhtml+xml': 'xhtml xht',
  'application/xml': 'xml xsl xslt',
  'application/zip': 'zip',
  'audio/aac': 'aac',
  'audio/flac': 'flac',
  'audio/midi': 'mid midi',
  'audio/mp4': 'm4a',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'oga ogg opus',
  'audio/wav': 'wav',
  'audio/webm': 'weba',
  'font/otf': 'otf',
  'font/ttf': 'ttf',
  'font/woff': 'woff',
  'font/woff2': 'woff2',
  'image/avif': 'avif',
  'image/bmp': 'bmp',
  'image/gif': 'gif',
  'image/heic': 'heic',
  'image/heif': 'heif',
  'image/jpeg': 'jpeg jpg jpe',
  'image/jxl': 'jxl',
  'image/png': 'png',
  'image/svg+xml': 'svg svgz',
  'image/tiff': 'tif tiff',
  'image/vnd.adobe.photoshop': 'psd',
  'image/webp': 'webp',
  'image/x-icon': 'ico',
  'text/calendar': 'ics',
  'text/css': 'css',
  'text/csv': 'csv',
  'text/html': 'html htm shtml',
  'text/javascript': 'js mjs cjs',
  'text/markdown': 'md markdown',
  'text/plain': 'txt text log conf ini',
  'text/vtt': 'vtt',
  'video/3gpp': '3gp',
  'video/mp4': 'mp4 m4v',
  'video/mpeg': 'mpeg mpg',
  'video/ogg': 'ogv',
  'video/quicktime': 'mov qt',
  'video/webm': 'webm',
  'video/x-matroska': 'mkv',
  'video/x-msvideo': 'avi',
};

const BY_EXTENSION: ReadonlyMap<string, string> = new Map(
  Object.entries(TYPES).flatMap(([type, extensions]) =>
    extensions.split(' ').map((extension) => [`.${extension}`, type] as const),
  ),
);

/** `.png` → `image/png`, in any case; undefined for unknown extensions. */
export const typeOfExtension = (extension: string): string | undefined => BY_EXTENSION.get(extension.toLowerCase());

/** `image/png` → `.png`; `''` where the type has none. */
export function extensionOfType(type: string): string {
  const [first] = (Object.hasOwn(TYPES, type) ? (TYPES[type] ?? '') : '').split(' ');
  return first ? `.${first}` : '';
}

/** What a browser may show in place: each of these by its exact name, and neither markup nor scripts. */
const INLINE: ReadonlySet<string> = new Set([
  ...['apng', 'avif', 'bmp', 'gif', 'heic', 'heif', 'jpeg', 'jxl', 'png', 'tiff', 'webp'].map(
    (name) => `image/${name}`,
  ),
  ...['image/vnd.microsoft.icon', 'image/x-icon'],
  ...['aac', 'flac', 'mp4', 'mpeg', 'ogg', 'wav', 'webm', 'x-wav'].map((name) => `audio/${name}`),
  ...['3gpp', 'mp4', 'mpeg', 'ogg', 'quicktime', 'webm', 'x-m4v', 'x-matroska', 'x-msvideo'].map(
    (name) => `video/${name}`,
  ),
  ...['text/csv', 'text/plain', 'application/pdf'],
]);

/** https://www.rfc-editor.org/rfc/rfc6838#section-4.2: of `image/x,text/html` a browser reads the last part. */
const TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/;

export const isMediaType = (text: string): boolean => TYPE.test(text);

/** Several contents in one, whose own headers count. Firefox showed such attachments in place: CVE-2024-10461 */
const COMPOSITE = /^(multipart|message)\//;

/** Headers for the bytes of a file. */
export interface Presentation {
  readonly contentType: string;
  /** May a browser display them inline? Otherwise it saves them. */
  readonly inline: boolean;
}

/** @param mime the stored type of a file, from this version or an older one. */
export function presentationOf(mime: string | undefined): Presentation {
  const [given = ''] = (mime ?? '').split(';');
  const type = given.trim().toLowerCase();
  const known = isMediaType(type) && !COMPOSITE.test(type);
  return { contentType: known ? type : 'application/octet-stream', inline: INLINE.has(type) };
}
