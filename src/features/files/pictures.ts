/**
 * @module Dimensions of pictures, from their headers, and their formats (smaller copies).
 */
import { imageDimensionsFromData } from 'image-dimensions';
import { application } from '../../common/errors.ts';
import type { Settings } from '../../schema/settings/config.ts';
import { kilobytes } from './names.ts';
import { isTurned } from './orientation.ts';

/** Bytes. Metadata and colour profiles precede the dimensions of a JPEG. */
const MAX_HEADER = 1_048_576;

export interface Dimensions {
  readonly width: number;
  readonly height: number;
}

/** Returns the displayed dimensions of a picture; undefined for other types, and for unknown headers. */
export function dimensionsOf(content: Uint8Array, mime: string): Dimensions | undefined {
  if (!mime.startsWith('image/')) return undefined;
  const found = imageDimensionsFromData(content.subarray(0, MAX_HEADER));
  if (!found || found.width === 0 || found.height === 0) return undefined;
  const { width, height, type } = found;
  return isTurned(content, type) ? { width: height, height: width } : { width, height };
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
  const dimensions = dimensionsOf(bytes, original.mime);
  if (!dimensions) return undefined;
  const { name, hash, ext, mime } = original;
  const common = { name: `${key}_${name}`, hash: `${key}_${hash}`, ext, mime, path: null, ...dimensions };
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
