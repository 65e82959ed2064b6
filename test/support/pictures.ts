/**
 * @module Pictures and other files for uploads, made on the spot.
 */

function crc32(bytes: Uint8Array): number {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

const uint32 = (value: number): Uint8Array => {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
};

function concat(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text, (character) => character.charCodeAt(0));

function chunk(type: string, data: Uint8Array): Uint8Array {
  const body = concat(bytesOf(type), data);
  return concat(uint32(data.length), body, uint32(crc32(body)));
}

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * A PNG of any kind.
 * @param kind depth and colour type
 * @param rows of pixels, each after the number of its filter
 */
export async function pngOf(
  [width, height]: readonly [number, number],
  kind: readonly [depth: number, type: number],
  rows: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const header = concat(uint32(width), uint32(height), Uint8Array.of(...kind, 0, 0, 0));
  const parts = [chunk('IHDR', header), chunk('IDAT', await deflate(rows)), chunk('IEND', new Uint8Array())];
  return concat(SIGNATURE, ...parts);
}

/**
 * A PNG of one colour; its header may say other dimensions than its content has.
 * @param sample the values of its pixels, by their place
 */
export function png(
  width: number,
  height: number,
  claimed: readonly [width: number, height: number] = [width, height],
  sample: (at: number) => number = () => 200,
): Promise<Uint8Array<ArrayBuffer>> {
  const length = width * 3 + 1;
  const rows = Uint8Array.from({ length: length * height }, (_, at) => (at % length === 0 ? 0 : sample(at)));
  return pngOf(claimed, [8, 2], rows);
}

/** The start of a film, then bytes of no meaning, the same for the same length. */
export function film(length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += 1) bytes[at] = (at * 31 + (at >>> 8)) & 0xff;
  bytes.set(bytesOf('\0\0\0\x1cftypisom\0\0\x02\0isomiso2mp41'));
  return bytes;
}
