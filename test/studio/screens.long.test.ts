/**
 * @module The screens, with what opens over them, light and dark, wide and narrow: accessible, never wider than the
 * window, and in German. `EDGEWISE_SCREENS=docs/studio` keeps pictures of some.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import type { Page } from '../clients/browser.ts';
import { type Account, accountOf, api, type Studio, test, unique } from './fixture.ts';
import { askedBy, registerClient } from './oauth-client.ts';
import { makePose, ORIGIN, type Pose } from './posed.ts';
import { plantRecipes, type Recipes } from './recipes.ts';

const FOLDER = process.env.EDGEWISE_SCREENS;
const LOOKS = ['light', 'dark'].flatMap((color) => ['wide', 'narrow'].map((size) => ({ color, size })));
/** Colours do not depend on the width, nor the layout on colours. */
const isTelling = (index: number): boolean => FOLDER !== undefined || index === 0 || index === 3;

let planted: Recipes = { recipe: '', cook: '', file: 0 };
let pose: Pose | undefined;
let chef: Account;
let clientId = '';
let deleted = '';

beforeAll(async () => {
  const named = (name: string) => (FOLDER === undefined ? unique(name) : name);
  chef = await accountOf('chef', named('Ida Holm'));
  clientId = await registerClient();
  planted = await plantRecipes(named('plum-tart'), chef.jwt);
  await api('POST', '/api/upload/folders', { name: 'Photos' });
  await api('POST', '/api/upload/folders', { name: 'Contracts', private: true });
  if (FOLDER !== undefined) {
    pose = await makePose();
    planted = { ...planted, recipe: pose.idOf(planted.recipe) };
    return;
  }
  deleted = (await api('POST', '/api/recipes?status=draft', { data: { title: 'Burnt milk', amounts: [] } })).data
    .documentId;
  await api('DELETE', `/api/recipes/${deleted}`);
});

interface Screen {
  readonly name: string;
  readonly hash: () => string;
  /** Is there once the screen is drawn. */
  readonly ready: string;
  readonly prepare?: (page: Page) => Promise<void>;
  /** Not on a phone. */
  readonly isWide?: boolean;
}

const press = (page: Page, name: string | RegExp) =>
  page
    .getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
    .first()
    .click();
const choose = async (page: Page, item: string) => {
  await press(page, 'More actions');
  await page.getByRole('menuitem', { name: item, exact: true }).click();
};

const list = () =>
  '#/content/recipes?fields[0]=title&fields[1]=cover&fields[2]=cook&fields[3]=course&fields[4]=testedOn&filters[servings][$gte]=2';
const recipe = () => `#/content/recipes/${planted.recipe}`;

const PICTURED: readonly Screen[] = [
  { name: 'overview', hash: () => '#/', ready: 'h1:text-is("Overview")' },
  { name: 'list', hash: list, ready: '.tabs > :nth-child(4) .badge' },
  { name: 'document', hash: recipe, ready: '.document-form [contenteditable]' },
  {
    name: 'comparison',
    hash: recipe,
    ready: '.document-form',
    prepare: async (page) => {
      await page.getByRole('tab', { name: 'Compare' }).click();
      await page.locator('.difference').first().waitFor();
    },
  },
  {
    name: 'history',
    hash: recipe,
    ready: '.tabs',
    prepare: async (page) => {
      await page.getByRole('tab', { name: 'History' }).click();
      await page.getByRole('link', { name: /^Created.*English/ }).click();
      await page.getByText('Now', { exact: true }).first().waitFor();
    },
  },
  { name: 'media', hash: () => '#/media', ready: 'img' },
  { name: 'people', hash: () => '#/people', ready: 'table' },
  { name: 'roles', hash: () => '#/roles?role=drafter', ready: '.roles .muted' },
  {
    name: 'explorer',
    hash: () => `#/explorer?request=${encodeURIComponent('/api/recipes?populate=cook')}`,
    ready: 'text=documentId',
  },
  { name: 'reference', hash: () => '#/reference?operation=listRecipe', ready: 'text=Parameters' },
  { name: 'consent', hash: () => `#/connect?${askedBy(clientId)}`, ready: '.primary:enabled' },
];

