/**
 * @module Nine screens, light and dark, wide and narrow: accessible, never wider than the window, and in German.
 * `EDGEWISE_SCREENS=docs/studio` keeps pictures of them.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import type { Page } from '../clients/browser.ts';
import { api, type Studio, test } from './fixture.ts';

const FOLDER = process.env.EDGEWISE_SCREENS;
const LOOKS = ['light', 'dark'].flatMap((color) => ['wide', 'narrow'].map((size) => ({ color, size })));
/** Colours do not depend on the width, nor the layout on colours. */
const isTelling = (index: number): boolean => FOLDER !== undefined || index === 0 || index === 3;

let id = '';

const MEDIA = join(import.meta.dirname, '../demo/demo/media');

beforeAll(async () => {
  const form = new FormData();
  for (const name of readdirSync(MEDIA)) form.append('files', new File([readFileSync(join(MEDIA, name))], name));
  await api('POST', '/api/upload', form);
  await api('POST', '/api/upload/folders', { name: 'Photos' });
  await api('POST', '/api/upload/folders', { name: 'Contracts', private: true });
  const author = await api('POST', '/api/authors', { data: { name: 'Ilse Marr' } });
  const [ships, coast] = await Promise.all(
    ['Ships', 'The coast'].map((name) => api('POST', '/api/tags', { data: { name } })),
  );
  const titles = [
    'Night ferry to Odda',
    'Bread for four hundred',
    'What the lighthouse keeper saw',
    'A clock that ran',
  ];
  for (const [index, title] of titles.entries()) {
    const links = { author: author.data.documentId, tags: [ships.data.documentId] };
    const data = { title, slug: `screen-${index}`, readingTime: index + 3, rating: 4, ...links };
    id = (await api('POST', '/api/articles', { data: { ...data, summary: 'By night.' } })).data.documentId;
  }
  await api('PUT', `/api/articles/${id}?status=draft`, { data: { summary: 'By day.', tags: [coast.data.documentId] } });
});

interface Screen {
  readonly name: string;
  readonly hash: () => string;
  /** Is there once the screen is drawn. */
  readonly ready: string;
  readonly prepare?: (page: Page) => Promise<void>;
}

const SCREENS: readonly Screen[] = [
  { name: 'overview', hash: () => '#/', ready: 'h1:text-is("Overview")' },
  { name: 'list', hash: () => '#/content/articles?filters[rating][$gte]=3&sort=title', ready: 'table' },
  { name: 'document', hash: () => `#/content/articles/${id}`, ready: '.document-form [contenteditable]' },
  {
    name: 'comparison',
    hash: () => `#/content/articles/${id}`,
    ready: '.document-form',
    prepare: async (page) => {
      await page.getByRole('tab', { name: 'Compare with published' }).click();
      await page.locator('.difference').first().waitFor();
    },
  },
  {
    name: 'history',
    hash: () => `#/content/articles/${id}`,
    ready: '.tabs',
    prepare: async (page) => {
      await page.getByRole('tab', { name: 'History' }).click();
      await page.getByRole('link', { name: 'Created' }).click();
      await page.getByText('Now', { exact: true }).first().waitFor();
    },
  },
  { name: 'media', hash: () => '#/media', ready: 'img' },
  {
    name: 'explorer',
    hash: () => `#/explorer?request=${encodeURIComponent('/api/articles?populate=author')}`,
    ready: 'text=documentId',
  },
  { name: 'reference', hash: () => '#/reference?operation=listArticle', ready: 'text=Parameters' },
];

/** WebP takes a tenth of the bytes of PNG. */
async function picture(page: Page, name: string): Promise<void> {
  if (FOLDER === undefined) return;
  const client = await page.context().newCDPSession(page);
  const { data } = await client.send('Page.captureScreenshot', { format: 'webp', quality: 75 });
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${name}.webp`), Buffer.from(data, 'base64'));
}

async function check(studio: Studio, name: string, look: string): Promise<void> {
  const { page } = studio;
  await page.waitForTimeout(200);
  await picture(page, `${name}-${look}`);
  expect({ name, look, findings: await studio.axe() }).toEqual({ name, look, findings: [] });
  const [inner, outer] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
  expect({ name, look, isWider: Number(inner) > Number(outer) }).toEqual({ name, look, isWider: false });
}

describe('the screens', () => {
  for (const { color, size } of LOOKS.filter((_, index) => isTelling(index))) {
    test(`are accessible and fit, ${color} and ${size}`, async ({ another }) => {
      const look = { width: size === 'wide' ? 1280 : 420, height: 860, dark: color === 'dark' };
      const visitor = await another(look);
      await visitor.open();
      await check(visitor, 'sign-in', `${color}-${size}`);
      const studio = await another(look);
      await studio.signIn();
      for (const { name, hash, ready, prepare } of SCREENS) {
        await studio.open(hash());
        await studio.page.locator(ready).first().waitFor();
        await prepare?.(studio.page);
        await check(studio, name, `${color}-${size}`);
      }
    });
  }

  test('are in German in a German browser, until the reader chooses English', async ({ another }) => {
    const check = async ({ page }: Studio, ...names: readonly string[]) => {
      for (const name of names) await page.getByRole('button', { name, exact: true }).first().waitFor();
      expect(await page.locator('html').getAttribute('lang')).toBe('de');
      const shown = await page.locator('body').innerHTML();
      const english = /[>"](Save|Publish|Published|Delete|Upload|Sign in|Sign out|Search …|More actions|Locale)[<"]/g;
      expect(shown.match(english) ?? []).toEqual([]);
    };
    const visitor = await another({ locale: 'de-DE' });
    await visitor.open();
    await check(visitor, 'Anmelden');
    const studio = await another({ locale: 'de-DE' });
    const { page } = studio;
    await studio.signIn();
    await studio.open('#/content/articles');
    await page.locator('td .badge').first().waitFor();
    await check(studio, 'Abmelden', 'Geändert', 'Spalten');
    await studio.open(`#/content/articles/${id}`);
    await page.locator('.document-form [contenteditable]').first().waitFor();
    await check(studio, 'Abmelden', 'Speichern', 'Veröffentlichen');
    await page.getByRole('button', { name: 'Weitere Aktionen' }).click();
    await page.getByRole('menuitem', { name: 'Löschen', exact: true }).waitFor();
    await studio.open('#/media');
    await page.locator('img').first().waitFor();
    await check(studio, 'Abmelden', 'Hochladen');
    await page.getByLabel('Sprache').selectOption('English');
    await page.getByRole('button', { name: 'Upload', exact: true }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
  });
});
