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
  exif?: Uint8Array,
): Promise<Uint8Array<ArrayBuffer>> {
  const header = concat(uint32(width), uint32(height), Uint8Array.of(...kind, 0, 0, 0));
  const before = [chunk('IHDR', header), ...(exif ? [chunk('eXIf', exif)] : [])];
  return concat(SIGNATURE, ...before, chunk('IDAT', await deflate(rows)), chunk('IEND', new Uint8Array()));
}

/** The start of an Exif block, as PNG has it. */
export function exifOf(orientation: number): Uint8Array<ArrayBuffer> {
  const entry = Uint8Array.of(1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0);
  return concat(bytesOf('MM\0*\0\0\0\x08\0\x01'), entry, new Uint8Array(4));
}

/** A PNG of one colour that readers of Exif display turned. */
export function turnedPng(width: number, height: number, orientation: number): Promise<Uint8Array<ArrayBuffer>> {
  const length = width * 3 + 1;
  const rows = Uint8Array.from({ length: length * height }, (_, at) => (at % length === 0 ? 0 : 200));
  return pngOf([width, height], [8, 2], rows, exifOf(orientation));
}

const uint32LE = (value: number): Uint8Array => uint32(value).reverse();

function webpChunk(type: string, data: Uint8Array): Uint8Array {
  return concat(bytesOf(type), uint32LE(data.length), data, new Uint8Array(data.length % 2));
}

/** The pixels of a WebP of 600 x 400 in one colour. */
const WEBP = atob('L1fCYwAHUKJG1Kz/AQFJ0v/9gRH9z/jPf/7zn//85/81AQ==');

/** A WebP of 600 x 400 with an Exif block behind its pixels, which begins as that of a JPEG, or not. */
export function turnedWebp(orientation: number, start: '' | 'Exif\0\0' = ''): Uint8Array<ArrayBuffer> {
  const extended = Uint8Array.of(8, 0, 0, 0, 0x57, 2, 0, 0x8f, 1, 0);
  const exif = concat(bytesOf(start), exifOf(orientation));
  const chunks = [webpChunk('VP8X', extended), webpChunk('VP8L', bytesOf(WEBP)), webpChunk('EXIF', exif)];
  const body = concat(bytesOf('WEBP'), ...chunks);
  return concat(bytesOf('RIFF'), uint32LE(body.length), body);
}

const box = (type: string, ...parts: readonly Uint8Array[]): Uint8Array => {
  const body = concat(bytesOf(type), ...parts);
  return concat(uint32(body.length + 4), body);
};

/** `ftyp` of a picture or a film, with its first brand and the others. */
export const brands = (first: string, ...others: readonly string[]): Uint8Array =>
  box('ftyp', bytesOf(first), uint32(0), ...others.map(bytesOf));

/**
 * An AVIF or HEIC of 600 x 400 without pixels, whose thumbnail of 60 x 40 comes first.
 * @param turns of 90 degrees, of the picture and of its thumbnail
 * @param isLong are the numbers of items and properties long?
 */
export function boxedPicture(
  ftyp: Uint8Array,
  [turns, ofThumbnail]: readonly [number, number],
  isLong = false,
): Uint8Array<ArrayBuffer> {
  const version = isLong ? 1 : 0;
  const id = (value: number) => (isLong ? uint32(value) : uint32(value).slice(2));
  const number = (value: number) => (isLong ? Uint8Array.of(0x80, value) : Uint8Array.of(0x80 | value));
  const size = (width: number, height: number) => box('ispe', uint32(0), uint32(width), uint32(height));
  const turned = (times: number) => box('irot', Uint8Array.of(times));
  const properties = box('ipco', size(60, 40), turned(ofThumbnail), size(600, 400), turned(turns));
  const item = (value: number, ...numbers: readonly number[]) =>
    concat(id(value), Uint8Array.of(numbers.length), ...numbers.map(number));
  const associations = box('ipma', Uint8Array.of(version, 0, 0, version), uint32(2), item(1, 1, 2), item(2, 3, 4));
  const primary = box('pitm', Uint8Array.of(version, 0, 0, 0), id(2));
  const handler = box('hdlr', uint32(0), bytesOf('\0\0\0\0pict'), new Uint8Array(13));
  return concat(ftyp, box('meta', uint32(0), handler, primary, box('iprp', properties, associations)), box('mdat'));
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
