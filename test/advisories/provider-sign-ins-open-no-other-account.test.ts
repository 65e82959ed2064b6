/**
 * @module A sign-in by a provider ends in the account of the person who signed in, in the browser in which it began, at a page
 * of the site: https://www.rfc-editor.org/rfc/rfc9700#section-4 (open redirection, code injection, PKCE left out, login CSRF,
 * mix-up), and PocketBase CVE-2026-44166 (an account that was registered for the address of another).
 */
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { sha256Base64Url } from '../../src/common/digest.ts';
import { Browser, type Issuer, newSigningKey, openIssuer, serveIssuers } from '../support/issuer.ts';
import {
  ann,
  arrive,
  box,
  clear,
  enter,
  exchange,
  ISSUER,
  openProviders,
  PAGE,
  rowsOf,
  run,
  send,
  servingProviders,
  signedIn,
} from '../support/provider-world.ts';
import { bearer } from '../support/recorded.ts';
import { login, PASSWORD, post, refusalOf, register, type SignedIn } from '../support/users.ts';

const UNVERIFIED = 'Email not verified by Keycloak';
const INCOMPLETE = '400 ApplicationError: OAuth authentication requires a completed provider session';

let issuer: Issuer;
beforeAll(async () => {
  issuer = await openProviders();
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
beforeEach(async () => {
  vi.useRealTimers();
  await clear();
  issuer.person = ann;
  issuer.forged = {};
});

const SECURE = 'https://edgewise.test';

const arriveSecurely = async (browser: Browser): Promise<URL> =>
  browser.follow(issuer.agree((await browser.follow(`${SECURE}/api/connect/keycloak`)).href));

const errorOf = (page: URL): string | null => page.searchParams.get('error_description');

/** Nobody has come in. */
async function expectNobody(page: URL): Promise<void> {
  expect(page.searchParams.get('error')).toBe('oauth_error');
  expect(page.searchParams.has('access_token')).toBe(false);
  expect(await rowsOf('select 1 from up_users')).toEqual([]);
}

describe('the browser is sent to no page but those of the settings', () => {
  it.each([
    'https://evil.example/connect/keycloak',
    'https://www.example.com.evil.example/connect/keycloak',
    'https://www.example.com@evil.example/connect/keycloak',
    'https://www.example.com:444/connect/keycloak',
    'http://www.example.com/connect/keycloak',
    'https://www.example.com/connect/keycloak/../../evil',
    'https://www.example.com/connect/keycloak/',
    'https://www.example.com/connect/keycloak%2f..%2f..',
    String.raw`https://evil.example\@www.example.com/connect/keycloak`,
    '//evil.example/connect/keycloak',
    '/connect/keycloak',
    'javascript:alert(1)',
    'data:text/html,x',
    '',
  ])('such as %s', async (callback) => {
    const browser = new Browser(send);
    const response = await browser.get(`/api/connect/keycloak?callback=${encodeURIComponent(callback)}`);
    expect(await refusalOf(response)).toBe('400 ValidationError: Invalid callback URL provided');
    expect([...browser.cookies]).toEqual([]);
  });

  it('nor by the parameters of a return that nobody began', async () => {
    const query = `callback=${encodeURIComponent('https://evil.example/')}&error=x&redirect_uri=https://evil.example/`;
    const page = await new Browser(send).follow(`/api/connect/keycloak/callback?${query}`);
    expect(page.origin + page.pathname).toBe(PAGE);
  });

  it('and a user in a callback is left out', async () => {
    const callback = encodeURIComponent('https://someone:secret@www.example.com/connect/keycloak?a=1');
    expect((await arrive(issuer, new Browser(send), `?callback=${callback}`)).href).toMatch(
      `${PAGE}?a=1&access_token=`,
    );
  });
});

describe('a code is exchanged in the browser in which its sign-in began, and nowhere else', () => {
  const begun = async (browser: Browser) => {
    const location = await browser.follow('/api/connect/keycloak');
    return { location, back: new URL(issuer.agree(location.href)) };
  };

  it('not in one that did not begin, and with no state but its own', async () => {
    const victim = new Browser(send);
    const { back } = await begun(victim);
    await expectNobody(await new Browser(send).follow(back.href));
    for (const state of ['', 'x', '0'.repeat(40), '__proto__']) {
      const other = new URL(back);
      other.searchParams.set('state', state);
      await expectNobody(await victim.follow(other.href));
    }
  });

  it('not put into the sign-in of another: the issuer asks for the verifier, and the nonce differs', async () => {
    const [attacker, victim] = [new Browser(send), new Browser(send)];
    const stolen = (await begun(victim)).back.searchParams.get('code') ?? '';
    const { back } = await begun(attacker);
    back.searchParams.set('code', stolen);
    await expectNobody(await attacker.follow(back.href));
    issuer.forged = { nonce: 'of another sign-in' };
    await expectNobody(await arrive(issuer, new Browser(send)));
  });

  it('not with the cookies that another host of the domain has set', async () => {
    const open = servingProviders({}, { server: { url: SECURE } });
    const [attacker, victim] = [new Browser(open), new Browser(open)];
    const page = await arriveSecurely(attacker);
    const { href } = await attacker.follow(`${SECURE}/api/connect/keycloak`);
    const back = issuer.agree(href);
    // No other host can set a cookie with the prefix.
    for (const [name, value] of attacker.cookies) victim.cookies.set(name.replace('__Host-', ''), value);
    expect(page.searchParams.has('access_token')).toBe(true);
    expect((await victim.get(`${SECURE}/api/auth/keycloak/callback`)).status).toBe(400);
    await expectNobody(await victim.follow(back));
  });

  it('not twice, nor by two requests at once', async () => {
    const browser = new Browser(send);
    const { back } = await begun(browser);
    const twin = new Browser(send);
    for (const [name, value] of browser.cookies) twin.cookies.set(name, value);
    const pages = await Promise.all([browser.follow(back.href), twin.follow(back.href)]);
    expect(pages.filter((page) => page.searchParams.has('access_token'))).toHaveLength(1);
    expect(errorOf(await browser.follow(back.href))).toBe('OAuth2 state mismatch');
  });

  it('never without PKCE, a nonce and a state that differ each time', async () => {
    const locations = [
      await new Browser(send).follow('/api/connect/keycloak'),
      await new Browser(send).follow('/api/connect/keycloak'),
    ];
    for (const { searchParams } of locations) {
      expect(searchParams.get('code_challenge_method')).toBe('S256');
      expect(searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/);
      expect(searchParams.get('state')).toMatch(/^[\da-f]{40}$/);
    }
    for (const name of ['code_challenge', 'nonce', 'state'])
      expect(new Set(locations.map(({ searchParams }) => searchParams.get(name))).size).toBe(2);
  });

  it('not after ten minutes', async () => {
    const browser = new Browser(send);
    const { back } = await begun(browser);
    vi.useFakeTimers({ now: Date.now() + 600_000, toFake: ['Date'] });
    await expectNobody(await browser.follow(back.href));
  });
});

describe('a response of another issuer is refused', () => {
  it('by the issuer that it names', async () => {
    const browser = new Browser(send);
    const location = await browser.follow('/api/connect/keycloak');
    for (const iss of ['https://other.example.com', '', undefined]) {
      const back = new URL(issuer.agree(location.href));
      if (iss === undefined) back.searchParams.delete('iss');
      else back.searchParams.set('iss', iss);
      const twin = new Browser(send);
      for (const [name, value] of browser.cookies) twin.cookies.set(name, value);
      await expectNobody(await twin.follow(back.href));
    }
  });

  it('at the address of another provider', async () => {
    const other = await openIssuer('https://other.example.com');
    serveIssuers(issuer, other);
    const browser = new Browser(send);
    const back = new URL(issuer.agree((await browser.follow('/api/connect/keycloak')).href));
    back.pathname = '/api/connect/other/callback';
    const page = await browser.follow(back.href);
    expect(errorOf(page)).toBe('OAuth2 state mismatch');
    expect(other.requests).not.toContain('/token');
  });

  it('also if its token is exchanged for another provider', async () => {
    const browser = new Browser(send);
    const page = await arrive(issuer, browser);
    const token = page.searchParams.get('access_token');
    expect(await refusalOf(await browser.get(`/api/auth/other/callback?access_token=${token}`))).toBe(INCOMPLETE);
    expect(await refusalOf(await browser.get('/api/auth/other/callback'))).toBe(INCOMPLETE);
  });
});

describe('an ID token counts only', () => {
  const seconds = Math.floor(Date.now() / 1000);
  it.each([
    ['from its issuer', { iss: 'https://other.example.com' }],
    ['for this client', { aud: 'another' }],
    ['for this client, if it is for several', { aud: ['site', 'another'] }],
    ['until it expires', { exp: seconds - 60 }],
    ['with a time of expiry', { exp: undefined }],
    ['with a subject', { sub: undefined }],
    ['with the nonce of the sign-in', { nonce: 'another' }],
    ['with a nonce', { nonce: undefined }],
  ])('%s', async (_, forged) => {
    issuer.forged = forged;
    await expectNobody(await arrive(issuer, new Browser(send)));
  });

  it('signed by a key of the issuer, also one that it has changed since', async () => {
    await enter(issuer, ann);
    await clear();
    const [key, next] = [issuer.key, await newSigningKey('next')];
    issuer.key = next;
    await expectNobody(await arrive(issuer, new Browser(send)));
    issuer.published = [next];
    vi.useFakeTimers({ now: Date.now() + 120_000, toFake: ['Date'] });
    expect((await enter(issuer, ann)).status).toBe(200);
    await clear();
    issuer.key = key;
    await expectNobody(await arrive(issuer, new Browser(send)));
    issuer.key = { ...key, kid: next.kid };
    await expectNobody(await arrive(issuer, new Browser(send)));
    issuer.key = next;
  });
});

describe('an issuer that does not name its key', () => {
  it.each([
    ['with one key', []],
    ['with several', ['other', undefined]],
  ])('%s signs in, and nobody else does', async (_, kids) => {
    const own = issuer.key;
    const others = await Promise.all(kids.map((kid) => newSigningKey(kid)));
    const bare = await newSigningKey();
    issuer.key = bare;
    issuer.published = [...others, bare];
    expect((await enter(issuer, ann)).status).toBe(200);
    await clear();
    issuer.published = others;
    await expectNobody(await arrive(issuer, new Browser(send)));
    issuer.key = own;
    issuer.published = [own];
  });
});

it.each(['/keys', '/token'])(
  'an issuer whose response at %s has no end is read no further than 512 KB',
  async (path) => {
    issuer.endless = path;
    issuer.chunks = 0;
    const page = await arrive(issuer, new Browser(send));
    expect(errorOf(page)).toBe('the provider has sent more than 524288 bytes');
    await expectNobody(page);
    expect(issuer.chunks).toBeLessThan(12);
    delete issuer.endless;
  },
);

describe('the token that a page gets', () => {
  it('is redeemed once, also by two requests at once', async () => {
    const page = await arrive(issuer, new Browser(send));
    const other = servingProviders();
    const statuses = [exchange(new Browser(send), page), exchange(new Browser(other), page)];
    expect((await Promise.all(statuses)).map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect(await refusalOf(await exchange(new Browser(send), page))).toBe(INCOMPLETE);
    expect(await rowsOf('select 1 from up_users')).toHaveLength(1);
  });

  it('is void after two minutes, and its mark is deleted then', async () => {
    const pages = [await arrive(issuer, new Browser(send)), await arrive(issuer, new Browser(send))] as const;
    await exchange(new Browser(send), pages[0]);
    vi.useFakeTimers({ now: Date.now() + 120_000, toFake: ['Date'] });
    expect(await refusalOf(await exchange(new Browser(send), pages[1]))).toBe(INCOMPLETE);
    expect((await enter(issuer, ann)).status).toBe(200);
    expect(await rowsOf('select 1 from edgewise_redemptions')).toHaveLength(1);
  });

  it('is never that of the provider, and nothing else opens an account', async () => {
    const browser = new Browser(send);
    const page = await arrive(issuer, browser);
    expect(page.href).not.toContain('of the provider');
    const { jwt } = await signedIn(exchange(new Browser(send), page));
    await browser.follow('/api/connect/keycloak');
    const sealed = [...browser.cookies].find(([name]) => name.startsWith('edgewise_connect_'))?.[1] ?? '';
    expect(sealed).not.toBe('');
    for (const token of ['of the provider', '', jwt, sealed, `${page.searchParams.get('access_token')}A`])
      expect(await refusalOf(await send(`/api/auth/keycloak/callback?access_token=${token}`))).toBe(INCOMPLETE);
  });

  it('is not that of another deployment', async () => {
    const page = await arrive(issuer, new Browser(send));
    const other = servingProviders({}, {}, { JWT_SECRET: 'the secret of another deployment' } as never);
    expect(await refusalOf(await exchange(new Browser(other), page))).toBe(INCOMPLETE);
  });

  it('signs a victim in to no account of an attacker, if the page has sent a code challenge', async () => {
    const challenge = sha256Base64Url('what the page of the attacker keeps');
    const page = await arrive(issuer, new Browser(send), `?code_challenge=${challenge}`);
    const verifier = encodeURIComponent('what the page of the victim keeps');
    for (const more of ['', `&code_verifier=${verifier}`])
      expect((await exchange(new Browser(send), page, more)).status).toBe(400);
  });

  it('is of no use to a page that sends a verifier, if its sign-in had no code challenge', async () => {
    const page = await arrive(issuer, new Browser(send));
    for (const more of ['&code_verifier=what+the+page+of+the+victim+keeps', '&code_verifier='])
      expect((await exchange(new Browser(send), page, more)).status).toBe(400);
    expect(await rowsOf('select 1 from up_users')).toEqual([]);
  });

  it('comes from a cookie only if the query has none', async () => {
    const browser = new Browser(send);
    await arrive(issuer, browser);
    for (const query of ['access_token=', 'access_token[]=x', 'access_token=x&access_token=y', 'access_token[a]=x'])
      expect(await refusalOf(await browser.get(`/api/auth/keycloak/callback?${query}`))).toBe(INCOMPLETE);
    expect((await browser.get('/api/auth/keycloak/callback')).status).toBe(200);
  });

  it('is not taken from a cookie for a page elsewhere, unless its origin is listed', async () => {
    const from = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
    const server = { url: SECURE };
    const browser = new Browser(servingProviders({}, { server }));
    await arriveSecurely(browser);
    expect((await browser.get(`${SECURE}/api/auth/keycloak/callback`, from)).status).toBe(403);
    const allowed = new Browser(servingProviders({}, { server, cors: { origins: [from.origin] } }));
    await arriveSecurely(allowed);
    const response = await allowed.get(`${SECURE}/api/auth/keycloak/callback`, from);
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, from.origin]);
  });
});

it.each([
  ['not verified', { email_verified: false }, UNVERIFIED],
  ['verified by the text "false"', { email_verified: 'false' }, UNVERIFIED],
  ['verified by another text', { email_verified: 'TRUE' }, UNVERIFIED],
  ['verified by a number', { email_verified: 1 }, UNVERIFIED],
  ['nothing of which is said', { email_verified: undefined }, UNVERIFIED],
  ['no text', { email: ['ann@example.com'] }, 'Email was not available.'],
  ['absent', { email: undefined }, 'Email was not available.'],
])('an address that is %s opens and makes no account', async (_, claims, message) => {
  await register(send, 'ann');
  expect(await refusalOf(await enter(issuer, { ...ann, ...claims }))).toBe(`400 ApplicationError: ${message}`);
  expect(await rowsOf('select 1 from edgewise_identities')).toEqual([]);
  expect(await rowsOf('select 1 from up_users')).toHaveLength(1);
});

describe('an account that an attacker has registered for the address of another', () => {
  const account = { username: 'squatter', email: 'ann@example.com', password: PASSWORD };
  /** As if they had connected a client. */
  const connectClient = (user: unknown) =>
    run("insert into edgewise_oauth_grants values ('g', ?, 'c', 'h', 'n', 'read', null, 'k', 0, 0, null, 9e15)", user);

  it.each([
    ['long-lived JWTs', {}],
    ['sessions', { jwtManagement: 'refresh' }],
  ] as const)('goes over to its owner: password and %s end', async (_, mode) => {
    const open = servingProviders(mode);
    const attacker = (await (await post(open, '/api/auth/local/register', account)).json()) as SignedIn & {
      refreshToken?: string;
    };
    await post(open, '/api/auth/forgot-password', { email: account.email });
    await run(
      "insert into edgewise_identities values ('https://evil.example', '1', ?, 'evil', 0)",
      attacker.user.documentId,
    );
    await connectClient(attacker.user.documentId);
    expect(await rowsOf('select 1 from up_users where reset_password_token is not null')).toHaveLength(1);
    const owner = await signedIn(enter(issuer, ann, open));
    expect(owner.user).toMatchObject({ id: attacker.user.id, provider: 'keycloak', confirmed: true });
    expect((await open('/api/users/me', bearer(owner.jwt))).status).toBe(200);
    expect((await open('/api/users/me', bearer(attacker.jwt))).status).toBe(401);
    expect('refreshToken' in attacker).toBe('jwtManagement' in mode);
    if (attacker.refreshToken)
      expect((await post(open, '/api/auth/refresh', { refreshToken: attacker.refreshToken })).status).toBe(401);
    for (const identifier of ['squatter', account.email]) expect((await login(open, identifier)).status).toBe(400);
    const [row] = await rowsOf('select password, reset_password_token, confirmation_token, email_proven from up_users');
    expect(row).toEqual({ password: null, reset_password_token: null, confirmation_token: null, email_proven: 1 });
    expect(await rowsOf('select issuer from edgewise_identities')).toEqual([{ issuer: ISSUER }]);
    expect(await rowsOf('select 1 from edgewise_oauth_grants')).toEqual([]);
  });

  it('keeps no identity and no client of an attacker who has moved it to the address, once its owner proves that otherwise', async () => {
    await enter(issuer, { ...ann, sub: 'evil', email: 'evil@example.com', preferred_username: 'evil' });
    for (const confirms of [false, true]) {
      await run("update up_users set email = 'ann@example.com', email_proven = 0, provider = 'local', confirmed = 0");
      const [moved] = await rowsOf('select document_id as id from up_users');
      await connectClient(moved?.id);
      await post(send, confirms ? '/api/auth/send-email-confirmation' : '/api/auth/forgot-password', {
        email: account.email,
      });
      const [, code = ''] = /(?:code|confirmation)=([0-9a-f]+)/.exec(box.messages.at(-1)?.text ?? '') ?? [];
      const body = { code, password: PASSWORD, passwordConfirmation: PASSWORD };
      const done = confirms
        ? await send(`/api/auth/email-confirmation?confirmation=${code}`, { redirect: 'manual' })
        : await post(send, '/api/auth/reset-password', body);
      expect(done.status).toBe(confirms ? 302 : 200);
      expect(await rowsOf('select 1 from edgewise_identities')).toEqual([]);
      expect(await rowsOf('select 1 from edgewise_oauth_grants')).toEqual([]);
      const [user] = await rowsOf('select document_id as id from up_users');
      await run("insert into edgewise_identities values (?, 'evil', ?, 'keycloak', 0)", ISSUER, user?.id);
    }
  });

  it('stays blocked if it is', async () => {
    await post(send, '/api/auth/local/register', account);
    await run('update up_users set blocked = 1');
    expect((await enter(issuer, ann)).status).toBe(400);
    expect(await rowsOf("select 1 from up_users where provider = 'local' and email_proven is not 1")).toHaveLength(1);
  });

  it('is that of a confusable address for nobody', async () => {
    await post(send, '/api/auth/local/register', account);
    const other = { ...ann, sub: '2', email: 'ａnn@example.com', preferred_username: 'other' };
    expect(await refusalOf(await enter(issuer, other))).toBe('400 ApplicationError: Email is already taken.');
  });
});
