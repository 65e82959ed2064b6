/**
 * @module Sign-ins by providers that meet an account in each state, or each other.
 */
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { sha256Base64Url } from '../../../src/common/digest.ts';
import { interleavedDatabase } from '../../support/interleaved-database.ts';
import { Browser, type Issuer } from '../../support/issuer.ts';
import { limiterOf } from '../../support/limiter.ts';
import {
  ann,
  arrive,
  box,
  clear,
  enter,
  exchange,
  openProviders,
  rowsOf,
  run,
  send,
  servingProviders,
  signedIn,
} from '../../support/provider-world.ts';
import { bearer } from '../../support/recorded.ts';
import { refusalOf, register } from '../../support/users.ts';

let issuer: Issuer;
beforeAll(async () => {
  issuer = await openProviders();
});
beforeEach(async () => {
  await clear();
  issuer.person = ann;
});
afterEach(() => {
  vi.mocked(console.error).mockRestore?.();
});

const moved = { ...ann, email: 'moved@example.com' };
const unsure = { ...ann, email_verified: false };
const confirming = servingProviders({ emailConfirmation: true });
const UNCONFIRMED = '400 ApplicationError: Your account email is not confirmed';
const BLOCKED = '400 ApplicationError: Your account has been blocked by an administrator';
const INCOMPLETE = '400 ApplicationError: OAuth authentication requires a completed provider session';

const verifier = 'a text that only the page knows, of 43 characters';
const more = `&code_verifier=${encodeURIComponent(verifier)}`;
const challenge = `?code_challenge=${sha256Base64Url(verifier)}`;

/** Returns the page to which the person comes back. */
async function pageOf(person: object, query = '', by = send): Promise<URL> {
  issuer.person = { ...person };
  return arrive(issuer, new Browser(by), query);
}

/** Exchanges what several persons have got at the same moment. */
async function atOnce(...persons: readonly object[]): Promise<readonly Response[]> {
  const pages: URL[] = [];
  for (const person of persons) pages.push(await pageOf(person));
  return Promise.all(pages.map((page) => exchange(new Browser(send), page)));
}

describe('a user who comes back', () => {
  const states = async () => rowsOf('select confirmed, email_proven from up_users');

  it.each([
    ['the address of the account', ann, false, [1, 0], [1, 1]],
    ['the address of the account', ann, false, [0, 0], [1, 1]],
    ['the address of the account', ann, true, [0, 1], [1, 1]],
    ['another address', moved, false, [0, 0], [0, 0]],
    ['another address', moved, true, [1, 0], [1, 0]],
    ['no address', { sub: '1' }, true, [1, 0], [1, 0]],
    ['the address of the account, for which it does not vouch', unsure, false, [0, 0], [0, 0]],
    ['the address of the account, for which it does not vouch', unsure, true, [1, 0], [1, 0]],
  ] as const)(
    'with %s (%j) where addresses are confirmed: %s, from %j to %j',
    async (_, person, confirms, before, after) => {
      await enter(issuer, ann);
      await run('update up_users set confirmed = ?, email_proven = ?', ...before);
      expect((await enter(issuer, person, confirms ? confirming : send)).status).toBe(200);
      expect(await states()).toEqual([{ confirmed: after[0], email_proven: after[1] }]);
    },
  );

  it.each([moved, unsure, { sub: '1' }])(
    'unconfirmed with %j is rejected where addresses are confirmed',
    async (person) => {
      await enter(issuer, ann);
      await run('update up_users set confirmed = 0, email_proven = 0');
      expect(await refusalOf(await enter(issuer, person, confirming))).toBe(UNCONFIRMED);
      expect(await states()).toEqual([{ confirmed: 0, email_proven: 0 }]);
    },
  );

  it('is rejected when blocked while the sign-in is on its way', async () => {
    await enter(issuer, ann);
    const page = await pageOf(ann);
    const block = () => run('update up_users set blocked = 1, updated_at = updated_at + 1');
    const late = servingProviders({}, {}, { DB: interleavedDatabase(env.DB, 1, block) });
    expect(await refusalOf(await exchange(new Browser(late), page))).toBe(BLOCKED);
  });
});

it('a proven account that is linked stays as it is', async () => {
  await register(send, 'ann');
  await run("update up_users set provider = 'keycloak', email_proven = 1, updated_at = 1");
  const before = await rowsOf('select * from up_users');
  expect((await enter(issuer, ann)).status).toBe(200);
  expect(await rowsOf('select * from up_users')).toEqual(before);
});

describe('two sign-ins at the same moment', () => {
  it.each([
    ['without accounts', '', ''],
    [
      'with accounts that have proven their address',
      'ann',
      "update up_users set provider = 'keycloak', email_proven = 1",
    ],
    ['with accounts that have proven nothing', 'ann', 'update up_users set email_proven = 0'],
  ])('of one person with two addresses are those of one user, %s', async (_, name, state) => {
    if (name) for (const username of [name, 'moved']) await register(send, username);
    if (state) await run(state);
    const responses = await atOnce(ann, { ...moved, preferred_username: 'another' });
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    const users = await Promise.all(responses.map(async (response) => (await signedIn(response)).user.id));
    expect(new Set(users).size).toBe(1);
    expect(await rowsOf('select user from edgewise_identities')).toHaveLength(1);
    expect(await rowsOf('select 1 from up_users')).toHaveLength(name ? 2 : 1);
  });

  it('of two persons with the address of one account are that of one', async () => {
    await register(send, 'ann');
    await run("update up_users set provider = 'keycloak', email_proven = 1");
    const responses = await atOnce(ann, { ...ann, sub: '2' });
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect(await rowsOf('select user from edgewise_identities')).toHaveLength(1);
  });

  it('with one token send one message to an address that is not verified', async () => {
    const page = await pageOf(unsure, challenge);
    const { length } = box.messages;
    const responses = await Promise.all([1, 2].map(() => exchange(new Browser(send), page, more)));
    const refusals = await Promise.all(responses.map(refusalOf));
    expect(refusals.toSorted()).toEqual([expect.stringMatching(/Email not verified by Keycloak\. Follow/), INCOMPLETE]);
    await expect.poll(() => box.messages.length).toBe(length + 1);
  });
});

