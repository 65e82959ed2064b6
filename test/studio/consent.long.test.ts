/**
 * @module Consent: a client asks for access by OAuth, and a person allows it, or less, or denies it.
 */
import { beforeAll, describe, expect } from 'vitest';
import { accountOf, api, type Studio, serverUrl, test, unique } from './fixture.ts';
import { askedBy, REDIRECT, registerClient, VERIFIER } from './oauth-client.ts';

const LOCAL = 'http://127.0.0.1:9/callback';
/** Schemes of apps: one that looks like a host, and that of an editor, which has no dot. */
const APPS = ['agent.example:/callback', 'cursor://anysphere.cursor-mcp/oauth/callback'];
/** With a text that is not the server's. */
const MARKED = `${REDIRECT}?error_description=Call+this+number`;

// biome-ignore lint/suspicious/noExplicitAny: responses of any form
type Json = any;

let clientId = '';

beforeAll(async () => {
  clientId = await registerClient(LOCAL, ...APPS, MARKED);
});

/** Where the client sends the browser. */
const addressOf = (parameters?: Readonly<Record<string, string>>) =>
  `${serverUrl}/oauth/authorize?${askedBy(clientId, parameters)}`;

/** Opens what a client asks for, whose own pages are there. */
async function ask({ page }: Studio, parameters?: Readonly<Record<string, string>>) {
  await page.route('https://agent.example/**', (route) => route.fulfill({ body: 'The client' }));
  await page.goto(addressOf(parameters));
  await page.locator('h1').first().waitFor();
  return page;
}

/** What came to the client. */
async function answerIn({ page }: Studio): Promise<URLSearchParams> {
  await page.waitForURL(`${REDIRECT}?**`);
  return new URL(page.url()).searchParams;
}

