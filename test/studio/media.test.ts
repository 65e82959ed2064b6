/**
 * @module The media library and the explorer.
 */
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { api, test, unique } from './fixture.ts';

const PICTURE = join(import.meta.dirname, '../demo/demo/media/clock.png');

describe('the media library', () => {
  test('takes a file, its texts and other bytes, names its uses, and deletes it', async ({ studio }) => {
    await studio.signIn();
    const page = await studio.open('#/media');
    const caption = unique('Ten past ten');
    // Other tests upload files meanwhile.
    const clocks = () => api('GET', '/api/upload/files?filters[name]=clock.png&sort=id:desc');
    const before = (await clocks()).length;
    await page.locator('input[type=file]').first().setInputFiles(PICTURE);
    await expect.poll(async () => (await clocks()).length).toBe(before + 1);
    const [file] = await clocks();
    const { data } = await api('POST', '/api/articles?status=draft', {
      data: { title: unique('Used'), cover: file.id },
    });

    await page
      .getByRole('button', { name: /clock\.png/ })
      .first()
      .click();
    const panel = page.getByRole('dialog');
    await panel.getByText(data.title).waitFor();
    await panel.getByLabel(/^Caption/).fill(caption);
    await panel.getByRole('button', { name: 'Save' }).click();
    await expect.poll(async () => (await api('GET', `/api/upload/files/${file.id}`)).caption).toBe(caption);

    await panel.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').last().getByText(data.title).first().waitFor();
    await page.getByRole('dialog').last().getByRole('button', { name: 'Delete' }).click();
    await expect.poll(async () => (await clocks()).length).toBe(before);
  });
});

describe('the explorer', () => {
  test('builds a request by clicking, sends it, and explains a refusal', async ({ studio }) => {
    const title = unique('Explored');
    await api('POST', '/api/articles', { data: { title } });
    await studio.signIn();
    const request = `/api/articles?filters[title][$eq]=${title}`;
    const page = await studio.open(`#/explorer?request=${encodeURIComponent(request)}`);
    await page.getByText(`"${title}"`).first().waitFor();
    await page.getByText(/1 round trip/).waitFor();
    await page.getByText('Fields', { exact: true }).click();
    await page.getByLabel('Title', { exact: true }).first().check();
    await expect.poll(() => decodeURIComponent(decodeURIComponent(page.url()))).toContain('fields');
    await page.getByRole('tab', { name: '@strapi/client' }).click();
    await page.getByText(/strapi\(\{ baseURL/).waitFor();
    const token = await page.evaluate(() => JSON.parse(sessionStorage.getItem('studio.session') ?? '').token);
    expect(await page.locator('main').textContent()).not.toContain(token);

    await studio.open(`#/explorer?request=${encodeURIComponent('/api/articles?sort=nothing:asc')}`);
    await page.getByText('Invalid key nothing').first().waitFor();
    await page
      .getByRole('link', { name: /docs|documentation|Strapi/i })
      .first()
      .waitFor();
  });
});
