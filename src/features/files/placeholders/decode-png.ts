/**
 * @module PNG → pixels, for pictures that Cloudflare Images writes: 8 bits, without a palette, not interlaced.
 * https://www.w3.org/TR/png-3/
 */

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Row by row. */
  readonly rgba: Uint8Array;
}

/** By colour type: grey, colours, and both with alpha. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 4: 2, 6: 4 };

/** https://www.w3.org/TR/png-3/#9Filter-type-4-Paeth */
function paeth(left: number, above: number, corner: number): number {
  const [toLeft, toAbove] = [Math.abs(above - corner), Math.abs(left - corner)];
  const toCorner = Math.abs(left + above - 2 * corner);
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

/** By the first byte of a row: what its values were reduced by. */
const PREDICTIONS: readonly ((left: number, above: number, corner: number) => number)[] = [
  () => 0,
  (left) => left,
  (_, above) => above,
  (left, above) => (left + above) >> 1,
  paeth,
];

/** Returns the values of all pixels. */
function unfiltered(data: Uint8Array, length: number, height: number, channels: number): Uint8Array {
  const values = new Uint8Array(length * height);
  for (let row = 0; row < height; row += 1) {
    const predict = PREDICTIONS[data[row * (length + 1)] ?? 0];
    if (!predict) throw new Error('a row has an unknown filter');
    for (let at = 0; at < length; at += 1) {
      const here = row * length + at;
      const isFirst = at < channels;
      const left = isFirst ? 0 : values[here - channels];
      const corner = isFirst ? 0 : values[here - length - channels];
      values[here] = (data[here + row + 1] ?? 0) + predict(left ?? 0, values[here - length] ?? 0, corner ?? 0);
    }
  }
  return values;
}

async function inflated(parts: readonly Uint8Array<ArrayBuffer>[]): Promise<Uint8Array> {
  const stream = new Blob([...parts]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** @throws Error for another kind of PNG, and for anything else */
export async function decodePng(bytes: ArrayBuffer): Promise<Pixels> {
  const view = new DataView(bytes);
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  const channels = CHANNELS[view.getUint8(25)];
  if (view.getUint32(0) !== 0x89504e47 || view.getUint8(24) !== 8 || !channels || view.getUint8(28) !== 0)
    throw new Error('the picture is another kind of PNG');
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let at = 8; at + 8 <= bytes.byteLength; at += 12 + view.getUint32(at))
    if (view.getUint32(at + 4) === 0x49444154) parts.push(new Uint8Array(bytes, at + 8, view.getUint32(at)));
  const values = unfiltered(await inflated(parts), width * channels, height, channels);
  const rgba = new Uint8Array(width * height * 4);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const all = values.subarray(pixel * channels, (pixel + 1) * channels);
    const [grey = 0] = all;
    const colours = channels < 3 ? [grey, grey, grey, all[1] ?? 255] : [...all, 255];
    rgba.set(colours.slice(0, 4), pixel * 4);
  }
  return { width, height, rgba };
}
