/**
 * @module The first bytes of a file → its media type, whatever its name and its sender say.
 */
import { parse } from 'file-type-mime';

/** As many bytes as the reference looks at. */
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
export function detectType(content: Uint8Array): string | undefined {
  const head = content.slice(0, LOOKED_AT);
  const found = bySignature(head) ?? parse(head.buffer)?.mime ?? byMarkup(head);
  return found && (USUAL[found] ?? found);
}
