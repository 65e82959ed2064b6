/**
 * @module Placeholders of a picture, to show until it has loaded: its ThumbHash (https://evanw.github.io/thumbhash/) and
 * its dominant colour.
 */
import { rgbaToThumbHash } from 'thumbhash';
import { hexOf } from '../names.ts';
import { decodePng, type Pixels } from './decode-png.ts';

/** Pixels of the longer side, at most. */
const MAX_SIDE = 100;

/** Returns the colour that most pixels are close to, as `#a1b2c3`. */
function dominantColor({ rgba }: Pixels): string {
  const groups = new Map<number, { count: number; sum: [number, number, number] }>();
  for (let at = 0; at < rgba.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = rgba.subarray(at, at + 4);
    // Four levels of each colour: a gradient is one group.
    const key = (red >> 6) * 16 + (green >> 6) * 4 + (blue >> 6);
    const { count, sum } = groups.get(key) ?? { count: 0, sum: [0, 0, 0] };
    groups.set(key, {
      count: count + alpha,
      sum: [sum[0] + red * alpha, sum[1] + green * alpha, sum[2] + blue * alpha],
    });
  }
  const largest = [...groups.values()].reduce((best, each) => (each.count > best.count ? each : best));
  return `#${hexOf(Uint8Array.from(largest.sum, (value) => Math.round(value / Math.max(1, largest.count))))}`;
}

/** Returns the bytes of a file. */
type OpenFile = () => Promise<ReadableStream<Uint8Array>>;

const NONE = { thumbHash: null, dominantColor: null };

/** Returns values of a file; null for one that is no picture, and without the binding of Images. Logs failures. */
export async function placeholdersOf(images: ImagesBinding | undefined, open?: OpenFile) {
  if (!images || !open) return NONE;
  try {
    const handle = images.input(await open()).transform({ width: MAX_SIDE, height: MAX_SIDE, fit: 'scale-down' });
    const result = await handle.output({ format: 'image/png', anim: false });
    const pixels = await decodePng(await result.response().arrayBuffer());
    const hash = rgbaToThumbHash(pixels.width, pixels.height, pixels.rgba);
    return { thumbHash: btoa(String.fromCharCode(...hash)), dominantColor: dominantColor(pixels) };
  } catch (error) {
    const { message: cause } = error as Error;
    console.error(JSON.stringify({ message: 'placeholders could not be made', cause }));
    return NONE;
  }
}
