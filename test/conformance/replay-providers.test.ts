/**
 * @module Sign-ins by a provider, as Strapi 5.54 does them: recorded with `oidc-provider` as its Keycloak, in both modes.
 * `providers/exchanges.json` has the exchanges. Where Edgewise differs, a reason stands beside it.
 */
import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Browser, type Issuer, openIssuer, serveIssuers } from '../support/issuer.ts';
import { createTables, serve } from '../support/recorded.ts';
import { post } from '../support/users.ts';
import RECORDED from './providers/exchanges.json' with { type: 'json' };

interface Exchange {
  readonly name: string;
  readonly path: string;
  readonly status: number;
  readonly location?: string;
  readonly body?: unknown;
  /** In the mode with refresh tokens. */
  readonly refreshBody?: unknown;
}

const PAGE = 'http://127.0.0.1:3000/connect/keycloak';
const ONCE = { status: 400, message: 'OAuth authentication requires a completed provider session' };

/** Status, and message or address, of what Edgewise does otherwise. */
const DIFFERENT: Readonly<
  Record<string, { readonly status: number; readonly message?: string; readonly location?: string }>
> = {
  // `email` is no provider.
  'email: connect': { status: 400, message: 'This provider is disabled' },
  // A path that means nothing.
  'a further segment: connect': { status: 404, message: 'Not Found' },
  // What the browser keeps is good for one sign-in.
  'a new user: sign in twice': ONCE,
};

const PEOPLE = {
  ann: { sub: 'ann', email: 'Ann@Example.com', email_verified: true, preferred_username: 'ann' },
  bob: { sub: 'bob', email: 'bob@example.com', email_verified: false, preferred_username: 'bob' },
  eve: { sub: 'eve', email_verified: true, preferred_username: 'eve' },
  cat: { sub: 'cat', email: 'cat@example.com', email_verified: true, preferred_username: 'cat' },
  dan: { sub: 'dan', email: 'dan@example.com', email_verified: true, preferred_username: 'ann' },
  loc: { sub: 'loc', email: 'local@example.com', email_verified: true, preferred_username: 'loc' },
} as const;

let issuer: Issuer;
beforeAll(async () => {
  await createTables();
  issuer = await openIssuer('https://sso.example.com');
  serveIssuers(issuer);
});
afterAll(async () => {
  for (const table of ['up_users', 'edgewise_identities']) await env.DB.exec(`delete from ${table}`);
});

const users = {
  providers: {
    keycloak: {
      clientId: 'strapi',
      secret: 'KEYCLOAK_SECRET',
      issuer: 'https://sso.example.com',
      callback: `${PAGE}?from=settings`,
    },
  },
};
const server = { url: 'http://edgewise.test' };
const bindings = { KEYCLOAK_SECRET: 'the secret' } as Partial<Env>;
const serving = (more: object = {}) => serve({ server, users: { ...users, ...more } }, bindings);

/** What is random, and what the settings of a test name otherwise. */
const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value)
      .replace(/"id":\d+/g, '"id":0')
      .replace(/"documentId":"[^"]+"/g, '"documentId":"…"')
      .replace(/"(jwt|refreshToken)":"[^"]+"/g, '"$1":"…"')
      .replace(/"username":"ann\d{4}"/g, '"username":"ann…"')
      .replace(/"\d{4}-\d\d-\d\dT[^"]+"/g, '"…"'),
  );

/** The query of the page stays, and has the token that takes the place of the cookie. */
function pageOf(location: string, base: string): string {
  const url = new URL(location, base);
  url.searchParams.delete('access_token');
  url.searchParams.delete('from');
  url.searchParams.delete('to');
  url.searchParams.delete('a');
  return url.href;
}

/** PKCE and the nonce are ours; the host is that of the issuer. */
function providerOf(location: string): unknown {
  const { searchParams } = new URL(location);
  const own = ['code_challenge', 'code_challenge_method', 'nonce'];
  const {
    redirect_uri: back = '',
    state = '',
    ...rest
  } = Object.fromEntries([...searchParams].filter(([name]) => !own.includes(name)));
  return { ...rest, back: new URL(back).pathname, state: /^([\da-f]{40}|<state>)$/.test(state) };
}

