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

const SECURE = 'https://edgewise.test';

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

  it('is rejected where nobody may register', async () => {
    const closed = servingProviders({ allowRegistration: false });
    expect(await refusalOf(await enter(issuer, ann, closed))).toBe(
      '400 ApplicationError: Register action is actually not available.',
    );
    expect(await rowsOf('select 1 from up_users')).toEqual([]);
  });
});

describe('a known user', () => {
  it('is found by issuer and subject, whatever the address is at the provider now', async () => {
    const { user } = await signedIn(enter(issuer, ann));
    for (const person of [{ ...ann, email: 'moved@example.com' }, { sub: '1' }, { ...ann, email_verified: false }])
      expect((await signedIn(enter(issuer, person))).user).toMatchObject({ id: user.id, email: 'ann@example.com' });
  });

  it('is left as it is by a sign-in', async () => {
    await enter(issuer, ann);
    await run('update up_users set updated_at = 1');
    const before = await rowsOf('select * from up_users');
    expect((await enter(issuer, ann)).status).toBe(200);
    expect(await rowsOf('select * from up_users')).toEqual(before);
  });

  it('is another one for another subject with the same address, which the issuer has given to somebody else', async () => {
    await enter(issuer, ann);
    expect(await refusalOf(await enter(issuer, { ...ann, sub: '2' }))).toBe(
      '400 ApplicationError: Email is already taken.',
    );
  });

  it('is rejected while blocked', async () => {
    await enter(issuer, ann);
    await run('update up_users set blocked = 1');
    expect(await refusalOf(await enter(issuer, ann))).toBe(
      '400 ApplicationError: Your account has been blocked by an administrator',
    );
  });

  it('is confirmed by the address that the provider vouches for, and by no other', async () => {
    const confirming = servingProviders({ emailConfirmation: true });
    await enter(issuer, ann);
    await run('update up_users set confirmed = 0');
    expect(await refusalOf(await enter(issuer, { ...ann, email: 'moved@example.com' }, confirming))).toBe(
      '400 ApplicationError: Your account email is not confirmed',
    );
    const { jwt } = await signedIn(enter(issuer, ann, confirming));
    expect((await confirming('/api/users/me', bearer(jwt))).status).toBe(200);
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
  const silent = servingProviders({}, {}, {}, false);

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

  it('is refused where the page has sent no code challenge', async () => {
    const before = box.messages.length;
    expect(await refusalOf(await enter(issuer, unsure))).toBe('400 ApplicationError: Email not verified by Keycloak');
    expect(box.messages).toHaveLength(before);
  });

  it('gets a limited number of messages', async () => {
    const limited = { AUTH_RATE_LIMIT: limiterOf(1) } as Partial<Env>;
    const counting = servingProviders({}, { rateLimit: { auth: { enabled: true } } }, limited);
    await mailed(counting);
    issuer.person = unsure;
    const browser = new Browser(counting);
    expect((await exchange(browser, await arrive(issuer, browser, `?${challenge}`), more)).status).toBe(429);
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

  it('is refused with the reason where no message can be sent', async () => {
    expect(await refusalOf(await enter(issuer, unsure, silent))).toBe(
      '400 ApplicationError: Email not verified by Keycloak',
    );
  });
});

describe('the page of a sign-in', () => {
  it('keeps its own query, and gets a token that needs no cookie', async () => {
    const browser = new Browser(send);
    const page = await arrive(issuer, browser, `?callback=${encodeURIComponent(`${PAGE}?state=own&to=/x#y`)}`);
    expect(page.href.startsWith(`${PAGE}?state=own&to=%2Fx&access_token=`)).toBe(true);
    expect(page.hash).toBe('#y');
    const response = await exchange(new Browser(send), page);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect((await signedIn(response)).user.username).toBe('ann');
  });

  it('may leave the token out, if the browser sends the cookie', async () => {
    const browser = new Browser(send);
    await arrive(issuer, browser);
    expect((await browser.get('/api/auth/keycloak/callback')).status).toBe(200);
    expect([...browser.cookies.keys()]).toEqual([]);
  });

  it('of another tab keeps its cookie', async () => {
    const browser = new Browser(send);
    await arrive(issuer, browser);
    await arrive(issuer, browser);
    for (const left of [1, 0]) {
      expect((await browser.get('/api/auth/keycloak/callback')).status).toBe(200);
      expect([...browser.cookies.keys()]).toHaveLength(left);
    }
  });

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

  it('keeps its cookies to this host over https', async () => {
    const secure = servingProviders({}, { server: { url: SECURE } });
    const browser = new Browser(secure);
    const { href } = await browser.follow(`${SECURE}/api/connect/keycloak`);
    const kept = () => [...browser.cookies.keys()].map((name) => name.replace(/[\da-f]{40}$/, ''));
    expect(kept()).toEqual(['__Host-edgewise_connect_']);
    await browser.follow(issuer.agree(href));
    expect(kept()).toEqual(['__Host-edgewise_connected_']);
    expect((await browser.get(`${SECURE}/api/auth/keycloak/callback`)).status).toBe(200);
    expect(kept()).toEqual([]);
    const { headers } = await secure(`${SECURE}/api/connect/keycloak`, { redirect: 'manual' });
    expect(headers.get('set-cookie')).toMatch(/^__Host-.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
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

it('sign-ins in two tabs end in any order', async () => {
  const browser = new Browser(send);
  const [first, second] = [
    await browser.follow('/api/connect/keycloak'),
    await browser.follow('/api/connect/keycloak'),
  ];
  const pages = [await browser.follow(issuer.agree(second.href)), await browser.follow(issuer.agree(first.href))];
  for (const page of pages) expect((await exchange(browser, page)).status).toBe(200);
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

it('a token of a sign-in with a code challenge is exchanged with its verifier alone', async () => {
  const verifier = 'a text that only the page knows, of 43 characters';
  const browser = new Browser(send);
  const page = await arrive(issuer, browser, `?code_challenge=${sha256Base64Url(verifier)}&code_challenge_method=S256`);
  for (const wrong of ['', '&code_verifier=another', '&code_verifier=', '&code_verifier[]=x'])
    expect(await refusalOf(await exchange(browser, page, wrong))).toBe(
      '400 ApplicationError: code_verifier does not fit the code_challenge of this sign-in',
    );
  expect((await exchange(browser, page, `&code_verifier=${encodeURIComponent(verifier)}`)).status).toBe(200);
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

it('the description has the routes of providers where there are any', async () => {
  const described = async (by: typeof send) => {
    const { paths } = (await (await by('/openapi.json', bearer('full'))).json()) as { paths: object };
    return Object.keys(paths).filter((path) => /\{provider\}|identities/.test(path));
  };
  expect(await described(send)).toEqual([
    '/api/connect/{provider}',
    '/api/connect/{provider}/callback',
    '/api/auth/{provider}/callback',
    '/api/users/me/identities',
    '/api/users/me/identities/{provider}',
  ]);
  expect(await described(servingProviders({ providers: {} }))).toEqual([]);
});
