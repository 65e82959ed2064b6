/**
 * @module Two people who write the same document: no save is lost, and no user sends what another one wrote.
 */
import { describe, expect } from 'vitest';
import type { Page } from '../clients/browser.ts';
import { accountOf, api, test, unique } from './fixture.ts';

const draft = async (data: object, query = 'status=draft'): Promise<string> =>
  (await api('POST', `/api/articles?${query}`, { data: { title: unique('Two'), ...data } })).data.documentId;

const stored = async (id: string, query = 'status=draft') => (await api('GET', `/api/articles/${id}?${query}`)).data;

const change = (id: string, data: object, query = 'status=draft') =>
  api('PUT', `/api/articles/${id}?${query}`, { data });

/** Comes back to the tab, until the form has what was saved meanwhile. */
async function comeBack(page: Page, title: string): Promise<void> {
  const titleShown = async () => {
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
    return page.getByLabel(/^Title/).inputValue();
  };
  await expect.poll(titleShown).toBe(title);
  // Editors have drawn it as well, and put the caret where it was.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
}

/** Bodies of the writes that a page sends. */
function sentBy(page: Page): unknown[] {
  const sent: unknown[] = [];
  page.on('request', (request) => request.method() === 'PUT' && sent.push(request.postDataJSON().data));
  return sent;
}

const paragraph = (text: string) => [{ type: 'paragraph', children: [{ type: 'text', text }] }];

/** Of each editor with a text of its own: its attribute, three values, and what makes the last one of the second. */
const EDITORS = {
  Markdown: {
    name: 'body',
    values: ['one\n\ntwo', 'one\n\ntheirs', 'one\n\ntheirs mine'],
    async type({ keyboard }: Page) {
      await keyboard.press('Control+End');
      await keyboard.type(' mine');
    },
  },
  JSON: {
    name: 'extra',
    values: [{ a: 1 }, { a: 2 }, { a: 2, mine: 1 }],
    async type({ keyboard }: Page) {
      await keyboard.press('Control+End');
      await keyboard.press('Backspace');
      await keyboard.type(',"mine":1}');
    },
  },
  blocks: {
    name: 'content',
    values: [paragraph('one'), paragraph('theirs'), paragraph('theirs mine')],
    async type({ keyboard }: Page) {
      await keyboard.press('Control+End');
      await keyboard.type(' mine');
    },
  },
} as const;

