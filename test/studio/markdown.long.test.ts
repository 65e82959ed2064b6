/**
 * @module Markdown in a form: its toolbar, links and pictures, the preview, and that nothing changes by itself.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Page } from '../clients/browser.ts';
import { api, test, unique } from './fixture.ts';

const PICTURE = join(import.meta.dirname, '../conformance/corpus/fixtures/photo.png');

const draft = async (body: string | null, title = unique('Markdown')): Promise<string> =>
  (await api('POST', '/api/articles?status=draft', { data: { title, body } })).data.documentId;

const bodyOf = async (id: string): Promise<string> => (await api('GET', `/api/articles/${id}?status=draft`)).data.body;

const body = (page: Page) => page.locator('[data-path=body]');

/** Of CodeMirror. */
const lines = (page: Page) => body(page).locator('.cm-content');

const press = (page: Page, ...keys: readonly string[]) =>
  keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());

const saved = async (page: Page, id: string, expected: string) => {
  await page.keyboard.press('Control+s');
  await expect.poll(() => bodyOf(id)).toBe(expected);
};

/** Texts that an editor may change by itself. */
const TEXTS: Readonly<Record<string, string>> = {
  'lines that end with CRLF': '# Title\r\n\r\nText  \r\nmore\r\n',
  'ends of lines of each kind': 'one\r\ntwo\nthree\rfour\r\n\r\n',
  'spaces, tabs and emoji': '\t\tcode  \n  \n* a\t\n\u00a0\u200b👩‍👩‍👧 é e\u0301 \u2028 \ufeff\n\n\n',
  '100 KB': `${'A line of words, **bold** and [a link](/x).  \r\n'.repeat(2200)}`,
};

