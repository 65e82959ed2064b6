/**
 * @module Is a JPEG stored lying on its side? Cameras write how it was held into its Exif block.
 */

const EXIF = 0x45786966;
const ORIENTATION = 0x0112;
/** Of the eight orientations these swap width and height. */
const FIRST_TURNED = 5;

/** Offset of the Exif block's TIFF header; undefined when there is none before the picture itself. */
function exifStart(view: DataView): number | undefined {
  for (let at = 2; at + 10 <= view.byteLength && view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint8(at + 1);
    if (marker === 0xe1 && view.getUint32(at + 4) === EXIF) return at + 10;
    if (marker === 0xda) return undefined;
  }
  return undefined;
}

function orientationOf(view: DataView, start: number): number {
  const little = view.getUint16(start) === 0x4949;
  const first = start + view.getUint32(start + 4, little);
  const count = view.getUint16(first, little);
  for (let index = 0; index < count; index += 1) {
    const entry = first + 2 + index * 12;
    if (view.getUint16(entry, little) === ORIENTATION) return view.getUint16(entry + 8, little);
  }
  return 1;
}

/** What cannot be read says nothing about the picture. */
export function isTurned(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return false;
  try {
    const start = exifStart(view);
    return start !== undefined && orientationOf(view, start) >= FIRST_TURNED;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
