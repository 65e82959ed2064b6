/**
 * @module The guides for Astro in docs/previews.md and docs/media.md, built by Astro as one site, and served beside
 * the demo: its cookies, its redirect and its images are the real ones.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../cli/core/local-server.ts';
import { serveDemo } from '../clients/served-demo.ts';
import { type BuiltSite, makeSite } from '../support/built-site.ts';
import { codeBelow } from '../support/pages.ts';
import { callerOf, type ServedDocument, type ServedProject } from '../support/served-project.ts';

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

let demo: ServedProject;
let built: BuiltSite;
let site: string;
const PAGE = '/articles/the-night-ferry-to-nowhere';

beforeAll(async () => {
  const port = await freePort();
  site = `http://127.0.0.1:${port}`;
  demo = await serveDemo({
    preview: { 'api::article.article': { url: `${site}/api/preview?slug={slug}&locale={locale}&token={token}` } },
  });
  const env = { API_URL: demo.url, ASTRO_TELEMETRY_DISABLED: '1', HOST: '127.0.0.1', PORT: String(port) };
  built = makeSite('astro', FILES, PACKAGES, env);
  built.run(ASTRO, 'build');
  await built.serve(site, process.execPath, 'dist/server/entry.mjs');
});

afterAll(async () => {
  built?.remove();
  await demo?.stop();
});

async function shown(cookie = '') {
  const response = await fetch(site + PAGE, { headers: { cookie } });
  const html = await response.text();
  return { title: /<h1[^>]*>(.*?)<\/h1>/.exec(html)?.[1], html, caching: response.headers.get('cache-control') };
}

it('shows the draft to whoever has the link, as the API has it, and the published version to others', async () => {
  const call = callerOf(demo);
  const named = '/api/articles?filters[slug]=the-night-ferry-to-nowhere';
  const [article] = await call<readonly ServedDocument[]>('GET', named);
  const path = `/api/articles/${article?.documentId}`;
  await call('PUT', `${path}?status=draft`, { title: 'Straße – 港' });
  expect(await shown()).toMatchObject({ title: 'The Night Ferry to Nowhere', caching: null });
  const link = await call('POST', `${path}/actions/preview-link`);
  const opened = await fetch(String(link.url), { redirect: 'manual' });
  expect([opened.status, opened.headers.get('location')]).toEqual([302, PAGE]);
  const [cookie = ''] = opened.headers.getSetCookie();
  expect(cookie).toMatch(/^preview=preview_.*;.*HttpOnly/);
  const { title, html, caching } = await shown(cookie.split(';')[0]);
  expect([title, caching]).toEqual([
    expect.stringMatching(/^Straße – 港[\u200b-\u200d\ufeff]{400,}$/),
    'private, no-store',
  ]);
  // https://html.spec.whatwg.org/multipage/semantics.html#charset
  expect(html.slice(0, 1024)).toMatch(/^<!doctype html>.*<meta charset="utf-8"/is);
  expect((await shown()).title).toBe('The Night Ferry to Nowhere');
});

it('takes the pictures of its pages from the API', async () => {
  const html = await (await fetch(`${site}/cover`)).text();
  expect(/src="([^"]*)"/.exec(html)?.[1]?.replaceAll('&#38;', '&').replaceAll('&amp;', '&')).toMatch(
    new RegExp(`^https://api\\.example\\.com${COVER}\\?w=\\d+`),
  );
});
