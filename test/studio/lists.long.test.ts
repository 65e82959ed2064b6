/**
 * @module Lists: filters, what is done with many documents at once, and 100,000 documents.
 */
import { describe, expect } from 'vitest';
import type { Page } from '../clients/browser.ts';
import { isLongTier } from '../support/tier.ts';
import { accountOf, api, test, unique } from './fixture.ts';
import { MANY } from './plant.ts';

const testLong = test.runIf(isLongTier);

/** Makes two drafts, two published articles, and one of those with changes; all have the word in their titles. */
async function plantStates(word: string): Promise<void> {
  for (const [index, name] of ['draft', 'sketch', 'live', 'changed'].entries()) {
    const data = { title: `${word} ${name}`, readingTime: index + 1 };
    const { documentId } = (await api('POST', `/api/articles?status=${index < 2 ? 'draft' : 'published'}`, { data }))
      .data;
    if (name === 'changed') await api('PUT', `/api/articles/${documentId}?status=draft`, { data: { summary: 'New.' } });
  }
}

const rowTitles = (page: Page) => page.locator('.row-title').allInnerTexts();
const addressOf = (page: Page) => decodeURIComponent(page.url().split('#')[1] ?? '');

/** Runs in the page. @param items as JSON */
function fillStorage(items: string): void {
  for (const [key, value] of Object.entries(JSON.parse(items))) localStorage.setItem(key, String(value));
}

interface Cost {
  readonly trips: number;
  readonly rows: number;
}

