/**
 * @module The form of a document: its layout, switches, the names of entries, and its errors.
 */
import { describe, expect } from 'vitest';
import type { Locator, Page } from '../clients/browser.ts';
import { api, test, unique } from './fixture.ts';

const draft = async (data: object): Promise<string> =>
  (await api('POST', '/api/articles?status=draft', { data: { title: unique('Form'), ...data } })).data.documentId;

const input = (page: Page, label: RegExp): Locator => page.getByLabel(label).first();

/** The left and the right edge, and the top, of the place of an attribute. */
const placeOf = (page: Page, path: string) =>
  page.locator(`[data-path="${path}"]`).evaluate((place) => {
    const { left, right, top } = place.getBoundingClientRect();
    return { left, right, top };
  });

/** Gives articles and quotes a layout, as their schema files may have it. */
const withLayout = (page: Page) =>
  page.route('**/openapi.json', async (route) => {
    const response = await route.fetch();
    const description = await response.json();
    const of = (extension: string, uid: string) =>
      description[extension].find((each: { uid: string }) => each.uid === uid).schema;
    const edit = [
      [
        { name: 'slug', size: 4 },
        { name: 'title', size: 8 },
      ],
      [{ name: 'tone', size: 4 }],
    ];
    of('x-content-types', 'api::article.article').config = { settings: { mainField: 'subtitle' }, layouts: { edit } };
    of('x-components', 'blocks.quote').config = { settings: { mainField: 'mood' } };
    await route.fulfill({ response, json: description });
  });

