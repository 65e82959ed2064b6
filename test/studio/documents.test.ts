/**
 * @module A document of a type that has everything, from its first word to its end.
 */
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Locator, Page } from '../clients/browser.ts';
import { isLongTier } from '../support/tier.ts';
import { accountOf, api, test, unique } from './fixture.ts';

const PICTURE = join(import.meta.dirname, '../conformance/corpus/fixtures/photo.png');

const idIn = (page: Page): string => /articles\/([a-z0-9]{24})/.exec(page.url())?.[1] ?? '';

const testLong = test.runIf(isLongTier);

/** Waits for the message about what was done. */
const done = (page: Page, text: string) => page.locator('.toast', { hasText: text }).first().waitFor();

async function draftOf(id: string, query = '') {
  return (await api('GET', `/api/articles/${id}?status=draft${query}`)).data;
}

describe('a document', () => {
  test('is made, edited, published, translated and deleted', async ({ studio }) => {
    await studio.signIn();
    const page = await studio.open('#/content/articles/new');
    const title = unique('Harbour lights');

    await page
      .getByLabel(/^Title/)
      .first()
      .fill('ab');
    await page.keyboard.press('Tab');
    await page.getByText('At least 3 characters').waitFor();
    await page
      .getByLabel(/^Title/)
      .first()
      .fill(title);
    await page
      .getByLabel(/^Reading time/)
      .first()
      .fill('7');
    await page
      .getByLabel(/^Featured/)
      .first()
      .check();
    await page.getByLabel(/^Tone/).first().selectOption('serious');
    await page
      .getByLabel(/^Publish date/)
      .first()
      .fill('2026-03-04');
    await page.keyboard.press('Control+s');
    await done(page, 'Created');
    await page.waitForURL(/articles\/[a-z0-9]{24}/);
    const id = idIn(page);
    expect(await draftOf(id)).toMatchObject({
      title,
      slug: title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
      readingTime: 7,
      featured: true,
      tone: 'serious',
      publishDate: '2026-03-04',
      publishedAt: null,
    });

    await page
      .getByLabel(/^Summary/)
      .first()
      .fill('Seen from the pier.');
    await page.keyboard.press('Control+s');
    await done(page, 'Saved');
    expect((await draftOf(id)).summary).toBe('Seen from the pier.');
    await page.keyboard.press('Control+Enter');
    await done(page, 'Published');
    expect((await api('GET', `/api/articles/${id}`)).data.summary).toBe('Seen from the pier.');

    await page
      .getByLabel(/^Summary/)
      .first()
      .fill('Seen from the sea.');
    await page.keyboard.press('Control+s');
    await page.locator('.badge', { hasText: 'modified' }).waitFor();
    await page.getByRole('tab', { name: 'Compare' }).click();
    await expect.poll(() => page.locator('.difference ins').allInnerTexts()).toEqual(['sea']);

    await page.getByLabel('Locale', { exact: true }).selectOption('fr');
    await page.getByText('There is nothing here yet in fr').waitFor();
    await page
      .getByLabel(/^Title/)
      .first()
      .fill(`${title} fr`);
    await page.keyboard.press('Control+s');
    await done(page, 'Saved');
    // The message about the version in English may still be there.
    await expect
      .poll(() => draftOf(id, '&locale=fr').catch(() => null))
      .toMatchObject({ title: `${title} fr`, locale: 'fr', readingTime: 7 });
    await page.getByLabel('Another locale beside').selectOption('en');
    await page.locator('.beside', { hasText: 'Seen from the sea.' }).getByRole('button').click();
    await page.keyboard.press('Control+s');
    await expect.poll(async () => (await draftOf(id, '&locale=fr')).summary).toBe('Seen from the sea.');

    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByText('Delete in all locales').click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.waitForURL(/content\/articles$/);
    await expect(draftOf(id)).rejects.toThrow('404');
  });

  testLong('orders its parts by keyboard, and takes files and targets', async ({ studio }) => {
    await studio.signIn();
    const [first, second] = [unique('Ada'), unique('Bo')];
    for (const name of [first, second]) await api('POST', '/api/tags', { data: { name } });
    const { data } = await api('POST', '/api/articles?status=draft', { data: { title: unique('Parts') } });
    const page = await studio.open(`#/content/articles/${data.documentId}`);

    const tags = page.getByRole('group', { name: 'Tags' });
    let searches = 0;
    page.on('request', (request) => {
      if (request.url().includes('containsi')) searches += 1;
    });
    for (const name of [first, second]) {
      await tags.getByRole('combobox').pressSequentially(name, { delay: 20 });
      await page.getByRole('option', { name }).click();
    }
    expect(searches).toBeLessThan(first.length / 2);
    const handle = tags.getByRole('button', { name: new RegExp(`Move ${second}`) });
    await handle.focus();
    for (const key of ['Space', 'ArrowUp', 'Space']) {
      await page.keyboard.press(key);
      await page.waitForTimeout(300);
    }

    const cover = page.getByRole('group', { name: 'Cover' });
    await cover.getByRole('button', { name: 'Choose a file' }).click();
    await page.getByRole('dialog').locator('input[type=file]').setInputFiles(PICTURE);
    await page.getByRole('dialog').getByText('photo.png').first().waitFor();
    await page
      .getByRole('button', { name: /^(Choose|Use)/ })
      .last()
      .click();

    const sections = page.getByRole('group', { name: 'Sections' });
    await sections.getByRole('button', { name: 'Add component' }).click();
    await page.getByRole('menuitem', { name: /Quote/ }).click();
    await page.keyboard.press('Control+s');
    await done(page, 'Saved');
    const draft = await draftOf(data.documentId, '&populate=*');
    expect(draft.tags.map(({ name }: { name: string }) => name)).toEqual([second, first]);
    expect(draft.cover.name).toBe('photo.png');
    expect(draft.sections.map((part: { __component: string }) => part.__component)).toEqual(['blocks.quote']);
  });

  testLong('is saved by two editors at once, and nothing is lost', async ({ studio, another }) => {
    const { data } = await api('POST', '/api/articles?status=draft', { data: { title: unique('Shared') } });
    await studio.signIn();
    const other = await another();
    const them = await accountOf('editor');
    await other.signIn(them);
    const mine = await studio.open(`#/content/articles/${data.documentId}`);
    const theirs = await other.open(`#/content/articles/${data.documentId}`);
    await theirs
      .getByLabel(/^Summary/)
      .first()
      .fill('theirs');
    await theirs
      .getByLabel(/^Subtitle/)
      .first()
      .fill('their subtitle');
    await theirs.getByLabel(/^Reading time/).fill('5');
    await theirs.keyboard.press('Control+s');
    await done(theirs, 'Saved');
    await mine
      .getByLabel(/^Summary/)
      .first()
      .fill('mine');
    await mine.getByLabel(/^Reading time/).fill('9');
    await mine.getByLabel(/^Contact email/).fill('me@example.com');
    await mine.keyboard.press('Control+s');
    const dialog = mine.getByRole('dialog', { name: 'Saved by someone else meanwhile' });
    await dialog.waitFor();
    await dialog.getByText(new RegExp(`^Changed .*\\d.* · ${them.username}`)).waitFor();
    const boxes = [dialog.getByRole('radio').first(), dialog.getByText('Yours').first()].map((one) =>
      one.boundingBox(),
    );
    const [radio, label] = await Promise.all(boxes);
    expect(Number(label?.x) - Number(radio?.x)).toBeLessThan(40);
    expect(await mine.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
    expect((await draftOf(data.documentId)).summary).toBe('theirs');
    await dialog.getByRole('button', { name: 'Not now' }).click();
    expect(await mine.getByLabel(/^Summary/).inputValue()).toBe('mine');
    await mine.getByText('Someone else has saved this document').getByRole('button').click();
    await dialog
      .getByRole('group', { name: 'Reading time' })
      .getByRole('radio', { name: /^Saved meanwhile/ })
      .check();
    await dialog.getByRole('button', { name: 'Go on with these' }).click();
    await mine.keyboard.press('Control+s');
    await done(mine, 'Saved');
    expect(await draftOf(data.documentId)).toMatchObject({
      ...{ summary: 'mine', subtitle: 'their subtitle', readingTime: 5, contactEmail: 'me@example.com' },
    });
  });

  test('asks before unsaved changes are left, keeps them, and is marked in the list', async ({ studio }) => {
    await studio.signIn();
    const title = unique('Kept');
    const { data } = await api('POST', '/api/articles?status=draft', { data: { title } });
    const page = await studio.open(`#/content/articles/${data.documentId}`);
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByRole('link', { name: 'Created' }).click();
    await page.getByRole('tab', { name: 'Edit' }).click();
    await page
      .getByLabel(/^Summary/)
      .first()
      .fill('not saved');
    const asked = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    expect((await asked).type()).toBe('beforeunload');
    await (await asked).dismiss();
    const list = page.getByRole('link', { name: 'Articles', exact: true });
    const dialog = page.getByRole('dialog', { name: 'You have unsaved changes' });
    await list.click();
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    await page.getByRole('heading', { name: title }).waitFor();
    await list.click();
    await dialog.getByRole('button', { name: 'Leave and keep' }).click();
    await page.getByRole('row', { name: title }).getByText('Unsaved').waitFor();
    expect(await page.getByText('Unsaved').count()).toBe(1);
    const askedInList = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    await (await askedInList).dismiss();
    await page.getByRole('link', { name: title }).click();
    await page.getByText('Your unsaved changes').waitFor();
    expect(
      await page
        .getByLabel(/^Summary/)
        .first()
        .inputValue(),
    ).toBe('not saved');
    await page.getByRole('button', { name: 'Discard changes' }).click();
    expect(
      await page
        .getByLabel(/^Summary/)
        .first()
        .inputValue(),
    ).toBe('');
    await list.click();
    await page.getByRole('link', { name: 'New' }).click();
    await page
      .getByLabel(/^Title/)
      .first()
      .fill('Never made');
    await page.goBack();
    await dialog.getByRole('button', { name: 'Leave and keep' }).click();
    await page.getByText('There is a new document that is not saved.').getByRole('button').click();
    await page.getByText('Your unsaved changes').waitFor();
    await list.click();
    await dialog.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('row', { name: title }).waitFor();
    expect(await page.getByText(/Unsaved|not saved/).count()).toBe(0);
  });

  for (const width of [1280, 390])
    test(`keeps its buttons in sight, and its fields out from under them, at ${width} pixels`, async ({ another }) => {
      const studio = await another({ width });
      await studio.signIn();
      const { data } = await api('POST', '/api/articles?status=draft', { data: { title: unique('Long') } });
      const page = await studio.open(`#/content/articles/${data.documentId}`);
      const isOnTop = (element: Locator) =>
        element.evaluate((target) => {
          const { left, top, width, height } = target.getBoundingClientRect();
          return target.contains(document.elementFromPoint(left + width / 2, top + height / 2));
        });
      const buttons = ['Save', 'Publish'].map((name) => page.getByRole('button', { name, exact: true }));
      for (const edge of ['document.documentElement.scrollHeight', '0']) {
        await page.evaluate(`window.scrollTo(0, ${edge})`);
        for (const button of buttons) expect(await isOnTop(button)).toBe(true);
      }
      const inputs = await page.locator('.document-form :is(input, select, textarea):not([aria-hidden]):visible').all();
      const covered: string[] = [];
      for (const input of [...inputs, ...inputs.toReversed()]) {
        await input.focus();
        if (!(await isOnTop(input))) covered.push(await input.evaluate(({ outerHTML }) => outerHTML));
      }
      expect(inputs.length).toBeGreaterThan(20);
      expect(covered).toEqual([]);
      await page.getByLabel(/^Contact email/).fill('desk@example.com');
      await page.keyboard.press('Control+S');
      await done(page, 'Saved');
      expect((await draftOf(data.documentId)).contactEmail).toBe('desk@example.com');
    });

  test('is duplicated with its locales, and its unique values are proposed anew', async ({ studio }) => {
    const title = unique('Copied');
    const code = unique('code');
    const tag = (await api('POST', '/api/tags', { data: { name: unique('Tag') } })).data.documentId;
    const data = {
      title,
      slug: unique('copied'),
      code,
      tags: [tag],
      accessCode: 'secret code',
      sections: [{ __component: 'blocks.quote', text: 'Words' }],
    };
    const { documentId, slug } = (await api('POST', '/api/articles', { data })).data;
    await api('POST', '/api/comments', { data: { text: 'Mine', article: documentId } });
    await api('PUT', `/api/articles/${documentId}?locale=fr`, { data: { title: `${title} fr`, slug } });
    await studio.signIn();
    const page = await studio.open(`#/content/articles/${documentId}`);
    for (const [count, end] of [
      [1, ''],
      [2, ' 2'],
    ] as const) {
      await page.getByRole('button', { name: 'More actions' }).press('Enter');
      await page.getByRole('menuitem', { name: 'Duplicate' }).press('Enter');
      const question = page.getByRole('dialog', { name: `Duplicate “${title}”?` });
      if (count === 2) await question.getByRole('checkbox').uncheck();
      await question.getByRole('button', { name: 'Duplicate' }).click();
      await page.waitForURL((url) => !url.hash.includes(documentId));
      const copy = await draftOf(idIn(page), '&populate=*');
      expect(copy).toMatchObject({
        ...{ title, slug: `${slug}-copy${end.trim() && '-2'}`, code: `${code} (copy${end})`, publishedAt: null },
        ...{ tags: [{ documentId: tag }], comments: [], sections: [{ text: 'Words' }] },
      });
      expect(copy.localizations.map(({ locale }: { locale: string }) => locale)).toEqual(count === 1 ? ['fr'] : []);
      if (count === 1)
        expect(await draftOf(idIn(page), '&locale=fr')).toMatchObject({ title: `${title} fr`, code: copy.code });
      await studio.open(`#/content/articles/${documentId}`);
    }
    expect((await draftOf(documentId, '&populate=comments')).comments).toHaveLength(1);
  });

  test('is duplicated at once if its unique values are empty: none of them is taken', async ({ studio }) => {
    const { documentId } = (await api('POST', '/api/articles?status=draft', { data: { title: unique('Empty') } })).data;
    await studio.signIn();
    const page = await studio.open(`#/content/articles/${documentId}`);
    const looked: string[] = [];
    page.on('request', (request) => {
      const url = decodeURIComponent(request.url());
      if (url.includes('fields[0]=documentId')) looked.push(url);
    });
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Duplicate' }).click();
    await page.waitForURL((url) => !url.hash.includes(documentId));
    expect(looked).toEqual([]);
    expect(await draftOf(idIn(page))).toMatchObject({ slug: null, code: null });
  });

  test('leaves nothing where one locale of a copy fails', async ({ studio }) => {
    const title = unique('Half');
    const { documentId } = (await api('POST', '/api/articles?status=draft', { data: { title } })).data;
    await api('PUT', `/api/articles/${documentId}?locale=fr&status=draft`, { data: { title } });
    await studio.signIn();
    const page = await studio.open(`#/content/articles/${documentId}`);
    await page.route('**/api/articles/*', (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 500, json: { error: { message: 'Broken' } } })
        : route.continue(),
    );
    studio.allow(/status of 500/);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Duplicate' }).click();
    await page.getByRole('dialog').getByText('Broken').waitFor();
    expect((await api('GET', `/api/articles?status=draft&filters[title]=${title}`)).data).toHaveLength(1);
  });
});