/** Exchanges what came to the client. */
async function redeem(answer: URLSearchParams): Promise<Json> {
  const body = { grant_type: 'authorization_code', client_id: clientId, redirect_uri: REDIRECT };
  const response = await fetch(`${serverUrl}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ ...body, code: answer.get('code') ?? '', code_verifier: VERIFIER }),
  });
  return response.json();
}

/** Returns what a tool finds, or its error. */
async function find(token: string, type: string): Promise<Json> {
  const params = { name: 'find', arguments: { type } };
  const { result } = await api('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, token);
  return result.structuredContent;
}

const press = ({ page }: Studio, name: string) => page.getByRole('button', { name, exact: true }).click();
const heading = ({ page }: Studio, name: string) => page.getByRole('heading', { name }).waitFor();
const allowIn = async ({ page }: Studio) => {
  const allow = page.getByRole('button', { name: 'Allow' });
  await expect.poll(() => allow.isEnabled()).toBe(true);
  return allow;
};

describe('a person who is asked for consent', () => {
  test('allows reading and drafts at first, sees who asks, and is led back', async ({ studio }) => {
    const account = await accountOf('editor');
    await studio.signIn(account);
    const page = await ask(studio);
    await heading(studio, 'Connect agent.example?');
    const shown = await page.locator('main').textContent();
    for (const words of [account.username, '“An Agent”', new URL(serverUrl).host]) expect(shown).toContain(words);
    expect(await studio.axe()).toEqual([]);
    await press(studio, 'Allow');
    const answer = await answerIn(studio);
    expect([answer.get('state'), answer.get('iss')]).toEqual(['a-state', serverUrl]);
    const { access_token: token, scope } = await redeem(answer);
    expect(scope).toBe('content:read content:drafts');
    expect((await find(token, 'articles')).data).toBeDefined();
  });

  test('narrows it to a level and to types, which say where it is less', async ({ studio }) => {
    await studio.signIn(await accountOf('clerk'));
    const page = await ask(studio);
    await page.getByRole('radio', { name: 'All that you may do with content' }).check();
    await page.getByRole('radio', { name: 'Chosen content types' }).check();
    await expect.poll(() => page.getByRole('button', { name: 'Allow' }).isDisabled()).toBe(true);
    await page.getByRole('checkbox', { name: 'Article (reading alone)' }).waitFor();
    await page.getByRole('checkbox', { name: 'Tag', exact: true }).check();
    expect(await studio.axe()).toEqual([]);
    await press(studio, 'Allow');
    const { access_token: token, scope } = await redeem(await answerIn(studio));
    expect(scope).toBe('content:read content:drafts content:write');
    expect((await find(token, 'tags')).data).toBeDefined();
    expect((await find(token, 'articles')).error).toBeDefined();
  });

  test('denies it', async ({ studio }) => {
    await studio.signIn(await accountOf('editor'));
    await ask(studio);
    await press(studio, 'Deny');
    const answer = await answerIn(studio);
    expect([answer.get('error'), answer.get('code')]).toEqual(['access_denied', null]);
  });

  test('answers once with two clicks', async ({ studio }) => {
    const posts: string[] = [];
    studio.page.on('request', (request) => posts.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await studio.signIn(await accountOf('editor'));
    await ask(studio);
    await (await allowIn(studio)).evaluate((button: HTMLButtonElement) => {
      button.click();
      button.click();
    });
    await answerIn(studio);
    expect(posts.filter((each) => each === 'POST /api/auth/oauth/consent')).toHaveLength(1);
  });

  test('answers nothing with a click while another window was over this one', async ({ studio }) => {
    await studio.signIn(await accountOf('editor'));
    await ask(studio);
    const allow = await allowIn(studio);
    const isEnabled = await allow.evaluate(async (button: HTMLButtonElement) => {
      window.dispatchEvent(new Event('blur'));
      window.dispatchEvent(new Event('focus'));
      await Promise.resolve();
      return !button.disabled;
    });
    expect(isEnabled).toBe(false);
    await allowIn(studio);
  });

  test('may allow no more than the role has', async ({ studio }) => {
    await studio.signIn(await accountOf('reader'));
    const page = await ask(studio);
    await page.getByRole('radio', { name: 'Read content' }).waitFor();
    expect(await page.locator('[name=level]').count()).toBe(1);
  });

  test('has nothing to allow without a right to content', async ({ studio }) => {
    await studio.signIn(await accountOf('host'));
    const page = await ask(studio);
    await page.getByText('You have no right to content that it asks for').waitFor();
    expect(await page.getByRole('button', { name: 'Allow' }).count()).toBe(0);
    await press(studio, 'Deny');
    expect((await answerIn(studio)).get('error')).toBe('access_denied');
  });
});

describe('the page of consent', () => {
  test('follows no address with another scheme than that of the request', async ({ studio }) => {
    const { page } = studio;
    await studio.signIn(await accountOf('editor'));
    for (const location of [
      'javascript:document.title="owned"',
      'data:text/html,owned',
      'vscode:owned',
      'com.example:x',
    ]) {
      // A server that is not ours, or not itself.
      await page.route('**/api/auth/oauth/consent', (route) => route.fulfill({ json: { data: { location } } }));
      await page.goto(studio.site);
      await ask(studio);
      await press(studio, 'Allow');
      await page.getByText('The address of the client is not one to follow.').waitFor();
      expect(page.url()).toContain(studio.url);
      expect(await page.title()).not.toBe('owned');
      await page.unroute('**/api/auth/oauth/consent');
    }
  });

  test('stays empty in a frame', async ({ studio }) => {
    studio.allow(/frame-ancestors|'sessionStorage'/);
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
    }, addressOf());
    const frame = page.frames()[1];
    expect(await frame?.evaluate(() => [document.body.children.length, location.protocol])).toEqual([
      0,
      'chrome-error:',
    ]);
  });

  test('warns of programs on this computer', async ({ studio }) => {
    await studio.signIn(await accountOf('editor'));
    const page = await ask(studio, { redirect_uri: LOCAL });
    await page.getByText('any program here can call itself this').waitFor();
    await page.getByText('127.0.0.1:9', { exact: true }).first().waitFor();
    expect(await studio.axe()).toEqual([]);
  });

  test('lets an app have the answer, and takes its scheme for no host', async ({ studio }) => {
    await studio.signIn(await accountOf('editor'));
    for (const redirect of APPS) {
      await studio.page.goto(studio.site);
      const page = await ask(studio, { redirect_uri: redirect });
      await heading(studio, 'Connect an app?');
      await page.getByText('other apps can call themselves this').waitFor();
      expect(await page.locator('main').textContent()).not.toMatch(/agent\.example asks|agent\.example\./);
      expect(await studio.axe()).toEqual([]);
      await press(studio, 'Allow');
      await heading(studio, 'Your answer is sent');
      expect(await page.getByRole('alert').count()).toBe(0);
    }
  });

  test('leads back after a mistake of the client only by a click', async ({ studio }) => {
    await studio.signIn(await accountOf('editor'));
    const page = await ask(studio, { scope: 'everything', redirect_uri: MARKED, constructor: 'x' });
    await page.getByText('The client has made a mistake: None of the scopes is known').waitFor();
    expect(await studio.axe()).toEqual([]);
    await press(studio, 'Back to the client');
    expect((await answerIn(studio)).get('error')).toBe('invalid_scope');
    await page.goto(`${studio.url}/studio/#/connect?${new URL(addressOf()).searchParams}&constructor=x`);
    await heading(studio, 'Connect agent.example?');
  });

  test('offers nothing to allow, and no way back, for a redirect of someone else', async ({ studio }) => {
    await studio.signIn(await accountOf('editor'));
    const page = await ask(studio, { redirect_uri: 'https://evil.example/callback' });
    await page.getByRole('alert').getByText('an address that is not one of its own').waitFor();
    expect(await page.getByRole('button', { name: /Allow|Back to the client/ }).count()).toBe(0);
    expect(await studio.axe()).toEqual([]);
  });
});

