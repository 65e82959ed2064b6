/**
 * @module The magazine of somebody who has the packed packages alone: made by `npm create edgewise`, started by one command, and
 * walked page by page, with a preview in Studio.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { freePort } from '../../cli/core/local-server.ts';
import type { Page } from '../clients/browser.ts';
import { done, interrupt, type Running } from '../node/first-hour/clone.ts';
import { makeStarter, type Starter } from '../support/starter.ts';
import { type Studio, test } from './fixture.ts';

const MINUTES = 600_000;
const ARTICLE = '/articles/the-night-ferry-to-nowhere';

let project: Starter;
let server: Running;
let site: string;

function edit(path: string, from: string, to: string): void {
  const file = join(project.root, path);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(from);
  writeFileSync(file, text.replace(from, to));
}

/** Resolves with the page once the site shows it. */
async function untilShown(path: string): Promise<string> {
  for (const limit = Date.now() + MINUTES; Date.now() < limit; ) {
    const response = await fetch(`${site}${path}`).catch(() => undefined);
    if (response?.ok) return response.text();
    if (server.child.exitCode !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`${path} was not shown:\n${server.output()}`);
}

beforeAll(async () => {
  project = await makeStarter('magazine');
  const started = Date.now();
  const [apiPort, sitePort] = [await freePort(), await freePort()];
  site = `http://127.0.0.1:${sitePort}`;
  edit('edgewise.config.ts', 'http://127.0.0.1:4321', site);
  edit('site/astro.config.mjs', '4321', String(sitePort));
  writeFileSync(join(project.root, 'site/.env'), `API_URL=http://127.0.0.1:${apiPort}\n`);
  server = project.start('npm', 'run', 'dev', '--', '--port', String(apiPort));
  await untilShown('/');
  const seconds = Math.round((Date.now() - started) / 1000);
  process.stderr.write(`npm create: ${project.seconds} s, from npm run dev to the first page: ${seconds} s\n`);
}, MINUTES);

afterAll(async () => {
  if (server) await interrupt(server);
  project?.remove();
});

/** Opens a page, which has no findings of axe and is not wider than the window. */
async function opened(studio: Studio, path: string): Promise<Page> {
  const { page } = studio;
  await page.goto(`${site}${path}`, { waitUntil: 'networkidle' });
  expect(await studio.axe(), path).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), path).toBe(0);
  return page;
}

const statusOf = async (path: string): Promise<number> => (await fetch(`${site}${path}`)).status;

