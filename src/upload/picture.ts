/**
 * @module What the header of a picture says of it, before anything decodes it.
 */
import { imageDimensionsFromData } from 'image-dimensions';
import type { Settings } from '../config.ts';
import { application } from '../errors.ts';

/** Metadata and colour profiles stand before the dimensions of a JPEG. */
const LOOKED_AT = 1_048_576;

export interface Dimensions {
  readonly width: number;
  readonly height: number;
}

/** @returns undefined for what is no picture, or none of a kind whose header is known here. */
export function dimensionsOf(content: Uint8Array, mime: string): Dimensions | undefined {
  if (!mime.startsWith('image/')) return undefined;
  const found = imageDimensionsFromData(content.subarray(0, LOOKED_AT));
  return found && found.width > 0 && found.height > 0 ? { width: found.width, height: found.height } : undefined;
}

/** A small file can unfold to more pixels than any memory holds. @throws ApiError 400 beyond the limit. */
export function refuseHuge(dimensions: Dimensions | undefined, { maxPixels }: Settings['upload']): void {
  if (!dimensions || dimensions.width * dimensions.height <= maxPixels) return;
  const { width, height } = dimensions;
  throw application(`Image is too large to process: ${width}x${height}. Expected at most ${maxPixels} pixels`);
}
