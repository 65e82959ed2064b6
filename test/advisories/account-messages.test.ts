/**
 * @module Attacks on accounts: signing in, registering, passwords, codes by e-mail, and what a JWT is good for.
 */
import { env } from 'cloudflare:workers';
import { hashSync } from 'bcryptjs';
import { sign } from 'hono/jwt';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { createApp } from '../../src/app.ts';
import { parseSettings } from '../../src/config.ts';
import type { EmailSender } from '../../src/users/email.ts';
import { limiterOf } from '../support/limiter.ts';
import { bearer, createToken, recordedRegistry, sendJson, serve } from '../support/recorded.ts';
import { forge, JWT_SECRET, login, outbox, PASSWORD, post, refusalOf, register } from '../support/users.ts';
import { asUser, createWorld, send, settings, world } from './world.ts';

const LIMIT = 5;
const limited = serve({ ...settings, rateLimit: { auth: { enabled: true } } }, { AUTH_RATE_LIMIT: limiterOf(LIMIT) });
const now = Math.floor(Date.now() / 1000);

beforeAll(createWorld);

const from = (address: string, path: string, body: unknown) =>
  limited(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'cf-connecting-ip': address },
    body: JSON.stringify(body),
  });

const GUESS = { identifier: 'victim', password: 'guessed' };

describe('guessing passwords past the limit', () => {
  /** CVE-2023-38507, GHSA-24q2-59hm-rh9r; hono CVE-2026-47676 */
  it('by other spellings of the path', async () => {
    const address = '198.51.100.1';
    for (let attempt = 0; attempt < LIMIT; attempt += 1)
      expect((await from(address, '/api/auth/local', GUESS)).status).toBe(400);
    const spellings = [
      '/API/auth/LOCAL',
      '/api/auth/local/',
      '/api/./auth/local',
      '/api/auth/../auth/local',
      '/api/auth/local?x=1',
      '/api/auth/local#x',
      '/Api/Auth/Local/?',
    ];
    for (const path of spellings) expect([path, (await from(address, path, GUESS)).status]).toEqual([path, 429]);
    for (const [path, status] of [
      ['/api//auth/local', 405],
      ['//api/auth/local', 405],
      ['/api/auth/local//', 429],
      ['/api/auth/%6cocal', 405],
      ['/%61pi/auth/local', 405],
      ['/api/auth%2flocal', 405],
      ['/api/auth/local%2f', 405],
      ['/api/auth/local%20', 405],
      ['/api/auth/local;x', 405],
    ] as const) {
      const answer = await from(address, path, { ...GUESS, password: PASSWORD });
      expect([path, answer.status]).toEqual([path, status]);
    }
  });

  /** CVE-2025-64526, GHSA-7mqx-wwh4-f9fw */
  it.each([
    ['/api/auth/local', 400, GUESS],
    ['/api/auth/reset-password', 400, { code: 'x', password: 'guessed', passwordConfirmation: 'guessed' }],
    ['/api/auth/change-password', 403, { currentPassword: 'x', password: 'guessed', passwordConfirmation: 'guessed' }],
  ])('by an e-mail address that %s has no use for', async (path, refused, body) => {
    const address = `198.51.100.${path.length}`;
    const attempts: number[] = [];
    for (let attempt = 0; attempt <= LIMIT; attempt += 1)
      attempts.push((await from(address, path, { ...body, email: `${attempt}@example.com` })).status);
    expect(attempts).toEqual([...Array.from({ length: LIMIT }, () => refused), 429]);
  });
});

/** CVE-2023-39345, GHSA-gc7p-j5xm-xxh2 */
describe('registering with more than one may', () => {
  const more = {
    role: 1,
    confirmed: true,
    blocked: false,
    provider: 'github',
    resetPasswordToken: 'mine',
    confirmationToken: 'mine',
    passwordChangedAt: null,
    id: 1,
    documentId: 'mine',
    createdAt: '2020-01-01',
    constructor: 'mine',
  };

  it.each(Object.entries(more))('%s', async (name, value) => {
    const account = { username: `more-${name}`, email: `${name}@example.com`.toLowerCase(), password: PASSWORD };
    const response = await post(send, '/api/auth/local/register', { ...account, [name]: value });
    expect(await refusalOf(response)).toBe(`400 ValidationError: Invalid parameters: ${name}`);
    const rows = env.DB.prepare('select count(*) as "count" from "up_users" where "email" = ?').bind(account.email);
    expect(await rows.first()).toEqual({ count: 0 });
  });
});

