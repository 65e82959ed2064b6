/**
 * @module Nothing moves on a screen once its first row is there: Chromium measures it.
 */
import { beforeAll, describe, expect } from 'vitest';
import type { Page } from '../clients/browser.ts';
import { type Account, accountOf, api, test, unique } from './fixture.ts';
import { askedBy, registerClient } from './oauth-client.ts';
import { plantRecipes, type Recipes } from './recipes.ts';

let planted: Recipes;
let chef: Account;
let clientId = '';

beforeAll(async () => {
  chef = await accountOf('chef', unique('Ida Holm'));
  clientId = await registerClient();
  planted = await plantRecipes(unique('plum-tart'), chef.jwt);
  const at = new Date(Date.now() + 86_400_000).toISOString();
  await api('POST', `/api/recipes/${planted.recipe}/actions/unpublish`, { data: { at } });
});

interface Shift {
  readonly time: number;
  readonly value: number;
  /** What moved. */
  readonly moved: readonly string[];
}

/** Notes each shift of the layout, and when the first row was there. Runs in the page, before its scripts. */
function watchLayout(selector: string): void {
  const noted = { shifts: [] as Shift[], firstRow: Number.POSITIVE_INFINITY };
  Object.assign(window, { noted });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { startTime, value, hadRecentInput, sources } = entry as PerformanceEntry & {
        readonly value: number;
        readonly hadRecentInput: boolean;
        readonly sources: readonly { readonly node: Element | null }[];
      };
      const moved = sources.map(({ node }) => `${node?.nodeName} ${node?.className ?? ''} ${node?.textContent ?? ''}`);
      if (!hadRecentInput) noted.shifts.push({ time: startTime, value, moved });
    }
  }).observe({ type: 'layout-shift', buffered: true });
  const look = () => {
    if (!document.querySelector(selector)) return requestAnimationFrame(look);
    // The frame that draws it is not later than the next one.
    return requestAnimationFrame(() => {
      noted.firstRow = performance.now();
    });
  };
  look();
}

/** Returns what moved after the first row. */
const shiftsIn = (page: Page) =>
  page.evaluate(() => {
    const { noted } = window as unknown as { noted: { shifts: readonly Shift[]; firstRow: number } };
    return noted.shifts.filter(({ time }) => time > noted.firstRow);
  });

const SCREENS: Readonly<Record<string, { readonly hash: () => string; readonly row: string; readonly last: string }>> =
  {
    'a list': { hash: () => '#/content/recipes', row: 'tbody tr', last: 'tbody .badge:not(.place)' },
    'an overview': { hash: () => '#/', row: 'tbody tr', last: '.lines time' },
    'the media library': { hash: () => '#/media', row: '.files img', last: '.files img' },
    'a document': {
      hash: () => `#/content/recipes/${planted.recipe}`,
      row: '.document-form input',
      last: '.document-facts time ~ *, .document-facts li time',
    },
    'the users': { hash: () => '#/people', row: 'tbody tr', last: 'tbody tr' },
    'a request of a client': {
      hash: () => `#/connect?${askedBy(clientId)}`,
      row: 'fieldset',
      last: '.primary:enabled',
    },
  };

describe('the layout', () => {
  for (const width of [1280, 390])
    for (const [name, { hash, row, last }] of Object.entries(SCREENS))
      test(`of ${name} stays as it is once the first row is there, ${width} pixels wide`, async ({ another }) => {
        const studio = await another({ width });
        await studio.signIn(chef);
        await studio.page.addInitScript(watchLayout, row);
        const page = await studio.open(hash());
        await page.locator(last).first().waitFor();
        await page.waitForTimeout(300);
        expect(await shiftsIn(page)).toEqual([]);
      });
});