async function compare(name: string, response: Response, isRefresh: boolean): Promise<void> {
  const recorded = (RECORDED as readonly Exchange[]).find((each) => each.name === name);
  if (!recorded) throw new Error(`${name} was not recorded`);
  const location = response.headers.get('location');
  const body: unknown = location === null ? await response.json() : undefined;
  const different = DIFFERENT[name];
  if (different) {
    const { error } = body as { readonly error: { readonly message: string } };
    expect({ name, status: response.status, message: error.message }).toEqual({ name, ...different });
    return;
  }
  expect({ name, status: response.status }).toEqual({ name, status: recorded.status });
  if (recorded.location?.includes('/protocol/'))
    expect(providerOf(location ?? '')).toEqual(providerOf(recorded.location));
  else if (recorded.location) expect(pageOf(location ?? '', PAGE)).toBe(pageOf(recorded.location, PAGE));
  else
    expect({ name, body: plain(body) }).toEqual({
      name,
      body: plain(isRefresh ? (recorded.refreshBody ?? recorded.body) : recorded.body),
    });
}

it.each([
  ['long-lived JWTs', 'legacy-support'],
  ['refresh tokens', 'refresh'],
] as const)('each exchange with %s is as it was recorded', async (_, jwtManagement) => {
  const isRefresh = jwtManagement === 'refresh';
  for (const table of ['up_users', 'edgewise_identities']) await env.DB.exec(`delete from ${table}`);
  const send = serving({ jwtManagement });
  const note = async (name: string, response: Promise<Response>): Promise<Response> => {
    const found = await response;
    await compare(name, found.clone() as Response, isRefresh);
    return found;
  };
  const whole = async (name: string, person: keyof typeof PEOPLE, by = send, callback?: string) => {
    issuer.person = PEOPLE[person];
    const browser = new Browser(by);
    const query = callback === undefined ? '' : `?callback=${encodeURIComponent(callback)}`;
    const gone = await note(`${name}: connect`, browser.get(`/api/connect/keycloak${query}`));
    const back = issuer.agree(gone.headers.get('location') ?? '');
    await note(`${name}: callback of the provider`, browser.get(back));
    await note(`${name}: sign in`, browser.get('/api/auth/keycloak/callback'));
    return { browser, back };
  };

  for (const { name, path } of RECORDED.slice(
    0,
    RECORDED.findIndex(({ name: each }) => each === 'a new user: connect'),
  )) {
    // Without a slash the path is none of a provider in either.
    if (name !== 'no provider: connect') await note(name, new Browser(send).get(path));
  }
  const { browser, back } = await whole('a new user', 'ann');
  await note('a new user: sign in twice', browser.get('/api/auth/keycloak/callback'));
  await note('a new user: the callback of the provider again', browser.get(back));
  await note('a new user: sign in again', browser.get('/api/auth/keycloak/callback'));
  await note('a new user: sign in by another provider', browser.get('/api/auth/google/callback'));
  await whole('a known user', 'ann', send, `${PAGE}?to=%2Fhere#there`);
  await whole('an address that is not verified', 'bob');
  await whole('no address', 'eve');
  await whole('a name that is taken', 'dan');
  await post(send, '/api/auth/local/register', { username: 'local', email: 'local@example.com', password: 'Passw0rd' });
  // Nobody has proven that address here, so it would go over to who proves it.
  await env.DB.exec("update up_users set email_proven = 1 where username = 'local'");
  await whole('an address of a local user', 'loc');
  await env.DB.exec("update up_users set blocked = 1 where email = 'ann@example.com'");
  await whole('a blocked user', 'ann');
  const closed = serving({ jwtManagement, allowRegistration: false });
  await whole('a new user, without registration', 'cat', closed);
  await whole('a known user, without registration', 'dan', closed);
});

it('a provider that says no, and a browser that did not begin, are as they were recorded', async () => {
  const send = serving();
  const begin = async () => {
    const browser = new Browser(send);
    const location = await browser.follow('/api/connect/keycloak');
    return { browser, back: new URL(issuer.agree(location.href)), state: location.searchParams.get('state') };
  };
  const note = async (name: string, response: Promise<Response>) =>
    compare(`${name}: callback of the provider`, await response, false);
  const denied = await begin();
  const error = 'error=access_denied&error_description=The+person+said+no';
  await note(
    'a person who says no',
    denied.browser.get(`/api/connect/keycloak/callback?${error}&state=${denied.state}`),
  );
  const { browser, back } = await begin();
  await note('in another browser', new Browser(send).get(back.href));
  back.searchParams.set('state', '0'.repeat(40));
  await note('with another state', browser.get(back.href));
  await note('without a code', browser.get('/api/connect/keycloak/callback'));
  const sorry = 'error=server_error&error_description=Sorry';
  await note('with an error and no state', browser.get(`/api/connect/keycloak/callback?${sorry}`));
  const wrong = await begin();
  const iss = encodeURIComponent('https://sso.example.com');
  await note(
    'with a false code',
    wrong.browser.get(`/api/connect/keycloak/callback?code=false&state=${wrong.state}&iss=${iss}`),
  );
});
