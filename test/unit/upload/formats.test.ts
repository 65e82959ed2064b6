/**
 * @module The formats of a picture, and its placeholders: which are asked of Images, and what becomes of the answers.
 */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { dimensionsOf, isResizable, makeFormats, type Original } from '../../../src/features/files/pictures.ts';
import { placeholdersOf } from '../../../src/features/files/placeholders/placeholders.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { png, pngOf } from '../../support/pictures.ts';
import { recordedImages } from '../../support/recorded-images.ts';

const { upload } = parseSettings({ upload: { breakpoints: { small: 500, large: 1_000 } } });
const open = async () => new Blob(['bytes']).stream();

const originalOf = (width: number, height: number, more: Partial<Original> = {}): Original => ({
  ...{ name: 'a.png', hash: 'a_1', ext: '.png', mime: 'image/png', size: 9, dimensions: { width, height }, open },
  ...more,
});

async function made(original: Original, images: ReturnType<typeof recordedImages> | undefined) {
  const formats = [];
  for await (const { key, format, bytes } of makeFormats(original, upload, images?.binding))
    formats.push([key, format, bytes.length] as const);
  return formats;
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('the formats of a picture', () => {
  it.each([
    [245, 156, []],
    [246, 1, ['thumbnail']],
    [1, 157, ['thumbnail']],
    [500, 500, ['thumbnail']],
    [501, 10, ['thumbnail', 'small']],
    [10, 1_001, ['thumbnail', 'small', 'large']],
  ])('of %i x %i pixels are those that it exceeds', async (width, height, keys) => {
    const images = recordedImages(() => png(2, 1));
    expect((await made(originalOf(width, height), images)).map(([key]) => key)).toEqual(keys);
  });

  it('fit their boxes, in the type of the picture, and say what they are', async () => {
    const bytes = await png(3, 2);
    const images = recordedImages(() => bytes);
    const [thumbnail, small] = await made(originalOf(600, 400, { mime: 'image/webp', ext: '.webp' }), images);
    expect(images.calls).toEqual([
      { transform: { width: 245, height: 156, fit: 'scale-down' }, output: { format: 'image/webp' } },
      { transform: { width: 500, height: 500, fit: 'scale-down' }, output: { format: 'image/webp' } },
    ]);
    const common = { ext: '.webp', mime: 'image/webp', path: null, width: 3, height: 2 };
    const size = { size: Math.round(bytes.length / 10) / 100, sizeInBytes: bytes.length };
    expect(thumbnail).toEqual([
      ...['thumbnail', { name: 'thumbnail_a.png', hash: 'thumbnail_a_1', ...common, ...size }, bytes.length],
    ]);
    expect(small?.[1]).toMatchObject({ name: 'small_a.png', hash: 'small_a_1' });
  });

  it('that fail are logged, and others are made; what is no picture is none', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue();
    const answers = [() => Promise.reject(new Error('9422')), () => new Uint8Array(9), () => png(1, 1)];
    const images = recordedImages(() => (answers.shift() as () => Promise<Uint8Array>)());
    expect((await made(originalOf(2_000, 1), images)).map(([key]) => key)).toEqual(['large']);
    const line = { message: 'a format could not be made', file: 'a_1', key: 'thumbnail', cause: '9422' };
    expect(log.mock.calls.map(([text]) => JSON.parse(String(text)))).toEqual([line]);
  });

  it('are none without Images, and of a picture that Images does not take', async () => {
    const images = recordedImages(() => png(1, 1));
    expect(await made(originalOf(600, 400), undefined)).toEqual([]);
    for (const more of [{ mime: 'image/avif' }, { size: 20_000_001 }])
      expect(await made(originalOf(600, 400, more), images)).toEqual([]);
    expect(images.calls).toEqual([]);
    expect(isResizable({ mime: 'image/gif', size: 20_000_000 })).toBe(true);
  });
});

it('a picture without pixels has no dimensions', async () => {
  for (const [width, height] of [
    [0, 5],
    [5, 0],
  ] as const)
    expect(dimensionsOf(await png(1, 1, [width, height]), 'image/png')).toBeUndefined();
});

describe('the dominant colour', () => {
  /** @param pixels red, green, blue and alpha of each */
  async function colourOf(...pixels: readonly (readonly number[])[]): Promise<string | null> {
    const bytes = await pngOf([pixels.length, 1], [8, 6], Uint8Array.from([0, ...pixels.flat()]));
    return (await placeholdersOf(recordedImages(() => bytes).binding, open)).dominantColor;
  }
  const [RED, DARK_RED, BLUE] = [
    [255, 0, 0, 255],
    [205, 0, 0, 255],
    [0, 0, 255, 255],
  ];
  it.each([
    ['of one', [RED], '#ff0000'],
    ['the first of two that are as many', [RED, BLUE], '#ff0000'],
    ['of most', [RED, BLUE, BLUE], '#0000ff'],
    ['between those that are close', [BLUE, DARK_RED, RED], '#e60000'],
    ['of what is opaque', [[0, 0, 255, 100], RED, [0, 0, 255, 100]], '#ff0000'],
    ['black of nothing', [[0, 0, 255, 0]], '#000000'],
  ])('is that %s', async (_, pixels, colour) => {
    expect(await colourOf(...pixels)).toBe(colour);
  });

  it('is none without Images, without a picture, and after a failure, which is logged', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue();
    const none = { thumbHash: null, dominantColor: null };
    const { binding, calls } = recordedImages(() => new Uint8Array(50));
    expect([await placeholdersOf(undefined, open), await placeholdersOf(binding), calls]).toEqual([none, none, []]);
    expect(log).not.toHaveBeenCalled();
    expect(await placeholdersOf(binding, open)).toEqual(none);
    const line = { message: 'placeholders could not be made', cause: 'the picture is another kind of PNG' };
    expect(log.mock.calls.map(([text]) => JSON.parse(String(text)))).toEqual([line]);
  });
});