/** What else there is: `ready` is there after `prepare`. */
const OTHERS: Readonly<Record<string, readonly Screen[]>> = {
  'of a document': [
    {
      name: 'document with all its parts',
      hash: recipe,
      ready: '.markdown',
      prepare: async (page) => {
        await press(page, 'Preview');
        const folded = page.locator('.entry > details:not([open]) > summary');
        while ((await folded.count()) > 0) await folded.first().click();
      },
    },
    {
      name: 'another locale beside',
      hash: recipe,
      ready: '.beside',
      prepare: async (page) => void (await page.getByLabel('Another locale beside').selectOption('de')),
    },
    {
      name: 'page of the document',
      isWide: true,
      hash: recipe,
      ready: 'iframe',
      prepare: (page) => press(page, 'Show the page'),
    },
    { name: 'layer', hash: recipe, ready: '.layer .document-form', prepare: (page) => press(page, 'Edit Ida Holm') },
    { name: 'choice of files', hash: recipe, ready: '.dialog img', prepare: (page) => press(page, 'Replace') },
    {
      name: 'link in Markdown',
      hash: recipe,
      ready: '.dialog',
      prepare: (page) => page.locator('[data-path=serving]').getByRole('button', { name: 'Link' }).click(),
    },
    { name: 'actions', hash: recipe, ready: '[role=menu]', prepare: (page) => press(page, 'More actions') },
    { name: 'duplication', hash: recipe, ready: '.dialog', prepare: (page) => choose(page, 'Duplicate …') },
    { name: 'schedule', hash: recipe, ready: '.dialog', prepare: (page) => choose(page, 'Schedule …') },
    { name: 'deletion', hash: recipe, ready: '.dialog', prepare: (page) => choose(page, 'Delete in all locales') },
    {
      name: 'deletion of a cook',
      hash: () => `#/content/cooks/${planted.cook}`,
      ready: '.dialog :text("Rye bread")',
      prepare: (page) => choose(page, 'Delete'),
    },
    { name: 'deleted document', hash: () => `#/content/recipes/${deleted}`, ready: 'text=Burnt milk' },
  ],
  'of lists': [
    { name: 'filters', hash: list, ready: '.panel select', prepare: (page) => press(page, /^Filters/) },
    { name: 'saved filters', hash: list, ready: '.panel input', prepare: (page) => press(page, 'Saved filters') },
    { name: 'columns', hash: list, ready: '.panel input', prepare: (page) => press(page, 'Columns') },
    {
      name: 'selection',
      hash: list,
      ready: '[role=toolbar]',
      prepare: (page) => page.getByLabel('Select all documents of this page').click(),
    },
    {
      name: 'search',
      hash: list,
      ready: '.dialog h3 ~ div a',
      prepare: async (page) => {
        await press(page, 'Search all content types');
        await page.getByRole('dialog').getByRole('searchbox').fill('plum');
      },
    },
    { name: 'requests', hash: list, ready: '.panel pre', prepare: (page) => press(page, 'Requests of this page') },
    { name: 'keys', isWide: true, hash: list, ready: '.dialog', prepare: (page) => press(page, 'Keyboard shortcuts') },
  ],
  'of files, users and errors': [
    { name: 'file', hash: () => `#/media?file=${planted.file}`, ready: '[role=dialog] :text("Plum tart")' },
    { name: 'files as a list', hash: () => '#/media?look=list', ready: 'img' },
    {
      name: 'user',
      hash: () => '#/people',
      ready: '[role=dialog] :text("Sessions")',
      prepare: (page) => page.getByRole('table').getByRole('link', { name: 'Ida Holm' }).first().click(),
    },
    { name: 'invitation', hash: () => '#/people', ready: '[role=dialog]', prepare: (page) => press(page, 'Invite') },
    { name: 'new user', hash: () => '#/people', ready: '[role=dialog]', prepare: (page) => press(page, 'New user') },
    {
      name: 'actions of a role',
      hash: () => '#/roles?role=limited&of=api::article.article',
      ready: '[open] pre',
      prepare: (page) => page.locator('.dialog summary', { hasText: 'Create' }).click(),
    },
    { name: 'account', hash: () => '#/account', ready: 'text=this one' },
    { name: 'no screen', hash: () => '#/nowhere', ready: '.empty' },
    {
      name: 'errors',
      hash: () => '#/content/recipes/new',
      ready: '[role=alert]',
      prepare: (page) => page.keyboard.press('Control+Enter'),
    },
    {
      name: 'unsaved work',
      hash: recipe,
      ready: '.dialog',
      prepare: async (page) => {
        await page.getByLabel('Intro').fill('Mine');
        await press(page, 'Recipes');
      },
    },
    {
      name: 'conflict',
      hash: recipe,
      ready: '.dialog [type=radio]',
      prepare: async (page) => {
        await page.getByLabel('Intro').fill('Mine as well');
        await api('PUT', `/api/recipes/${planted.recipe}?status=draft`, { data: { intro: `Theirs ${Math.random()}` } });
        await page.keyboard.press('Control+s');
      },
    },
  ],
};

