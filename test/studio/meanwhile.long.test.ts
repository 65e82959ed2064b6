/**
 * @module What happens to a document while its form is open.
 */
import { describe, expect } from 'vitest';
import { accountOf, api, test, unique } from './fixture.ts';

const make = async (text: string, data: object = {}, query = '') =>
  (await api('POST', `/api/articles${query}`, { data: { title: unique(text), ...data } })).data;

describe('a form', () => {
  test('keeps what is typed while the document is unpublished, and after it was deleted', async ({ studio }) => {
    await studio.signIn();
    const { documentId } = await make('Unpublished');
    const page = await studio.open(`#/content/articles/${documentId}`);
    await page.getByLabel('Summary').fill('typed');
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Unpublish' }).click();
    await page.getByRole('button', { name: 'Unpublish' }).click();
    await page.locator('.badge', { hasText: /^Draft$/ }).waitFor();
    expect(await page.getByLabel('Summary').inputValue()).toBe('typed');
    await api('DELETE', `/api/articles/${documentId}`);
    await page.keyboard.press('Control+s');
    await page.getByText('This document was deleted meanwhile').waitFor();
    expect(await page.getByLabel('Summary').inputValue()).toBe('typed');
  });

  test('writes nothing where nothing has changed', async ({ studio }) => {
    await studio.signIn();
    const { documentId } = await make('Untouched');
    const { updatedAt } = (await api('GET', `/api/articles/${documentId}?status=draft`)).data;
    const page = await studio.open(`#/content/articles/${documentId}`);
    await page.keyboard.press('Control+s');
    await page.getByText('There is nothing to save').waitFor();
    expect((await api('GET', `/api/articles/${documentId}?status=draft`)).data.updatedAt).toBe(updatedAt);
  });

  test('keeps what is typed while a save ends that was sent before one left it and came back', async ({ studio }) => {
    await studio.signIn();
    const { documentId } = await make('Back', {}, '?status=draft');
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const page = await studio.open(`#/content/articles/${documentId}`);
    await page.route(`**/api/articles/${documentId}?*`, async (route) => {
      if (route.request().method() === 'PUT') await held;
      await route.continue();
    });
    const leave = async () => {
      await page.getByRole('link', { name: 'Authors', exact: true }).first().click();
      await page.getByRole('button', { name: 'Leave and keep', exact: true }).click();
      await page.waitForURL(/content\/authors/);
    };
    await page.getByLabel('Summary').fill('sent');
    const sent = page.waitForRequest((request) => request.method() === 'PUT');
    await page.keyboard.press('Control+s');
    await sent;
    await leave();
    await page.evaluate(() => history.back());
    await page.getByText('Your unsaved changes').waitFor();
    await page.getByLabel('Summary').fill('sent, and typed since');
    await expect.poll(() => page.evaluate(() => JSON.stringify({ ...sessionStorage }))).toContain('typed since');
    release();
    await page.locator('.toast', { hasText: 'Saved' }).waitFor();
    await leave();
    await page.evaluate(() => history.back());
    await page.getByText('Your unsaved changes').waitFor();
    expect(await page.getByLabel('Summary').inputValue()).toBe('sent, and typed since');
  });

  test('is saved behind a proxy that compresses, and makes tags weak', async ({ studio }) => {
    await studio.signIn();
    const { documentId } = await make('Weak', {}, '?status=draft');
    const { page } = studio;
    await page.route('**/api/articles/**', async (route) => {
      const response = await route.fetch();
      const { etag, ...headers } = response.headers();
      await route.fulfill({ response, headers: { ...headers, ...(etag && { etag: `W/${etag}` }) } });
    });
    await studio.open(`#/content/articles/${documentId}`);
    for (const summary of ['one', 'two']) {
      await page.getByLabel('Summary').fill(summary);
      await page.keyboard.press('Control+s');
      const stored = async () => (await api('GET', `/api/articles/${documentId}?status=draft`)).data.summary;
      await expect.poll(stored, { timeout: 10_000 }).toBe(summary);
    }
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test('keeps what is typed while a slow publication runs', async ({ studio }) => {
    await studio.signIn();
    const { documentId } = await make('Slow', {}, '?status=draft');
    const page = await studio.open(`#/content/articles/${documentId}`);
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/actions/publish*', async (route) => {
      await held;
      await route.continue();
    });
    await page.getByLabel('Summary').fill('one');
    const saved = page.waitForResponse((response) => response.request().method() === 'PUT');
    const publication = page.waitForRequest('**/actions/publish*');
    await page.keyboard.press('Control+Enter');
    await saved;
    await publication;
    await page.getByLabel('Summary').fill('one two');
    release();
    await page.locator('.toast', { hasText: 'Published' }).waitFor();
    expect(await page.getByLabel('Summary').inputValue()).toBe('one two');
    expect((await api('GET', `/api/articles/${documentId}`)).data.summary).toBe('one');
  });

  test('shows what others have saved: at once if nothing is typed, else before it is published', async ({ studio }) => {
    await studio.signIn();
    const { documentId } = await make('Changed', {}, '?status=draft');
    const change = (summary: string) => api('PUT', `/api/articles/${documentId}?status=draft`, { data: { summary } });
    const page = await studio.open(`#/content/articles/${documentId}`);
    await change('theirs');
    const comeBack = async () => {
      await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
      return page.getByLabel('Summary').inputValue();
    };
    await expect.poll(comeBack).toBe('theirs');
    await change('theirs again');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('dialog').getByText('theirs again').waitFor();
    expect((await api('GET', `/api/articles/${documentId}?status=draft`)).data.publishedAt).toBeNull();
    expect(await page.getByRole('dialog').getByText('As you opened it').count()).toBe(1);
  });

  test('keeps what is no number as it was typed, and saves nothing in its place', async ({ studio }) => {
    await studio.signIn();
    const { documentId } = await make('Number', { readingTime: 5, price: 2 }, '?status=draft');
    const page = await studio.open(`#/content/articles/${documentId}`);
    const readingTime = page.getByLabel(/^Reading time/).first();
    await readingTime.fill('5 minutes');
    await page
      .getByLabel(/^Price/)
      .first()
      .fill('1e999');
    await page.getByRole('link', { name: 'Authors', exact: true }).first().click();
    await page.getByRole('button', { name: 'Leave and keep', exact: true }).click();
    await page.waitForURL(/content\/authors/);
    await studio.open(`#/content/articles/${documentId}`);
    await page.getByText('Your unsaved changes').waitFor();
    expect(await readingTime.inputValue()).toBe('5 minutes');
    await page.keyboard.press('Control+s');
    await page.getByText('This is no number').first().waitFor();
    expect((await api('GET', `/api/articles/${documentId}?status=draft`)).data).toMatchObject({
      readingTime: 5,
      price: 2,
    });
  });

  test('takes no failure to read the published version for a document that was never published', async ({ studio }) => {
    await studio.signIn();
    studio.allow(/status of 500/);
    const { documentId } = await make('Failing');
    const { page } = studio;
    const published = new RegExp(`articles/${documentId}\\?.*status=published`);
    await page.route(published, (route) => route.fulfill({ status: 500, json: { error: { message: 'Broken' } } }));
    await studio.open(`#/content/articles/${documentId}`);
    await page.getByRole('alert').getByText('Broken').waitFor();
    await page.unroute(published);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.badge', { hasText: /^Published$/ }).waitFor();
  });

  test('neither deletes nor discards what another user has saved since', async ({ studio }) => {
    await studio.signIn();
    const { documentId } = await make('Discarded');
    const change = (summary: string) => api('PUT', `/api/articles/${documentId}?status=draft`, { data: { summary } });
    const summary = async () => (await api('GET', `/api/articles/${documentId}?status=draft`)).data.summary;
    const page = await studio.open(`#/content/articles/${documentId}`);
    const act = async (item: RegExp | string, button: string) => {
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: item }).click();
      await page.getByRole('dialog').getByRole('button', { name: button }).click();
    };
    const dialog = page.getByRole('dialog', { name: 'Saved by someone else meanwhile' });
    for (const [text, item, button] of [
      ['one', 'Discard the draft', 'Discard the draft'],
      ['two', /^Delete$/, 'Delete'],
    ] as const) {
      await change(text);
      await act(item, button);
      await dialog.getByText(text, { exact: true }).waitFor();
      await dialog.getByRole('button', { name: 'Not now' }).click();
      expect(await summary()).toBe(text);
    }
    await expect.poll(() => page.getByLabel('Summary').inputValue()).toBe('two');
    await act('Discard the draft', 'Discard the draft');
    await page.locator('.toast', { hasText: 'Discarded' }).waitFor();
    expect(await summary()).toBeNull();
  });

  test('deletes no other locale that another user has changed since', async ({ studio }) => {
    await studio.signIn();
    const { documentId, title } = await make('Everywhere', {}, '?status=draft');
    const french = `/api/articles/${documentId}?status=draft&locale=fr`;
    await api('PUT', french, { data: { title: 'Partout' } });
    const page = await studio.open(`#/content/articles/${documentId}`);
    const ask = async () => {
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Delete in all locales' }).click();
      await page.getByRole('dialog', { name: `Delete “${title}” in all locales?` }).waitFor();
    };
    const confirm = () => page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await ask();
    await api('PUT', french, { data: { title: 'Partout et encore' } });
    await confirm();
    await page.getByText('It was changed meanwhile. Read it again.').first().waitFor();
    expect((await api('GET', french)).data.title).toBe('Partout et encore');
    await ask();
    await confirm();
    await page.waitForURL(/content\/articles$/);
    await expect(api('GET', french)).rejects.toThrow('404');
  });

  test('that is deleted in all locales leaves no changes of one of them behind', async ({ studio }) => {
    await studio.signIn();
    const { documentId } = await make('Gone', {}, '?status=draft');
    await api('PUT', `/api/articles/${documentId}?status=draft&locale=fr`, { data: { title: 'Parti' } });
    const page = await studio.open(`#/content/articles/${documentId}?locale=fr`);
    const kept = () => page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.includes('studio.changes')));
    await page.getByLabel('Summary').fill('typed');
    await expect.poll(async () => (await kept()).length).toBe(1);
    await page.getByLabel('Locale', { exact: true }).selectOption('en');
    await page.getByRole('button', { name: 'Leave and keep', exact: true }).click();
    await page.getByRole('heading', { name: 'Gone' }).waitFor();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete in all locales' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(/content\/articles$/);
    expect(await kept()).toEqual([]);
  });

  test('is duplicated by nobody who may not look for taken values', async ({ studio }) => {
    const { documentId } = await make('Unsearched', {}, '?status=draft');
    await studio.signIn();
    const { page } = studio;
    await page.route('**/openapi.json', async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      const article = json['x-content-types'].find(({ uid }: { uid: string }) => uid === 'api::article.article');
      article.actions = article.actions.filter((action: string) => action !== 'find');
      await route.fulfill({ response, json });
    });
    await studio.open(`#/content/articles/${documentId}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Schedule' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Duplicate' }).count()).toBe(0);
  });

  test('stays as it is while another document, which was left, is deleted', async ({ studio }) => {
    await studio.signIn();
    const [left, { documentId }] = [await make('Left'), await make('Stays')];
    const page = await studio.open(`#/content/articles/${left.documentId}`);
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/articles/**', async (route) => {
      if (route.request().method() === 'DELETE') await held;
      await route.continue();
    });
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.evaluate((hash) => {
      location.hash = hash;
    }, `#/content/articles/${documentId}`);
    await page.getByRole('heading', { name: 'Stays' }).waitFor();
    await page.getByLabel('Summary').fill('typed');
    await page.getByRole('button', { name: 'Set a new password: Access code' }).click();
    await page.getByLabel('Access code', { exact: true }).fill('open-sesame');
    release();
    await page.locator('.toast', { hasText: 'Deleted' }).waitFor();
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByRole('link', { name: 'Created' }).first().click();
    await page.getByText('This version and the draft are the same.').waitFor();
    await page.getByRole('tab', { name: 'Edit' }).click();
    expect(await page.getByLabel('Summary').inputValue()).toBe('typed');
    expect(await page.getByLabel('Access code', { exact: true }).inputValue()).toBe('open-sesame');
  });

  test('of a new locale stays where reading it again fails', async ({ studio }) => {
    await studio.signIn();
    studio.allow(/status of 500/);
    const { documentId } = await make('Unread', {}, '?status=draft');
    const page = await studio.open(`#/content/articles/${documentId}?locale=fr`);
    await page.getByLabel(/^Title/).fill('Illisible');
    await page.route('**/api/articles/**', (route) =>
      route.fulfill({ status: 500, json: { error: { message: 'Broken' } } }),
    );
    await page.waitForTimeout(1000);
    const failed = page.waitForResponse((response) => response.status() === 500);
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
    await failed;
    await page.waitForLoadState('networkidle');
    await page.keyboard.type(' encore');
    expect(await page.getByLabel(/^Title/).inputValue()).toBe('Illisible encore');
    expect(await page.getByText('Your unsaved changes').count()).toBe(0);
  });

  test('sends of an entry what was changed in it', async ({ studio }) => {
    await studio.signIn();
    const facts = ['one', 'two'].map((label) => ({ label, value: 1, source: { label, href: '/' } }));
    const { documentId } = await make('Entries', { facts }, '?status=draft');
    const page = await studio.open(`#/content/articles/${documentId}`);
    await page.locator('[data-path="facts.1"] summary').click();
    await page.locator('[data-path="facts.1.value"] input').fill('2');
    const put = page.waitForRequest((request) => request.method() === 'PUT');
    await page.keyboard.press('Control+s');
    const { data } = (await put).postDataJSON();
    expect(data).toEqual({ facts: [{ id: expect.anything() }, { id: expect.anything(), value: 2 }] });
    await page.locator('.toast', { hasText: 'Saved' }).waitFor();
    const { data: now } = await api('GET', `/api/articles/${documentId}?status=draft&populate[facts][populate]=*`);
    expect(now.facts).toMatchObject([facts[0], { ...facts[1], value: 2 }]);
  });

  test('asks again about what was typed as the question came', async ({ studio }) => {
    await studio.signIn();
    const { documentId } = await make('Asked', {}, '?status=draft');
    const page = await studio.open(`#/content/articles/${documentId}`);
    const summary = page.getByLabel('Summary');
    await summary.fill('mine');
    await api('PUT', `/api/articles/${documentId}?status=draft`, { data: { summary: 'theirs' } });
    await page.keyboard.press('Control+s');
    const dialog = page.getByRole('dialog', { name: 'Saved by someone else meanwhile' });
    await dialog.waitFor();
    // As a key does that comes before the focus has moved.
    await summary.evaluate((element) => {
      (element as HTMLTextAreaElement).setRangeText(' and more', 4, 4);
      element.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await dialog.getByRole('button', { name: 'Go on with these' }).click();
    await dialog.getByText('mine and more').waitFor();
    await dialog.getByRole('button', { name: 'Go on with these' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await summary.inputValue()).toBe('mine and more');
  });

  test('names what is scheduled, although a list of all schedules has others alone', async ({ studio }) => {
    await studio.signIn();
    const { documentId } = await make('Scheduled', {}, '?status=draft');
    const at = '2099-01-01T09:00:00.000Z';
    await api('POST', `/api/articles/${documentId}/actions/publish`, { data: { at } });
    const { page } = studio;
    await page.route(/api\/scheduled$/, (route) => route.fulfill({ json: { data: [], meta: {} } }));
    await studio.open(`#/content/articles/${documentId}`);
    await page.getByRole('listitem').filter({ hasText: 'Publish Jan 1, 2099' }).waitFor();
  });

  test('comes forth from the comparison with the focus on what is wrong', async ({ studio }) => {
    await studio.signIn();
    const { documentId } = await make('Compared');
    const page = await studio.open(`#/content/articles/${documentId}`);
    await page.getByLabel(/^Title/).fill('ab');
    await page.getByRole('tab', { name: 'Compare' }).click();
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await expect.poll(() => page.getByLabel(/^Title/).evaluate((input) => input === document.activeElement)).toBe(true);
  });

  test('creates a document once, and saves it once, where responses are lost', async ({ studio }) => {
    await studio.signIn();
    studio.allow(/ERR_FAILED/);
    const title = unique('Lost');
    const page = await studio.open('#/content/articles/new');
    let isLost = true;
    await page.route('**/api/articles**', async (route) => {
      if (route.request().method() === 'GET' || !isLost) return route.continue();
      isLost = false;
      await route.fetch();
      await route.abort();
    });
    await page.getByLabel(/^Title/).fill(title);
    await page.keyboard.press('Control+s');
    await page.getByText('The server cannot be reached.').first().waitFor();
    await page.keyboard.press('Control+s');
    await page.waitForURL(/articles\/[a-z0-9]{24}/);
    expect((await api('GET', `/api/articles?status=draft&filters[title]=${title}`)).data).toHaveLength(1);
    isLost = true;
    await page.getByLabel('Summary').fill('Once.');
    await page.keyboard.press('Control+s');
    await expect.poll(() => isLost).toBe(false);
    await page.keyboard.press('Control+s');
    await page.getByText('There is nothing to save').waitFor();
  });

  test('publishes an editor as it is, without the line that the key would insert', async ({ studio }) => {
    await studio.signIn();
    const { documentId } = await make('Editor', { body: 'one' }, '?status=draft');
    const page = await studio.open(`#/content/articles/${documentId}`);
    await page.getByRole('textbox', { name: 'Body' }).click();
    await page.keyboard.press('End');
    await page.keyboard.type(' two');
    await page.keyboard.press('Control+Enter');
    await page.locator('.toast', { hasText: 'Published' }).waitFor();
    expect((await api('GET', `/api/articles/${documentId}`)).data.body).toBe('one two');
  });

  test('names the locales of a document that is not in this one, and rejects a locale that is none', async ({
    studio,
  }) => {
    await studio.signIn();
    const { documentId } = await make('Français', {}, '?locale=fr');
    const page = await studio.open(`#/content/articles/${documentId}`);
    await page.getByText('It is there in fr.').waitFor();
    await studio.open(`#/content/articles/${documentId}?locale=xx`);
    await page.getByText('There is no such document').waitFor();
    await page.getByRole('link', { name: 'To the list' }).click();
    await page.getByRole('table').waitFor();
    await studio.open('#/content/articles/new');
    await page.getByLabel(/^Title/).fill('Moved');
    await page.getByLabel('Locale', { exact: true }).selectOption('fr');
    await page.waitForURL(/locale=fr/);
    expect(await page.getByLabel(/^Title/).inputValue()).toBe('Moved');
  });

  test('is published by who may only publish', async ({ studio }) => {
    const { documentId } = await make('Approved', {}, '?status=draft');
    await studio.signIn(await accountOf('publisher'));
    const page = await studio.open(`#/content/articles/${documentId}`);
    expect(await page.getByLabel(/^Title/).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.locator('.toast', { hasText: 'Published' }).waitFor();
    expect((await api('GET', `/api/articles/${documentId}`)).data.documentId).toBe(documentId);
  });
});
