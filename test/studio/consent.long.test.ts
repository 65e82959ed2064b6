/**
 * @module Consent: a client asks for access by OAuth, and a person allows it, or less, or denies it.
 */
import { describe, expect } from 'vitest';
import { accountOf, type Studio, test, unique } from './fixture.ts';

const TODAY = new Date().toISOString();
const REDIRECT = 'https://agent.example/callback';

const asked = {
  client: { id: 'https://agent.example/client.json', host: 'agent.example', name: 'An Agent', isLoopback: false },
  redirect: { host: 'agent.example', isLoopback: false, scheme: 'https' },
  levels: ['read', 'drafts', 'write'],
  types: [
    { uid: 'api::article.article', name: 'articles', displayName: 'Article', levels: ['read', 'drafts', 'write'] },
    { uid: 'api::tag.tag', name: 'tags', displayName: 'Tag', levels: ['read', 'write'] },
  ],
};

const hashOf = (parameters: Readonly<Record<string, string>> = {}) =>
  `#/connect?${new URLSearchParams({
    response_type: 'code',
    client_id: asked.client.id,
    redirect_uri: REDIRECT,
    code_challenge: 'a-challenge',
    code_challenge_method: 'S256',
    state: 'a-state',
    unknown: 'x',
    ...parameters,
  })}`;

// biome-ignore lint/suspicious/noExplicitAny: bodies of any form
type Json = any;

/** The server, until it is there. */
async function stub({ page }: Studio, data: object = asked, location = `${REDIRECT}?code=a-code`) {
  const posts: Json[] = [];
  for (const path of ['request', 'consent'])
    await page.route(`**/api/auth/oauth/${path}`, (route) => {
      posts.push([path, route.request().postDataJSON(), route.request().headers().authorization]);
      return route.fulfill({ json: { data: path === 'request' ? data : { location } } });
    });
  await page.route('https://agent.example/**', (route) => route.fulfill({ body: 'The client' }));
  return posts;
}

const press = ({ page }: Studio, name: string) => page.getByRole('button', { name, exact: true }).click();

describe('a person who is asked for consent', () => {
  test('allows reading and drafts at first, sees who asks, and is led back', async ({ studio }) => {
    const account = await accountOf('editor');
    const posts = await stub(studio);
    await studio.signIn(account);
    const page = await studio.open(hashOf());
    await page.getByRole('heading', { name: 'Connect agent.example?' }).waitFor();
    expect(await page.locator('main').textContent()).toContain(account.username);
    expect(await studio.axe()).toEqual([]);
    await press(studio, 'Allow');
    await page.waitForURL(`${REDIRECT}?code=a-code`);
    const body = {
      responseType: 'code',
      clientId: asked.client.id,
      redirectUri: REDIRECT,
      codeChallenge: 'a-challenge',
      codeChallengeMethod: 'S256',
      state: 'a-state',
    };
    const credential = `Bearer ${account.jwt}`;
    expect(posts).toEqual([
      ['request', body, credential],
      ['consent', { ...body, level: 'drafts', types: null }, credential],
    ]);
  });

  test('narrows it to a level and to types, which say where it is less', async ({ studio }) => {
    const posts = await stub(studio);
    await studio.signIn(await accountOf('editor'));
    const page = await studio.open(hashOf());
    await page.getByRole('radio', { name: 'Chosen content types' }).check();
    await expect.poll(() => page.getByRole('button', { name: 'Allow' }).isDisabled()).toBe(true);
    await page.getByRole('checkbox', { name: 'Tag (reading alone)' }).check();
    expect(await studio.axe()).toEqual([]);
    await page.getByRole('radio', { name: 'Read content', exact: false }).first().check();
    await page.getByRole('checkbox', { name: 'Tag', exact: true }).waitFor();
    await press(studio, 'Allow');
    await page.waitForURL(`${REDIRECT}?code=a-code`);
    expect(posts[1][1]).toMatchObject({ level: 'read', types: ['api::tag.tag'] });
  });

  test('denies it', async ({ studio }) => {
    const posts = await stub(studio, asked, `${REDIRECT}?error=access_denied`);
    await studio.signIn(await accountOf('editor'));
    const page = await studio.open(hashOf());
    await press(studio, 'Deny');
    await page.waitForURL(`${REDIRECT}?error=access_denied`);
    expect(posts[1][1]).toMatchObject({ isDenied: true });
    expect(posts[1][1]).not.toHaveProperty('level');
  });

  test('answers once with two clicks', async ({ studio }) => {
    const posts = await stub(studio);
    await studio.signIn(await accountOf('editor'));
    const page = await studio.open(hashOf());
    const allow = page.getByRole('button', { name: 'Allow' });
    await expect.poll(() => allow.isEnabled()).toBe(true);
    await allow.evaluate((button: HTMLButtonElement) => {
      button.click();
      button.click();
    });
    await page.waitForURL(`${REDIRECT}?code=a-code`);
    expect(posts.map(([path]) => path)).toEqual(['request', 'consent']);
  });

  test('answers nothing with a click while another window was over this one', async ({ studio }) => {
    await stub(studio);
    await studio.signIn(await accountOf('editor'));
    const page = await studio.open(hashOf());
    const allow = page.getByRole('button', { name: 'Allow' });
    await expect.poll(() => allow.isEnabled()).toBe(true);
    const isEnabled = await allow.evaluate(async (button: HTMLButtonElement) => {
      window.dispatchEvent(new Event('blur'));
      window.dispatchEvent(new Event('focus'));
      await Promise.resolve();
      return !button.disabled;
    });
    expect(isEnabled).toBe(false);
    await expect.poll(() => allow.isEnabled()).toBe(true);
  });
});