const unsigned = (header: object, claims: object, signature = '') =>
  [JSON.stringify(header), JSON.stringify(claims)].map((part) => btoa(part).replaceAll('=', '')).join('.') +
  `.${signature}`;

describe('forging a JWT', () => {
  const claims = () => ({ id: world.victim, iat: now, exp: now + 600 });

  /** CVE-2023-22893, GHSA-583x-23h9-f5w7; GHSA-6hwx-8w6v-r7rx; hono CVE-2025-62610 */
  it.each<[string, () => string | Promise<string>]>([
    ['without a signature', () => unsigned({ alg: 'none', typ: 'JWT' }, claims())],
    ['without a signature, in capitals', () => unsigned({ alg: 'NONE', typ: 'JWT' }, claims(), 'x')],
    ['without an algorithm', () => unsigned({ typ: 'JWT' }, claims(), 'x')],
    [
      'with the signature of another token',
      async () => {
        const [, , signature] = (await forge({ id: 1, iat: now, exp: now + 600 })).split('.');
        return unsigned({ alg: 'HS256', typ: 'JWT' }, { ...claims(), exp: now + 601 }, signature);
      },
    ],
    ['with a longer hash of the right secret', () => sign(claims(), JWT_SECRET, 'HS512')],
    [
      'that calls its HMAC an RSA signature',
      async () => {
        const [, body = '', signature = ''] = (await forge(claims())).split('.');
        return `${btoa('{"alg":"RS256","typ":"JWT"}').replaceAll('=', '')}.${body}.${signature}`;
      },
    ],
    ['with an empty secret', () => forge(claims(), 'undefined')],
    [
      'of another service',
      () => forge({ ...claims(), aud: 'edgewise', iss: 'edgewise' }, 'the secret of another service'),
    ],
    ['for another audience, with the right secret', () => forge({ ...claims(), aud: 'elsewhere' })],
    ['for many audiences', () => forge({ ...claims(), aud: ['elsewhere', 'edgewise'] })],
    ['that has expired', () => forge({ ...claims(), exp: now - 1 })],
    ['that is not valid yet', () => forge({ ...claims(), nbf: now + 300 })],
    ['that never expires', () => forge({ id: world.victim, iat: now })],
    ['whose id is a text', () => forge({ ...claims(), id: String(world.victim) })],
    ['whose id is a list', () => forge({ ...claims(), id: [world.victim] })],
    ['for a user by documentId', () => forge({ ...claims(), id: undefined, documentId: 'user' })],
  ])('%s', async (_, token) => {
    const response = await send('/api/users/me', bearer(await token()));
    expect(await refusalOf(response)).toBe('401 UnauthorizedError: Missing or invalid credentials');
  });
});

