/**
 * @module Front ends made for Strapi, and Studio, in Chromium, at a served API and a real issuer: those that exchange the
 * `access_token` of their query, and those that send the cookie. `localhost` and `127.0.0.1` are two sites.
 */
import { appendFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, type TestContext } from 'vitest';
import { freePort } from '../../cli/core/local-server.ts';
import { bundleStudio } from '../../cli/studio/bundle-studio.ts';
import { makeScratch, PROJECT, removeScratch } from '../conformance/scratch.ts';
import { runCommand, startServer, stopEverything } from '../conformance/server.ts';
import { DEMO } from '../support/demo.ts';
import { CLIENT, type RealIssuer, startIssuer } from '../support/real-issuer.ts';
import { type Browser, type BrowserContext, chromium, type Page, startBrowser } from './browser.ts';

type BrowserServer = Exclude<Awaited<ReturnType<typeof startBrowser>>, { readonly missing: string }>;

let api = '';
let folder = '';
let pages: Server;
let issuer: RealIssuer;
let browserServer: BrowserServer | undefined;
let browser: Browser;

/** The exchange of a page, as in Strapi's documentation before 5.53, and since. */
const EXCHANGES = {
  token: `fetch(api + '/api/auth/token/callback' + location.search)`,
  beside: `fetch(api + '/api/auth/beside/callback', { credentials: 'include' })`,
  across: `fetch(api + '/api/auth/across/callback', { credentials: 'include' })`,
};
type Name = keyof typeof EXCHANGES;

const pageOf = (name: Name): string => `<!doctype html><a href="${api}/api/connect/${name}">Sign in</a><output></output>
  <script type="module">
    const api = '${api}';
    const show = ({ user, error }) => { document.querySelector('output').textContent = user?.username ?? error.message; };
    if (location.search) show(await (await ${EXCHANGES[name]}).json());
  </script>`;

const originOf = (host: string): string => `http://${host}:${(pages.address() as AddressInfo).port}`;

beforeAll(async () => {
  const started = await startBrowser();
  if ('missing' in started) return void process.stderr.write(`Front ends are not tested: ${started.missing}\n`);
  browserServer = started;
  browser = await chromium.connect(started.wsEndpoint());
  const port = await freePort();
  api = `http://localhost:${port}`;
  pages = createServer(({ url = '' }, response) => {
    const [, name = ''] = /^\/(\w+)/.exec(url) ?? [];
    response.setHeader('content-type', 'text/html').end(Object.hasOwn(EXCHANGES, name) ? pageOf(name as Name) : '');
  });
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  const names = Object.keys(EXCHANGES);
  issuer = await startIssuer(
    names.map((name) => `${api}/api/connect/${name}/callback`),
    {
      ann: { email: 'ann@example.com', email_verified: true, preferred_username: 'ann' },
      bob: { email: 'bob@company.example', email_verified: false },
    },
  );
  const provider = (name: Name, host: string) => ({
    ...{ clientId: CLIENT.clientId, secret: 'COMPANY_SECRET', issuer: issuer.url },
    callback: `${originOf(host)}/${name}`,
  });
  const providers = {
    token: provider('token', '127.0.0.1'),
    beside: provider('beside', 'localhost'),
    across: provider('across', '127.0.0.1'),
  };
  const own = ['user.me', 'identity.*'].map((action) => `plugin::users-permissions.${action}`);
  await bundleStudio(PROJECT);
  folder = makeScratch(DEMO, { server: { url: api }, users: { providers }, roles: { authenticated: own } });
  await runCommand(folder, 'generate');
  await runCommand(folder, 'migrate');
  appendFileSync(join(folder, '.dev.vars'), `COMPANY_SECRET=${CLIENT.secret}\n`);
  await startServer(folder, port);
});

afterAll(async () => {
  await browser?.close();
  await browserServer?.close();
  await stopEverything();
  issuer?.stop();
  pages?.close();
  if (folder) removeScratch(folder);
});

/** https://chromedevtools.github.io/devtools-protocol/tot/Network/#method-setCookieControls */
async function blockThirdParties(context: BrowserContext, page: Page): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  // All three are required; the types have one.
  const controls = {
    enableThirdPartyCookieRestriction: true,
    disableThirdPartyCookieMetadata: true,
    disableThirdPartyCookieHeuristics: true,
  };
  await session.send('Network.setCookieControls', controls);
}

/** Signs in at a page, and returns the name that it shows, or the error. */
async function shownBy(test: TestContext, name: Name, host: string, blocks: boolean): Promise<string | null> {
  if (!browserServer) test.skip();
  const context = await browser.newContext();
  const page = await context.newPage();
  if (blocks) await blockThirdParties(context, page);
  await page.goto(`${originOf(host)}/${name}`);
  await page.getByRole('link').click();
  await page.locator('output:not(:empty)').waitFor();
  const shown = await page.locator('output').textContent();
  await context.close();
  return shown;
}

it('a page across sites that exchanges the token of its query signs in, with third-party cookies blocked', async (test) => {
  expect(await shownBy(test, 'token', '127.0.0.1', true)).toBe('ann');
});

it('a page of the same site that sends the cookie signs in, with third-party cookies blocked', async (test) => {
  expect(await shownBy(test, 'beside', 'localhost', true)).toBe('ann');
});

it('a page across sites that sends the cookie signs in where the browser allows it, and nowhere else', async (test) => {
  expect(await shownBy(test, 'across', '127.0.0.1', false)).toBe('ann');
  expect(await shownBy(test, 'across', '127.0.0.1', true)).toBe(
    'OAuth authentication requires a completed provider session',
  );
});

it('Studio links a provider with an account that has a password, which both sign in then', async (test) => {
  if (!browserServer) test.skip();
  const bob = { username: 'bob', email: 'bob@example.com', password: 'a long secret' };
  const headers = { 'content-type': 'application/json' };
  await fetch(`${api}/api/auth/local/register`, { method: 'POST', headers, body: JSON.stringify(bob) });
  issuer.person = 'bob';
  const context = await browser.newContext();
  const page = await context.newPage();
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  await page.goto(`${api}/studio/#/account`);
  await page.getByLabel('User name or e-mail address').fill(bob.username);
  await page.getByLabel('Password').fill(bob.password);
  await press('Sign in');
  await press('Link Token');
  // The page from which it led to the provider has such a field, too.
  await page.getByRole('button', { name: 'Cancel' }).waitFor();
  await page.getByLabel('Current password').last().fill(bob.password);
  await press('Link Token');
  await page.getByRole('button', { name: 'Unlink Token' }).waitFor();
  await press('Sign out');
  await press('Continue with Token');
  await page.getByText('bob', { exact: true }).first().waitFor();
  await page.goto(`${api}/studio/#/account`);
  await press('Unlink Token');
  await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click();
  await page.getByText('Nothing is here.').waitFor();
  await context.close();
});