describe('the name of a new user', () => {
  /** Each name gets the next of these digits. */
  const drawing = (...digits: number[]) => {
    const { getRandomValues } = Crypto.prototype;
    vi.spyOn(crypto, 'getRandomValues').mockImplementation((array) => {
      if (!(array instanceof Uint16Array)) return getRandomValues.call(crypto, array as never) as never;
      array[0] = digits.shift() ?? 0;
      return array;
    });
  };
  afterEach(() => void vi.mocked(crypto.getRandomValues).mockRestore());

  it.each([
    [[1, 2], /^bo1001$/],
    [[0, 2], /^bo1002$/],
    [[0, 9000], /^[\da-f]{8}-[\da-f-]{27}$/],
  ])('has four digits if it is short, up to the second time: %j', async (digits, expected) => {
    await register(send, 'bo1000');
    drawing(...digits);
    const { user } = await signedIn(enter(issuer, { ...ann, preferred_username: 'bo' }));
    expect(user.username).toMatch(expected);
  });
});

describe('an address that the provider does not vouch for', () => {
  it('is told where no message can be sent, though the page has sent a code challenge', async () => {
    const silent = servingProviders({}, {}, {}, false);
    const page = await pageOf(unsure, challenge, silent);
    expect(await refusalOf(await exchange(new Browser(silent), page, more))).toBe(
      '400 ApplicationError: Email not verified by Keycloak',
    );
  });

  it('takes an unproven account without a password by the link', async () => {
    const { user } = await register(send, 'ann');
    await run('update up_users set password = null');
    await exchange(new Browser(send), await pageOf(unsure, challenge), more);
    const link = new URL(/https:\S+/.exec(box.messages.at(-1)?.text ?? '')?.[0] ?? '');
    expect((await signedIn(exchange(new Browser(send), link, more))).user.id).toBe(user.id);
    expect(await rowsOf('select provider, email_proven from up_users')).toEqual([
      { provider: 'keycloak', email_proven: 1 },
    ]);
  });
});

describe('a connection', () => {
  it.each(['constructor', '__proto__', 'nobody'])('to %s is none', async (name) => {
    for (const path of [`connect/${name}`, `connect/${name}/callback`, `auth/${name}/callback`])
      expect(await refusalOf(await send(`/api/${path}`))).toBe('400 ApplicationError: This provider is disabled');
  });

  it('that fails is told in the log by the name of its provider', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    await new Browser(send).follow('/api/connect/other');
    await expect.poll(() => String(log.mock.calls)).toContain('Signing in by other failed: ');
  });
});

describe('the identities of a user', () => {
  const roles = { authenticated: ['plugin::users-permissions.identity.*'] };
  const linking = servingProviders({}, { roles });

  it('are unlinked from an account of another provider, of which it stays', async () => {
    const { jwt, user } = await signedIn(enter(issuer, ann, linking));
    await run(
      "insert into edgewise_identities values ('https://other.example.com', '1', ?, 'other', 0)",
      user.documentId,
    );
    await run("update up_users set provider = 'google'");
    const init = { method: 'DELETE', ...bearer(jwt) };
    expect((await linking('/api/users/me/identities/keycloak', init)).status).toBe(200);
    expect(await rowsOf('select provider from up_users')).toEqual([{ provider: 'google' }]);
  });
});

describe('an exchange of the token', () => {
  it('by a page of another site needs no cookie, and uses none', async () => {
    const secure = 'https://edgewise.test';
    const by = servingProviders({}, { server: { url: secure } });
    const from = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
    const browser = new Browser(by);
    const { href } = await browser.follow(`${secure}/api/connect/keycloak`);
    const page = await browser.follow(issuer.agree(href));
    const path = `${secure}/api/auth/keycloak/callback`;
    expect(await refusalOf(await new Browser(by).get(path, from))).toBe(INCOMPLETE);
    expect((await browser.get(path, from)).status).toBe(403);
    const token = `${path}?access_token=${page.searchParams.get('access_token')}`;
    expect((await browser.get(token, from)).status).toBe(200);
  });

  it('is counted where it may cost a message, by client and address', async () => {
    const limited = { AUTH_RATE_LIMIT: limiterOf(1) } as Partial<Env>;
    const counting = servingProviders({}, { rateLimit: { auth: { enabled: true } } }, limited);
    const status = async (person: object, address: string) => {
      const page = await pageOf(person, challenge, counting);
      const path = `/api/auth/keycloak/callback?access_token=${page.searchParams.get('access_token')}${more}`;
      return (await counting(path, { headers: { 'cf-connecting-ip': address } })).status;
    };
    for (const _ of [1, 2]) expect(await status(ann, '192.0.2.1')).toBe(200);
    const other = { ...unsure, sub: '2', email: 'bo@example.com' };
    for (const [email, address, expected] of [
      ['bo@example.com', '192.0.2.1', 400],
      ['BO@example.com', '192.0.2.1', 429],
      ['co@example.com', '192.0.2.1', 400],
      ['bo@example.com', '192.0.2.2', 400],
      ['bo@example.com', '192.0.2.2', 429],
    ] as const)
      expect([email, address, await status({ ...other, email }, address)]).toEqual([email, address, expected]);
  });
});