describe('the page of consent', () => {
  test('follows no address with another scheme than that of the request', async ({ studio }) => {
    const hostile = [
      ['javascript:document.title="owned"', 'javascript:void 0'],
      ['javascript:document.title="owned"', REDIRECT],
      ['data:text/html,owned', 'data:text/html,x'],
      ['vscode:owned', 'vscode:x'],
    ] as const;
    const account = await accountOf('editor');
    await studio.signIn(account);
    for (const [location, redirect] of hostile) {
      await studio.page.unrouteAll();
      await stub(studio, asked, location);
      await studio.page.goto(studio.site);
      const page = await studio.open(hashOf({ redirect_uri: redirect }));
      await press(studio, 'Allow');
      await page.getByText('The address of the client is not one to follow.').waitFor();
      expect(page.url()).toContain(studio.url);
      expect(await page.title()).not.toBe('owned');
    }
  });

  test('stays empty in a frame', async ({ studio }) => {
    studio.allow(/frame-ancestors|'sessionStorage'/);
    await stub(studio);
    await studio.signIn(await accountOf('editor'));
    const { page } = studio;
    await page.goto(studio.site);
    await page.evaluate((src) => {
      const frame = document.createElement('iframe');
      frame.src = src;
      document.body.replaceChildren(frame);
      return new Promise((resolve) => {
        frame.onload = resolve;
      });
    }, `${studio.url}/studio/${hashOf()}`);
    const frame = page.frames()[1];
    expect(await frame?.evaluate(() => [document.body.children.length, location.protocol])).toEqual([
      0,
      'chrome-error:',
    ]);
  });

  test('warns of programs on this computer', async ({ studio }) => {
    await stub(studio, { ...asked, redirect: { host: '127.0.0.1:9999', isLoopback: true, scheme: 'http' } });
    await studio.signIn(await accountOf('editor'));
    const page = await studio.open(hashOf());
    await page.getByText('any program here can call itself this').waitFor();
    await page.getByText('127.0.0.1:9999').waitFor();
    expect(await studio.axe()).toEqual([]);
  });

  test('leads back after a mistake of the client only by a click', async ({ studio }) => {
    const location = `${REDIRECT}?error=invalid_scope&error_description=No+known+scope`;
    await stub(studio, { location });
    await studio.signIn(await accountOf('editor'));
    const page = await studio.open(hashOf());
    await page.getByText('The client has made a mistake: No known scope').waitFor();
    expect(await studio.axe()).toEqual([]);
    await press(studio, 'Back to the client');
    await page.waitForURL(location);
  });

  test('says what is wrong, and offers nothing to allow', async ({ studio }) => {
    await studio.signIn(await accountOf('editor'));
    const { page } = studio;
    await page.route('**/api/auth/oauth/request', (route) =>
      route.fulfill({
        status: 400,
        json: { data: null, error: { message: 'The redirect is not that of the client' } },
      }),
    );
    await studio.open(hashOf());
    await page.getByRole('alert').getByText('The redirect is not that of the client').waitFor();
    expect(await page.getByRole('button', { name: 'Allow' }).count()).toBe(0);
    expect(await studio.axe()).toEqual([]);
  });
});

