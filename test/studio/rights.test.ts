/**
 * @module What callers with fewer rights see and may do.
 */
import { describe, expect } from 'vitest';
import { accountOf, api, test, unique } from './fixture.ts';

describe('a caller', () => {
  test('who may only read sees no button that writes', async ({ studio }) => {
    const { data } = await api('POST', '/api/articles?status=draft', { data: { title: unique('Read') } });
    await studio.signIn(await accountOf('reader'));
    const page = await studio.open('#/content/articles');
    await page.getByRole('table').waitFor();
    expect(await page.getByRole('link', { name: 'New' }).count()).toBe(0);
    expect(await page.getByRole('checkbox').count()).toBe(0);
    await studio.open(`#/content/articles/${data.documentId}`);
    await page
      .getByLabel(/^Title/)
      .first()
      .waitFor();
    expect(
      await page
        .getByLabel(/^Title/)
        .first()
        .isDisabled(),
    ).toBe(true);
    for (const name of ['Save', 'Publish', 'More actions', 'Choose a file', 'Add entry'])
      expect(await page.getByRole('button', { name }).filter({ visible: true }).count()).toBe(0);
    const written: string[] = [];
    page.on('request', (request) => request.method() !== 'GET' && written.push(request.url()));
    await page.keyboard.press('Control+s');
    await studio.open('#/media');
    expect(written).toEqual([]);
    expect(await page.getByRole('button', { name: /Upload/ }).count()).toBe(0);
  });

  test('who may only write drafts saves them, and sees no button that publishes or deletes what is published', async ({
    studio,
  }) => {
    const title = unique('Prepared');
    const { data } = await api('POST', '/api/articles', { data: { title } });
    await studio.signIn(await accountOf('drafter'));
    const page = await studio.open(`#/content/articles/${data.documentId}`);
    const field = page.getByLabel(/^Title/).first();
    await field.fill(`${title} again`);
    expect(await page.getByRole('button', { name: 'Publish' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('.toast', { hasText: 'Saved' }).waitFor();
    const titleOf = async (status: string) =>
      (await api('GET', `/api/articles/${data.documentId}?status=${status}`)).data.title;
    expect([await titleOf('draft'), await titleOf('published')]).toEqual([`${title} again`, title]);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Discard the draft' }).waitFor();
    for (const name of ['Delete', 'Unpublish', 'Schedule'])
      expect(await page.getByRole('menuitem', { name }).count()).toBe(0);
    const tag = unique('Tag');
    await api('POST', '/api/tags', { data: { name: tag } });
    await studio.open('#/content/tags');
    await page.getByText(tag).waitFor();
    expect(await page.getByRole('link', { name: 'New' }).count()).toBe(0);
  });

  test('with conditional grants sees the documents and attributes that are granted', async ({ studio }) => {
    const shown = unique('Playful');
    const hidden = unique('Serious');
    const { data } = await api('POST', '/api/articles', { data: { title: shown, tone: 'playful', summary: 'secret' } });
    const other = await api('POST', '/api/articles', { data: { title: hidden, tone: 'serious' } });
    await studio.signIn(await accountOf('limited'));
    const page = await studio.open('#/content/articles');
    await page.getByRole('link', { name: shown }).waitFor();
    expect(await page.getByText(hidden).count()).toBe(0);
    await page.getByRole('link', { name: shown }).click();
    await page
      .getByLabel(/^Title/)
      .first()
      .fill(`${shown} again`);
    expect(await page.getByLabel(/^Summary/).count()).toBe(0);
    await page.keyboard.press('Control+s');
    await page.locator('.toast', { hasText: 'Saved' }).waitFor();
    expect((await api('GET', `/api/articles/${data.documentId}?status=draft`)).data).toMatchObject({
      title: `${shown} again`,
      summary: 'secret',
    });
    await studio.open(`#/content/articles/${other.data.documentId}`);
    await page.getByText('There is no such document, or you may not see it.').waitFor();
  });
});