describe('Markdown', () => {
  for (const [name, text] of Object.entries(TEXTS))
    test(`with ${name} is the same after it was opened, shown and saved`, async ({ studio }) => {
      await studio.signIn();
      const id = await draft(text);
      expect(await bodyOf(id)).toBe(text);
      const page = await studio.open(`#/content/articles/${id}`);
      await lines(page).click();
      await press(page, 'ArrowRight', 'Control+Home');
      const toggle = body(page).getByRole('button', { name: 'Preview', exact: true });
      await toggle.click();
      await body(page).locator('.markdown').waitFor();
      await toggle.click();
      const sent: unknown[] = [];
      page.on('request', (request) => request.method() === 'PUT' && sent.push(request.postDataJSON()));
      await page
        .getByLabel(/^Summary/)
        .first()
        .fill('Another attribute');
      await page.keyboard.press('Control+s');
      await expect.poll(() => sent).toEqual([{ data: { summary: 'Another attribute' } }]);
      await lines(page).click();
      await press(page, 'Control+Home');
      await page.keyboard.type('x');
      await saved(page, id, `x${text}`);
    });

  test('is written with the toolbar and its keys, step by step back again', async ({ studio }) => {
    await studio.signIn();
    const start = 'one\r\ntwo\r\nthree';
    const id = await draft(start);
    const page = await studio.open(`#/content/articles/${id}`);
    const tool = (name: string) => body(page).getByRole('toolbar').getByRole('button', { name, exact: true });
    await lines(page).click();
    await press(page, 'Control+Home', 'Shift+End', 'Control+b');
    await saved(page, id, '**one**\r\ntwo\r\nthree');
    await press(page, 'Control+b', 'Control+i');
    await saved(page, id, '_one_\r\ntwo\r\nthree');
    await press(page, 'Control+End', 'Shift+ArrowUp', 'Shift+Home');
    await tool('Numbered list').click();
    await saved(page, id, '_one_\r\n1. two\r\n2. three');
    await tool('Quote').click();
    await tool('Code').focus();
    await page.keyboard.press('Enter');
    await saved(page, id, '_one_\r\n```\r\n> 1. two\r\n> 2. three\r\n```');
    await press(page, 'Control+Home');
    await tool('Heading').click();
    await page.getByRole('menuitem', { name: 'Heading 2' }).click();
    await saved(page, id, '## _one_\r\n```\r\n> 1. two\r\n> 2. three\r\n```');
    await lines(page).click();
    for (let step = 0; step < 9; step += 1) await press(page, 'Control+z');
    await saved(page, id, start);
  });

  test('takes pictures of the library, and links to documents and addresses', async ({ studio }) => {
    await studio.signIn();
    const form = new FormData();
    const name = `${unique('pier')}.png`;
    form.append('files', new File([readFileSync(PICTURE)], name, { type: 'image/png' }));
    const [file] = await api('POST', '/api/upload', form);
    const title = unique('Linked');
    const linked = (await api('POST', '/api/articles', { data: { title, slug: title.toLowerCase() } })).data;
    const id = await draft('Words');
    const page = await studio.open(`#/content/articles/${id}`);
    await lines(page).click();
    await press(page, 'Control+a', 'Control+k');
    const dialog = page.getByRole('dialog', { name: 'Link' });
    await dialog.getByLabel('Address').fill('javascript:alert(1)');
    expect(await dialog.getByRole('button', { name: 'Insert' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Address').fill('https://example.com/(a)');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    const first = '[Words](https://example.com/%28a%29)';
    await saved(page, id, first);

    await body(page).getByRole('button', { name: 'Link', exact: true }).click();
    await dialog.getByLabel('Document', { exact: true }).pressSequentially(title);
    await page.getByRole('option', { name: title }).click();
    expect(await studio.axe()).toEqual([]);
    await dialog.getByRole('button', { name: 'Insert' }).click();
    const second = `${first}[${title}](/articles/${linked.slug})`;
    await saved(page, id, second);

    await body(page).getByRole('button', { name: 'Image', exact: true }).click();
    await page.getByRole('dialog').getByText(name).first().click();
    await page.getByRole('button', { name: 'Choose', exact: true }).click();
    await saved(page, id, `${second}![${name}](${file.url})`);
    await body(page).getByRole('button', { name: 'Preview', exact: true }).click();
    await expect
      .poll(() =>
        body(page)
          .locator('img')
          .evaluate((image: HTMLImageElement) => image.naturalWidth),
      )
      .toBeGreaterThan(0);
    expect(
      await body(page)
        .locator('.markdown a')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
    ).toEqual(['https://example.com/%28a%29', `/articles/${linked.slug}`]);
  });

  test('takes no private picture, whose address ends, and neither do blocks', async ({ studio }) => {
    await studio.signIn();
    const form = new FormData();
    const name = `${unique('secret')}.png`;
    form.append('fileInfo', JSON.stringify({ private: true }));
    form.append('files', new File([readFileSync(PICTURE)], name, { type: 'image/png' }));
    await api('POST', '/api/upload', form);
    const id = await draft('Words');
    const page = await studio.open(`#/content/articles/${id}`);
    for (const place of [body(page), page.locator('[data-path=content]')]) {
      await place.getByRole('button', { name: 'Image', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: new RegExp(name) }).click();
      await dialog.getByText('A private file has no place in a text: its address ends.').waitFor();
      expect(await dialog.getByRole('button', { name: 'Choose', exact: true }).isDisabled()).toBe(true);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
    const attribute = page.locator('[data-path=cover]');
    await attribute.getByRole('button', { name: 'Choose a file' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: new RegExp(name) })
      .click();
    await page.getByRole('button', { name: 'Choose', exact: true }).click();
    await attribute.getByText(name).waitFor();
  });

  for (const look of [{ width: 1280 }, { width: 390, dark: true }])
    test(`is shown beside its text, or in its place on a phone, ${look.width} pixels wide`, async ({ another }) => {
      const studio = await another(look);
      await studio.signIn();
      const page = await studio.open(`#/content/articles/${await draft('# Title\n\n<b>no</b> ![x](javascript:1)\n')}`);
      await lines(page).waitFor();
      expect(await studio.axe()).toEqual([]);
      await body(page).getByRole('button', { name: 'Preview', exact: true }).click();
      await body(page).locator('.markdown .heading-1').getByText('Title', { exact: true }).waitFor();
      await body(page).locator('.markdown').getByText('<b>no</b>').waitFor();
      expect(await lines(page).isVisible()).toBe(look.width > 1000);
      expect(await studio.axe()).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
    });
});
