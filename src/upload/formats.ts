/**
 * @module Smaller copies of a picture, made by Cloudflare Images. Where the binding is missing there are none.
 */
import { imageDimensionsFromData } from 'image-dimensions';
import type { Settings } from '../config.ts';
import { kilobytes } from './bytes.ts';
import type { Dimensions } from './picture.ts';

/** A picture that is stored, and how to read it again. */
export interface Original {
  readonly name: string;
  readonly hash: string;
  readonly ext: string;
  readonly mime: string;
  readonly size: number;
  readonly dimensions: Dimensions;
  open(): Promise<ReadableStream<Uint8Array>>;
}

/** As an answer shows it, but for its URL. */
export interface Format extends Dimensions {
  readonly name: string;
  readonly hash: string;
  readonly ext: string;
  readonly mime: string;
  readonly path: null;
  readonly size: number;
  readonly sizeInBytes: number;
}

export interface MadeFormat {
  readonly key: string;
  readonly format: Format;
  readonly bytes: Uint8Array;
}

/** Of AVIF, TIFF and the like the reference makes no formats either, or Images cannot write them. */
const OUTPUTS: Readonly<Record<string, ImageOutputOptions['format']>> = {
  'image/jpeg': 'image/jpeg',
  'image/png': 'image/png',
  'image/webp': 'image/webp',
  'image/gif': 'image/gif',
};

/** https://developers.cloudflare.com/images/optimization/binding/ */
const LARGEST_INPUT = 20_000_000;

const THUMBNAIL = { width: 245, height: 156 };

interface Wanted {
  readonly key: string;
  readonly box: Dimensions;
}

const exceeds = (picture: Dimensions, box: Dimensions): boolean =>
  picture.width > box.width || picture.height > box.height;

/** The formats of a picture: the thumbnail, then the breakpoints that it is larger than. */
function wantedFormats({ dimensions }: Original, { breakpoints }: Settings['upload']): readonly Wanted[] {
  const squares = Object.entries(breakpoints).map(([key, side]) => ({ key, box: { width: side, height: side } }));
  return [{ key: 'thumbnail', box: THUMBNAIL }, ...squares].filter(({ box }) => exceeds(dimensions, box));
}

async function resized(original: Original, box: Dimensions, images: ImagesBinding): Promise<Uint8Array> {
  const format = OUTPUTS[original.mime] ?? 'image/jpeg';
  const handle = images.input(await original.open()).transform({ ...box, fit: 'scale-down' });
  const result = await handle.output({ format });
  return new Uint8Array(await result.response().arrayBuffer());
}

function describe(original: Original, key: string, bytes: Uint8Array): Format | undefined {
  const dimensions = imageDimensionsFromData(bytes);
  if (!dimensions) return undefined;
  const { name, hash, ext, mime } = original;
  const { width, height } = dimensions;
  const common = { name: `${key}_${name}`, hash: `${key}_${hash}`, ext, mime, path: null, width, height };
  return { ...common, size: kilobytes(bytes.length), sizeInBytes: bytes.length };
}

/** One after the other, since each holds a picture in memory. A format that cannot be made is told in the log. */
export async function* makeFormats(
  original: Original,
  settings: Settings['upload'],
  images: ImagesBinding | undefined,
): AsyncGenerator<MadeFormat> {
  if (!images || !OUTPUTS[original.mime] || original.size > LARGEST_INPUT) return;
  for (const { key, box } of wantedFormats(original, settings)) {
    try {
      const bytes = await resized(original, box, images);
      const format = describe(original, key, bytes);
      if (format) yield { key, format, bytes };
    } catch (error) {
      const { message } = error as Error;
      console.error(
        JSON.stringify({ message: 'a format could not be made', file: original.hash, key, cause: message }),
      );
    }
  }
}
