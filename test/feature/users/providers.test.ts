/**
 * @module Users who sign in by a provider.
 */
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { sha256Base64Url } from '../../../src/common/digest.ts';
import { Browser, type Issuer } from '../../support/issuer.ts';
import { limiterOf } from '../../support/limiter.ts';
import {
  ann,
  arrive,
  box,
  clear,
  enter,
  exchange,
  ISSUER,
  ORIGIN,
  openProviders,
  PAGE,
  rowsOf,
  run,
  send,
  servingProviders,
  signedIn,
} from '../../support/provider-world.ts';
import { bearer, createToken } from '../../support/recorded.ts';
import { login, PASSWORD, post, refusalOf, register } from '../../support/users.ts';

let issuer: Issuer;
beforeAll(async () => {
  issuer = await openProviders();
  await createToken('full', 'full-access');
});
beforeEach(async () => {
  await clear();
  issuer.person = ann;
});

const statusOf = async (jwt: string): Promise<number> => (await send('/api/users/me', bearer(jwt))).status;

describe('a new user', () => {
  it('has the default role, a proven address and an identity, and nothing of the tokens of the provider', async () => {
    const { jwt, user } = await signedIn(enter(issuer, ann));
    expect(user).toMatchObject({ username: 'ann', email: 'ann@example.com', provider: 'keycloak', confirmed: true });
    expect(await statusOf(jwt)).toBe(200);
    const [row] = await rowsOf('select * from up_users');
    expect(row).toMatchObject({ email_proven: 1, password: null });
    expect(JSON.stringify(row)).not.toContain('of the provider');
    const identities = await rowsOf('select issuer, subject, user, provider from edgewise_identities');
    expect(identities).toEqual([{ issuer: ISSUER, subject: '1', user: user.documentId, provider: 'keycloak' }]);
  });

  it.each([
    ['bo', 'long@example.com', /^bo\d{4}$/],
    [undefined, 'named@example.com', /^named$/],
    ['someone@example.com', 'plain@example.com', /^plain$/],
    ['taken', 'else@example.com', /^taken\d{4}$/],
  ])(
    'whose name at the provider is %s gets one of three letters and more that is free',
    async (name, email, expected) => {
      await register(send, 'taken');
      const { user } = await signedIn(enter(issuer, { ...ann, preferred_username: name, email }));
      expect(user.username).toMatch(expected);
    },
  );
});

describe('a known user', () => {
  it('is another one for another subject with the same address, which the issuer has given to somebody else', async () => {
    await enter(issuer, ann);
    expect(await refusalOf(await enter(issuer, { ...ann, sub: '2' }))).toBe(
      '400 ApplicationError: Email is already taken.',
    );
  });

  it('may choose a password by e-mail, which signs in like the provider from then on', async () => {
    const { jwt, user } = await signedIn(enter(issuer, ann));
    await post(send, '/api/auth/forgot-password', { email: 'ann@example.com' });
    const code = /code=([0-9a-f]+)/.exec(box.messages.at(-1)?.text ?? '')?.[1];
    const body = { code, password: PASSWORD, passwordConfirmation: PASSWORD };
    expect((await post(send, '/api/auth/reset-password', body)).status).toBe(200);
    expect(await statusOf(jwt)).toBe(401);
    expect((await signedIn(login(send, 'ann'))).user).toMatchObject({ id: user.id, provider: 'local' });
    expect((await signedIn(enter(issuer, ann))).user.id).toBe(user.id);
  });

  it('is gone with its user', async () => {
    const { user } = await signedIn(enter(issuer, ann));
    await send(`/api/users/${user.id}`, { method: 'DELETE', ...bearer('full') });
    expect(await rowsOf('select 1 from edgewise_identities')).toEqual([]);
    const next = await signedIn(enter(issuer, ann));
    expect(next.user.documentId).not.toBe(user.documentId);
  });
});

describe('a proven account with the address', () => {
  const account = async (provider: string) => {
    const { user } = await register(send, 'ann');
    await run('update up_users set provider = ?, email_proven = 1 where id = ?', provider, user.id);
    return user;
  };

  it('is linked if it is of this provider, such as an imported one', async () => {
    const { id } = await account('keycloak');
    expect((await signedIn(enter(issuer, ann))).user.id).toBe(id);
    expect((await signedIn(enter(issuer, { sub: '1' }))).user.id).toBe(id);
  });

  it.each(['google', 'local'])('is not linked if it is of %s', async (provider) => {
    await account(provider);
    expect(await refusalOf(await enter(issuer, ann))).toBe('400 ApplicationError: Email is already taken.');
    expect(await rowsOf('select 1 from edgewise_identities')).toEqual([]);
  });

  it('is linked with linkByEmail if it has a password, which it keeps', async () => {
    const linking = servingProviders({ linkByEmail: true });
    const { id } = await account('local');
    expect((await signedIn(enter(issuer, ann, linking))).user).toMatchObject({ id, provider: 'local' });
    await clear();
    await account('google');
    expect((await enter(issuer, ann, linking)).status).toBe(400);
  });
});

