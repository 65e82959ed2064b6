/**
 * @module Sessions of users: access tokens that expire, and sessions that end.
 */
import { describe, expect } from 'vitest';
import type { Page, Request, Response } from '../clients/browser.ts';
import { accountOf, api, test, unique } from './fixture.ts';

const sessionOf = (page: Page) => page.evaluate(() => JSON.parse(sessionStorage.getItem('studio.session') ?? 'null'));

describe('a session', () => {
  test('goes on after its access token has expired, in all its tabs, until one signs out', async ({ studio }) => {
    const account = await accountOf('editor');
    await studio.signIn(account);
    const page = await studio.open('#/content/tags');
    const opened = page.waitForEvent('popup');
    await page.evaluate(() => void window.open(location.href));
    const duplicate = await opened;
    await duplicate.getByRole('heading', { name: 'Tag' }).waitFor();
    await page.evaluate(() => {
      const session = JSON.parse(sessionStorage.getItem('studio.session') ?? '');
      sessionStorage.setItem('studio.session', JSON.stringify({ ...session, token: 'expired' }));
    });
    await page.reload();
    await page.getByRole('heading', { name: 'Tag' }).waitFor();
    const { refreshToken } = await sessionOf(page);
    expect(refreshToken).not.toBe(account.refreshToken);
    await expect.poll(async () => (await sessionOf(duplicate)).refreshToken).toBe(refreshToken);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Password').waitFor();
    await expect(api('POST', '/api/auth/refresh', { refreshToken }, '')).rejects.toThrow('401');
  });

  test('of another user runs no upload that still waits, and shows nothing of the former one', async ({ studio }) => {
    const [first, second] = [await accountOf('editor'), await accountOf('editor')];
    await studio.signIn(first);
    const page = await studio.open('#/media');
    const senders: string[] = [];
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/api\/upload$/, async (route) => {
      senders.push(route.request().headers().authorization ?? '');
      await held;
      await route.continue().catch(() => {});
    });
    const files = [1, 2, 3, 4, 5].map((number) => ({
      name: `${unique('waits')}-${number}.txt`,
      mimeType: 'text/plain',
      buffer: Buffer.from('words'),
    }));
    await page.getByRole('main').locator('input[type=file]').setInputFiles(files);
    await expect.poll(() => senders.length).toBe(3);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.locator('.toast', { hasText: '5 uploads were cut off' }).waitFor();
    await page.getByLabel('User name or e-mail address').fill(second.username);
    await page.getByLabel('Password').fill(second.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Media' }).waitFor();
    let answered = 0;
    page.on('response', (response) => {
      if (response.url().endsWith('/api/upload')) answered += 1;
    });
    release();
    await expect.poll(() => answered).toBe(3);
    await page.getByRole('link', { name: 'Authors', exact: true }).first().click();
    await page.getByRole('heading', { name: 'Authors' }).waitFor();
    expect(senders).toEqual(Array(3).fill(`Bearer ${first.jwt}`));
  });

  test('of who chooses a password by a link begins without what another user has read', async ({ studio }) => {
    const account = await accountOf('reader');
    await studio.signIn();
    const title = unique('Theirs');
    await api('POST', '/api/authors', { data: { name: title } });
    const page = await studio.open('#/content/authors');
    await page.getByRole('link', { name: title }).waitFor();
    await api('POST', '/api/auth/forgot-password', { email: `${account.username.toLowerCase()}@example.com` }, '');
    const link = await studio.linkTo(`${account.username.toLowerCase()}@example.com`);
    await page.evaluate((hash) => {
      location.hash = hash;
    }, new URL(link).hash);
    await page.getByLabel('New password').fill('another long secret');
    await page.getByLabel('Repeat the password').fill('another long secret');
    await page.getByRole('button', { name: 'Save and sign in' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByRole('button', { name: 'Requests of this page' }).click();
    const requests = await page.getByRole('dialog', { name: 'Requests of this page' }).textContent();
    expect(requests).toContain('/openapi.json');
    // What the list of authors has sent. The overview reads authors, too.
    expect(requests).not.toContain('sort=id:desc');
  });

  test('sends nothing that the former one has written, and is not ended by what is rejected late', async ({
    studio,
  }) => {
    const [first, second] = [await accountOf('editor'), await accountOf('editor')];
    const { data } = await api('POST', '/api/articles?status=draft', { data: { title: unique('Late') } });
    await studio.signIn(first);
    const page = await studio.open(`#/content/articles/${data.documentId}`);
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const senders: string[] = [];
    await page.route('**/api/articles/**', async (route) => {
      if (route.request().method() !== 'PUT') return route.continue();
      senders.push(route.request().headers().authorization ?? '');
      await held;
      await route.fulfill({ status: 401, json: { error: { message: 'Late' } } });
    });
    await page
      .getByLabel(/^Summary/)
      .first()
      .fill('Typed by the first.');
    await page.keyboard.press('Control+s');
    await page.keyboard.press('Control+s');
    await expect.poll(() => senders.length).toBe(1);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('User name or e-mail address').fill(second.username);
    await page.getByLabel('Password').fill(second.password);
    await page.keyboard.press('Enter');
    await page.getByLabel(/^Title/).waitFor();
    expect(await page.getByText('Your unsaved changes').count()).toBe(0);
    const refreshes: string[] = [];
    page.on('request', (request) => request.url().includes('/refresh') && refreshes.push(request.url()));
    const rejected = page.waitForResponse((response) => response.status() === 401);
    release();
    await rejected;
    await page.getByRole('link', { name: 'Authors', exact: true }).first().click();
    await page.getByRole('heading', { name: 'Authors' }).waitFor();
    expect([senders, refreshes]).toEqual([[`Bearer ${first.jwt}`], []]);
    expect((await sessionOf(page)).id).toBe(second.documentId);
  });

  const duplicate = async (page: Page) => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Duplicate' }).click();
  };
  /** By what it is: a request that is answered late, what starts it, and what would follow. */
  const LATE = {
    publication: {
      held: /^PUT/,
      follows: '/actions/publish',
      start: (page: Page) => page.keyboard.press('Control+Enter'),
    },
    duplication: { held: /^POST/, follows: 'locale=fr', start: duplicate },
    'save, for which it is read what another user has saved,': {
      held: /^GET .*\/history/,
      follows: '/api/articles',
      async start(page: Page) {
        const [path] = /articles\/\w+/.exec(page.url()) ?? [];
        // What is as it was in the end is nothing to ask about.
        for (const readingTime of [1, null]) await api('PUT', `/api/${path}?status=draft`, { data: { readingTime } });
        const isRead = (status: string) => (response: Response) =>
          response.request().method() === 'GET' && response.url().includes(`status=${status}`);
        const reads = ['draft', 'published'].map((status) => page.waitForResponse(isRead(status)));
        await page.keyboard.press('Control+s');
        await Promise.all(reads);
      },
    },
    'copy, whose unique values are looked for,': { held: /^GET .*\$or/, follows: '/api/articles', start: duplicate },
  };
  for (const [work, { held: late, follows, start }] of Object.entries(LATE))
    test(`goes on with no ${work} of the former one, whose requests it does not show`, async ({ studio }) => {
      const [first, second] = [await accountOf('editor'), await accountOf('editor')];
      const { data } = await api('POST', '/api/articles?status=draft', {
        data: { title: unique('Half'), slug: unique('half') },
      });
      await api('PUT', `/api/articles/${data.documentId}?status=draft&locale=fr`, { data: { title: 'Demi' } });
      await studio.signIn(first);
      const page = await studio.open(`#/content/articles/${data.documentId}`);
      let release = (): void => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const isLate = (request: Request) => late.test(`${request.method()} ${decodeURIComponent(request.url())}`);
      await page.route('**/api/articles**', async (route) => {
        if (!isLate(route.request())) return route.continue();
        const response = await route.fetch();
        await held;
        await route.fulfill({ response });
      });
      await page.getByLabel('Summary').fill('Typed by the first.');
      const sent = page.waitForRequest((request) => request.url().includes('articles') && isLate(request));
      await start(page);
      await sent;
      await page.evaluate(() => document.querySelector<HTMLElement>('[aria-label="Sign out"]')?.click());
      await page.getByLabel('User name or e-mail address').fill(second.username);
      await page.getByLabel('Password').fill(second.password);
      await page.keyboard.press('Enter');
      await page.getByLabel(/^Title/).waitFor();
      const following: string[] = [];
      page.on('request', (request) => {
        if (request.method() !== 'GET' && request.url().includes(follows)) following.push(request.url());
      });
      const answered = page.waitForResponse((response) => isLate(response.request()));
      release();
      await answered;
      await page.getByRole('link', { name: 'Authors', exact: true }).first().click();
      await page.getByRole('heading', { name: 'Authors' }).waitFor();
      expect(following).toEqual([]);
      await page.getByRole('button', { name: 'Requests of this page' }).click();
      const requests = await page.getByRole('dialog', { name: 'Requests of this page' }).textContent();
      expect(requests).not.toContain('Typed by the first.');
      expect(requests).not.toContain(work === 'publication' ? 'PUT' : 'alf-');
    });

  test('that ends during a first publication leaves what was typed since to the created document', async ({
    studio,
  }) => {
    const account = await accountOf('editor');
    const title = unique('Ended');
    await studio.signIn(account);
    const page = await studio.open('#/content/articles/new');
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const isCreation = (request: Request) => request.method() === 'POST' && request.url().includes('/api/articles');
    await page.route(/api\/articles(\?|$)/, async (route) => {
      if (!isCreation(route.request())) return route.continue();
      const response = await route.fetch();
      await held;
      await route.fulfill({ response });
    });
    await page.getByLabel(/^Title/).fill(title);
    const sent = page.waitForRequest(isCreation);
    await page.keyboard.press('Control+Enter');
    await sent;
    await page
      .getByLabel(/^Summary/)
      .first()
      .fill('typed meanwhile');
    await expect.poll(() => page.evaluate(() => JSON.stringify({ ...sessionStorage }))).toContain('typed meanwhile');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Password').waitFor();
    const answered = page.waitForResponse((response) => isCreation(response.request()));
    release();
    await answered;
    await page.getByLabel('User name or e-mail address').fill(account.username);
    await page.getByLabel('Password').fill(account.password);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Articles', exact: true }).first().click();
    await page.getByRole('row', { name: title }).getByText('Unsaved').waitFor();
    expect(await page.getByText('There is a new document that is not saved.').count()).toBe(0);
    await page.getByRole('link', { name: title }).click();
    await page.getByText('Your unsaved changes').waitFor();
    expect(await page.getByLabel('Summary').inputValue()).toBe('typed meanwhile');
  });

  test('is that of who has signed in, although the former one was changing the password', async ({ studio }) => {
    const [first, second] = [await accountOf('manager'), await accountOf('editor')];
    await studio.signIn(first);
    const page = await studio.open('#/account');
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/auth/change-password', async (route) => {
      const response = await route.fetch();
      await held;
      await route.fulfill({ response });
    });
    await page
      .locator('section', { hasText: 'Repeat the password' })
      .getByLabel('Current password')
      .fill(first.password);
    for (const label of ['New password', 'Repeat the password'])
      await page.getByLabel(label).fill('another long secret');
    const sent = page.waitForRequest('**/api/auth/change-password');
    await page.getByRole('button', { name: 'Change the password' }).click();
    await sent;
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('User name or e-mail address').fill(second.username);
    await page.getByLabel('Password').fill(second.password);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Articles', exact: true }).first().waitFor();
    const answered = page.waitForResponse('**/api/auth/change-password');
    release();
    await answered;
    await page.getByRole('link', { name: 'Articles', exact: true }).first().click();
    await page.getByRole('heading', { name: 'Articles' }).waitFor();
    expect((await sessionOf(page)).id).toBe(second.documentId);
  });

  test('is that of who has signed in, although the former one was choosing a password by a link', async ({
    studio,
  }) => {
    const [first, second] = [await accountOf('reader'), await accountOf('editor')];
    const email = `${first.username.toLowerCase()}@example.com`;
    await api('POST', '/api/auth/forgot-password', { email }, '');
    const page = await studio.open(new URL(await studio.linkTo(email)).hash);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/auth/reset-password', async (route) => {
      const response = await route.fetch();
      await held;
      await route.fulfill({ response });
    });
    for (const label of ['New password', 'Repeat the password'])
      await page.getByLabel(label).fill('another long secret');
    const sent = page.waitForRequest('**/api/auth/reset-password');
    await page.getByRole('button', { name: 'Save and sign in' }).click();
    await sent;
    await page.getByRole('link', { name: 'To the sign-in' }).click();
    await page.getByLabel('User name or e-mail address').fill(second.username);
    await page.getByLabel('Password').fill(second.password);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Articles', exact: true }).first().click();
    await page.getByRole('heading', { name: 'Articles' }).waitFor();
    const answered = page.waitForResponse('**/api/auth/reset-password');
    release();
    await answered;
    await page.getByRole('link', { name: 'Authors', exact: true }).first().click();
    await page.getByRole('heading', { name: 'Authors' }).waitFor();
    expect((await sessionOf(page)).id).toBe(second.documentId);
  });

  test('that ends during a save loses nothing: one signs in again, and saves', async ({ studio }) => {
    const account = await accountOf('editor');
    const { data } = await api('POST', '/api/articles?status=draft', { data: { title: unique('Expired') } });
    await studio.signIn(account);
    const page = await studio.open(`#/content/articles/${data.documentId}`);
    const requests = async () => {
      await page.getByRole('button', { name: 'Requests of this page' }).click();
      return page.getByRole('dialog', { name: 'Requests of this page' }).textContent();
    };
    await page.getByLabel('Summary').fill('Typed before.');
    const setAccessCode = async () => {
      await page.getByRole('button', { name: 'Set a new password: Access code' }).click();
      await page.getByLabel('Access code', { exact: true }).fill('open-sesame');
    };
    await setAccessCode();
    await api('POST', '/api/auth/logout', {}, account.jwt);
    await page.keyboard.press('Control+s');
    await page.getByLabel('User name or e-mail address').fill(account.username);
    await page.getByLabel('Password').fill(account.password);
    await page.keyboard.press('Enter');
    await page.getByText('Your unsaved changes').waitFor();
    expect(await page.getByLabel('Summary').inputValue()).toBe('Typed before.');
    expect(await requests()).not.toContain('Typed before.');
    await page.keyboard.press('Escape');
    await setAccessCode();
    await page.keyboard.press('Control+s');
    const summary = async () => (await api('GET', `/api/articles/${data.documentId}?status=draft`)).data.summary;
    await expect.poll(summary).toBe('Typed before.');
    const shown = await requests();
    expect(shown).toContain('Typed before.');
    expect(shown).not.toContain('sesame');
  });
});