describe('going on with a JWT', () => {
  const change = (id: number, data: object) => send(`/api/users/${id}`, sendJson('PUT', 'full', data));

  /** CVE-2025-3930, GHSA-4r8w-3jww-m2rp; Directus GHSA-56p6-qw3c-fq2g; Payload CVE-2025-4643 */
  it.each([
    ['after being blocked', (id: number) => change(id, { blocked: true })],
    ['after being deleted', (id: number) => send(`/api/users/${id}`, { method: 'DELETE', ...bearer('full') })],
    ['after the password was changed by somebody else', (id: number) => change(id, { password: 'another one' })],
  ])('%s', async (how, end) => {
    const { jwt, user } = await register(send, how.replaceAll(' ', '-'));
    expect((await send('/api/articles', bearer(jwt))).status).toBe(200);
    expect((await end(user.id)).status).toBe(200);
    for (const path of ['/api/articles', '/api/users/me', '/api/nothing-public'])
      expect((await send(path, bearer(jwt))).status).toBe(path === '/api/nothing-public' ? 404 : 401);
  });

  /** Payload CVE-2025-4644 */
  it('as the user who got the number of a deleted one', async () => {
    const { jwt, user } = await register(send, 'last-of-all');
    await send(`/api/users/${user.id}`, { method: 'DELETE', ...bearer('full') });
    const { user: next } = await register(send, 'first-after');
    expect(next.id).toBeGreaterThan(user.id);
    expect((await send('/api/users/me', bearer(jwt))).status).toBe(401);
  });

  /** Payload CVE-2026-25574 */
  it('as something else that has the same number', async () => {
    await createToken('numbered', 'full-access');
    const row = env.DB.prepare('select "id" from "strapi_api_tokens" where "name" = ?').bind('numbered');
    const { id } = (await row.first<{ id: number }>()) ?? { id: 0 };
    await env.DB.prepare('update "strapi_api_tokens" set "id" = 5000 where "id" = ?').bind(id).run();
    expect((await send('/api/articles', bearer(await forge({ id: 5_000, iat: now, exp: now + 60 })))).status).toBe(401);
    const asMember = await send('/api/comments', bearer(world.jwt));
    expect(await refusalOf(asMember)).toBe('403 ForbiddenError: Forbidden');
  });
});

/** CVE-2025-25298, GHSA-2cjv-6wg9-f4f3: bcrypt reads 72 bytes of a password, whatever follows would not matter. */
describe.each([
  ['letters', 'x'.repeat(72)],
  ['letters of two bytes', 'é'.repeat(36)],
  ['letters of four bytes', '🎉'.repeat(18)],
])('signing in with the first 72 bytes of a long password of %s', (kind, head) => {
  const accountOf = (who: string, password: string) => {
    const username = `${who} of ${kind}`.replaceAll(' ', '-');
    return { username, email: `${username}@example.com`, password };
  };
  const whole = `${head}tail`;
  /** What else of the same beginning must not let anybody in. */
  const expectRefused = async (username: string, passwords: readonly string[]) => {
    for (const password of passwords)
      expect(await refusalOf(await login(send, username, password))).toBe(
        '400 ValidationError: Invalid identifier or password',
      );
  };

  it('that nobody can register with', async () => {
    const account = accountOf('beyond', whole);
    const refused = await post(send, '/api/auth/local/register', account);
    expect(await refusalOf(refused)).toBe('400 ValidationError: Password must be less than 73 bytes');
    await expectRefused(account.username, [head, whole]);
    const { username, ...longest } = accountOf('within', head);
    expect((await post(send, '/api/auth/local/register', { username, ...longest })).status).toBe(200);
    await expectRefused(username, [whole, [...head].slice(1).join('')]);
    expect((await login(send, username, head)).status).toBe(200);
  });

  it('that an administrator has set', async () => {
    const account = { ...accountOf('made', whole), confirmed: true, role: 1 };
    expect((await post(send, '/api/users', account, 'full')).status).toBe(201);
    await expectRefused(account.username, [head, `${head}other`, `${head}tai`, `${whole}s`]);
    expect((await login(send, account.username, whole)).status).toBe(200);
  });

  it('that came with a bcrypt hash', async () => {
    const account = accountOf('imported', PASSWORD);
    const { user } = (await (await post(send, '/api/auth/local/register', account)).json()) as { user: { id: number } };
    const update = env.DB.prepare('update "up_users" set "password" = ? where "id" = ?');
    await update.bind(hashSync(whole, 4), user.id).run();
    await expectRefused(account.username, [whole, `${head}other`]);
  });
});

/** CVE-2025-53092, GHSA-9329-mxxw-qwf8 */
it.each([
  'https://evil.example',
  'null',
  'https://site.example.evil.example',
  'https://site.exampleevil',
  'http://site.example',
])("using a visitor's credentials from %s", async (origin) => {
  const site = serve({ ...settings, cors: { origins: ['https://site.example'] } });
  for (const init of [
    { headers: { origin, authorization: `Bearer ${world.jwt}` } },
    { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'GET' } },
  ]) {
    const { headers } = await site('/api/articles', init);
    expect([...headers.keys()].filter((name) => name.startsWith('access-control-allow'))).toEqual([]);
    expect(headers.get('vary')).toContain('Origin');
  }
  const allowed = await site('/api/articles', { headers: { origin: 'https://site.example' } });
  expect(allowed.headers.get('access-control-allow-origin')).toBe('https://site.example');
});