describe('an address that the provider does not vouch for', () => {
  const SENT =
    '400 ApplicationError: Email not verified by Keycloak. Follow the link in the message that was sent to it';
  const unsure = { ...ann, email_verified: false };

  const verifier = 'a text that only the page knows, of 43 characters';
  const more = `&code_verifier=${encodeURIComponent(verifier)}`;
  const challenge = `code_challenge=${sha256Base64Url(verifier)}`;

  /** Signs in, and returns the address of the link in the message. */
  async function mailed(by = send): Promise<URL> {
    const before = box.messages.length;
    issuer.person = unsure;
    const browser = new Browser(by);
    const page = await arrive(issuer, browser, `?callback=${encodeURIComponent(`${PAGE}?to=x`)}&${challenge}`);
    expect(await refusalOf(await exchange(browser, page, more))).toBe(SENT);
    const messages = box.messages.slice(before);
    expect(messages.map(({ to }) => to)).toEqual(['ann@example.com']);
    return new URL(/https:\S+/.exec(messages[0]?.text ?? '')?.[0] ?? '');
  }

  it('signs in with the link of a message to it, once, for an hour, and only where the verifier is', async () => {
    const page = await mailed();
    expect(page.href.startsWith(`${PAGE}?to=x&access_token=`)).toBe(true);
    const late = await mailed();
    for (const wrong of ['', '&code_verifier=another'])
      expect((await exchange(new Browser(send), page, wrong)).status).toBe(400);
    expect(await rowsOf('select 1 from up_users')).toEqual([]);
    const { user } = await signedIn(exchange(new Browser(send), page, more));
    expect(user).toMatchObject({ email: 'ann@example.com' });
    expect((await exchange(new Browser(send), page, more)).status).toBe(400);
    expect((await enter(issuer, unsure)).status).toBe(200);
    vi.useFakeTimers({ now: Date.now() + 3_600_000, toFake: ['Date'] });
    expect((await exchange(new Browser(send), late, more)).status).toBe(400);
    vi.useRealTimers();
  });

  it('gets one message for each sign-in, and the same response whether there is an account or not', async () => {
    const browser = new Browser(send);
    issuer.person = unsure;
    const page = await arrive(issuer, browser, `?${challenge}`);
    expect(await refusalOf(await exchange(browser, page, more))).toBe(SENT);
    expect(await refusalOf(await exchange(browser, page, more))).not.toBe(SENT);
    await register(send, 'ann');
    for (const by of [send, servingProviders({ allowRegistration: false })]) {
      await mailed(by);
      await run('update up_users set email_proven = 1');
      await mailed(by);
    }
  });

  it('is linked with an imported account of the provider by the link, and with no account that has a password', async () => {
    const { user } = await register(send, 'ann');
    expect((await exchange(new Browser(send), await mailed(), more)).status).toBe(400);
    const linking = servingProviders({ linkByEmail: true });
    await run('update up_users set email_proven = 1');
    expect(await refusalOf(await exchange(new Browser(linking), await mailed(linking), more))).toBe(
      '400 ApplicationError: Email is already taken.',
    );
    await run("update up_users set provider = 'keycloak'");
    expect((await signedIn(exchange(new Browser(send), await mailed(), more))).user.id).toBe(user.id);
  });
});