describe('a form that another user saves meanwhile', () => {
  for (const [editor, { name, values, type }] of Object.entries(EDITORS))
    test(`shows it in an editor of ${editor} that has the focus, where typing adds to it`, async ({ studio }) => {
      await studio.signIn();
      const [before, theirs, both] = values;
      const id = await draft({ [name]: before });
      const page = await studio.open(`#/content/articles/${id}`);
      await page.locator(`[data-path=${name}] [contenteditable=true]`).click();
      const title = unique('Theirs');
      await change(id, { title, [name]: theirs });
      await comeBack(page, title);
      await type(page);
      await page.keyboard.press('Control+s');
      await page.locator('.toast', { hasText: 'Saved' }).waitFor();
      expect((await stored(id))[name]).toEqual(both);
    });

  test('asks about a save that came between the own one and what was read after it', async ({ studio }) => {
    await studio.signIn();
    const id = await draft({});
    const page = await studio.open(`#/content/articles/${id}`);
    const summary = page.getByLabel('Summary');
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await summary.fill('mine');
    const saved = page.waitForResponse((response) => response.request().method() === 'PUT');
    await page.route('**/api/articles/**', async (route) => {
      if (route.request().method() === 'GET') await held;
      await route.continue();
    });
    await page.keyboard.press('Control+s');
    await saved;
    await summary.fill('mine and more');
    await change(id, { summary: 'theirs' });
    release();
    await page.locator('.toast', { hasText: 'Saved' }).waitFor();
    await page.getByText('Someone else has saved this document').waitFor();
    await page.keyboard.press('Control+s');
    await page.getByRole('dialog', { name: 'Saved by someone else meanwhile' }).getByText('theirs').waitFor();
    expect((await stored(id)).summary).toBe('theirs');
  });

  test('asks about it before the question whether to leave, one at a time', async ({ studio }) => {
    await studio.signIn();
    const id = await draft({});
    const page = await studio.open(`#/content/articles/${id}?locale=en`);
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.getByLabel('Summary').fill('mine');
    await change(id, { summary: 'theirs' });
    await page.route('**/api/articles/**', async (route) => {
      if (route.request().method() === 'PUT') await held;
      await route.continue();
    });
    await page.keyboard.press('Control+s');
    await page.getByLabel('Locale', { exact: true }).selectOption('fr');
    const leaving = page.getByRole('dialog', { name: 'You have unsaved changes' });
    await leaving.waitFor();
    release();
    const meeting = page.getByRole('dialog', { name: 'Saved by someone else meanwhile' });
    await meeting.waitFor();
    expect(await page.locator('.dialog').count()).toBe(1);
    await meeting.getByRole('button', { name: 'Not now' }).click();
    await leaving.getByRole('button', { name: 'Leave and keep', exact: true }).click();
    await page.waitForURL(/locale=fr/);
  });

  test('asks anew where the next save comes with the question open', async ({ studio }) => {
    await studio.signIn();
    const id = await draft({});
    const page = await studio.open(`#/content/articles/${id}`);
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let writes = 0;
    await page.route('**/api/articles/**', async (route) => {
      if (route.request().method() === 'PUT') writes += 1;
      if (writes === 2) await held;
      await route.continue();
    });
    await page.getByLabel('Summary').fill('mine');
    await change(id, { summary: 'theirs' });
    await page.keyboard.press('Control+s');
    await page.keyboard.press('Control+s');
    const dialog = page.getByRole('dialog', { name: 'Saved by someone else meanwhile' });
    await dialog.getByLabel('Saved meanwhile').check();
    await expect.poll(() => writes).toBe(2);
    await change(id, { summary: 'theirs again' });
    release();
    await dialog.getByText('theirs again').waitFor();
    expect(await dialog.getByLabel('Yours').isChecked()).toBe(true);
    await dialog.getByLabel('Saved meanwhile').check();
    await dialog.getByRole('button', { name: 'Go on with these' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Summary').inputValue()).toBe('theirs again');
  });

  test('overwrites no locale, and no single type, that was not there when it was opened', async ({ studio }) => {
    await studio.signIn();
    const id = await draft({});
    const dialog = studio.page.getByRole('dialog', { name: 'Saved by someone else meanwhile' });
    const page = await studio.open(`#/content/articles/${id}?locale=fr`);
    await page.getByLabel(/^Title/).fill('Mine in French');
    await change(id, { title: 'Theirs in French' }, 'status=draft&locale=fr');
    await page.keyboard.press('Control+s');
    await dialog.getByText('Theirs in French').waitFor();
    expect((await stored(id, 'status=draft&locale=fr')).title).toBe('Theirs in French');
    await dialog.getByRole('button', { name: 'Go on with these' }).click();
    await page.keyboard.press('Control+s');
    await expect.poll(async () => (await stored(id, 'status=draft&locale=fr')).title).toBe('Mine in French');

    await api('DELETE', '/api/homepage?locale=de');
    await studio.open('#/content/homepage?locale=de');
    await page
      .getByLabel(/^Heading/)
      .first()
      .fill('Mine in German');
    await api('PUT', '/api/homepage?status=draft&locale=de', { data: { heading: 'Theirs in German' } });
    await page.keyboard.press('Control+s');
    await dialog.getByText('Theirs in German').waitFor();
    expect((await api('GET', '/api/homepage?status=draft&locale=de')).data.heading).toBe('Theirs in German');
    await api('DELETE', '/api/homepage?locale=de');
  });
});

describe('a locale that is not there yet', () => {
  test('gets what was typed, and brings no old shared value back', async ({ studio }) => {
    await studio.signIn();
    const id = await draft({ readingTime: 5, price: 1 });
    const page = await studio.open(`#/content/articles/${id}?locale=fr`);
    const readingTime = page.getByLabel(/^Reading time/).first();
    expect(await readingTime.inputValue()).toBe('5');
    const french = unique('Français');
    await page.getByLabel(/^Title/).fill(french);
    await page
      .getByLabel(/^Price/)
      .first()
      .fill('2');
    await page.getByRole('link', { name: 'Authors', exact: true }).first().click();
    await page.getByRole('button', { name: 'Leave and keep', exact: true }).click();
    await page.waitForURL(/content\/authors/);
    await change(id, { readingTime: 9 });
    await studio.open(`#/content/articles/${id}?locale=fr`);
    await page.getByText('Your unsaved changes').waitFor();
    await expect.poll(() => readingTime.inputValue()).toBe('9');
    const sent = sentBy(page);
    await page.keyboard.press('Control+s');
    await page.locator('.toast', { hasText: 'Saved' }).waitFor();
    expect(sent).toEqual([expect.objectContaining({ title: french }), { price: 2 }]);
    for (const shared of ['readingTime', 'price']) expect(sent[0]).not.toHaveProperty(shared);
    for (const locale of ['en', 'fr'])
      expect(await stored(id, `status=draft&locale=${locale}`)).toMatchObject({ readingTime: 9, price: 2 });
  });

  /** What happens to the form between a change here and its save. */
  const MEANWHILE = {
    nothing: async () => {},
    'it is read again': async (page: Page) => {
      const read = page.waitForResponse(/locale=en/);
      await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
      await read;
      await page.waitForLoadState('networkidle');
    },
    'it is opened again': async (page: Page) => {
      const url = page.url();
      await page.getByRole('link', { name: 'Authors', exact: true }).first().click();
      await page.getByRole('button', { name: 'Leave and keep', exact: true }).click();
      await page.waitForURL(/content\/authors/);
      await page.goto(url);
      await page.getByText('Your unsaved changes').waitFor();
    },
  };
  for (const [way, happens] of Object.entries(MEANWHILE))
    test(`asks before it overwrites a shared value that another user has changed, when ${way} meanwhile`, async ({
      studio,
    }) => {
      await studio.signIn();
      const id = await draft({ readingTime: 5, price: 1 });
      const page = await studio.open(`#/content/articles/${id}?locale=fr`);
      const title = unique('Français');
      await page.getByLabel(/^Title/).fill(title);
      const fill = (label: RegExp, value: string) => page.getByLabel(label).first().fill(value);
      await fill(/^Reading time/, '7');
      await fill(/^Price/, '2');
      await change(id, { readingTime: 9 });
      await page.waitForTimeout(1000);
      await happens(page);
      await page.keyboard.press('Control+s');
      const dialog = page.getByRole('dialog', { name: 'Saved by someone else meanwhile' });
      await dialog.getByText('9', { exact: true }).waitFor();
      expect(await dialog.locator('legend').allTextContents()).toEqual(['Reading time']);
      expect(await stored(id)).toMatchObject({ readingTime: 9, price: 1 });
      await dialog.getByRole('button', { name: 'Go on with these' }).click();
      await page.keyboard.press('Control+s');
      await page.locator('.toast', { hasText: 'Saved' }).waitFor();
      expect(await stored(id, 'status=draft&locale=fr')).toMatchObject({ title, readingTime: 7, price: 2 });
      expect(await stored(id)).toMatchObject({ readingTime: 7, price: 2 });
    });

  test('of a single type begins with what all locales share, and sends none of it', async ({ studio }) => {
    await studio.signIn();
    await api('PUT', '/api/homepage?status=draft', { data: { heading: 'Home', theme: 'dark' } });
    await api('DELETE', '/api/homepage?locale=fr');
    const page = await studio.open('#/content/homepage?locale=fr');
    expect(await page.locator('[data-path=theme] option:checked').textContent()).toBe('dark');
    await page
      .getByLabel(/^Heading/)
      .first()
      .fill('Accueil');
    const sent = sentBy(page);
    await page.keyboard.press('Control+s');
    await page.locator('.toast', { hasText: 'Saved' }).waitFor();
    expect(sent).toEqual([expect.not.objectContaining({ theme: expect.anything() })]);
    await api('DELETE', '/api/homepage?locale=fr');
  });

  test('is written by who may write some attributes alone, without the others', async ({ studio }) => {
    const id = await draft({ readingTime: 5 });
    await studio.signIn(await accountOf('translator'));
    const page = await studio.open(`#/content/articles/${id}?locale=fr`);
    const title = unique('Traduit');
    await page
      .getByLabel(/^Title/)
      .first()
      .fill(title);
    const sent = sentBy(page);
    await page.keyboard.press('Control+s');
    await page.locator('.toast', { hasText: 'Saved' }).waitFor();
    expect(sent).toEqual([{ title }]);
    expect(await stored(id, 'status=draft&locale=fr')).toMatchObject({ title, readingTime: 5 });
  });
});
