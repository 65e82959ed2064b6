/**
 * @module Parameters of a picture on request, and the picture that they stand for.
 */
import { describe, expect, it } from 'vitest';
import {
  pictureHint,
  pictureKey,
  readVariant,
  transformOf,
  type Variant,
  withoutEnlarging,
} from '../../../src/features/files/pictures/picture-params.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';

const { upload } = parseSettings({ upload: { widths: [64, 128, 256, 640] } });
const { upload: off } = parseSettings({});
const read = (query: string) => readVariant(`?${query}`, upload);

describe('a variant', () => {
  it.each([
    ['w=1', { width: 64 }],
    ['w=64', { width: 64 }],
    ['w=65', { width: 128 }],
    ['w=640', { width: 640 }],
    ['w=641', { width: 640 }],
    ['w=99999', { width: 640 }],
    ['fit=cover', { width: 640 }],
    ['f=avif', { width: 640, format: 'avif' }],
    ['f=jpeg&w=00064', { width: 64, format: 'jpeg' }],
    ['q=75&fit=contain', { width: 640 }],
    ['w=64&h=1&x=y', { width: 64, box: { ratio: [3, 1], fit: 'contain' } }],
    ['w=64&h=64&fit=cover', { width: 64, box: { ratio: [1, 1], fit: 'cover' } }],
    ['w=64&h=99999', { width: 64, box: { ratio: [1, 3], fit: 'contain' } }],
  ])('of %s is %j, else a WebP of usual quality', (query, variant) => {
    expect(read(query)).toEqual({ format: 'webp', quality: 75, ...variant });
  });

  it.each([[[1, 1]], [[5, 4]], [[4, 3]], [[3, 2]], [[16, 9]], [[40, 21]], [[2, 1]], [[21, 9]], [[3, 1]]] as const)(
    'has the ratio %j across and down',
    ([long, short]) => {
      expect(read(`w=${long * 10}&h=${short * 10}`)?.box?.ratio).toEqual([long, short]);
      expect(read(`w=${short * 10}&h=${long * 10}`)?.box?.ratio).toEqual([short, long]);
    },
  );

  it.each([
    [1, 40],
    [50, 40],
    [51, 60],
    [67, 60],
    [68, 75],
    [82, 75],
    [83, 90],
    [100, 90],
  ])('asked for with the quality %i has the quality %i', (asked, quality) => {
    expect(read(`q=${asked}`)?.quality).toBe(quality);
  });

  it('is none without a parameter of a picture', () => {
    for (const query of ['', 'width=64', 'x=w', 'W=64']) expect(read(query)).toBeUndefined();
  });

  it.each([
    ['w=0', 'Invalid w. Expected a whole number from 1 to 99999, received: 0'],
    ['w=100000', 'Invalid w. Expected a whole number from 1 to 99999, received: 100000'],
    ['w=1e3', 'Invalid w. Expected a whole number from 1 to 99999, received: 1e3'],
    ['w=1.5', 'Invalid w. Expected a whole number from 1 to 99999, received: 1.5'],
    ['w=64&h=0', 'Invalid h. Expected a whole number from 1 to 99999, received: 0'],
    ['q=0', 'Invalid q. Expected a whole number from 1 to 100, received: 0'],
    ['q=101', 'Invalid q. Expected a whole number from 1 to 100, received: 101'],
    ['h=64', 'Invalid h. Expected a width (w) with it, received: 64'],
    ['w=64&w=', 'Invalid w. Expected one value, received: 64, '],
    ['fit=', 'Invalid fit. Expected one of cover, contain, received: '],
    ['f=PNG', 'Invalid f. Expected one of webp, avif, jpeg, received: PNG'],
    [`f=${'x'.repeat(101)}`, `Invalid f. Expected one of webp, avif, jpeg, received: ${'x'.repeat(100)}`],
  ])('of %s is rejected', (query, message) => {
    const [, key = ''] = /^Invalid (\w+)/.exec(message) ?? [];
    const problem = { message, details: { key, source: 'query' } };
    expect(() => read(query)).toThrow(expect.objectContaining({ problem: expect.objectContaining(problem) }));
  });
});

