/**
 * @module The guides for Astro in docs/previews.md and docs/media.md, built by Astro as one site and served: its cookies, its
 * redirect and its images are the real ones. The API is a stand-in; test/unit/preview-guides.test.ts has the real one.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { freePort } from '../../cli/core/local-server.ts';
import { invisible } from '../../src/features/preview/invisible.ts';
import { type BuiltSite, makeSite } from '../support/built-site.ts';
import { codeBelow } from '../support/pages.ts';

const ROOT = join(import.meta.dirname, '../..');
const PACKAGES = ['astro@7.3.5', '@astrojs/node@11.1.6', 'typescript@5.9.3'];
const ASTRO = 'node_modules/.bin/astro';
const COVER = '/uploads/photo_3f09ab12cd.png';

const blocksOf = (page: string, heading: string): readonly string[] =>
  codeBelow(readFileSync(join(ROOT, 'docs', page), 'utf8'), heading);
const [route = '', page = ''] = blocksOf('previews.md', 'Astro 7');
const [, , , service = ''] = blocksOf('media.md', 'In Next, Nuxt, Astro and unpic');

const FILES = {
  'package.json': '{ "private": true, "type": "module" }',
  'astro.config.mjs': `import node from '@astrojs/node';
    export default { adapter: node({ mode: 'standalone' }), image: { service: { entrypoint: './src/pictures.ts' } } };`,
  'src/pictures.ts': service,
  'src/pages/api/preview.ts': route,
  'src/pages/articles/[slug].astro': page,
  'src/pages/cover.astro': `---
    import { Image } from 'astro:assets';
    export const prerender = false;
---
<Image src="${COVER}" alt="" width={600} height={400} />`,
};

const DRAFT = `Straße – 港${invisible({ strapiSource: 'path=title' })}`;

let built: BuiltSite;
let site: string;
let server: ChildProcess;

beforeAll(async () => {
  const port = await freePort();
  site = `http://127.0.0.1:${port}`;
  built = await makeSite('astro', FILES, DRAFT, {
    ...{ ASTRO_TELEMETRY_DISABLED: '1', HOST: '127.0.0.1', PORT: String(port) },
  });
  const { folder, env, run } = built;
  const pack = ['pack', '--silent', '--pack-destination', folder];
  const packed = execFileSync('npm', pack, { cwd: join(ROOT, 'client'), encoding: 'utf8' })
    .trim()
    .split('\n')
    .at(-1);
  run('npm', 'install', '--no-audit', '--no-fund', '--include=dev', `./${packed}`, ...PACKAGES);
  run(ASTRO, 'build');
  server = spawn(process.execPath, ['dist/server/entry.mjs'], { cwd: folder, env, stdio: 'ignore' });
  await vi.waitFor(() => fetch(site), { timeout: 60_000, interval: 200 });
});

afterAll(() => {
  server?.kill();
  built?.remove();
});

async function shown(cookie = '') {
  const response = await fetch(`${site}/articles/harbour`, { headers: { cookie } });
  const html = await response.text();
  return { title: /<h1[^>]*>(.*?)<\/h1>/.exec(html)?.[1], html, caching: response.headers.get('cache-control') };
}

it('shows the draft to whoever has the link, as the API has it, and the published version to others', async () => {
  expect(await shown()).toMatchObject({ title: 'Published', caching: null });
  const link = `${site}/api/preview?slug=harbour&locale=en&status=draft&token=preview_x`;
  const opened = await fetch(link, { redirect: 'manual' });
  expect([opened.status, opened.headers.get('location')]).toEqual([302, '/articles/harbour']);
  const [cookie = ''] = opened.headers.getSetCookie();
  expect(cookie).toMatch(/^preview=preview_x;.*HttpOnly/);
  const { title, html, caching } = await shown(cookie.split(';')[0]);
  expect([title, caching]).toEqual([DRAFT, 'private, no-store']);
  // https://html.spec.whatwg.org/multipage/semantics.html#charset
  expect(html.slice(0, 1024)).toMatch(/^<!doctype html>.*<meta charset="utf-8"/is);
  expect((await shown()).title).toBe('Published');
});

it('takes the pictures of its pages from the API', async () => {
  const html = await (await fetch(`${site}/cover`)).text();
  expect(/src="([^"]*)"/.exec(html)?.[1]?.replaceAll('&#38;', '&').replaceAll('&amp;', '&')).toMatch(
    new RegExp(`^https://api\\.example\\.com${COVER}\\?w=\\d+`),
  );
});
