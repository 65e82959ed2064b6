/**
 * @module The guides for Astro in docs/clients.md, docs/previews.md and docs/media.md, built by Astro as one site, and served beside
 * the demo: its cookies, its redirect and its images are the real ones.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../cli/core/local-server.ts';
import type { SettingsInput } from '../../src/schema/settings/config.ts';
import { serveDemo } from '../clients/served-demo.ts';
import { type BuiltSite, makeSite } from '../support/built-site.ts';
import { exampleFiles } from '../support/examples.ts';
import { codeBelow } from '../support/pages.ts';
import { callerOf, type ServedDocument, type ServedProject } from '../support/served-project.ts';

const ROOT = join(import.meta.dirname, '../..');
const PACKAGES = ['astro@7.3.5', '@astrojs/node@11.1.6', 'typescript@5.9.3'];
const ASTRO = 'node_modules/.bin/astro';
const COVER = '/uploads/photo_3f09ab12cd.png';

const SECRET = `whsec_${btoa('a key of twenty-four byt')}`;

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const [route = '', page = ''] = codeBelow(textOf('docs/previews.md'), 'Astro 7');
const [, , , service = ''] = codeBelow(textOf('docs/media.md'), 'In Next, Nuxt, Astro and unpic');
const [, , live = ''] = codeBelow(textOf('docs/clients.md'), 'Astro');
const examples = exampleFiles();
const OF_ASTRO = ['src/content.config.ts', 'src/live.config.ts', 'src/pages/api/revalidate.ts'];

/** @param api where the demo is served */
const filesOf = (api: string) => ({
  'package.json': '{ "private": true, "type": "module" }',
  'tsconfig.json': '{ "extends": "astro/tsconfigs/strictest", "include": [".astro/types.d.ts", "src", "lib"] }',
  'astro.config.mjs': `import node from '@astrojs/node';
    import { memoryCache } from 'astro/config';
    export default {
      adapter: node({ mode: 'standalone' }),
      cache: { provider: memoryCache() },
      image: { service: { entrypoint: './src/pictures.ts' } },
    };`,
  'types/content-types.d.ts': textOf('types/content-types.d.ts'),
  'lib/client.ts': (examples.get('lib/client.ts') ?? '').replace('https://api.example.com', api),
  ...Object.fromEntries(OF_ASTRO.map((path) => [path, examples.get(path) ?? ''])),
  'src/pictures.ts': service,
  'src/pages/api/preview.ts': route,
  'src/pages/articles/[slug].astro': page,
  'src/pages/live/[slug].astro': live,
  'src/pages/built/[slug].astro': `---
    import { getCollection } from 'astro:content';
    export const getStaticPaths = async () =>
      (await getCollection('articles')).map(({ data }) => ({ params: { slug: data.slug }, props: { data } }));
    const { title, author } = Astro.props.data;
---
<h1>{title} by {author?.name}</h1>`,
  'src/types.ts': `import { getCollection, getLiveCollection } from 'astro:content';
    export const names = async (): Promise<(string | undefined)[]> =>
      (await getCollection('articles')).map(({ data }) => data.author?.name);
    export const titles = async (): Promise<string[] | undefined> => {
      const { entries } = await getLiveCollection('liveArticles', { filters: { format: 'essay' } });
      return entries?.map(({ data }) => data.title);
    };
    // @ts-expect-error it is not populated
    export const seo = async () => (await getCollection('articles')).map(({ data }) => data.seo);
    // @ts-expect-error there is no such attribute
    export const none = async () => await getLiveCollection('liveArticles', { filters: { titel: 'a' } });`,
  'src/pages/cover.astro': `---
    import { Image } from 'astro:assets';
    export const prerender = false;
---
<Image src="${COVER}" alt="" width={600} height={400} />`,
});

let demo: ServedProject;
let call: ReturnType<typeof callerOf>;
let built: BuiltSite;
let site: string;
/** Path of the article in the API. */
let article: string;
const SLUG = 'the-night-ferry-to-nowhere';
const PAGE = `/articles/${SLUG}`;