describe('the form of a document', () => {
  test('has two columns, those of the layout where there is one, and one column on a phone', async ({ another }) => {
    const id = await draft({ subtitle: 'The main field' });
    const wide = await another();
    await wide.signIn();
    const page = await wide.open(`#/content/articles/${id}`);
    let [title, slug, summary] = [
      await placeOf(page, 'title'),
      await placeOf(page, 'slug'),
      await placeOf(page, 'summary'),
    ];
    expect(slug.top).toBe(title.top);
    expect(slug.left).toBeGreaterThan(title.right);
    expect([summary.left, summary.right]).toEqual([title.left, slug.right]);
    await withLayout(page);
    await page.reload();
    await page.getByRole('heading', { name: 'The main field' }).waitFor();
    [title, slug, summary] = [await placeOf(page, 'title'), await placeOf(page, 'slug'), await placeOf(page, 'tone')];
    expect([slug.top, slug.left]).toEqual([title.top, summary.left]);
    expect(title.right - title.left).toBeGreaterThan(1.9 * (slug.right - slug.left));
    expect(summary.top).toBeGreaterThan(title.top);

    const narrow = await another({ width: 390, dark: true });
    await narrow.signIn();
    const phone = await narrow.open(`#/content/articles/${id}`);
    await phone.locator('[data-path=body] .cm-content').waitFor();
    const edges = await Promise.all(['title', 'slug', 'summary'].map((path) => placeOf(phone, path)));
    expect(new Set(edges.map(({ left, right }) => `${left} ${right}`)).size).toBe(1);
    expect(await phone.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
    expect(await narrow.axe()).toEqual([]);
  });

  test('has switches, which the keyboard turns, and which can be cleared', async ({ studio }) => {
    await studio.signIn();
    const id = await draft({ premium: null });
    const page = await studio.open(`#/content/articles/${id}`);
    const premium = page.getByRole('switch', { name: 'Premium' });
    const stored = async () => (await api('GET', `/api/articles/${id}?status=draft`)).data.premium;
    await page.locator('[data-path=premium]').getByText('Not set').waitFor();
    for (const value of [true, false]) {
      await premium.focus();
      await page.keyboard.press('Space');
      await page
        .locator('[data-path=premium]')
        .getByText(value ? 'Yes' : 'No', { exact: true })
        .waitFor();
      await page.keyboard.press('Control+s');
      await expect.poll(stored).toBe(value);
    }
    await page.getByRole('button', { name: 'Clear Premium' }).click();
    await page.keyboard.press('Control+s');
    await expect.poll(stored).toBe(null);
  });

  test('keeps the other parts of a date when one is deleted', async ({ studio }) => {
    const id = await draft({ publishDate: '2026-03-04', airTime: '09:30:15.250', eventAt: '2026-03-04T09:30:00.000Z' });
    await studio.signIn();
    const page = await studio.open(`#/content/articles/${id}`);
    const date = input(page, /^Publish date/);
    const typeYear = async (year: string) => {
      await date.focus();
      for (const key of ['ArrowRight', 'ArrowRight', 'Backspace']) await page.keyboard.press(key);
      expect(await date.inputValue()).toBe('');
      await page.keyboard.type(year);
    };
    await typeYear('2027');
    expect(await date.inputValue()).toBe('2027-03-04');
    await page.getByRole('button', { name: 'Undo changes' }).click();
    expect(await date.inputValue()).toBe('2026-03-04');
    await typeYear('2028');
    for (const [label, part] of [
      [/^Event at/, '05'],
      [/^Air time/, '11'],
    ] as const) {
      await input(page, label).focus();
      await page.keyboard.press('Backspace');
      await page.keyboard.type(part);
    }
    // Firefox empties all parts when this attribute is written.
    for (const label of [/^Publish date/, /^Event at/, /^Air time/])
      expect(await input(page, label).getAttribute('value')).toBe(null);
    await page.keyboard.press('Control+s');
    await page.locator('.toast', { hasText: 'Saved' }).waitFor();
    expect((await api('GET', `/api/articles/${id}?status=draft`)).data).toMatchObject({
      publishDate: '2028-03-04',
      airTime: '11:30:15.250',
      eventAt: '2026-05-04T09:30:00.000Z',
    });
  });

  test('names entries by their main field, else by their first text', async ({ studio }) => {
    await studio.signIn();
    const facts = [{ label: 'First' }, { label: 'Second' }];
    const id = await draft({ facts, sections: [{ __component: 'blocks.quote', mood: 'calm', text: 'Words' }] });
    const page = await studio.open(`#/content/articles/${id}`);
    const names = () => page.locator('.entry summary .ellipsis').allInnerTexts();
    await expect.poll(names).toEqual(expect.arrayContaining(['First', 'Second', 'Words']));
    await withLayout(page);
    await page.reload();
    await expect.poll(names).toEqual(expect.arrayContaining(['First', 'Second', 'calm']));
  });

  test('shows an error once its field was left, and a save leads to the first one', async ({ studio }) => {
    await studio.signIn();
    const id = await draft({ facts: [{}] });
    const page = await studio.open(`#/content/articles/${id}`);
    const alerts = page.locator('.document-form [role=alert]');
    await input(page, /^Title/).fill('ab');
    await page.waitForTimeout(300);
    expect(await alerts.count()).toBe(0);
    await input(page, /^Subtitle/).focus();
    await page.getByText('At least 3 characters').waitFor();
    await input(page, /^Title/).fill('abc');
    await expect.poll(() => alerts.count()).toBe(0);

    await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)');
    await page.keyboard.press('Control+Enter');
    await alerts.first().waitFor();
    const path = 'document.activeElement?.closest("[data-path]")?.dataset.path';
    await expect.poll(() => page.evaluate(path)).toBe('facts.0.label');
    const isInSight = 'document.activeElement.getBoundingClientRect().top > 60';
    expect(await page.evaluate(isInSight)).toBe(true);
    // Its event comes later than the click.
    const folded = page.evaluate(
      `new Promise((resolve) => addEventListener('toggle', () => resolve(), { capture: true, once: true }))`,
    );
    await page.locator('[data-path="facts.0"] summary').click();
    await folded;
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => page.evaluate(path)).toBe('facts.0.label');
    await page.keyboard.type('x');
    await expect.poll(() => alerts.count()).toBe(0);
  });
});
