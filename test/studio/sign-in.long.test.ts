/**
 * @module Signing in to Studio, and out.
 */
import { describe, expect } from 'vitest';
import type { Page, Request } from '../clients/browser.ts';
import { accountOf, api, test, unique } from './fixture.ts';
import type { Account } from './sign-in.ts';

describe('the link of npm run dev', () => {
  test('signs in, and leaves its secret nowhere', async ({ studio }) => {
    const sent: unknown[] = [];
    await studio.page.route('**/_dev/sign-in', (route) => {
      sent.push([route.request().method(), route.request().postData(), route.request().headers().authorization]);
      return route.fulfill({ json: { token: studio.token } });
    });
    const page = await studio.open('#sign-in=a-secret_of-43-characters');
    await page.getByRole('link', { name: 'Articles', exact: true }).first().waitFor();
    expect(sent).toEqual([['POST', 'a-secret_of-43-characters', undefined]]);
    expect(page.url()).toBe(`${studio.url}/studio/#/`);
    expect(await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]))).not.toContain(
      'a-secret',
    );
    await page.goBack();
    expect(page.url()).not.toContain('a-secret');
  });

  test('signs in where Studio is open already', async ({ studio }) => {
    await studio.page.route('**/_dev/sign-in', (route) => route.fulfill({ json: { token: studio.token } }));
    const page = await studio.open('#/');
    await page.getByLabel('Password').waitFor();
    await page.evaluate(() => {
      location.hash = '#sign-in=a-secret_of-43-characters';
    });
    await page.getByRole('link', { name: 'Articles', exact: true }).first().waitFor();
    expect(page.url()).toBe(`${studio.url}/studio/#/`);
    await page.goBack();
    expect(page.url()).not.toContain('a-secret');
  });

  test('that was used says so', async ({ studio }) => {
    studio.allow(/_dev\/sign-in/);
    const page = await studio.open('#sign-in=used');
    await page.getByRole('alert').getByText('This link has been used').waitFor();
    expect(await studio.axe()).toEqual([]);
  });

  test('that was used signs nobody out', async ({ studio }) => {
    studio.allow(/_dev\/sign-in/);
    await studio.signIn();
    const page = await studio.open('#sign-in=used');
    await page.getByRole('link', { name: 'Articles', exact: true }).first().waitFor();
  });
});

const signedIn = (account: Account) => ({
  json: { jwt: account.jwt, refreshToken: account.refreshToken, user: account },
});

describe('a provider', () => {
  test('signs in, with the verifier of this browser, and leaves its token nowhere', async ({ studio }) => {
    const account = await accountOf('editor');
    const asked: URL[] = [];
    await studio.page.route('**/api/connect/company?*', (route) => {
      const url = new URL(route.request().url());
      asked.push(url);
      const location = `${url.searchParams.get('callback')}&access_token=a-one-time-token`;
      return route.fulfill({ status: 302, headers: { location } });
    });
    await studio.page.route('**/api/auth/company/callback?*', (route) => {
      asked.push(new URL(route.request().url()));
      return route.fulfill(signedIn(account));
    });
    const page = await studio.open('#/media');
    expect(await studio.axe()).toEqual([]);
    await page.getByRole('button', { name: 'Continue with Company' }).click();
    await page.getByRole('link', { name: 'Articles', exact: true }).first().waitFor();
    const [gone, back] = asked.map(({ searchParams }) => searchParams);
    expect(gone?.get('callback')).toMatch(/\/studio\/\?begun=[\w-]{43}$/);
    const verifier = new TextEncoder().encode(back?.get('code_verifier') ?? '');
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', verifier)).toString('base64url');
    expect(gone?.get('code_challenge')).toBe(digest);
    expect(back?.get('access_token')).toBe('a-one-time-token');
    expect(page.url()).toBe(`${studio.url}/studio/#/media`);
    const kept = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
    expect(kept).not.toMatch(/a-one-time-token|studio\.provider/);
  });

  test('that this browser did not leave for signs nobody in', async ({ studio }) => {
    let exchanges = 0;
    await studio.page.route('**/api/auth/company/callback?*', (route) => {
      exchanges += 1;
      return route.abort();
    });
    for (const query of ['access_token=of-an-attacker', 'error=x&error_description=Call+this+number']) {
      await studio.page.goto(`${studio.url}/studio/?${query}`);
      await studio.page.getByLabel('Password').waitFor();
      expect(await studio.page.getByRole('alert').count()).toBe(0);
      expect(studio.page.url()).not.toContain('?');
    }
    expect(exchanges).toBe(0);
  });

  test('that fails says why', async ({ studio }) => {
    await studio.page.route('**/api/connect/company?*', (route) => {
      const callback = new URL(route.request().url()).searchParams.get('callback');
      const location = `${callback}&error=access_denied&error_description=The+person+said+no`;
      return route.fulfill({ status: 302, headers: { location } });
    });
    const page = await studio.open();
    await page.getByRole('button', { name: 'Continue with Company' }).click();
    await page.getByRole('alert').getByText('The provider did not sign you in: The person said no').waitFor();
    expect(await studio.axe()).toEqual([]);
  });
});

