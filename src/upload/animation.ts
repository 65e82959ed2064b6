/**
 * @module Is a picture animated? By its first bytes.
 */

/** Bytes that say so. Colour profiles and metadata come first. */
export const ANIMATION_HEADER = 1_048_576;

const textAt = (view: DataView, at: number): string =>
  String.fromCharCode(...[0, 1, 2, 3].map((index) => view.getUint8(at + index)));

/** Looks for the chunk `acTL` before the pixels; without both, it may follow. https://www.w3.org/TR/png-3/#acTL-chunk */
function isAnimatedPng(view: DataView): boolean {
  for (let at = 8; at + 8 <= view.byteLength; at += 12 + view.getUint32(at)) {
    const type = textAt(view, at + 4);
    if (type === 'acTL' || type === 'IDAT') return type === 'acTL';
  }
  return true;
}

/** https://developers.google.com/speed/webp/docs/riff_container#extended_file_format */
const isAnimatedWebp = (view: DataView): boolean =>
  view.byteLength > 20 && textAt(view, 12) === 'VP8X' && (view.getUint8(20) & 2) !== 0;

export function isAnimated(head: ArrayBuffer, mime: string): boolean {
  const view = new DataView(head);
  return mime === 'image/png' ? isAnimatedPng(view) : mime === 'image/webp' && isAnimatedWebp(view);
}
