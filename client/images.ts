/**
 * @module URLs of pictures on request for next/image, Nuxt Image, unpic and Astro: what sites import as `edgewise-client/images`.
 */
import { withoutSourceMap } from '../src/common/source-map.ts';
import { PICTURE_FORMATS, PICTURE_WIDTHS } from '../src/schema/settings/picture-values.ts';

export interface PictureOptions {
  /** URL of the API, without a slash at the end. */
  readonly api: string;
  /** `upload.publicUrl` of the settings. */
  readonly publicUrl?: string;
  /** `upload.widths` of the settings, in ascending order; absent: those of `true`. */
  readonly widths?: readonly number[];
}

/** What a site wants of a picture, in the words of its framework. */
export interface Wanted {
  readonly width?: number | string | undefined;
  readonly height?: number | string | undefined;
  readonly fit?: string | undefined;
  readonly format?: string | undefined;
  readonly quality?: number | string | null | undefined;
}

/** As Astro names them. */
const QUALITIES: Readonly<Record<string, number>> = { low: 40, mid: 60, high: 75, max: 90 };

/**
 * Returns the URL of a picture, in a width of the settings. Only `cover` crops, so only then the URL has a height.
 * @param source `url` of a file, with a source map or without; of anything else it is returned, without its source map
 */
export function pictureUrl(source: string, wanted: Wanted, options: PictureOptions): string {
  const src = withoutSourceMap(source);
  const { api, publicUrl, widths = PICTURE_WIDTHS } = options;
  const prefixes = ['/uploads/', `${api}/uploads/`, ...(publicUrl ? [`${publicUrl}/`] : [])];
  const prefix = prefixes.find((each) => src.startsWith(each));
  if (prefix === undefined) return src;
  const path = src.slice(prefix.length);
  // A signature covers the whole query.
  if (path.includes('&signature=')) return `${api}/uploads/${path}`;
  const [name = ''] = path.split(/[?#]/);
  const [given, height] = [Number(wanted.width), Number(wanted.height)];
  const width = given > 0 ? (widths.find((each) => each >= given) ?? widths.at(-1) ?? given) : undefined;
  const isCropped = wanted.fit === 'cover' && width !== undefined && height > 0;
  const quality = QUALITIES[wanted.quality ?? ''] ?? Number(wanted.quality);
  const values = {
    w: width,
    h: isCropped ? Math.max(1, Math.round((height * width) / given)) : undefined,
    fit: isCropped ? 'cover' : undefined,
    f: PICTURE_FORMATS.find((each) => each === (wanted.format === 'jpg' ? 'jpeg' : wanted.format)),
    q: quality > 0 ? Math.min(100, Math.ceil(quality)) : undefined,
  };
  const query = Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${value}`]));
  return `${api}/uploads/${name}${query.length > 0 ? '?' : ''}${query.join('&')}`;
}

/** Returns a loader of next/image. */
export const nextLoader =
  (options: PictureOptions) =>
  ({ src, width, quality }: { readonly src: string; readonly width: number; readonly quality?: number }): string =>
    pictureUrl(src, { width, quality }, options);

/** Returns a provider of Nuxt Image. */
export const nuxtProvider = (options: PictureOptions) => () => ({
  getImage: (src: string, { modifiers }: { readonly modifiers: Wanted }) => ({
    url: pictureUrl(src, modifiers, options),
  }),
});

/** Returns a transformer of unpic. */
export const unpicTransformer =
  (options: PictureOptions) =>
  (src: string | URL, operations: Wanted): string =>
    pictureUrl(String(src), operations, options);

/** Returns an image service of Astro. @param base `baseService` of `astro/assets` */
export const astroService = <T extends object>(base: T, options: PictureOptions) => ({
  ...base,
  getURL: ({ src, ...wanted }: Wanted & { readonly src: string | { readonly src: string } }): string =>
    typeof src === 'string' ? pictureUrl(src, wanted, options) : src.src,
});
