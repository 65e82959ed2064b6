/**
 * @module Is a picture animated? By its first bytes.
 */
import { firstOf, fourLetters, pngChunks } from './containers.ts';

/** Bytes that say so. Colour profiles and metadata come first. */
export const ANIMATION_HEADER = 1_048_576;

/** Looks for the chunk `acTL` before the pixels; without both, it may follow. https://www.w3.org/TR/png-3/#acTL-chunk */
function isAnimatedPng(view: DataView): boolean {
  return firstOf(pngChunks(view), 'acTL', 'IDAT')?.type !== 'IDAT';
}

/** https://developers.google.com/speed/webp/docs/riff_container#extended_file_format */
const isAnimatedWebp = (view: DataView): boolean =>
  view.byteLength > 20 && fourLetters(view, 12) === 'VP8X' && (view.getUint8(20) & 2) !== 0;

export function isAnimated(head: ArrayBuffer, mime: string): boolean {
  const view = new DataView(head);
  return mime === 'image/png' ? isAnimatedPng(view) : mime === 'image/webp' && isAnimatedWebp(view);
}