describe('who is not signed in', () => {
  test('signs in first, and comes to the same request', async ({ studio }) => {
    const posts = await stub(studio);
    const account = await accountOf('editor', unique('agnes'));
    const page = await studio.open(hashOf());
    await page.getByRole('heading', { name: 'Sign in to connect a client' }).waitFor();
    expect(posts).toEqual([]);
    expect(await studio.axe()).toEqual([]);
    await page.getByLabel('User name or e-mail address').fill(account.username);
    await page.getByLabel('Password').fill(account.password);
    await press(studio, 'Sign in');
    await page.getByRole('heading', { name: 'Connect agent.example?' }).waitFor();
    expect(posts[0][1]).toMatchObject({ state: 'a-state' });
    await press(studio, 'Another account');
    await page.getByRole('heading', { name: 'Sign in to connect a client' }).waitFor();
    expect(await page.evaluate(() => sessionStorage.getItem('studio.session'))).toBeNull();
  });

  test('comes to the same request by a provider', async ({ studio }) => {
    const account = await accountOf('editor');
    await stub(studio);
    const { page } = studio;
    await page.route('**/api/connect/company?*', (route) => {
      const callback = new URL(route.request().url()).searchParams.get('callback');
      return route.fulfill({ status: 302, headers: { location: `${callback}&access_token=a-one-time-token` } });
    });
    await page.route('**/api/auth/company/callback?*', (route) =>
      route.fulfill({ json: { jwt: account.jwt, refreshToken: account.refreshToken, user: account } }),
    );
    await studio.open(hashOf());
    await press(studio, 'Continue with Company');
    await page.getByRole('heading', { name: 'Connect agent.example?' }).waitFor();
    expect(page.url()).toBe(`${studio.url}/studio/${hashOf()}`);
  });

  test('comes to the same request by a new password, in the tab of the message', async ({ studio }) => {
    const { username } = await accountOf('editor');
    await stub(studio);
    const page = await studio.open(hashOf());
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
    await page.getByLabel('E-mail address').fill(`${username}@example.com`);
    await press(studio, 'Send the link');
    const link = await studio.linkTo(`${username}@example.com`);
    await page.getByRole('link', { name: 'To the sign-in' }).click();
    await page.getByRole('heading', { name: 'Sign in to connect a client' }).waitFor();
    await studio.open(new URL(link).hash);
    await page.getByLabel('New password').fill('a third long secret');
    await page.getByLabel('Repeat the password').fill('a third long secret');
    await press(studio, 'Save and sign in');
    await page.getByRole('heading', { name: 'Connect agent.example?' }).waitFor();
    expect(await page.evaluate(() => localStorage.getItem('studio.wanted'))).toBeNull();
  });

  test('with an API token signs in with an account', async ({ studio }) => {
    const posts = await stub(studio);
    await studio.signIn();
    const page = await studio.open(hashOf());
    await page.getByText('With an API token, no client is connected.').waitFor();
    await page.getByLabel('Password').waitFor();
    expect(posts).toEqual([]);
    expect(await studio.axe()).toEqual([]);
  });
});

describe('the own account', () => {
  test('lists the clients that are connected, and ends one after a question', async ({ studio }) => {
    let grants = [
      {
        id: 'a',
        host: 'agent.example',
        name: 'An Agent',
        level: 'read',
        types: ['api::tag.tag'],
        createdAt: TODAY,
        lastUsedAt: TODAY,
      },
      {
        id: 'b',
        host: 'other.example',
        name: 'Other',
        level: 'write',
        types: null,
        createdAt: TODAY,
        lastUsedAt: null,
      },
    ];
    const { page } = studio;
    await page.route('**/openapi.json', async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      await route.fulfill({
        response,
        json: { ...json, paths: { ...json.paths, '/api/auth/oauth/grants': { get: {} } } },
      });
    });
    await page.route('**/api/auth/oauth/grants', (route) => route.fulfill({ json: { data: grants } }));
    await page.route('**/api/auth/oauth/grants/b', (route) => {
      grants = grants.filter(({ id }) => id !== 'b');
      return route.fulfill({ json: { data: {} } });
    });
    await studio.signIn(await accountOf('editor'));
    await studio.open('#/account');
    await page.getByText('Read content: Tags').waitFor();
    await page.getByText('All that you may do with content: All content types').waitFor();
    expect(await studio.axe()).toEqual([]);
    await press(studio, 'Disconnect other.example');
    await page
      .getByRole('dialog', { name: 'Disconnect other.example?' })
      .getByRole('button', { name: 'Disconnect' })
      .click();
    await page.getByText('other.example').waitFor({ state: 'detached' });
    expect(await page.getByText('agent.example').count()).toBe(1);
  });
});
