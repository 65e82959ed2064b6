/**
 * @module What a list does with its rows: each in its locale, with its state, and its failures.
 */
import { describe, expect } from 'vitest';
import { accountOf, api, test, unique } from './fixture.ts';

const make = async (title: string, query = 'status=draft'): Promise<string> =>
  (await api('POST', `/api/articles?${query}`, { data: { title } })).data.documentId;

const isThere = async (id: string, locale: string) => {
  const { data } = await api('GET', `/api/articles?status=draft&locale=${locale}&filters[documentId]=${id}`);
  return data.length > 0;
};

describe('a row', () => {
  test('is deleted in the locale of the list, also for who sees no locales', async ({ studio }) => {
    const title = unique('Rows');
    const id = await make(title);
    await api('PUT', `/api/articles/${id}?status=draft&locale=fr`, { data: { title } });
    await studio.signIn(await accountOf('pruner'));
    const page = await studio.open(`#/content/articles?locale=fr&filters[title]=${title}`);
    expect(await page.getByRole('link', { name: title }).getAttribute('href')).toContain('locale=fr');
    await page.getByLabel(`Select ${title}`).check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('1 document deleted.').waitFor();
    expect([await isThere(id, 'en'), await isThere(id, 'fr')]).toEqual([true, false]);
    await api('PUT', `/api/articles/${id}?status=draft&locale=fr`, { data: { title } });
    await studio.open(`#/content/articles?locale=*&filters[title]=${title}`);
    await page.getByRole('link', { name: title }).first().waitFor();
    expect(await page.getByLabel(`Select ${title}`).count()).toBe(0);
  });

  test('that failed is named, although it is in the list no more', async ({ studio }) => {
    await studio.signIn();
    const word = unique('Fails');
    const gone = await make(`${word} gone`);
    await make(`${word} stays`);
    const page = await studio.open(`#/content/articles?filters[title][$contains]=${word}`);
    await page.getByLabel(`Select ${word} gone`).check();
    await api('DELETE', `/api/articles/${gone}`);
    await page.getByRole('toolbar').getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
    await page.locator('.row-title', { hasText: `${word} gone` }).waitFor({ state: 'detached' });
    const dialog = page.getByRole('dialog', { name: '1 document failed' });
    await dialog.getByText(`${word} gone`).waitFor();
  });

  test('that failed after one has left the list is told', async ({ studio }) => {
    await studio.signIn();
    const title = unique('Left');
    const id = await make(title);
    const page = await studio.open(`#/content/articles?filters[title]=${title}`);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route(`**/api/articles/${id}*`, async (route) => {
      await held;
      await route.continue();
    });
    await page.getByLabel(`Select ${title}`).check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByRole('link', { name: 'Authors', exact: true }).first().click();
    await page.getByRole('heading', { name: 'Authors' }).waitFor();
    await api('PUT', `/api/articles/${id}?status=draft`, { data: { summary: 'theirs' } });
    release();
    await page.locator('.toast', { hasText: '1 document failed' }).waitFor();
  });

  test('that was not reached as the session ended is told, and is left as it is', async ({ studio }) => {
    await studio.signIn();
    const word = unique('Cut');
    const first = await make(`${word} 1`);
    await make(`${word} 2`);
    const page = await studio.open(`#/content/articles?filters[title][$contains]=${word}&sort=title`);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/actions/publish*', async (route) => {
      const response = await route.fetch();
      await held;
      await route.fulfill({ response });
    });
    await page.getByLabel('Select all documents of this page').check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Publish', exact: true }).click();
    const sent = page.waitForRequest('**/actions/publish*');
    await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
    await sent;
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Password').waitFor();
    release();
    await page.locator('.toast', { hasText: '1 document published.' }).waitFor();
    await page.locator('.toast', { hasText: '1 document was left as it is' }).waitFor();
    const published = await api('GET', `/api/articles?filters[title][$contains]=${word}`);
    expect(published.data).toMatchObject([{ documentId: first }]);
  });

  test('that another user has changed since is neither published nor deleted', async ({ studio }) => {
    await studio.signIn();
    const word = unique('Since');
    const [changed, same] = [await make(`${word} changed`), await make(`${word} same`)];
    const page = await studio.open(`#/content/articles?fields=title,summary&filters[title][$contains]=${word}`);
    const state = async (id: string) => (await api('GET', `/api/articles/${id}`).catch(() => ({ data: null }))).data;
    const toolbar = page.getByRole('toolbar');
    const failed = page.getByRole('dialog', { name: '1 document failed' });
    const act = async (action: string) => {
      await toolbar.getByRole('button', { name: action, exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click();
    };
    /** Changes a document, after which an action fails and the list is read again. */
    const rejects = async (action: string, summary: string) => {
      await api('PUT', `/api/articles/${changed}?status=draft`, { data: { summary } });
      await act(action);
      await failed.getByText('It was changed meanwhile. Read it again.').waitFor();
      await page.locator('td', { hasText: summary }).waitFor();
      await page.keyboard.press('Escape');
      await failed.waitFor({ state: 'detached' });
    };
    await page.getByLabel('Select all documents of this page').check();
    await rejects('Publish', 'half of it');
    expect([await state(changed), await state(same)]).toEqual([null, expect.objectContaining({ documentId: same })]);
    await rejects('Delete', 'all of it');
    await act('Publish');
    await expect.poll(() => state(changed)).toMatchObject({ summary: 'all of it' });
    await page.goto(page.url().replace(/\?/, '?status=published&'));
    await page.getByLabel('Select all documents of this page').check();
    await page.locator('td .badge', { hasText: 'Published' }).nth(1).waitFor();
    await api('PUT', `/api/articles/${changed}?status=draft`, { data: { summary: 'more than it' } });
    await act('Delete');
    await failed.getByText('It was changed meanwhile. Read it again.').waitFor();
    expect([await state(same), await isThere(changed, 'en')]).toEqual([null, true]);
  });

  test('of the published versions is left alone while its draft is not known', async ({ studio }) => {
    await studio.signIn();
    const title = unique('Unknown');
    const id = await make(title, 'status=published');
    await api('PUT', `/api/articles/${id}?status=draft`, { data: { summary: 'In the draft alone.' } });
    const { page } = studio;
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route(/api\/articles\?.*status=draft/, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${studio.url}/studio/#/content/articles?status=published&filters[title]=${title}`);
    await page.getByLabel(`Select ${title}`).check();
    const remove = async () => {
      await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    };
    await remove();
    const failed = page.getByRole('dialog', { name: '1 document failed' });
    await failed.getByText('The other versions of these documents are not known yet. Try again.').waitFor();
    expect(await isThere(id, 'en')).toBe(true);
    release();
    await page.keyboard.press('Escape');
    await page.locator('td .badge').first().waitFor();
    await remove();
    await page.getByText('1 document deleted.').waitFor();
    expect(await isThere(id, 'en')).toBe(false);
  });

  test('is not deleted where its draft was published since', async ({ studio }) => {
    await studio.signIn();
    const title = unique('Public');
    const id = await make(title);
    const page = await studio.open(`#/content/articles?filters[title]=${title}`);
    await page.locator('td .badge', { hasText: 'Draft' }).waitFor();
    await page.getByLabel(`Select ${title}`).check();
    const remove = async () => {
      await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    };
    await api('POST', `/api/articles/${id}/actions/publish`);
    await remove();
    const failed = page.getByRole('dialog', { name: '1 document failed' });
    await failed.getByText('It was changed meanwhile. Read it again.').waitFor();
    expect((await api('GET', `/api/articles/${id}`)).data.title).toBe(title);
    await page.keyboard.press('Escape');
    await page.locator('td .badge', { hasText: 'Published' }).waitFor();
    await remove();
    await page.getByText('1 document deleted.').waitFor();
    expect(await isThere(id, 'en')).toBe(false);
  });

  test('cannot be selected by a user who does not see whether it was changed', async ({ studio }) => {
    const title = unique('Unseen');
    await make(title);
    await studio.signIn(await accountOf('namer'));
    const page = await studio.open(`#/content/articles?filters[title]=${title}`);
    await page.getByRole('link', { name: title }).waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(0);
  });

  test('of 100 in several locales has its own state', async ({ studio }) => {
    await studio.signIn();
    const word = unique('States');
    const count = 36;
    for (let index = 0; index < count; index += 1) {
      const id = await make(`${word} ${index}`, 'status=published');
      for (const locale of ['fr', 'de'])
        await api('PUT', `/api/articles/${id}?status=published&locale=${locale}`, {
          data: { title: `${word} ${index}` },
        });
    }
    const query = `locale=*&filters[title][$contains]=${word}&pagination[limit]=100`;
    const page = await studio.open(`#/content/articles?${query}`);
    await page.getByRole('row').nth(100).waitFor();
    await expect.poll(() => page.locator('td .badge', { hasText: /^Published$/ }).count()).toBe(100);
    expect(await page.locator('td .badge', { hasText: /^Draft$/ }).count()).toBe(0);
  });

  test('leads to the next one in all locales, each time another', async ({ studio }) => {
    await studio.signIn();
    const word = unique('Next');
    const last = await make(`${word} last`);
    const first = await make(`${word} first`);
    await api('PUT', `/api/articles/${first}?status=draft&locale=fr`, { data: { title: `${word} premier` } });
    const page = await studio.open(`#/content/articles?locale=*&sort=id:desc&filters[title][$contains]=${word}`);
    await page.getByRole('link', { name: `${word} premier` }).click();
    for (const [id, locale] of [
      [first, 'en'],
      [last, 'en'],
    ]) {
      await page.getByRole('button', { name: 'Next', exact: true }).click();
      await expect.poll(() => page.url().split('#')[1]).toBe(`/content/articles/${id}?locale=${locale}`);
    }
    await page.getByRole('button', { name: 'Previous', exact: true }).click();
    await page.waitForURL(new RegExp(`${first}\\?locale=en`));
    await page.getByRole('heading', { name: `${word} first` }).waitFor();
    await page.getByRole('button', { name: 'Previous', exact: true }).click();
    await page.waitForURL(new RegExp(`${first}\\?locale=fr`));
  });
});