beforeAll(async () => {
  const port = await freePort();
  site = `http://127.0.0.1:${port}`;
  const settings: SettingsInput = {
    preview: { 'api::article.article': { url: `${site}/api/preview?slug={slug}&locale={locale}&token={token}` } },
    webhooks: [{ url: `${site}/api/revalidate`, events: ['entry.*'], secret: 'WEBHOOK_SECRET', allowPrivate: true }],
  };
  const secret = `WEBHOOK_SECRET=${SECRET}\n`;
  // Takes the messages about the demo content, which would be sent again to the site.
  const earlier = createServer((_, response) => response.end()).listen(port, '127.0.0.1');
  demo = await serveDemo(settings, (folder) => appendFileSync(join(folder, '.dev.vars'), secret));
  call = callerOf(demo);
  const [found] = await call<readonly ServedDocument[]>('GET', `/api/articles?filters[slug]=${SLUG}`);
  article = `/api/articles/${found?.documentId}`;
  const env = { API_URL: demo.url, WEBHOOK_SECRET: SECRET, ASTRO_TELEMETRY_DISABLED: '1', HOST: '127.0.0.1' };
  built = makeSite('astro', filesOf(demo.url), PACKAGES, { ...env, PORT: String(port) });
  built.run(ASTRO, 'build');
  await new Promise((closed) => earlier.close(closed));
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
  await call('PUT', `${article}?status=draft`, { title: 'Straße – 港' });
  expect(await shown()).toMatchObject({ title: 'The Night Ferry to Nowhere', caching: null });
  const link = await call('POST', `${article}/actions/preview-link`);
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

const headingIn = (html: string): string | undefined => /<h1[^>]*>(.*?)<\/h1>/.exec(html)?.[1];

it('keeps a live page until a webhook says that something has changed that it shows', async () => {
  const read = async () => {
    const response = await fetch(`${site}/live/${SLUG}`);
    const html = await response.text();
    return [response.headers.get('x-astro-cache'), headingIn(html), /<p[^>]*>(.*?)<\/p>/.exec(html)?.[1]];
  };
  expect(await read()).toEqual(['MISS', 'The Night Ferry to Nowhere', 'by Ilse Marlow']);
  expect(await read()).toEqual(['HIT', 'The Night Ferry to Nowhere', 'by Ilse Marlow']);
  const [author] = await call<readonly ServedDocument[]>('GET', '/api/authors?filters[slug]=ilse-marlow');
  await call('PUT', `/api/authors/${author?.documentId}`, { name: 'Ilse M.' });
  await expect.poll(read).toEqual(['MISS', 'The Night Ferry to Nowhere', 'by Ilse M.']);
  expect((await read())[0]).toBe('HIT');
  const [category] = await call<readonly ServedDocument[]>('GET', '/api/categories');
  await call('PUT', `/api/categories/${category?.documentId}`, { description: 'Not shown.' });
  await call('PUT', article, { title: 'Changed' });
  await expect.poll(read).toEqual(['MISS', 'Changed', 'by Ilse M.']);
  expect((await fetch(`${site}/live/nowhere`)).status).toBe(404);
});

it('builds again what has changed, and no longer what was deleted', async () => {
  const html = (slug: string) => join(built.folder, `dist/client/built/${slug}/index.html`);
  const other = (await call<readonly ServedDocument[]>('GET', '/api/articles')).find(({ slug }) => slug !== SLUG);
  expect(headingIn(readFileSync(html(SLUG), 'utf8'))).toBe('The Night Ferry to Nowhere by Ilse Marlow');
  expect(existsSync(html(String(other?.slug)))).toBe(true);
  await call('DELETE', `/api/articles/${other?.documentId}`);
  built.run(ASTRO, 'build');
  expect(headingIn(readFileSync(html(SLUG), 'utf8'))).toBe('Changed by Ilse M.');
  expect(existsSync(html(String(other?.slug)))).toBe(false);
});

it('types its collections', () => {
  built.run('node_modules/.bin/tsc', '--noEmit');
});
