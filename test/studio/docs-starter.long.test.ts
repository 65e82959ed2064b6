/**
 * @module The starter `docs` as its users get it: made from the packed packages, built by Next, and walked in Chromium from the
 * first page to a preview in Studio and a change that a webhook announces.
 */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { freePort } from '../../cli/core/local-server.ts';
import { done, interrupt, type Running } from '../node/first-hour/clone.ts';
import { makeStarter, type Starter } from '../support/starter.ts';
import { test } from './fixture.ts';

const MINUTES = 600_000;
const SECRET = 'a secret of the webhook';

let starter: Starter;
/** Of the site that is built. */
let site: string;
/** Of the one that `npm run dev` serves. */
let devSite: string;
const running: Running[] = [];

function start(...command: readonly [string, ...string[]]): Running {
  const started = starter.start(...command);
  running.push(started);
  return started;
}

/** Gives the preview the port of the site, and the API a webhook to it. */
function connect(port: number): void {
  const path = join(starter.root, 'edgewise.config.ts');
  const webhook = { url: `${site}/api/revalidate`, events: ['entry.*'], secret: 'WEBHOOK_SECRET', allowPrivate: true };
  const settings = readFileSync(path, 'utf8').replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`);
  writeFileSync(path, settings.replace('defineConfig({', `defineConfig({ webhooks: [${JSON.stringify(webhook)}],`));
  appendFileSync(join(starter.root, '.dev.vars'), `WEBHOOK_SECRET=${SECRET}\n`);
}

beforeAll(async () => {
  starter = await makeStarter('docs');
  const [apiPort, port, devPort] = [await freePort(), await freePort(), await freePort()];
  const api = `API_URL=http://127.0.0.1:${apiPort}`;
  site = `http://127.0.0.1:${port}`;
  devSite = `http://127.0.0.1:${devPort}`;
  connect(port);
  const server = start('env', api, `PORT=${devPort}`, 'npm', 'run', 'dev', '--', '--port', String(apiPort));
  await server.says('Ctrl-C stops the server', MINUTES);
  const env = [api, `SITE_URL=${site}`, `WEBHOOK_SECRET=${SECRET}`, `PORT=${port}`];
  expect(await starter.run('env', ...env, 'npm', 'run', 'build', '--workspace=site')).toMatchObject({ code: 0 });
  await start('env', ...env, 'npm', 'start', '--workspace=site').says('Ready', MINUTES);
}, MINUTES);

afterAll(async () => {
  for (const each of running) await interrupt(each);
  starter?.remove();
});

const linkInto = () => /http\S+#sign-in=\S+/.exec(running[0]?.output() ?? '')?.[0] ?? '';

const textOf = async (path: string) => (await fetch(`${site}${path}`)).text();

describe('the starter docs', { timeout: MINUTES }, () => {
  test('passes the tests of its API and of its site', async () => {
    await done(starter, 'npm test');
  });

  test('is served by the command that serves its API', async () => {
    const response = await fetch(`${devSite}/en/run`);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('<h1>Run it</h1>');
  });

  test('leads to the language of the reader', async () => {
    const location = async (language: string) => {
      const response = await fetch(site, { redirect: 'manual', headers: { 'accept-language': language } });
      return response.headers.get('location');
    };
    expect(await location('fr-CA,fr;q=0.9,en;q=0.8')).toBe('/fr');
    expect(await location('en;q=0.5,fr')).toBe('/fr');
    expect(await location('pl,en;q=0.5')).toBe('/en');
    expect(await location('')).toBe('/en');
  });

  test('leads from the first page to a page, and on to the next', async ({ studio: { page, problems } }) => {
    await page.goto(`${site}/en`);
    await page.getByRole('main').getByRole('link', { name: 'Run it' }).click();
    await page.getByRole('heading', { level: 1, name: 'Run it' }).waitFor();
    expect(await page.title()).toBe('Run it – Handbook');
    const current = page.getByRole('navigation', { name: 'Contents' }).locator('[aria-current=page]');
    expect(await current.textContent()).toBe('Run it');
    await page.getByRole('link', { name: 'Next Where things are' }).click();
    await page.getByRole('heading', { level: 1, name: 'Where things are' }).waitFor();
    expect(problems).toEqual([]);
  });

  test('shows pages in French, and in English where there is no translation', async ({ studio: { page } }) => {
    await page.goto(`${site}/en/run`);
    await page.getByRole('link', { name: 'Français' }).click();
    await page.getByRole('heading', { level: 1, name: 'Lancer le site' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('fr');
    expect(await page.getByText('pas encore traduite').count()).toBe(0);
    await page.getByRole('navigation', { name: 'Sommaire' }).getByRole('link', { name: 'Where things are' }).click();
    await page.getByText('Cette page n’est pas encore traduite').waitFor();
    expect(await page.locator('article').getAttribute('lang')).toBe('en');
  });

  test('finds pages by words, with and without a script', async ({ studio: { page } }) => {
    await page.goto(`${site}/en/introduction`);
    await page.getByRole('searchbox').fill('webhook');
    await page.keyboard.press('Enter');
    await page.getByRole('main').getByRole('link', { name: 'Show changes at once' }).waitFor();
    expect(await textOf('/en/search?q=webhook')).toContain('href="/en/changes"');
    expect(await textOf('/en/search?q=zyzzyva')).toContain('0 pages with “zyzzyva”');
  });

  test('shows a picture in the size of the screen', async ({ another }) => {
    for (const [width, expected] of [
      [390, 384],
      [1280, 828],
    ] as const) {
      const { page } = await another({ width });
      await page.goto(`${site}/en/pictures`);
      const picture = page.getByRole('main').getByRole('img').first();
      await picture.scrollIntoViewIfNeeded();
      const shown = () => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0);
      await expect.poll(shown).toBe(true);
      const source = await picture.evaluate((image: HTMLImageElement) => image.currentSrc);
      expect(new URL(source).searchParams.get('w')).toBe(String(expected));
    }
  });

  test('responds with 404 where there is no page', async ({ studio }) => {
    studio.allow(/404/);
    const { page } = studio;
    for (const path of ['/en/nothing', '/fr/nothing', '/pl', '/en/run/further']) {
      const response = await page.goto(`${site}${path}`);
      expect([path, response?.status()]).toEqual([path, 404]);
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
      expect(await studio.axe()).toEqual([]);
    }
  });

  test('lists all its pages in the sitemap, and the newest in a feed', async () => {
    const urls = [...(await textOf('/sitemap.xml')).matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url = '']) => url);
    expect(urls).toHaveLength(2 * 16);
    for (const url of urls) {
      const response = await fetch(url);
      expect([url, response.status]).toEqual([url, 200]);
      expect(await response.text()).toContain(`<link rel="canonical" href="${url}"`);
    }
    const feed = await textOf('/fr/feed.xml');
    expect(feed.match(/<entry>/g)).toHaveLength(15);
    expect(feed).toContain('<title>Lancer le site</title>');
    expect(await textOf('/robots.txt')).toContain(`Sitemap: ${site}/sitemap.xml`);
  });

  test.for([false, true])('is accessible on every kind of page (dark: %s)', async (dark, { another }) => {
    const studio = await another({ dark });
    for (const path of ['/en', '/fr', '/en/markdown', '/en/pictures', '/fr/files', '/en/search?q=page']) {
      await studio.page.goto(`${site}${path}`);
      expect([path, await studio.axe()]).toEqual([path, []]);
    }
    const paper = await studio.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(paper).toBe(dark ? 'rgb(19, 22, 20)' : 'rgb(253, 253, 251)');
  });

  test('has its sidebar in a menu on a phone', async ({ another }) => {
    const studio = await another({ width: 390, height: 800, isTouch: true });
    const { page } = studio;
    await page.goto(`${site}/en/markdown`);
    const link = page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Pictures' });
    expect(await link.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Menu' }).click();
    expect(await studio.axe()).toEqual([]);
    await link.click();
    await page.getByRole('heading', { level: 1, name: 'Pictures' }).waitFor();
    expect(await link.isVisible()).toBe(false);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBe(390);
  });

  test('shows a draft to an editor, leads from its texts to their fields, and publishes it', async ({ another }) => {
    const studio = await another({ width: 1600, height: 1000 });
    studio.allow(/404/);
    const { page } = studio;
    await page.goto(linkInto());
    await page.getByRole('link', { name: 'Pages', exact: true }).first().click();
    await page.getByRole('link', { name: 'Before you announce it' }).first().click();
    await page.getByRole('button', { name: 'Show the page' }).click();
    const shown = page.frameLocator('iframe[title="The page"]');
    await shown.getByText('You see a draft.').waitFor();
    await page
      .getByLabel(/^Title/)
      .first()
      .fill('Before the launch');
    await shown.getByRole('heading', { level: 1, name: 'Before the launch' }).waitFor();
    await shown.getByText('A list for the day of the launch.').click();
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
    await expect.poll(focused).toContain('A list for the day of the launch.');
    await page.keyboard.press('Control+s');
    await page.locator('.toast', { hasText: 'Saved' }).first().waitFor();
    await shown.getByRole('heading', { level: 1, name: 'Before the launch' }).waitFor();

    expect((await fetch(`${site}/en/before-you-announce-it`)).status).toBe(404);
    expect(await textOf('/en')).not.toContain('Before the launch');
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.locator('.toast', { hasText: 'Published' }).first().waitFor();
    await expect.poll(() => textOf('/en'), { timeout: 30_000 }).toContain('Before the launch');
    await expect.poll(() => textOf('/en/before-you-announce-it')).toContain('<h1>Before the launch</h1>');

    await shown.getByRole('button', { name: 'Leave the preview' }).click();
    await shown.getByRole('heading', { level: 1, name: 'Documentation that your team writes itself' }).waitFor();
    expect(await shown.getByText('You see a draft.').count()).toBe(0);
  });

  test('takes messages of its own API alone', async () => {
    const body = JSON.stringify({ event: 'entry.update', model: 'page', entry: {} });
    const headers = { 'webhook-id': 'x', 'webhook-timestamp': String(Date.now() / 1000), 'webhook-signature': 'v1,x' };
    expect((await fetch(`${site}/api/revalidate`, { method: 'POST', body, headers })).status).toBe(401);
  });
});