describe('Cloudflare Access', () => {
  /** Serves the page as a build with `access` does; returns the requests for a sign-in. */
  async function behindAccess({ page }: { readonly page: Page }, reply: () => object) {
    await page.route('**/studio/', async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace('"studio-access" content=""', '"studio-access" content="access"');
      return route.fulfill({ response, body });
    });
    const requests: Request[] = [];
    await page.route('**/api/auth/access', (route) => {
      requests.push(route.request());
      return route.fulfill(reply());
    });
    return requests;
  }

  test('signs in unasked, once in a tab, and a sign-out lasts', async ({ studio }) => {
    // A sign-out ends the session of the first one.
    const [account, again] = [await accountOf('editor'), await accountOf('editor')];
    const accounts = [account, again];
    const requests = await behindAccess(studio, () => signedIn(accounts.shift() ?? again));
    const page = await studio.open('#/media');
    await page.getByText(account.username).waitFor();
    expect(page.url()).toBe(`${studio.url}/studio/#/media`);
    expect(requests.map((each) => [each.method(), each.postData(), each.headers().authorization])).toEqual([
      ['POST', null, undefined],
    ]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Password').waitFor();
    await page.reload();
    await page.getByLabel('Password').waitFor();
    expect(requests).toHaveLength(1);
    expect(await studio.axe()).toEqual([]);
    await page.getByRole('button', { name: 'Continue with Cloudflare Access' }).click();
    await page.getByText(again.username).waitFor();
    expect(requests).toHaveLength(2);
  });

  test('that lets nobody in leaves the form, with the reason', async ({ studio }) => {
    const message = 'No user has the address ann@example.com';
    const json = { data: null, error: { status: 400, name: 'ApplicationError', message, details: {} } };
    const requests = await behindAccess(studio, () => ({ status: 400, json }));
    const page = await studio.open();
    await page.getByRole('alert').getByText(`The provider did not sign you in: ${message}`).waitFor();
    await page.getByLabel('Password').waitFor();
    await page.reload();
    await page.getByLabel('Password').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(requests).toHaveLength(1);
  });
});