describe('the magazine', { timeout: MINUTES }, () => {
  test('leads from its front page to articles, categories and authors', async ({ studio }) => {
    const page = await opened(studio, '/');
    expect(await page.locator('h1').textContent()).toBe('The Slow Quarterly');
    const picture = page.locator('.lead img');
    expect(await picture.evaluate(({ currentSrc }: HTMLImageElement) => currentSrc)).toMatch(/\.png\?w=\d+&f=webp$/);
    expect(await picture.evaluate(({ naturalWidth }: HTMLImageElement) => naturalWidth)).toBeGreaterThan(0);
    await page.getByRole('link', { name: 'The Night Ferry to Nowhere' }).click();
    await page.getByRole('heading', { level: 1, name: 'The Night Ferry to Nowhere' }).waitFor();
    expect(await page.locator('blockquote').textContent()).toContain('We do not get lost.');
    await page.getByRole('link', { name: 'Ilse Marlow' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Ilse Marlow' }).waitFor();
    await page.getByRole('link', { name: 'Crafts' }).click();
    await page.getByRole('heading', { level: 1, name: 'Crafts' }).waitFor();
    await expect.poll(() => page.locator('article').count()).toBe(4);
    for (const path of [ARTICLE, '/authors/ilse-marlow', '/categories/crafts', '/articles/'])
      await opened(studio, path);
    expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(`${site}/articles`);
  });

  test('is in French as far as its content is, on a phone at night', async ({ another }) => {
    const studio = await another({ width: 390, height: 844, dark: true, isTouch: true });
    for (const path of ['/', ARTICLE, '/search?q=clock']) await opened(studio, path);
    const page = await opened(studio, '/fr');
    expect(await page.locator('html').getAttribute('lang')).toBe('fr');
    expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('light dark');
    const shades = await page.evaluate('getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)');
    expect(Math.max(...(shades as number[]))).toBeLessThan(64);
    await page.getByRole('link', { name: 'Lieux' }).click();
    await page.getByRole('heading', { level: 1, name: 'Lieux' }).waitFor();
    await page.getByRole('link', { name: 'English' }).click();
    await page.getByRole('heading', { level: 1, name: 'Places' }).waitFor();
    expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(`${site}/categories/places`);
    await opened(studio, `/fr${ARTICLE}`);
    expect(await page.locator('h1').getAttribute('lang')).toBe('en');
    await page.getByText('Cet article n’existe qu’en anglais.').waitFor();
    await page.getByRole('link', { name: 'English' }).click();
    await page.waitForURL(`${site}${ARTICLE}`);
  });

  test('is searched without a script', async ({ studio }) => {
    const page = await opened(studio, '/search');
    await page.getByRole('searchbox').fill('clock');
    await page.getByRole('searchbox').press('Enter');
    await page.getByRole('status').waitFor();
    expect(await page.getByRole('status').textContent()).toBe('1 article for “clock”');
    await page.getByRole('link', { name: 'A Clockmaker Explains Slowness' }).waitFor();
    // A word with another letter is found as well.
    await opened(studio, '/search?q=lighthause');
    await page.getByRole('link', { name: 'What the Lighthouse Keeper Reads' }).waitFor();
    await opened(studio, '/search?q=zeppelin');
    expect(await page.getByRole('status').textContent()).toBe('0 articles for “zeppelin”');
  });

  test('says what is not there, in the language of the page', async ({ studio }) => {
    studio.allow(/status of 404/);
    const paths = [
      '/nowhere',
      '/articles/nowhere',
      '/categories/nowhere',
      '/authors/nowhere',
      '/de',
      '/en',
      '/de/search',
    ];
    for (const path of paths) expect([path, await statusOf(path)]).toEqual([path, 404]);
    const page = await opened(studio, '/fr/articles/nowhere');
    await page.getByRole('heading', { level: 1, name: 'Cette page est ailleurs' }).waitFor();
  });

  test('has a sitemap whose pages are all there, a feed, and rules for robots', async () => {
    const sitemap = await untilShown('/sitemap.xml');
    const urls = [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url = '']) => url);
    expect(urls.length).toBe(2 * (2 + 4) + 3 + 9);
    for (const url of urls) expect([url, (await fetch(url)).status]).toEqual([url, 200]);
    expect(await untilShown('/robots.txt')).toContain(`Sitemap: ${site}/sitemap.xml`);
    const feed = await untilShown('/feed.xml');
    expect(feed.match(/<item>/g)).toHaveLength(9);
    expect(feed).toContain(`<link>${site}${ARTICLE}</link>`);
    expect(feed).toContain('<dc:creator>Ilse Marlow</dc:creator>');
  });

  test('shows drafts in Studio alone, where a click leads to the field', async ({ studio }) => {
    const draft = '/articles/an-opera-in-a-car-park';
    expect(await statusOf(draft)).toBe(404);
    expect(await statusOf(draft.replace('/articles', '/preview/en'))).toBe(404);
    const { page } = studio;
    await page.setViewportSize({ width: 1600, height: 1000 });
    await page.goto(/http\S+#sign-in=\S+/.exec(server.output())?.[0] ?? '');
    await page.getByRole('link', { name: 'Articles', exact: true }).first().click();
    await page.getByRole('link', { name: 'An Opera in a Car Park' }).first().click();
    await page.getByRole('button', { name: 'Show the page' }).click();
    const preview = page.frameLocator('iframe[title="The page"]');
    await preview.getByRole('heading', { level: 1, name: 'An Opera in a Car Park' }).waitFor();
    await preview.getByText('This is a draft.').waitFor();
    await preview.getByText('Level four, three singers').click();
    const summary = page.getByLabel(/^Summary/).first();
    await expect.poll(() => summary.evaluate((field) => field.contains(document.activeElement))).toBe(true);
    await summary.fill('Level five.');
    await preview.getByText('Level five.').waitFor();
    await page.keyboard.press('Control+s');
    await page.locator('.toast', { hasText: 'Saved' }).first().waitFor();
    expect(await statusOf(draft)).toBe(404);
    await page.keyboard.press('Control+Enter');
    await page.locator('.toast', { hasText: 'Published' }).first().waitFor();
    expect(await untilShown(draft)).toContain('Level five.');
  });

  test('is built, and passes its tests and those of the API', async () => {
    await done(project, 'npm run build -w site');
    await done(project, 'npm test');
    await done(project, 'npm run check');
  });
});
