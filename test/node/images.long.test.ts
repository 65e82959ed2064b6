/**
 * @module `edgewise-client/images` with the frameworks that it is for, as npm has them: all URLs that they make of it are pictures
 * of the API, in its widths.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { astroService, nextLoader, nuxtProvider, unpicTransformer } from '../../client/images.ts';
import { readVariant } from '../../src/features/files/pictures/picture-params.ts';
import { invisible } from '../../src/features/preview/invisible.ts';
import { parseSettings } from '../../src/schema/settings/config.ts';

const PACKAGES = [
  ...['next@16.4.6', 'react@19.3.0', 'react-dom@19.3.0', '@nuxt/image@2.1.0'],
  ...['unpic@4.2.2', '@unpic/core@1.0.3', 'astro@7.3.5'],
];

const api = 'https://api.example.com';
const SRC = '/uploads/photo_3f09ab12cd.png';
const GIVEN = [
  ['', SRC],
  [' without their source maps', SRC + invisible({ strapiSource: 'path=cover.url' })],
] as const;
const { upload } = parseSettings({ upload: { widths: true } });

const folder = mkdtempSync(join(tmpdir(), 'edgewise-images-'));
const { resolve } = createRequire(join(folder, 'package.json'));

beforeAll(() => {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--omit=optional', '--loglevel=error'];
  execFileSync('npm', ['install', ...options, ...PACKAGES], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

// Their types need their other packages.
// biome-ignore lint/suspicious/noExplicitAny: see above
const load = (path: string): Promise<any> => import(path);

/** Returns the widths of the pictures of a `srcset`, each of which the API makes as it was asked. */
function widthsIn(srcset: string): readonly number[] {
  return srcset.split(/,\s+/).map((candidate) => {
    const [url = ''] = candidate.trim().split(' ');
    expect(url.startsWith(`${api}${SRC}?`), url).toBe(true);
    const { search, searchParams } = new URL(url);
    const variant = readVariant(search, upload);
    expect(searchParams.get('w'), url).toBe(String(variant?.width));
    return variant?.width ?? 0;
  });
}

it.each(GIVEN)('loads the pictures of next/image%s', async (_, given) => {
  const { getImageProps } = await load(resolve('next/image.js'));
  const loader = nextLoader({ api });
  const { props } = getImageProps({ src: given, alt: '', width: 600, height: 400, quality: 75, loader });
  expect(widthsIn(props.srcSet)).toEqual([640, 1280]);
  expect(props.src).toBe(`${api}${SRC}?w=1280&q=75`);
  const filling = getImageProps({ src: given, alt: '', fill: true, sizes: '100vw', loader });
  expect(widthsIn(filling.props.srcSet)).toEqual([640, 828, 828, 1080, 1280, 1920, 2560, 3840]);
});

it.each(GIVEN)('provides the pictures of Nuxt Image%s', async (_, given) => {
  const { createImage } = await load(join(folder, 'node_modules/@nuxt/image/dist/runtime/image.js'));
  const image = createImage({
    provider: 'edgewise',
    providers: { edgewise: { setup: nuxtProvider({ api }), defaults: {} } },
    ...{ presets: {}, screens: { sm: 640, md: 768 }, alias: {}, domains: [], densities: [1, 2], format: [], nuxt: {} },
  });
  const modifiers = { width: 300, height: 200, fit: 'cover', format: 'avif' };
  expect(image(given, modifiers)).toBe(`${api}${SRC}?w=384&h=256&fit=cover&f=avif`);
  const { srcset } = image.getSizes(given, { sizes: 'sm:100vw md:50vw', modifiers: { quality: 60 } });
  expect(widthsIn(srcset)).toEqual([384, 640, 828, 1280]);
});

it.each(GIVEN)('transforms the pictures of unpic%s', async (_, given) => {
  const { transformBaseImageProps } = await load(resolve('@unpic/core/base'));
  const { srcset, src } = transformBaseImageProps({
    ...{ src: given, width: 600, height: 400, layout: 'constrained', transformer: unpicTransformer({ api }) },
    operations: { format: 'webp' },
  });
  expect(src).toBe(`${api}${SRC}?w=640&f=webp`);
  expect(widthsIn(srcset)).toEqual([640, 640, 828, 828, 1080, 1080, 1280]);
});

it.each(GIVEN)('serves the pictures of Astro%s', async (_, given) => {
  const { getImage } = await load(join(folder, 'node_modules/astro/dist/assets/internal.js'));
  const { baseService } = await load(join(folder, 'node_modules/astro/dist/assets/services/service.js'));
  Object.assign(globalThis, { astroAsset: { imageService: astroService(baseService, { api }) } });
  const config = { service: {}, endpoint: {}, domains: [], remotePatterns: [] };
  const options = { src: given, width: 600, height: 400, widths: [300, 600, 1200], format: 'avif', quality: 'mid' };
  const { src, srcSet, attributes } = await getImage(options, config, console);
  expect(src).toBe(`${api}${SRC}?w=640&f=avif&q=60`);
  expect(widthsIn(srcSet.attribute)).toEqual([384, 640, 1280]);
  expect(attributes).toMatchObject({ width: 600, height: 400 });
});