describe('a hint', () => {
  it.each(['width', 'height', 'format', 'quality', 'fm'])('says that %s is ignored', (name) => {
    const hint = `${name} is ignored: a picture on request takes w, h, fit, f, q`;
    expect(pictureHint(`?w=1&${name}=1`, upload)).toBe(hint);
    expect(pictureHint(`?${name}=1`, off)).toBeUndefined();
  });

  it('says that w is ignored without widths, and nothing of other parameters', () => {
    expect(pictureHint('?w=1', off)).toMatch(/^w is ignored: there are no pictures on request/);
    for (const settings of [upload, off]) expect(pictureHint('?x=1', settings)).toBeUndefined();
    expect(pictureHint('?w=1', upload)).toBeUndefined();
  });
});

const variantOf = (width: number, ratio?: readonly [number, number], fit: 'cover' | 'contain' = 'cover'): Variant => ({
  ...{ width, format: 'webp', quality: 75 },
  ...(ratio && { box: { ratio, fit } }),
});

it('a picture lies beside the others of its file', () => {
  expect(pictureKey('a.png', variantOf(64))).toBe('pictures/a.png/64-75.webp');
  expect(pictureKey('a.png', variantOf(64, [16, 9]))).toBe('pictures/a.png/64-cover-16x9-75.webp');
});

describe('a picture that would be enlarged', () => {
  it.each<readonly [Variant, readonly [width: number, height: number], width: number, transform: object]>([
    [variantOf(128), [300, 200], 128, { width: 128, fit: 'scale-down' }],
    [variantOf(640), [300, 200], 640, { width: 300, fit: 'scale-down' }],
    [variantOf(640), [256, 900], 256, { width: 256, fit: 'scale-down' }],
    [variantOf(640), [257, 900], 640, { width: 257, fit: 'scale-down' }],
    [variantOf(640), [2_000, 900], 640, { width: 640, fit: 'scale-down' }],
    [variantOf(640, [1, 1]), [300, 100], 128, { width: 100, height: 100, fit: 'cover' }],
    [variantOf(640, [1, 1]), [100, 300], 128, { width: 100, height: 100, fit: 'cover' }],
    [variantOf(640, [16, 9]), [90, 90], 128, { width: 90, height: 51, fit: 'cover' }],
    [variantOf(640, [9, 16]), [90, 90], 64, { width: 50, height: 89, fit: 'cover' }],
    [variantOf(640, [1, 3]), [1, 1], 64, { width: 1, height: 1, fit: 'cover' }],
    [variantOf(640, [3, 1]), [1, 9], 64, { width: 1, height: 1, fit: 'cover' }],
    [variantOf(640, [1, 1], 'contain'), [300, 100], 640, { width: 300, height: 100, fit: 'scale-down' }],
    [variantOf(640, [1, 1], 'contain'), [100, 200], 256, { width: 200, height: 200, fit: 'scale-down' }],
    [variantOf(64, [2, 1], 'contain'), [300, 200], 64, { width: 64, height: 32, fit: 'scale-down' }],
  ])('%j of %j has the width %i', (variant, [width, height], stored, transform) => {
    const original = { width, height };
    expect(withoutEnlarging(variant, original, upload)).toEqual({ ...variant, width: stored });
    expect(transformOf(variant, original, null)).toEqual(transform);
  });

  it('has its focal point only where something is cut off', () => {
    const point = { x: 25, y: 50 };
    const original = { width: 300, height: 300 };
    const gravity = { x: 0.25, y: 0.5, mode: 'box-center' };
    expect(transformOf(variantOf(64, [2, 1]), original, point)).toEqual({
      width: 64,
      height: 32,
      fit: 'cover',
      gravity,
    });
    for (const variant of [variantOf(64), variantOf(64, [2, 1], 'contain')])
      expect(transformOf(variant, original, point)).not.toHaveProperty('gravity');
  });
});
