/**
 * @module Lists: filters, what is done with many documents at once, and 100,000 documents.
 */
import { describe, expect } from 'vitest';
import { api, test, unique } from './fixture.ts';
import { MANY } from './plant.ts';

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
    await page.getByText(`1–25 of ${MANY.toLocaleString('en')}`).waitFor();
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

    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('button', { name: 'Condition' }).click();
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
    await page.getByText('Nothing was found.').waitFor();
  });
});