describe('who is not signed in', () => {
  test('signs in first, and comes to the same request', async ({ studio }) => {
    const account = await accountOf('editor', unique('agnes'));
    const page = await ask(studio);
    await heading(studio, 'Sign in to connect a client');
    expect(await studio.axe()).toEqual([]);
    await page.getByLabel('User name or e-mail address').fill(account.username);
    await page.getByLabel('Password').fill(account.password);
    await press(studio, 'Sign in');
    await heading(studio, 'Connect agent.example?');
    await press(studio, 'Another account');
    await heading(studio, 'Sign in to connect a client');
    expect(await page.evaluate(() => sessionStorage.getItem('studio.session'))).toBeNull();
  });

  test('comes to the same request by a provider', async ({ studio }) => {
    const account = await accountOf('editor');
    const { page } = studio;
    await page.route('**/api/connect/company?*', (route) => {
      const callback = new URL(route.request().url()).searchParams.get('callback');
      return route.fulfill({ status: 302, headers: { location: `${callback}&access_token=a-one-time-token` } });
    });
    await page.route('**/api/auth/company/callback?*', (route) =>
      route.fulfill({ json: { jwt: account.jwt, refreshToken: account.refreshToken, user: account } }),
    );
    await ask(studio);
    const address = page.url();
    await press(studio, 'Continue with Company');
    await heading(studio, 'Connect agent.example?');
    expect(page.url()).toBe(address);
  });

  test('comes to the same request by a new password, in the tab of the message', async ({ studio }) => {
    const { username } = await accountOf('editor');
    const page = await ask(studio);
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await heading(studio, 'Forgot your password?');
    await page.getByLabel('E-mail address').fill(`${username}@example.com`);
    await press(studio, 'Send the link');
    const link = await studio.linkTo(`${username}@example.com`);
    await page.getByRole('link', { name: 'To the sign-in' }).click();
    await heading(studio, 'Sign in to connect a client');
    await studio.open(new URL(link).hash);
    await page.getByLabel('New password').fill('a third long secret');
    await page.getByLabel('Repeat the password').fill('a third long secret');
    await press(studio, 'Save and sign in');
    await heading(studio, 'Connect agent.example?');
    expect(await page.evaluate(() => localStorage.getItem('studio.wanted'))).toBeNull();
  });

  test('with an API token signs in with an account', async ({ studio }) => {
    await studio.signIn();
    const page = await ask(studio);
    await page.getByText('With an API token, no client is connected.').waitFor();
    await page.getByLabel('Password').waitFor();
    expect(await studio.axe()).toEqual([]);
  });
});

describe('the own account', () => {
  test('lists the clients that are connected, and ends one after a question', async ({ studio }) => {
    await studio.signIn(await accountOf('editor'));
    const { page } = studio;
    const tokens: Json[] = [];
    for (const level of ['Read content', 'All that you may do with content']) {
      await ask(studio);
      await page.getByRole('radio', { name: level }).first().check();
      await press(studio, 'Allow');
      tokens.push(await redeem(await answerIn(studio)));
    }
    await find(tokens[1].access_token, 'articles');
    await studio.open('#/account');
    await page.getByText('Read content: All content types').waitFor();
    await page.getByText('All that you may do with content: All content types').waitFor();
    expect(await page.getByText('never used').count()).toBe(1);
    expect(await studio.axe()).toEqual([]);
    // The latest comes first.
    await page.getByRole('button', { name: 'Disconnect agent.example' }).first().click();
    const question = page.getByRole('dialog', { name: 'Disconnect agent.example?' });
    await question.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText('All that you may do with content').waitFor({ state: 'detached' });
    await page.getByText('Read content: All content types').waitFor();
    expect((await find(tokens[0].access_token, 'articles')).data).toBeDefined();
    await expect(find(tokens[1].access_token, 'articles')).rejects.toThrow('401');
  });
});
