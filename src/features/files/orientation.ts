/**
 * @module Is a picture displayed turned by 90 degrees? By Exif (JPEG, PNG, WebP) or by a property (AVIF, HEIC). The package
 * image-size 2.1 knows it of JPEG alone.
 */
import type { ImageType } from 'image-dimensions';
import { boxes, firstOf, fourLetters, pngChunks, slice, viewOf, webpChunks } from './containers.ts';

const ORIENTATION = 0x0112;
/** The last four of eight orientations swap width and height. */
const FIRST_TURNED = 5;
const LAST_TURNED = 8;

/** Returns the Exif block of a JPEG; undefined without one. @throws RangeError behind the end */
function exifOfJpeg(view: DataView): DataView | undefined {
  for (let at = 2; view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint8(at + 1);
    if (marker === 0xe1 && fourLetters(view, at + 4) === 'Exif') return slice(view, at + 4);
    if (marker === 0xda) return undefined;
  }
  return undefined;
}

/** Reads an Exif block. Writers of WebP begin it with `Exif` and two zeros, as in a JPEG. */
function isTurnedBy(exif: DataView): boolean {
  const start = fourLetters(exif, 0) === 'Exif' ? 6 : 0;
  const little = exif.getUint16(start) === 0x4949;
  const first = start + exif.getUint32(start + 4, little);
  const count = exif.getUint16(first, little);
  for (let index = 0; index < count; index += 1) {
    const entry = first + 2 + index * 12;
    if (exif.getUint16(entry, little) !== ORIENTATION) continue;
    const orientation = exif.getUint16(entry + 8, little);
    return orientation >= FIRST_TURNED && orientation <= LAST_TURNED;
  }
  return false;
}

const byExif =
  (exifOf: (view: DataView) => DataView | undefined) =>
  (view: DataView): boolean => {
    const exif = exifOf(view);
    return exif !== undefined && isTurnedBy(exif);
  };

const contentOf = (view: DataView, box: string): DataView | undefined => firstOf(boxes(view), box)?.content;

/** Yields the numbers of the properties that an item has: an `ipma`, ISO/IEC 23008-12, 9.3.2. */
function* propertiesOf(item: number, view: DataView): Generator<number> {
  const [isLongId, isLongNumber] = [view.getUint8(0) > 0, (view.getUint8(3) & 1) !== 0];
  let at = 8;
  for (let left = view.getUint32(4); left > 0; left -= 1) {
    const id = isLongId ? view.getUint32(at) : view.getUint16(at);
    at += isLongId ? 4 : 2;
    const count = view.getUint8(at);
    at += 1;
    for (let index = 0; index < count; index += 1, at += isLongNumber ? 2 : 1)
      if (id === item) yield isLongNumber ? view.getUint16(at) & 0x7fff : view.getUint8(at) & 0x7f;
  }
}

/** Has the primary item an `irot` of 90 or 270 degrees? Exif does not turn these types. ISO/IEC 23008-12, 6.5.10 */
function isTurnedByProperty(view: DataView): boolean {
  const meta = contentOf(view, 'meta');
  const pieces = meta && slice(meta, 4);
  const [primary, properties] = pieces ? [contentOf(pieces, 'pitm'), contentOf(pieces, 'iprp')] : [];
  const container = properties && contentOf(properties, 'ipco');
  if (!primary || !container) return false;
  const item = primary.getUint8(0) > 0 ? primary.getUint32(4) : primary.getUint16(4);
  const numbers = new Set<number>();
  for (const { type, content } of boxes(properties))
    if (type === 'ipma') for (const each of propertiesOf(item, content)) numbers.add(each);
  let number = 0;
  for (const { type, content } of boxes(container)) {
    number += 1;
    if (type === 'irot' && numbers.has(number)) return content.getUint8(0) % 2 === 1;
  }
  return false;
}

const BY_TYPE: Readonly<Record<ImageType, (view: DataView) => boolean>> = {
  jpeg: byExif(exifOfJpeg),
  png: byExif((view) => firstOf(pngChunks(view), 'eXIf')?.content),
  webp: byExif((view) => firstOf(webpChunks(view), 'EXIF')?.content),
  avif: isTurnedByProperty,
  heic: isTurnedByProperty,
  gif: () => false,
};

/** @param bytes of a picture, or its first ones. What is malformed is ignored. */
export function isTurned(bytes: Uint8Array, type: ImageType): boolean {
  try {
    return BY_TYPE[type](viewOf(bytes));
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
