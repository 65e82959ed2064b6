import { describe, expect, it } from 'vitest';
import { isTurned } from '../../../src/features/files/orientation.ts';
import { dimensionsOf, rejectHuge } from '../../../src/features/files/pictures.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { boxedPicture, brands, turnedPng, turnedWebp } from '../../support/pictures.ts';

const { upload } = parseSettings({});

const segment = (marker: number, data: readonly number[]) => [
  0xff,
  marker,
  (data.length + 2) >> 8,
  (data.length + 2) & 255,
  ...data,
];
const text = (value: string) => [...Buffer.from(value, 'latin1')];

/** A JPEG of 300x200 up to its frame header, with an Exif block that has an orientation. */
function jpeg(orientation?: number, little = false): Uint8Array {
  const short = (value: number) => (little ? [value, 0] : [0, value]);
  const long = (value: number) => (little ? [value, 0, 0, 0] : [0, 0, 0, value]);
  const entry = (tag: readonly number[], value: number) => [...tag, ...short(3), ...long(1), ...short(value), 0, 0];
  const tag = (high: number, low: number) => (little ? [low, high] : [high, low]);
  const tiff = [...text(little ? 'II' : 'MM'), ...short(42), ...long(8), ...short(2)];
  const entries = [...entry(tag(0x01, 0x00), 7), ...entry(tag(0x01, 0x12), orientation ?? 1)];
  const exif = orientation === undefined ? [] : segment(0xe1, [...text('Exif\0\0'), ...tiff, ...entries]);
  const frame = segment(0xc0, [8, 0, 200, 1, 44, 3]);
  return Uint8Array.from([0xff, 0xd8, ...segment(0xe0, text('JFIF\0')), ...exif, ...frame]);
}

describe('the dimensions of a picture', () => {
  it.each([
    [undefined, 300, 200],
    [1, 300, 200],
    [3, 300, 200],
    [6, 200, 300],
    [8, 200, 300],
    [9, 300, 200],
  ])('with the orientation %s are %i x %i', (orientation, width, height) => {
    for (const little of [false, true])
      expect(dimensionsOf(jpeg(orientation, little), 'image/jpeg')).toEqual({ width, height });
  });

  it.each([
    [1, 600, 400],
    [3, 600, 400],
    [5, 400, 600],
    [6, 400, 600],
    [8, 400, 600],
    [9, 600, 400],
  ])('of PNG and WebP with the orientation %i are %i x %i', async (orientation, width, height) => {
    const dimensions = { width, height };
    expect(dimensionsOf(await turnedPng(600, 400, orientation), 'image/png')).toEqual(dimensions);
    for (const start of ['', 'Exif\0\0'] as const)
      expect(dimensionsOf(turnedWebp(orientation, start), 'image/webp')).toEqual(dimensions);
  });

  it.each([
    [0, 600, 400],
    [1, 400, 600],
    [2, 600, 400],
    [3, 400, 600],
  ])('of AVIF and HEIC that are turned %i times are %i x %i', (turns, width, height) => {
    for (const ftyp of [brands('avif', 'mif1'), brands('mif1', 'avif'), brands('heic', 'mif1'), brands('mif1')])
      for (const isLong of [false, true])
        for (const ofThumbnail of [0, 1])
          expect(dimensionsOf(boxedPicture(ftyp, [turns, ofThumbnail], isLong), 'image/avif')).toEqual({
            width,
            height,
          });
  });

  it('are unknown for what is none, or is cut before them', () => {
    expect(dimensionsOf(jpeg(), 'text/plain')).toBeUndefined();
    expect(dimensionsOf(Uint8Array.from(text('no picture at all')), 'image/png')).toBeUndefined();
    expect(dimensionsOf(jpeg(6).slice(0, 20), 'image/jpeg')).toBeUndefined();
  });

  it('are read without harm from a file that lies about itself', async () => {
    const pictures = [
      ['jpeg', jpeg(6)],
      ['png', await turnedPng(2, 1, 6)],
      ['webp', turnedWebp(6)],
      ['avif', boxedPicture(brands('avif'), [1, 0])],
      ['heic', boxedPicture(brands('mif1', 'heic'), [1, 0], true)],
    ] as const;
    for (const [type, whole] of pictures)
      for (const at of whole.keys())
        for (const value of [0, 1, 0x7f, 0xff]) {
          const bytes = Uint8Array.from(whole);
          bytes[at] = value;
          expect(typeof isTurned(bytes, type)).toBe('boolean');
          expect(() => dimensionsOf(bytes.slice(0, at), `image/${type}`)).not.toThrow();
        }
  });
});

describe('a picture of too many pixels', () => {
  it('is refused beyond the limit, not at it', () => {
    expect(() => rejectHuge({ width: 10_000, height: 10_000 }, upload)).not.toThrow();
    expect(() => rejectHuge({ width: 10_001, height: 10_000 }, upload)).toThrow('Image is too large to process');
  });
});