/** Payload CVE-2026-34749 */
describe('making the browser of a visitor act', () => {
  it('with a cookie, which no answer sets and no request is known by', async () => {
    const signedIn = await login(send, 'attacker');
    expect(signedIn.status).toBe(200);
    expect(signedIn.headers.get('set-cookie')).toBeNull();
    for (const cookie of [
      `jwt=${world.jwt}`,
      `token=full`,
      `strapi_jwt=${world.jwt}`,
      `authorization=Bearer ${world.jwt}`,
    ])
      expect((await send('/api/users/me', { headers: { cookie } })).status).toBe(403);
  });

  it.each(['text/plain', 'multipart/form-data; boundary=x', '', 'text/plain; application/json'])(
    'with a body of type %j, which no preflight asks about',
    async (type) => {
      const body = JSON.stringify({ identifier: 'attacker', password: PASSWORD });
      const response = await send('/api/auth/local', { method: 'POST', headers: { 'content-type': type }, body });
      expect(response.status).toBe(400);
    },
  );
});

describe('sending messages', () => {
  const EVIL = 'evil.example';
  const mailing = (mail: EmailSender, more: object = {}) => serve({ ...settings, ...more }, {}, mail);

  /** CVE-2023-22621, GHSA-2h87-4q2w-v4hf */
  it('with a name that a template would run', async () => {
    const names = ['<%= 7*191 %>', `$\{7*191}`, '{{7*191}}', '#{7*191}', '<%- process.env %>', '{{constructor}}'];
    for (const [index, username] of names.entries()) {
      const mail = outbox();
      const confirming = mailing(mail, { users: { emailConfirmation: true } });
      const email = `template-${index}@example.com`;
      expect((await post(confirming, '/api/auth/local/register', { username, email, password: PASSWORD })).status).toBe(
        200,
      );
      await post(confirming, '/api/auth/forgot-password', { email });
      expect(mail.messages.length).toBe(2);
      for (const { subject, text, to } of mail.messages) {
        expect(to).toBe(email);
        // A code may have any digits.
        expect(`${subject}${text}`.replaceAll(/[0-9a-f]{64,}/g, '')).not.toMatch(/1337|function|PATH=/);
      }
    }
  });

  /** Payload CVE-2026-34751; Directus CVE-2024-27295 */
  it('with a code for somebody else, or a link to somewhere else', async () => {
    const bodies = [
      { email: 'victim@example.com', url: `https://${EVIL}`, resetPasswordUrl: `https://${EVIL}`, to: `me@${EVIL}` },
      { email: 'victim@example.com', origin: `https://${EVIL}`, host: EVIL },
      { email: 'VICTIM@EXAMPLE.COM' },
    ];
    const headers = {
      'x-forwarded-host': EVIL,
      forwarded: `host=${EVIL}`,
      origin: `https://${EVIL}`,
      referer: `https://${EVIL}`,
    };
    for (const body of bodies) {
      const mail = outbox();
      await mailing(mail)('/api/auth/forgot-password', {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      // Keys that mean nothing here are refused.
      const isPlain = Object.keys(body).join() === 'email';
      expect(mail.messages.map(({ to }) => to)).toEqual(isPlain ? ['victim@example.com'] : []);
      expect(JSON.stringify(mail.messages)).not.toContain(EVIL);
    }
    const others: unknown[] = [
      'victím@example.com',
      'vıctim@example.com',
      'victim@example.com,me@evil.example',
      'victim@example.com\r\nbcc: me@evil.example',
      ['victim@example.com', 'me@evil.example'],
      { $ne: '' },
      { $startsWith: 'v' },
      true,
    ];
    for (const email of others) {
      const mail = outbox();
      await post(mailing(mail), '/api/auth/forgot-password', { email });
      expect(mail.messages).toEqual([]);
    }
  });

  /** CVE-2024-34065, GHSA-wrvh-rcmr-9qfc */
  it('with a redirect to somewhere else', async () => {
    const paths = [
      `/api/connect/github?callback=https://${EVIL}`,
      `/api/connect/github/callback?access_token=x&callback=https://${EVIL}`,
      `/api/auth/github/callback?access_token=x`,
      `/api/auth/email-confirmation?confirmation=x&callback=https://${EVIL}&redirect=https://${EVIL}&url=https://${EVIL}`,
    ];
    for (const path of paths) {
      const response = await send(path, { redirect: 'manual' });
      expect([path, response.status]).toEqual([path, 400]);
      expect(response.headers.get('location')).toBeNull();
    }
    const mail = outbox();
    const confirming = mailing(mail, { users: { emailConfirmation: true, emailConfirmationRedirection: '/welcome' } });
    await post(confirming, '/api/auth/local/register', {
      username: 'redirected',
      email: 'redirected@example.com',
      password: PASSWORD,
    });
    const code = /confirmation=(\w+)/.exec(mail.messages[0]?.text ?? '')?.[1];
    const confirmed = await confirming(
      `/api/auth/email-confirmation?confirmation=${code}&callback=https://${EVIL}&redirect=//${EVIL}`,
    );
    expect(confirmed.headers.get('location')).toBe('/welcome');
  });
});

/** Answers as they come, with whatever goes on afterwards left to itself. */
async function unawaited(path: string, body: unknown, emailSender: EmailSender): Promise<string> {
  const app = createApp({
    registry: recordedRegistry,
    settings: parseSettings({ rateLimit: { auth: { enabled: false } } }),
    emailSender,
  });
  const request = new Request(`http://edgewise.test${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const context = {
    waitUntil: (work: Promise<unknown>) => void work.catch(() => undefined),
    passThroughOnException: () => {},
  };
  const response = await app.fetch(request, env, context as never);
  return `${response.status} ${(await response.text()).replaceAll(/[\w-]+@example\.com/g, '…')}`;
}

describe('finding out who has an account', () => {
  /** Directus CVE-2026-26185 */
  it.each(['/api/auth/forgot-password', '/api/auth/send-email-confirmation'])(
    'by the answer of %s, or by how long it takes to send the message',
    async (path) => {
      await env.DB.prepare('update "up_users" set "confirmed" = 0 where "id" = ?').bind(world.victim).run();
      const started = vi.fn();
      const never: EmailSender = { send: () => new Promise(() => started()) };
      const known = await unawaited(path, { email: 'victim@example.com' }, never);
      const unknown = await unawaited(path, { email: 'nobody@example.com' }, never);
      expect(known).toBe(unknown);
      expect(known.slice(0, 3)).toBe('200');
      await vi.waitFor(() => expect(started).toHaveBeenCalledTimes(1));
    },
  );

  it('by the words of a refusal', async () => {
    await send(`/api/users/${world.victim}`, sendJson('PUT', 'full', { blocked: true, confirmed: false }));
    const refusals = await Promise.all(
      ['victim', 'victim@example.com', 'nobody', '%', "' or 1=1 --"].map(async (name) =>
        refusalOf(await login(send, name, 'guessed')),
      ),
    );
    expect(new Set(refusals)).toEqual(new Set(['400 ValidationError: Invalid identifier or password']));
    await send(`/api/users/${world.victim}`, sendJson('PUT', 'full', { blocked: false, confirmed: true }));
  });
});

/** hono CVE-2026-47673 */
it.each(['Basic', 'Token', 'Digest', 'ApiKey', 'JWT', 'BearerX', 'X-Bearer'])(
  'sending a token as %s',
  async (scheme) => {
    for (const token of ['full', world.jwt])
      expect((await send('/api/comments', { headers: { authorization: `${scheme} ${token}` } })).status).toBe(403);
  },
);

/** Directus CVE-2024-47822 */
it('sending a token in the query, where it would be logged', async () => {
  const strict = await send('/api/articles?access_token=full');
  expect(strict.status).toBe(400);
  for (const search of ['access_token=full', 'token=full', `jwt=${world.jwt}`, 'authorization=Bearer full'])
    expect((await send(`/api/comments?${search}`)).status).toBe(403);
  expect((await send('/api/users?fields=username', asUser())).status).toBe(200);
});
