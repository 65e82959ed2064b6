/**
 * @module File name extensions ↔ media types: those of the default rules, and similar ones.
 */

/** The first extension is for files without one. */
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

const BY_EXTENSION = new Map(
  Object.entries(TYPES).flatMap(([type, extensions]) => extensions.split(' ').map((each) => [`.${each}`, type])),
);

/** `.png` → `image/png`, case-insensitive; undefined for unknown extensions. */
export const typeOfExtension = (extension: string): string | undefined => BY_EXTENSION.get(extension.toLowerCase());

/** `image/png` → `.png`; `''` for unknown types. */
export function extensionOfType(type: string): string {
  const [first] = (Object.hasOwn(TYPES, type) ? (TYPES[type] ?? '') : '').split(' ');
  return first ? `.${first}` : '';
}

/** Types that browsers may display inline: neither markup nor scripts. */
const INLINE = [
  /^image\/(apng|avif|bmp|gif|heic|heif|jpeg|jxl|png|tiff|vnd\.microsoft\.icon|webp|x-icon)$/,
  /^audio\/(aac|flac|mp4|mpeg|ogg|wav|webm|x-wav)$/,
  /^video\/(3gpp|mp4|mpeg|ogg|quicktime|webm|x-m4v|x-matroska|x-msvideo)$/,
  /^(text\/(csv|plain)|application\/pdf)$/,
];

/** Browsers read the last part of `image/x,text/html`. https://www.rfc-editor.org/rfc/rfc6838#section-4.2 */
export const isMediaType = (text: string): boolean => /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(text);

/** Their parts have their own headers. Firefox displayed such attachments inline: CVE-2024-10461 */
const COMPOSITE = /^(multipart|message)\//;

/** Returns the headers for the bytes of a file: its type, and whether browsers display it inline or save it. */
export function presentationOf(mime = '') {
  const [given = ''] = mime.split(';');
  const type = given.trim().toLowerCase();
  const known = isMediaType(type) && !COMPOSITE.test(type);
  const inline = INLINE.some((types) => types.test(type));
  return { contentType: known ? type : 'application/octet-stream', inline };
}