describe('signing in', () => {
  test('takes an account, keeps its token out of the address, and forgets it', async ({ studio }) => {
    const { username, password, jwt } = await accountOf('editor');
    const page = await studio.open();
    await page.getByLabel('User name or e-mail address').fill(username);
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Invalid identifier or password').waitFor();
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('link', { name: 'Articles', exact: true }).first().waitFor();
    expect(page.url()).not.toContain(jwt.slice(0, 20));
    expect(await page.evaluate(() => [JSON.stringify(localStorage), document.cookie])).toEqual(['{}', '']);
    await page.reload();
    await page.getByText(username).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Password').waitFor();
    expect(await page.evaluate(() => sessionStorage.getItem('studio.session'))).toBeNull();
  });

  test('refuses a token that is none, and lets visitors see what the public may', async ({ studio }) => {
    const page = await studio.open();
    await page.getByRole('tab', { name: 'API token' }).click();
    await page.locator('input[name=token]').fill('no token');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('This token is not valid here.').waitFor();
    await page.getByRole('button', { name: 'Look around without signing in' }).click();
    await page.getByRole('link', { name: 'Articles', exact: true }).first().waitFor();
    expect(await page.getByRole('link', { name: 'Media' }).count()).toBe(0);
    await page.goto(`${studio.url}/studio/#/content/articles`);
    await page.getByRole('heading', { name: 'Articles' }).waitFor();
    expect(await page.getByRole('link', { name: 'New' }).count()).toBe(0);
  });

  test('replaces no session that was begun while the server looked', async ({ studio }) => {
    const { username, password } = await accountOf('editor');
    const page = await studio.open();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/auth/local', async (route) => {
      const response = await route.fetch();
      await held;
      await route.fulfill({ response });
    });
    await page.getByLabel('User name or e-mail address').fill(username);
    await page.getByLabel('Password').fill(password);
    const sent = page.waitForRequest('**/api/auth/local');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await sent;
    await page.getByRole('button', { name: 'Look around without signing in' }).click();
    await page.getByRole('link', { name: 'Articles', exact: true }).first().waitFor();
    const answered = page.waitForResponse('**/api/auth/local');
    release();
    await answered;
    await page.getByRole('link', { name: 'Articles', exact: true }).first().click();
    await page.getByRole('heading', { name: 'Articles' }).waitFor();
    expect(await page.evaluate(() => JSON.parse(sessionStorage.getItem('studio.session') ?? '').id)).toBe('');
  });

  test('holds for all tabs of the device where one asks for it, until one of them signs out', async ({ studio }) => {
    const page = await studio.open();
    await page.getByRole('tab', { name: 'API token' }).click();
    await page.locator('input[name=token]').fill(studio.token);
    await page.getByRole('checkbox', { name: 'Stay signed in on this device' }).check();
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('link', { name: 'Media' }).waitFor();
    const other = await studio.newTab('#/media');
    await other.getByRole('heading', { name: 'Media' }).waitFor();
    await other.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Password').waitFor();
    expect(await page.evaluate(() => [localStorage.length, sessionStorage.getItem('studio.session')])).toEqual([
      0,
      null,
    ]);
    await page.reload();
    await page.getByLabel('Password').waitFor();
  });

  test('shows the whole name, however long it is', async ({ studio }) => {
    const name = unique('Wilhelmina-Featherstonehaugh-Cholmondeley');
    await studio.signIn(await accountOf('editor', name));
    const page = await studio.open();
    const box = async (selector: string) => page.locator(selector).boundingBox();
    await page.locator('.side > footer').getByText(name).waitFor();
    const [shown, side] = [await box('.side > footer a > .avatar + span'), await box('.side')];
    expect((shown?.x ?? 0) + (shown?.width ?? 0)).toBeLessThan(side?.width ?? 0);
    // More lines than one.
    expect(shown?.height).toBeGreaterThan(30);
  });

  test('holds for all tabs of a user who is renamed in one of them', async ({ studio }) => {
    const { username, password } = await accountOf('manager');
    const page = await studio.open('#/account');
    await page.getByLabel('User name or e-mail address').fill(username);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('checkbox', { name: 'Stay signed in on this device' }).check();
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('this one').waitFor();
    const other = await studio.newTab('#/people');
    await other.getByRole('link', { name: username }).first().waitFor();
    await page.getByLabel('User name').fill(`${username}-2`);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await other
      .getByRole('link', { name: `${username}-2` })
      .first()
      .waitFor();
    await other.getByRole('heading', { name: 'Users' }).waitFor();
  });

  test('keeps the lists of each token apart', async ({ studio }) => {
    await api('POST', '/api/tags', { data: { name: unique('Kept') } });
    const page = await studio.open('#/content/tags');
    const { jwt } = await accountOf('reader');
    const signIn = async (token: string) => {
      await page.getByRole('tab', { name: 'API token' }).click();
      // The other panel stays until its animation has ended.
      const panel = page.getByRole('tabpanel', { name: 'API token' });
      await panel.getByLabel('API token').fill(token);
      await panel.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('link', { name: 'Authors', exact: true }).click();
      await page.getByRole('link', { name: 'Tags', exact: true }).click();
      await page.getByRole('heading', { name: 'Tag' }).waitFor();
      await page.waitForLoadState('networkidle');
      return decodeURIComponent(page.url());
    };
    await signIn(studio.token);
    await page.goto(`${studio.url}/studio/#/content/tags`);
    await page.getByLabel('Documents on a page').selectOption('50 per page');
    await expect.poll(() => decodeURIComponent(page.url())).toContain('limit');
    for (const [token, isKept] of [
      [jwt, false],
      [studio.token, true],
    ] as const) {
      await page.getByRole('button', { name: 'Sign out' }).click();
      expect({ isKept, address: await signIn(token) }).toEqual({
        isKept,
        address: isKept ? expect.stringContaining('limit') : expect.not.stringContaining('limit'),
      });
    }
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(studio.token.slice(0, 8));
  });

  test('holds for a new tab where the refresh token is in a cookie', async ({ studio }) => {
    const { username, password } = await accountOf('editor');
    const page = await studio.open();
    // As with users.sessions.httpOnly.
    await page.route('**/api/auth/local', (route) =>
      route.continue({ headers: { ...route.request().headers(), 'x-strapi-refresh-cookie': 'httpOnly' } }),
    );
    await page.getByLabel('User name or e-mail address').fill(username);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Media' }).waitFor();
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('refresh');
    await page.evaluate(() => {
      const session = JSON.parse(localStorage.getItem('studio.session') ?? '');
      const expired = session.token.replace(/\.[^.]*$/, '.expired');
      localStorage.setItem('studio.session', JSON.stringify({ ...session, token: expired }));
    });
    const other = await studio.newTab('#/media');
    await other.getByRole('heading', { name: 'Media' }).waitFor();
    await other.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Password').waitFor();
  });
});

