/**
 * @module `edgewise-client/images`; test/node/images.long.test.ts has the real packages.
 */
import { describe, expect, it } from 'vitest';
import {
  astroService,
  nextLoader,
  nuxtProvider,
  pictureUrl,
  unpicTransformer,
  type Wanted,
} from '../../client/images.ts';
import { readVariant } from '../../src/features/files/pictures/picture-params.ts';
import { invisible } from '../../src/features/preview/invisible.ts';
import { parseSettings } from '../../src/schema/settings/config.ts';

const api = 'https://api.example.com';
const SRC = '/uploads/photo_3f09ab12cd.png';
const SIGNED = '/uploads/photo_3f09ab12cd-private.png?expires=1900000000&signature=abc';

describe('the URL of a picture', () => {
  it.each([
    [{}, ''],
    [{ width: 640 }, '?w=640'],
    [{ width: '700', quality: 80 }, '?w=828&q=80'],
    [{ width: 9999 }, '?w=3840'],
    [{ width: 320, height: 180, fit: 'cover' }, '?w=384&h=216&fit=cover'],
    [{ width: 320, height: 180, fit: 'contain' }, '?w=384'],
    [{ width: 320, height: 180 }, '?w=384'],
    [{ height: 180, fit: 'cover' }, ''],
    [{ width: 64, format: 'jpg', quality: 'mid' }, '?w=64&f=jpeg&q=60'],
    [{ width: 64, format: 'png', quality: 'best' }, '?w=64'],
    [{ width: 64, format: 'constructor' }, '?w=64'],
    [{ width: 64, quality: 82.5 }, '?w=64&q=83'],
    [{ width: 64, quality: '120' }, '?w=64&q=100'],
  ] satisfies [Wanted, string][])('with %j ends in "%s", which the API takes', (wanted, query) => {
    expect(pictureUrl(SRC, wanted, { api })).toBe(`${api}${SRC}${query}`);
    const { upload } = parseSettings({ upload: { widths: true } });
    expect(readVariant(query, upload) === undefined).toBe(query === '');
  });

  it('has a width of its settings', () => {
    expect(pictureUrl(SRC, { width: 90 }, { api, widths: [50, 100] })).toBe(`${api}${SRC}?w=100`);
  });

  it.each([
    [`${api}${SRC}?x=1#y`, `${api}${SRC}?w=64`],
    ['https://media.example.com/photo_3f09ab12cd.png', `${api}${SRC}?w=64`],
    ['https://elsewhere.example.com/uploads/photo.png', 'https://elsewhere.example.com/uploads/photo.png'],
    ['/logo.png', '/logo.png'],
    [SIGNED, `${api}${SIGNED}`],
    [`${api}${SIGNED}`, `${api}${SIGNED}`],
  ])('of %s is %s', (src, url) => {
    expect(pictureUrl(src, { width: 64 }, { api, publicUrl: 'https://media.example.com' })).toBe(url);
  });

  it('has no source map, as characters or encoded', () => {
    for (const [src, url] of [
      [SRC, `${api}${SRC}?w=64`],
      [SIGNED, `${api}${SIGNED}`],
      ['/logo.png', '/logo.png'],
    ]) {
      const mapped = src + invisible({ strapiSource: 'path=cover.url' });
      for (const given of [mapped, encodeURI(mapped)]) expect(pictureUrl(given, { width: 64 }, { api })).toBe(url);
    }
  });
});

it('is given to each framework in its words', () => {
  expect(nextLoader({ api })({ src: SRC, width: 640, quality: 75 })).toBe(`${api}${SRC}?w=640&q=75`);
  expect(nuxtProvider({ api })().getImage(SRC, { modifiers: { width: 640, format: 'avif' } })).toEqual({
    url: `${api}${SRC}?w=640&f=avif`,
  });
  expect(unpicTransformer({ api })(new URL(`${api}${SRC}`), { width: 640 })).toBe(`${api}${SRC}?w=640`);
  const service = astroService({ getSrcSet: () => [] }, { api });
  expect(service.getSrcSet()).toEqual([]);
  expect(service.getURL({ src: SRC, width: 640, height: 480 })).toBe(`${api}${SRC}?w=640`);
  expect(service.getURL({ src: { src: '/_astro/logo.png' }, width: 640 })).toBe('/_astro/logo.png');
});
