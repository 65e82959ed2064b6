/**
 * @module Dimensions of pictures, from their headers, and their formats (smaller copies).
 */
import { imageDimensionsFromData } from 'image-dimensions';
import { application } from '../common/errors.ts';
import type { Settings } from '../settings/config.ts';
import { kilobytes } from './names.ts';

const EXIF = 0x45786966;
const ORIENTATION = 0x0112;
/** The last four of eight orientations swap width and height. */
const FIRST_TURNED = 5;

/** Returns the offset of the Exif block's TIFF header; undefined without one. */
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

/** Is a JPEG stored on its side? Its Exif block has the orientation of the camera; a malformed one is ignored. */
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

/** Bytes. Metadata and colour profiles precede the dimensions of a JPEG. */
const MAX_HEADER = 1_048_576;

export interface Dimensions {
  readonly width: number;
  readonly height: number;
}

/** Returns the displayed dimensions of a picture; undefined for other types, and for unknown headers. */
export function dimensionsOf(content: Uint8Array, mime: string): Dimensions | undefined {
  if (!mime.startsWith('image/')) return undefined;
  const head = content.subarray(0, MAX_HEADER);
  const { width = 0, height = 0 } = imageDimensionsFromData(head) ?? {};
  if (width === 0 || height === 0) return undefined;
  return isTurned(head) ? { width: height, height: width } : { width, height };
}

/** A small file can decode to more pixels than memory holds. @throws ApiError 400 beyond `maxPixels`. */
export function rejectHuge(dimensions: Dimensions | undefined, { maxPixels }: Settings['upload']): void {
  if (!dimensions || dimensions.width * dimensions.height <= maxPixels) return;
  const { width, height } = dimensions;
  throw application(`Image is too large to process: ${width}x${height}. Expected at most ${maxPixels} pixels`);
}

/** A stored picture. */
export interface Original {
  readonly name: string;
  readonly hash: string;
  readonly ext: string;
  readonly mime: string;
  readonly size: number;
  readonly dimensions: Dimensions;
  open(): Promise<ReadableStream<Uint8Array>>;
}

/** Strapi makes no formats of other types, or Images cannot write them. */
const OUTPUTS: Readonly<Record<string, ImageOutputOptions['format']>> = {
  'image/jpeg': 'image/jpeg',
  'image/png': 'image/png',
  'image/webp': 'image/webp',
  'image/gif': 'image/gif',
};

/** Bytes. https://developers.cloudflare.com/images/optimization/binding/ */
const LARGEST_INPUT = 20_000_000;

export const isResizable = ({ mime, size }: Pick<Original, 'mime' | 'size'>): boolean =>
  OUTPUTS[mime] !== undefined && size <= LARGEST_INPUT;

const THUMBNAIL = { width: 245, height: 156 };

/** Returns the formats that a picture exceeds: the thumbnail, then the breakpoints. */
function formatsOf({ dimensions: { width, height } }: Original, { breakpoints }: Settings['upload']) {
  const squares = Object.entries(breakpoints).map(([key, side]) => ({ key, box: { width: side, height: side } }));
  const formats = [{ key: 'thumbnail', box: THUMBNAIL }, ...squares];
  return formats.filter(({ box }) => width > box.width || height > box.height);
}

async function resized(original: Original, box: Dimensions, images: ImagesBinding): Promise<Uint8Array> {
  const format = OUTPUTS[original.mime] ?? 'image/jpeg';
  const handle = images.input(await original.open()).transform({ ...box, fit: 'scale-down' });
  const result = await handle.output({ format });
  return new Uint8Array(await result.response().arrayBuffer());
}

/** Returns the format in responses, without its URL. */
function describe(original: Original, key: string, bytes: Uint8Array) {
  const dimensions = imageDimensionsFromData(bytes);
  if (!dimensions) return undefined;
  const { name, hash, ext, mime } = original;
  const { width, height } = dimensions;
  const common = { name: `${key}_${name}`, hash: `${key}_${hash}`, ext, mime, path: null, width, height };
  return { ...common, size: kilobytes(bytes.length), sizeInBytes: bytes.length };
}

/** Makes formats one by one, since each holds a picture in memory. Logs failures. */
export async function* makeFormats(
  original: Original,
  settings: Settings['upload'],
  images: ImagesBinding | undefined,
) {
  if (!images || !isResizable(original)) return;
  for (const { key, box } of formatsOf(original, settings)) {
    try {
      const bytes = await resized(original, box, images);
      const format = describe(original, key, bytes);
      if (format) yield { key, format, bytes };
    } catch (error) {
      const { message: cause } = error as Error;
      console.error(JSON.stringify({ message: 'a format could not be made', file: original.hash, key, cause }));
    }
  }
}
