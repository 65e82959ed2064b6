/**
 * @module What the header of a picture says of it, before anything decodes it.
 */
import { imageDimensionsFromData } from 'image-dimensions';
import type { Settings } from '../config.ts';
import { application } from '../errors.ts';
import { isTurned } from './exif.ts';

/** Metadata and colour profiles stand before the dimensions of a JPEG. */
const LOOKED_AT = 1_048_576;

export interface Dimensions {
  readonly width: number;
  readonly height: number;
}

/**
 * The dimensions in which a picture is seen.
 * @returns undefined for what is no picture, or none of a kind whose header is known here.
 */
export function dimensionsOf(content: Uint8Array, mime: string): Dimensions | undefined {
  if (!mime.startsWith('image/')) return undefined;
  const head = content.subarray(0, LOOKED_AT);
  const { width = 0, height = 0 } = imageDimensionsFromData(head) ?? {};
  if (width === 0 || height === 0) return undefined;
  return isTurned(head) ? { width: height, height: width } : { width, height };
}

/** A small file can unfold to more pixels than any memory holds. @throws ApiError 400 beyond the limit. */
export function refuseHuge(dimensions: Dimensions | undefined, { maxPixels }: Settings['upload']): void {
  if (!dimensions || dimensions.width * dimensions.height <= maxPixels) return;
  const { width, height } = dimensions;
  throw application(`Image is too large to process: ${width}x${height}. Expected at most ${maxPixels} pixels`);
}