describe('a list', () => {
  test('of 100,000 documents is walked by cursor, with one round trip a page', async ({ studio }) => {
    await studio.signIn();
    const { page } = studio;
    const costs: Cost[] = [];
    page.on('response', (response) => {
      if (!response.url().includes('/api/comments?')) return;
      const [, trips, rows] =
        /(\d+) round trips?, (\d+) rows? read/.exec(response.headers()['server-timing'] ?? '') ?? [];
      costs.push({ trips: Number(trips), rows: Number(rows) });
    });
    await studio.open('#/content/comments');
    // Other files may have made some more.
    await page.getByText(/1–25 of 100,0\d\d/).waitFor();
    for (const first of [MANY - 25, MANY - 50, MANY - 75]) {
      await page.getByRole('link', { name: 'Next' }).click();
      await page.getByRole('link', { name: `Comment ${first}`, exact: true }).waitFor();
    }
    expect(page.url()).toContain('pagination[after]=');
    await page.getByRole('link', { name: 'Previous' }).click();
    await page.getByRole('link', { name: `Comment ${MANY - 50}`, exact: true }).waitFor();
    expect(costs.length).toBeGreaterThanOrEqual(4);
    expect(costs.filter(({ trips }) => trips !== 1)).toEqual([]);
    expect(Math.max(...costs.map(({ rows }) => rows))).toBeLessThan(150);
  });

  test('is filtered and searched in its address, and publishes and deletes what is selected', async ({ studio }) => {
    const word = unique('Lantern');
    const titles = ['one', 'two', 'three'].map((number) => `${word} ${number}`);
    for (const [index, title] of titles.entries())
      await api('POST', '/api/articles?status=draft', { data: { title, readingTime: index + 1 } });
    const found = async (status: string) =>
      (await api('GET', `/api/articles?status=${status}&filters[title][$contains]=${word}`)).data.length;
    await studio.signIn();
    const page = await studio.open('#/content/articles');
    await page.getByRole('searchbox', { name: 'Search Article' }).fill(word);
    await page.waitForURL((url) => url.hash.includes(`_q=${word}`));
    await expect.poll(() => page.getByRole('row').count()).toBe(4);

    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    await page.getByRole('button', { name: 'Condition', exact: true }).click();
    await page.getByLabel('Attribute').selectOption({ label: 'Reading time' });
    await page.getByLabel('Operator').selectOption('$gte');
    await page.getByLabel('Value').fill('2');
    await expect.poll(() => page.getByRole('row').count()).toBe(3);
    expect(decodeURIComponent(page.url())).toContain('filters[readingTime][$gte]=2');
    await page.keyboard.press('Escape');

    await page.getByLabel('Select all documents of this page').check();
    for (const { action, published } of [
      { action: 'Publish', published: 2 },
      { action: 'Unpublish', published: 0 },
    ]) {
      await page.getByRole('toolbar').getByRole('button', { name: action, exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click();
      await page.locator('.toast', { hasText: `2 documents ${action.toLowerCase()}ed.` }).waitFor();
      expect(await found('published')).toBe(published);
      await page.getByLabel('Select all documents of this page').check();
    }
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => found('draft')).toBe(1);
    await page.getByText('Nothing was found').waitFor();
  });

  test('counts the documents of each state in tabs, and those that filters choose', async ({ studio }) => {
    const word = unique('Beacon');
    await plantStates(word);
    await studio.signIn();
    const page = await studio.open(`#/content/articles?filters[title][$contains]=${word}`);
    const tabs = page.getByRole('navigation', { name: 'State' });
    for (const [tab, titles] of Object.entries({
      'All 4': ['changed', 'live', 'sketch', 'draft'],
      'Draft 2': ['sketch', 'draft'],
      'Modified 1': ['changed'],
      'Published 2': ['changed', 'live'],
    })) {
      await tabs.getByRole('link', { name: tab, exact: true }).click();
      await expect.poll(() => rowTitles(page)).toEqual(titles.map((name) => `${word} ${name}`));
    }
    await page.getByRole('listitem').getByText(`Title contains ${word}`).waitFor();
    await page.getByRole('button', { name: `Remove Title contains ${word}` }).click();
    await expect.poll(() => addressOf(page)).toBe('/content/articles?status=published');
  });

  testLong(
    'shows filters in words, by the titles of related documents and the time of publication',
    async ({ studio }) => {
      const word = unique('Harbour');
      const author = unique('Ilse');
      const { documentId } = (await api('POST', '/api/authors', { data: { name: author } })).data;
      await api('POST', '/api/articles', { data: { title: `${word} by her`, author: documentId } });
      await api('POST', '/api/articles', { data: { title: `${word} by nobody` } });
      await studio.signIn();
      const page = await studio.open(
        `#/content/articles?_q=${word}&filters[author][name][$contains]=a&filters[$or]=raw`,
      );
      await page.getByText('Author › Name contains a').waitFor();
      await page.getByText('filters[$or]=raw').waitFor();
      await page.getByRole('button', { name: 'Clear search and filters' }).first().click();
      await page.getByRole('searchbox', { name: 'Search Article' }).fill(word);
      await expect.poll(() => rowTitles(page)).toHaveLength(2);

      await page.getByRole('button', { name: 'Filters', exact: true }).click();
      await page.getByRole('button', { name: 'Condition', exact: true }).click();
      await page.getByLabel('Attribute', { exact: true }).selectOption({ label: 'Author' });
      await page.getByLabel('Value').selectOption({ label: author });
      await expect.poll(() => rowTitles(page)).toEqual([`${word} by her`]);
      await page.getByRole('button', { name: 'Condition', exact: true }).click();
      await page.getByLabel('Attribute', { exact: true }).last().selectOption({ label: 'Published' });
      await page.getByLabel('Operator').last().selectOption({ label: 'before' });
      await page.getByLabel('Value').last().fill('2099-05-03T00:00');
      await page.getByText('Published before May 3, 2099').waitFor();
      await page.getByText(`Author is ${author}`).waitFor();
      await expect.poll(() => rowTitles(page)).toEqual([`${word} by her`]);
      expect(addressOf(page)).toContain(`filters[author][documentId][$eq]=${documentId}`);
      expect(addressOf(page)).toContain('status=published');
    },
  );

  testLong('is kept for the user, with filters under a name; a link wins', async ({ studio, another }) => {
    const word = unique('Anchor');
    await plantStates(word);
    const editor = await accountOf('editor');
    await studio.signIn(editor);
    const { page } = studio;
    const open = async (hash: string) => {
      await studio.open('#/');
      await studio.open(hash);
      await page.getByRole('table').waitFor();
    };
    await open(`#/content/articles?filters[title][$contains]=${word}`);
    await page.getByRole('button', { name: 'Reading time' }).click();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByLabel('Slug').check();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Saved filters' }).click();
    await page.getByLabel('Name', { exact: true }).fill('My anchors');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Rename “My anchors”' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Anchors');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');

    await open('#/content/articles');
    expect(addressOf(page)).toMatch(/^\/content\/articles\?.*fields.*slug.*sort=readingTime/);
    expect(addressOf(page)).not.toContain('filters');
    await page.getByRole('button', { name: 'Saved filters' }).click();
    await page.getByRole('button', { name: 'Anchors', exact: true }).click();
    await expect
      .poll(() => rowTitles(page))
      .toEqual(['draft', 'sketch', 'live', 'changed'].map((name) => `${word} ${name}`));
    await open('#/content/articles?sort=title');
    expect(addressOf(page)).toBe('/content/articles?sort=title');
    await open('#/content/articles');
    expect(addressOf(page)).toContain(`filters[title][$contains]=${word}`);

    const stored = await page.evaluate(() => JSON.stringify({ ...localStorage }));
    const other = await another();
    await other.open();
    await other.page.evaluate(fillStorage, stored);
    await other.page.goto('about:blank');
    await other.signIn(await accountOf('editor'));
    await other.open('#/content/articles');
    await other.page.getByRole('table').waitFor();
    expect(addressOf(other.page)).toBe('/content/articles');

    await page.getByRole('button', { name: 'Anchors', exact: true }).click();
    await page.getByRole('button', { name: 'Delete “Anchors”' }).click();
    await page.keyboard.press('Escape');
    const key = Object.keys(JSON.parse(stored)).find((name) => name.includes('studio.list')) ?? '';
    await page.evaluate(
      (name) => localStorage.setItem(name, '{"view":"filters[gone][$eq]=1&sort=gone","saved":7}'),
      key,
    );
    await open('#/content/articles');
    expect(addressOf(page)).toBe('/content/articles');
  });

  test('says that a state is unknown where it cannot be read', async ({ studio }) => {
    studio.allow(/status of 500/);
    const title = unique('Stateless');
    await api('POST', '/api/articles', { data: { title } });
    await studio.signIn();
    const broken = { status: 500, json: { error: { message: 'Broken' } } };
    await studio.page.route(/api\/articles\?.*documentId/, (route) =>
      route.request().url().includes('$in') ? route.fulfill(broken) : route.continue(),
    );
    const page = await studio.open(`#/content/articles?_q=${title}`);
    await page.getByRole('row', { name: title }).getByText('Unknown', { exact: true }).waitFor();
  });

  test('is kept under a name that no other filter has', async ({ studio }) => {
    await studio.signIn();
    const page = await studio.open('#/content/articles?filters[title]=one');
    const saveAs = async (name: string) => {
      await page.getByLabel('Name', { exact: true }).fill(name);
      await page.keyboard.press('Enter');
    };
    const open = () => page.getByRole('button', { name: 'Saved filters' }).click();
    await open();
    await saveAs('First');
    await page.getByRole('button', { name: 'Rename “First”' }).waitFor();
    await page.keyboard.press('Escape');
    await studio.open('#/content/articles?filters[title]=two');
    await open();
    await saveAs(' First ');
    const input = page.getByLabel('Name', { exact: true });
    expect(await input.evaluate((element) => (element as HTMLInputElement).validationMessage)).toBe(
      'Another filter has this name.',
    );
    // Another tab saves a filter after the name was typed.
    await input.fill('Third');
    const third = await page.evaluate(() => {
      const [key = '', text = '{}'] = Object.entries(localStorage).find(([name]) => name.includes('studio.list')) ?? [];
      const choices = JSON.parse(text);
      localStorage.setItem(key, JSON.stringify({ ...choices, saved: { ...choices.saved, Third: 'of another tab' } }));
      return key;
    });
    await page.keyboard.press('Enter');
    await page.locator('.toast', { hasText: 'Another filter has this name.' }).waitFor();
    expect(await page.evaluate((key) => localStorage.getItem(key), third)).toContain('of another tab');
    await saveAs('Second');
    await page.getByRole('button', { name: 'First', exact: true }).click();
    await expect.poll(() => addressOf(page)).toContain('filters[title]=one');
  });

  for (const look of [{ width: 390 }, { width: 1280, dark: true }].slice(0, isLongTier ? 2 : 1))
    test(`is used by keyboard alone, and all types are searched, ${JSON.stringify(look)}`, async ({ another }) => {
      const word = unique('Compass');
      await plantStates(word);
      await api('POST', '/api/tags', { data: { name: `${word} tag` } });
      const studio = await another(look);
      await studio.signIn();
      const page = await studio.open(`#/content/articles?filters[title][$contains]=${word}`);
      const focused = () => page.evaluate(() => document.activeElement?.textContent);
      await page.getByRole('table').waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press('ArrowDown');
      expect(await focused()).toBe(`${word} live`);
      await page.keyboard.press('Space');
      expect(await page.getByLabel(`Select ${word} live`).isChecked()).toBe(true);
      expect(await studio.axe()).toEqual([]);
      await page.keyboard.press('f');
      await page.keyboard.type('/');
      expect(await page.getByRole('dialog').count()).toBe(0);
      await page.keyboard.press('Backspace');
      await page.keyboard.press('Enter');
      await page.locator('.row-title').first().focus();

      await page.keyboard.press('/');
      await page.getByRole('dialog').getByRole('searchbox').waitFor();
      await page.keyboard.type(word);
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('link', { name: `${word} tag` }).waitFor();
      await dialog.getByText('Modified').waitFor();
      expect(await dialog.getByRole('heading', { level: 3 }).allInnerTexts()).toEqual(['Articles', 'Tags']);
      expect(await studio.axe()).toEqual([]);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      expect(await focused()).toBe(`${word} live`);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: `${word} live`, level: 1 }).waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
    });
});

test('a time stays true as long as it is shown', async ({ studio }) => {
  const { documentId } = (await api('POST', '/api/articles', { data: { title: unique('Timed') } })).data;
  await studio.signIn();
  await studio.page.clock.install();
  const page = await studio.open(`#/content/articles/${documentId}`);
  await page.locator('time', { hasText: 'just now' }).first().waitFor();
  await page.clock.fastForward(5 * 60_000);
  await page.locator('time', { hasText: '5 minutes ago' }).first().waitFor();
  expect(await page.locator('time', { hasText: 'just now' }).count()).toBe(0);
  await studio.open('#/account');
  await page.getByLabel('Show times with date and hour').check();
  await studio.open(`#/content/articles/${documentId}`);
  await page
    .locator('time', { hasText: /^\w+ \d+, \d{4}, \d+:\d\d/ })
    .first()
    .waitFor();
  await page.reload();
  await page
    .locator('time', { hasText: /^\w+ \d+, \d{4}, \d+:\d\d/ })
    .first()
    .waitFor();
  expect(await page.locator('time', { hasText: 'ago' }).count()).toBe(0);
});