describe('a forgotten password', () => {
  test('is replaced by the link in a message, and nothing tells who has an account', async ({ studio }) => {
    const { username } = await accountOf('editor');
    const page = await studio.open();
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
    const told: (string | null)[] = [];
    for (const email of ['nobody@example.com', `${username}@example.com`]) {
      await page.getByLabel('E-mail address').fill(email);
      await page.getByRole('button', { name: 'Send the link' }).click();
      told.push(await page.getByRole('status').textContent());
      expect(await studio.axe()).toEqual([]);
      await page.reload();
    }
    expect(new Set(told).size).toBe(1);
    const link = await studio.linkTo(`${username}@example.com`);
    await studio.open(new URL(link).hash);
    await page.getByLabel('New password').fill('a third long secret');
    await page.getByLabel('Repeat the password').fill('a third long secret');
    await page.getByRole('button', { name: 'Save and sign in' }).click();
    await page.getByText(username).waitFor();
    expect(page.url()).not.toContain('code');
    await api('POST', '/api/auth/local', { identifier: username, password: 'a third long secret' }, '');

    await studio.open(new URL(link).hash);
    await page.getByLabel('New password').fill('a fourth long secret');
    await page.getByLabel('Repeat the password').fill('a fourth long secret');
    await page.getByRole('button', { name: 'Save and sign in' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByRole('link', { name: 'Ask for another one' }).click();
    await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
  });
});