/** WebP takes a tenth of the bytes of PNG. */
async function picture(page: Page, name: string): Promise<void> {
  if (FOLDER === undefined) return;
  await page.mouse.move(0, 0);
  await page.waitForLoadState('networkidle');
  await pose?.adjust(page);
  const client = await page.context().newCDPSession(page);
  const { data } = await client.send('Page.captureScreenshot', { format: 'webp', quality: 75 });
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${name}.webp`), Buffer.from(data, 'base64'));
}

/** Tests of the library delete files while a screen shows them. */
const DELETED = /status of 404 .*\/uploads\//;

async function check(studio: Studio, name: string, look: string): Promise<void> {
  const { page } = studio;
  await page.waitForTimeout(200);
  expect({ name, look, findings: await studio.axe() }).toEqual({ name, look, findings: [] });
  const [inner, outer] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
  expect({ name, look, isWider: Number(inner) > Number(outer) }).toEqual({ name, look, isWider: false });
}

describe('the screens', () => {
  for (const { color, size } of LOOKS.filter((_, index) => isTelling(index))) {
    test(`are accessible and fit, ${color} and ${size}`, async ({ another }) => {
      const origin = pose && ORIGIN;
      const look = { width: size === 'wide' ? 1280 : 420, height: 860, dark: color === 'dark', origin };
      const visitor = await another(look);
      await pose?.hold(visitor.page);
      for (const [name, hash] of [
        ['sign-in', '#/'],
        ['sign-in for a client', `#/connect?${askedBy(clientId)}`],
        ['forgotten password', '#/forgot'],
        ['new password', '#/reset?code=a'],
      ] as const) {
        await visitor.open(hash);
        if (name === 'sign-in') await picture(visitor.page, `${name}-${color}-${size}`);
        await check(visitor, name, `${color}-${size}`);
      }
      const studio = await another(look);
      const { page } = studio;
      await pose?.hold(page);
      studio.allow(DELETED);
      await studio.signIn(chef);
      for (const { name, hash, ready, prepare } of PICTURED) {
        await studio.open(hash());
        await page.locator(ready).first().waitFor();
        await prepare?.(page);
        await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
        await picture(page, `${name}-${color}-${size}`);
        await check(studio, name, `${color}-${size}`);
      }
    });

    for (const [place, screens] of FOLDER === undefined ? Object.entries(OTHERS) : [])
      test(`${place} are accessible and fit, ${color} and ${size}`, async ({ another }) => {
        const studio = await another({ width: size === 'wide' ? 1280 : 420, height: 860, dark: color === 'dark' });
        const { page } = studio;
        page.on('dialog', (dialog) => dialog.accept());
        studio.allow(DELETED);
        await studio.signIn(chef);
        for (const { name, hash, ready, prepare, isWide } of screens) {
          if (isWide && size === 'narrow') continue;
          await page.goto(`${studio.url}/studio/${hash()}`);
          // Nothing of the screen before is left.
          await page.reload();
          await page.locator('h1').first().waitFor();
          await prepare?.(page);
          await page.locator(ready).first().waitFor();
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
    studio.allow(DELETED);
    await studio.signIn(chef);
    await studio.open('#/content/recipes');
    await page.locator('td .badge').first().waitFor();
    await check(studio, 'Abmelden', 'Geändert', 'Spalten');
    await studio.open(recipe());
    await page.locator('.document-form [contenteditable]').first().waitFor();
    await check(studio, 'Abmelden', 'Speichern', 'Veröffentlichen');
    const created = page.locator('.document-facts dd').nth(0);
    expect(await created.textContent()).toMatch(/^(gerade eben|vor )/);
    expect(await created.locator('time').getAttribute('title')).toMatch(/^\d\d\.\d\d\.\d{4}, \d\d:\d\d$/);
    await page.getByRole('button', { name: 'Weitere Aktionen' }).click();
    await page.getByRole('menuitem', { name: 'In allen Sprachen löschen' }).waitFor();
    await studio.open('#/media');
    await page.locator('img').first().waitFor();
    await check(studio, 'Abmelden', 'Hochladen');
    await page.getByRole('link', { name: chef.username }).click();
    await page.getByLabel('Sprache').selectOption('English');
    await page.getByRole('heading', { name: 'My account' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    await studio.open(recipe());
    expect(await created.locator('time').getAttribute('title')).toMatch(/^\d\d\.\d\d\.\d{4}, \d\d:\d\d$/);
  });
});
