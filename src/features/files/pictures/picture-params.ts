/**
 * @module The parameters of a picture on request, and what it becomes: rounded, so that a picture has few variants.
 */
import { invalid } from '../../../common/errors.ts';
import type { Settings } from '../../../schema/settings/config.ts';
import { PICTURE_FITS, PICTURE_FORMATS } from '../../../schema/settings/picture-values.ts';
import type { Dimensions } from '../pictures.ts';

const NAMES = ['w', 'h', 'fit', 'f', 'q'] as const;

const QUALITIES = [40, 60, 75, 90];
const USUAL_QUALITY = 75;

const LANDSCAPE = [
  ...([
    [1, 1],
    [5, 4],
    [4, 3],
    [3, 2],
    [16, 9],
  ] as const),
  // Of link previews: 1200 x 630.
  ...([
    [40, 21],
    [2, 1],
    [21, 9],
    [3, 1],
  ] as const),
];
const RATIOS: readonly Ratio[] = [...LANDSCAPE, ...LANDSCAPE.map(([long, short]) => [short, long] as const)];

type Ratio = readonly [width: number, height: number];

/** A picture that may be made. */
export interface Variant {
  /** One of `upload.widths`. */
  readonly width: number;
  /** Of the box that the picture fits into; absent: that of the original. */
  readonly box?: { readonly ratio: Ratio; readonly fit: (typeof PICTURE_FITS)[number] };
  readonly format: (typeof PICTURE_FORMATS)[number];
  readonly quality: number;
}

const wrong = (key: (typeof NAMES)[number], expected: string, received: string) =>
  invalid(`Invalid ${key}. Expected ${expected}, received: ${received.slice(0, 100)}`, { key, source: 'query' });

const nearest = <T>(all: readonly T[], distance: (each: T) => number): T =>
  all.reduce((best, each) => (distance(each) < distance(best) ? each : best));

/** Returns the next width; above the largest one, that. */
const roundedUp = (width: number, widths: readonly number[]): number =>
  widths.find((each) => each >= width) ?? Math.max(...widths);

/** As other services of pictures name them. */
const FOREIGN_NAMES = ['width', 'height', 'format', 'quality', 'fm'];

/** Returns why a query string gives no other picture, if it looks as if it should. */
export function pictureHint(search: string, { widths }: Settings['upload']): string | undefined {
  const params = new URLSearchParams(search);
  if (widths.length === 0)
    return params.has('w')
      ? 'w is ignored: there are no pictures on request without upload: { widths: true }'
      : undefined;
  const name = FOREIGN_NAMES.find((each) => params.has(each));
  return name && `${name} is ignored: a picture on request takes ${NAMES.join(', ')}`;
}

/**
 * Returns undefined without parameters of a picture; others are ignored, as for any file.
 * @param search with its question mark
 * @throws ApiError 400 that names the parameter
 */
export function readVariant(search: string, { widths }: Settings['upload']): Variant | undefined {
  const params = new URLSearchParams(search);
  if (!NAMES.some((name) => params.has(name))) return undefined;
  const textOf = (name: (typeof NAMES)[number]): string | undefined => {
    const [first, second] = params.getAll(name);
    if (second !== undefined) throw wrong(name, 'one value', `${first}, ${second}`);
    return first;
  };
  const numberOf = (name: 'w' | 'h' | 'q', max: number): number | undefined => {
    const text = textOf(name);
    if (text === undefined) return undefined;
    const value = /^\d{1,5}$/.test(text) ? Number(text) : 0;
    if (value < 1 || value > max) throw wrong(name, `a whole number from 1 to ${max}`, text);
    return value;
  };
  const oneOf = <T extends string>(name: 'fit' | 'f', values: readonly T[]): T | undefined => {
    const text = textOf(name);
    const value = values.find((each) => each === text);
    if (text !== undefined && !value) throw wrong(name, `one of ${values.join(', ')}`, text);
    return value;
  };
  const width = numberOf('w', 99_999);
  const height = numberOf('h', 99_999);
  if (height !== undefined && width === undefined) throw wrong('h', 'a width (w) with it', String(height));
  const fit = oneOf('fit', PICTURE_FITS) ?? 'contain';
  const quality = numberOf('q', 100) ?? USUAL_QUALITY;
  const asked = Math.log((width ?? 1) / (height ?? 1));
  const ratio = nearest(RATIOS, ([across, down]) => Math.abs(Math.log(across / down) - asked));
  return {
    width: roundedUp(width ?? Number.POSITIVE_INFINITY, widths),
    ...(height !== undefined && { box: { ratio, fit } }),
    format: oneOf('f', PICTURE_FORMATS) ?? 'webp',
    quality: nearest(QUALITIES, (each) => Math.abs(each - quality)),
  };
}

/** Where the pictures of a file lie; `/uploads/…` serves no key with a slash. @param name of the object of the file */
export const picturesOf = (name: string): string => `pictures/${name}/`;

/** `pictures/photo_3f09ab12cd.png/640-cover-16x9-75.webp` */
export const pictureKey = (name: string, { width, box, format, quality }: Variant): string =>
  `${picturesOf(name)}${[width, ...(box ? [box.fit, box.ratio.join('x')] : []), quality].join('-')}.${format}`;

/** Returns the width from which on the original itself is not larger. */
function fullWidth({ width, height }: Dimensions, { box }: Variant): number {
  if (!box) return width;
  const [across, down] = box.ratio;
  const filled = (height * across) / down;
  return box.fit === 'cover' ? Math.min(width, filled) : Math.max(width, filled);
}

/** Returns the smallest variant that shows the same as a variant. */
export const withoutEnlarging = (variant: Variant, original: Dimensions, { widths }: Settings['upload']): Variant => ({
  ...variant,
  width: Math.min(variant.width, roundedUp(fullWidth(original, variant), widths)),
});

/** @param focalPoint in percent */
export function transformOf(
  variant: Variant,
  original: Dimensions,
  focalPoint: { readonly x: number; readonly y: number } | null,
): ImageTransform {
  const width = Math.max(1, Math.floor(Math.min(variant.width, fullWidth(original, variant))));
  if (!variant.box) return { width, fit: 'scale-down' };
  const [across, down] = variant.box.ratio;
  const height = Math.min(original.height, Math.max(1, Math.round((width * down) / across)));
  if (variant.box.fit === 'contain') return { width, height, fit: 'scale-down' };
  const gravity = focalPoint && { x: focalPoint.x / 100, y: focalPoint.y / 100, mode: 'box-center' as const };
  return { width, height, fit: 'cover', ...(gravity && { gravity }) };
}
