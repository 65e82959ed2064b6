/**
 * @module The first save of a new document, which takes a while: what is typed and pressed meanwhile is not lost.
 */
import { describe, expect } from 'vitest';
import type { Page } from '../clients/browser.ts';
import { accountOf, api, test, unique } from './fixture.ts';

/** Holds what creates documents until it is released. */
async function holdCreation(page: Page, path: string) {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(new RegExp(`${path}(\\?|$)`), async (route) => {
    if (route.request().method() === 'POST') await held;
    await route.continue();
  });
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().includes(path));
  return { sent, release: () => release() };
}

const titled = async (title: string) =>
  (await api('GET', `/api/articles?status=draft&filters[title]=${title}&populate=*`)).data;

describe('the first save of a document', () => {
  test('leaves the form as it is typed into, with the focus, and the next save sends the rest', async ({ studio }) => {
    await studio.signIn();
    const title = unique('Typed');
    const page = await studio.open('#/content/articles/new');
    const summary = page.getByLabel(/^Summary/).first();
    await page.getByLabel(/^Title/).fill(title);
    const { sent, release } = await holdCreation(page, '/api/articles');
    await page.keyboard.press('Control+s');
    await sent;
    await summary.click();
    await page.keyboard.type('typed meanwhile');
    release();
    await page.waitForURL(/articles\/[a-z0-9]{24}/);
    await page.keyboard.type(', and after');
    expect(await summary.inputValue()).toBe('typed meanwhile, and after');
    await page.keyboard.press('Control+s');
    await expect.poll(async () => (await titled(title))[0].summary).toBe('typed meanwhile, and after');
    expect(await titled(title)).toHaveLength(1);
    await studio.open('#/content/articles');
    await page.getByRole('link', { name: title }).waitFor();
    expect(await page.getByText('There is a new document that is not saved.').count()).toBe(0);
    expect(await page.getByText('Unsaved', { exact: true }).count()).toBe(0);
  });

  test('leaves a layer that is typed into over the form, and the next save links to what it made', async ({
    studio,
  }) => {
    await studio.signIn();
    const title = unique('Below');
    const name = unique('Author');
    const page = await studio.open('#/content/articles/new');
    await page.getByLabel(/^Title/).fill(title);
    const { sent, release } = await holdCreation(page, '/api/articles');
    await page.keyboard.press('Control+s');
    await sent;
    await page.getByRole('button', { name: 'Create Author' }).first().click();
    const layer = page.locator('.layer');
    await layer.getByLabel(/^Name/).fill(name);
    release();
    await page.locator('.toast', { hasText: 'Created' }).waitFor();
    expect(page.url()).toMatch(/articles\/[a-z0-9]{24}/);
    expect(await page.getByRole('dialog', { name: 'You have unsaved changes' }).count()).toBe(0);
    await page.keyboard.press('Control+s');
    await layer.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+s');
    await expect
      .poll(async () => (await titled(title)).map(({ author }: { author: object }) => author))
      .toMatchObject([{ name }]);
  });

  test('keeps what is typed for the created document if one leaves before it is done', async ({ studio }) => {
    await studio.signIn();
    const title = unique('Left');
    const page = await studio.open('#/content/articles/new');
    await page.getByLabel(/^Title/).fill(title);
    const { sent, release } = await holdCreation(page, '/api/articles');
    await page.keyboard.press('Control+s');
    await sent;
    await page
      .getByLabel(/^Summary/)
      .first()
      .fill('typed meanwhile');
    await page.getByRole('link', { name: 'Authors', exact: true }).first().click();
    await page.getByRole('button', { name: 'Leave and keep', exact: true }).click();
    release();
    await page.locator('.toast', { hasText: 'Created' }).waitFor();
    await page.getByRole('link', { name: 'Articles', exact: true }).first().click();
    await page.getByRole('row', { name: title }).getByText('Unsaved').waitFor();
    expect(await page.getByText('There is a new document that is not saved.').count()).toBe(0);
    await page.getByRole('link', { name: title }).click();
    await page.getByText('Your unsaved changes').waitFor();
    await page.keyboard.press('Control+s');
    await expect.poll(async () => (await titled(title))[0].summary).toBe('typed meanwhile');
  });

  test('leaves alone what is typed into the next form of a new document, which was opened since', async ({
    studio,
  }) => {
    await studio.signIn();
    const page = await studio.open('#/content/articles/new');
    await page.getByLabel(/^Title/).fill(unique('Before'));
    const { sent, release } = await holdCreation(page, '/api/articles');
    await page.keyboard.press('Control+s');
    await sent;
    const leave = async () => {
      await page.getByRole('link', { name: 'Authors', exact: true }).first().click();
      await page.getByRole('button', { name: 'Leave and keep', exact: true }).click();
      await page.waitForURL(/content\/authors/);
    };
    await leave();
    await page.evaluate(() => history.back());
    await page.getByText('Your unsaved changes').waitFor();
    await page.getByLabel(/^Title/).fill('Next');
    await expect.poll(() => page.evaluate(() => JSON.stringify({ ...sessionStorage }))).toContain('Next');
    release();
    await page.locator('.toast', { hasText: 'Created' }).waitFor();
    await leave();
    await page.getByRole('link', { name: 'Articles', exact: true }).first().click();
    await page.getByText('There is a new document that is not saved.').waitFor();
    expect(await page.getByText('Unsaved', { exact: true }).count()).toBe(0);
    await studio.open('#/content/articles/new');
    expect(await page.getByLabel(/^Title/).inputValue()).toBe('Next');
  });

  test('that was left is gone on with in its locale', async ({ studio }) => {
    await studio.signIn();
    const title = unique('Deutsch');
    const page = await studio.open('#/content/articles/new?locale=de');
    await page
      .getByLabel(/^Title/)
      .first()
      .fill(title);
    await page.getByRole('link', { name: 'Articles', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave and keep' }).click();
    await page.getByText('There is a new document that is not saved.').waitFor();
    expect(await page.getByRole('link', { name: 'New' }).first().getAttribute('href')).toContain('locale=de');
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByText('Your unsaved changes').waitFor();
    expect(await page.getByLabel('Locale', { exact: true }).inputValue()).toBe('de');
    await page.getByLabel('Locale', { exact: true }).selectOption('fr');
    await page.getByRole('link', { name: 'Articles', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave and keep' }).click();
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByText('Your unsaved changes').waitFor();
    expect(await page.getByLabel('Locale', { exact: true }).inputValue()).toBe('fr');
  });

  test('is one, and is published once, whatever keys are pressed meanwhile', async ({ studio }) => {
    await studio.signIn();
    const title = unique('Pressed');
    const page = await studio.open('#/content/articles/new');
    await page.getByLabel(/^Title/).fill(title);
    for (const key of ['Control+s', 'Control+s', 'Control+Enter']) await page.keyboard.press(key);
    await page.locator('.toast', { hasText: 'Published' }).waitFor();
    expect(await titled(title)).toHaveLength(1);
    expect((await api('GET', `/api/articles?filters[title]=${title}`)).data).toHaveLength(1);
  });

  test('is one where the created document may not be read', async ({ studio }) => {
    const text = unique('Unread');
    await studio.signIn(await accountOf('commenter'));
    const page = await studio.open('#/content/comments/new');
    await page.getByLabel(/^Text/).fill(text);
    const { sent, release } = await holdCreation(page, '/api/comments');
    await page.keyboard.press('Control+s');
    await sent;
    await page.keyboard.press('Control+s');
    await page.getByLabel(/^Score/).fill('7');
    release();
    await page.locator('.toast', { hasText: 'Created' }).waitFor();
    await expect.poll(() => page.getByLabel(/^Text/).inputValue()).toBe('');
    expect(await page.getByLabel(/^Score/).inputValue()).toBe('7');
    expect((await api('GET', `/api/comments?filters[text]=${text}`)).data).toHaveLength(1);
  });

  test('in a layer keeps the layer for what is typed meanwhile', async ({ studio }) => {
    await studio.signIn();
    const title = unique('Owner');
    const name = unique('Author');
    const { documentId } = (await api('POST', '/api/articles?status=draft', { data: { title } })).data;
    const page = await studio.open(`#/content/articles/${documentId}`);
    await page.getByRole('button', { name: 'Create Author' }).first().click();
    const layer = page.locator('.layer');
    await layer.getByLabel(/^Name/).fill(name);
    const { sent, release } = await holdCreation(page, '/api/authors');
    await page.keyboard.press('Control+s');
    await sent;
    await layer.getByLabel(/^Bio/).click();
    await page.keyboard.type('typed meanwhile');
    release();
    await page.locator('.toast', { hasText: 'Created' }).waitFor();
    await page.keyboard.type(', and after');
    expect(await layer.getByLabel(/^Bio/).inputValue()).toBe('typed meanwhile, and after');
    await page.keyboard.press('Control+s');
    await layer.waitFor({ state: 'detached' });
    const authors = (await api('GET', `/api/authors?filters[name]=${name}`)).data;
    expect(authors).toMatchObject([{ bio: 'typed meanwhile, and after' }]);
    await page.keyboard.press('Control+s');
    await expect.poll(async () => (await titled(title))[0].author?.name).toBe(name);
  });
});