describe('the page of a sign-in', () => {
  it('has an address of at most 1,000 characters', async () => {
    const callback = (length: number) => encodeURIComponent(`${PAGE}?a=`.padEnd(length, 'a'));
    expect((await new Browser(send).get(`/api/connect/keycloak?callback=${callback(1000)}`)).status).toBe(302);
    expect((await new Browser(send).get(`/api/connect/keycloak?callback=${callback(1001)}`)).status).toBe(400);
  });

  it('may be of a server with a path', async () => {
    const below = servingProviders({}, { server: { url: `${ORIGIN}/cms` } });
    const location = await new Browser(below).follow('/api/connect/keycloak');
    expect(location.searchParams.get('redirect_uri')).toBe(`${ORIGIN}/cms/api/connect/keycloak/callback`);
  });

  it('is Studio without a callback of its own, and may always be Studio', async () => {
    const provider = { clientId: 'site', secret: 'KEYCLOAK_SECRET', issuer: ISSUER };
    const bare = servingProviders({ providers: { keycloak: provider } });
    expect((await arrive(issuer, new Browser(bare))).href.startsWith(`${ORIGIN}/studio/?access_token=`)).toBe(true);
    const studio = `?callback=${encodeURIComponent(`${ORIGIN}/studio/`)}`;
    expect((await arrive(issuer, new Browser(send), studio)).pathname).toBe('/studio/');
    const without = servingProviders({}, { studio: false });
    expect((await new Browser(without).get(`/api/connect/keycloak${studio}`)).status).toBe(400);
  });

  it('is told that the provider does not respond, and why', async () => {
    vi.spyOn(console, 'error').mockImplementationOnce(() => undefined);
    const page = await new Browser(send).follow('/api/connect/other');
    expect(page.searchParams.get('error')).toBe('oauth_error');
    expect(page.searchParams.get('error_description')).toContain('other.example.com');
  });
});

it('a HEAD request, which scanners send, uses up neither code nor token', async () => {
  const browser = new Browser(send);
  const back = issuer.agree((await browser.follow('/api/connect/keycloak')).href);
  await browser.get(back, {}, 'HEAD');
  const page = await browser.follow(back);
  const path = `/api/auth/keycloak/callback?access_token=${page.searchParams.get('access_token')}`;
  expect((await browser.get(path, {}, 'HEAD')).status).toBe(200);
  expect(await rowsOf('select 1 from up_users')).toEqual([]);
  expect((await browser.get(path)).status).toBe(200);
});

it.each([
  ['code_challenge=short', 'code_challenge must be the SHA-256 of a text, in base64url'],
  [`code_challenge=${'a'.repeat(43)}&code_challenge_method=plain`, 'code_challenge_method must be S256'],
  ['code_challenge_method=S256', 'code_challenge must be the SHA-256 of a text, in base64url'],
])('a connection with %s is rejected', async (query, message) => {
  expect(await refusalOf(await send(`/api/connect/keycloak?${query}`))).toBe(`400 ValidationError: ${message}`);
});

it('with refresh tokens a sign-in opens a session, whose token may be in a cookie', async () => {
  const refreshing = servingProviders({ jwtManagement: 'refresh' });
  const { jwt, refreshToken } = await signedIn(enter(issuer, ann, refreshing));
  expect(refreshToken).toMatch(/\./);
  expect((await refreshing('/api/auth/sessions', bearer(jwt))).status).toBe(200);
  const browser = new Browser(refreshing);
  const page = await arrive(issuer, browser);
  const path = `/api/auth/keycloak/callback?access_token=${page.searchParams.get('access_token')}`;
  const inCookie = await browser.get(path, { 'x-strapi-refresh-cookie': 'httpOnly' });
  expect(Object.keys((await inCookie.json()) as object)).toEqual(['jwt', 'user']);
  expect([...browser.cookies.keys()]).toEqual(['strapi_up_refresh']);
});

it('a role without the grants signs nobody in', async () => {
  const barred = servingProviders({ defaultGrants: false });
  for (const path of ['/api/connect/keycloak', '/api/connect/keycloak/callback?code=x', '/api/auth/keycloak/callback'])
    expect([path, (await barred(path)).status]).toEqual([path, 403]);
});

it('a deployment without server.url says so in its log', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  expect((await servingProviders({}, { server: {} })('/api/connect/keycloak')).status).toBe(503);
  expect(String(log.mock.calls)).toContain('server.url is not set');
  log.mockRestore();
});

it('a deployment without the secret says in its log which', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const bare = servingProviders({}, {}, { KEYCLOAK_SECRET: '' } as never);
  expect((await bare('/api/connect/keycloak')).status).toBe(503);
  expect(String(log.mock.calls)).toContain('KEYCLOAK_SECRET is not set: npx wrangler secret put KEYCLOAK_SECRET');
  log.mockRestore();
});

it.each(['connect/keycloak', 'connect/keycloak/callback', 'auth/keycloak/callback'])(
  'requests to %s are counted by address',
  async (path) => {
    const limited = { AUTH_ADDRESS_RATE_LIMIT: limiterOf(1) } as Partial<Env>;
    const counting = servingProviders({}, { rateLimit: { auth: { enabled: true } } }, limited);
    const from = { headers: { 'cf-connecting-ip': '192.0.2.1' }, redirect: 'manual' } as const;
    expect((await counting(`/api/${path}`, from)).status).not.toBe(429);
    expect((await counting(`/api/${path}`, from)).status).toBe(429);
  },
);
