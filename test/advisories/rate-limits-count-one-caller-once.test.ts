/**
 * @module Class 11 of the advisories of 2026: the key of a rate limit is canonical, so that no spelling of a path, an address
 * or a name counts as another caller. Strapi CVE-2025-64526, GHSA-7mqx-wwh4-f9fw (an e-mail address that the route has no
 * use for), CVE-2023-38507, GHSA-24q2-59hm-rh9r and hono CVE-2026-47676 (spellings of a path). What counts as one address is
 * in test/unit/http/client-address.test.ts, too.
 */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { SettingsInput } from '../../src/schema/settings/config.ts';
import type { Send } from '../support/app.ts';
import { limiterOf } from '../support/limiter.ts';
import { createTables, serve } from '../support/recorded.ts';
import { PASSWORD, register } from '../support/users.ts';

const on = { rateLimit: { auth: { enabled: true } } };
/** Of AUTH_ADDRESS_RATE_LIMIT in wrangler.toml. */
const ADDRESS_LIMIT = 20;
const SIGN_IN = '/api/auth/local';
const ABOUT_ADDRESSES = ['/api/auth/local/register', '/api/auth/forgot-password', '/api/auth/send-email-confirmation'];
const WORKERS = '2a06:98c0:3600::103';

const postWith = (send: Send, path: string, body: unknown, headers: Record<string, string> = {}) =>
  send(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

async function statuses(count: number, request: (attempt: number) => Promise<Response>): Promise<number[]> {
  const answers: number[] = [];
  for (let attempt = 0; attempt < count; attempt += 1) answers.push((await request(attempt)).status);
  return answers;
}

/** A deployment that counts by itself: five of each kind, eight by address. */
const counting = () =>
  serve(on, {
    AUTH_RATE_LIMIT: limiterOf(5),
    AUTH_ADDRESS_RATE_LIMIT: limiterOf(8),
    AUTH_FAILURE_RATE_LIMIT: limiterOf(3),
  });

beforeAll(async () => {
  await createTables();
  await register(serve(), 'guessed');
});

describe('requests from one address about many e-mail addresses', () => {
  it.each(ABOUT_ADDRESSES)('are limited at %s by the bindings of wrangler.toml', async (path) => {
    const headers = { 'cf-connecting-ip': `198.51.100.${ABOUT_ADDRESSES.indexOf(path) + 1}` };
    const send = serve(on);
    // Twice the limit and one more: wherever a minute ends meanwhile, one of the two exceeds it.
    const answers = await statuses(2 * ADDRESS_LIMIT + 1, (attempt) =>
      postWith(send, path, { email: `someone${attempt}@example.com` }, headers),
    );
    expect(answers.slice(0, ADDRESS_LIMIT)).not.toContain(429);
    expect(answers).toContain(429);
  });

  it.each(ABOUT_ADDRESSES)('are counted at %s for that path alone', async (path) => {
    const send = counting();
    const headers = { 'cf-connecting-ip': '192.0.2.7' };
    const answers = await statuses(9, (attempt) => postWith(send, path, { email: `a${attempt}@example.com` }, headers));
    expect(answers.map((status) => status === 429)).toEqual([...Array(8).fill(false), true]);
    for (const other of ABOUT_ADDRESSES.filter((name) => name !== path))
      expect((await postWith(send, other, { email: 'b@example.com' }, headers)).status).not.toBe(429);
  });
});

describe('a client', () => {
  let nobodies = 0;
  /** Never twice the same account. */
  const guess = () => ({ identifier: `nobody${nobodies++}`, password: 'guessed' });

  it('is the same with its address as IPv4 and as IPv6', async () => {
    const send = counting();
    const forms = ['192.0.2.9', '::ffff:192.0.2.9', '::FFFF:c000:0209', '::ffff:192.0.2.9', '192.0.2.9', '192.0.2.9'];
    const answers = await statuses(6, (attempt) =>
      postWith(send, SIGN_IN, guess(), { 'cf-connecting-ip': forms[attempt] ?? '' }),
    );
    expect(answers).toEqual([400, 400, 400, 400, 400, 429]);
    const other = { 'cf-connecting-ip': '::ffff:192.0.2.10' };
    expect((await postWith(send, SIGN_IN, guess(), other)).status).toBe(400);
  });

  it('without an address shares no count with others', async () => {
    const send = counting();
    expect(await statuses(9, () => postWith(send, SIGN_IN, guess()))).toEqual(Array(9).fill(400));
  });

  it('without an address is counted by the e-mail address of its request', async () => {
    const send = counting();
    const path = '/api/auth/forgot-password';
    const asking = (email: string) => postWith(send, path, { email });
    expect(await statuses(6, () => asking('ann@example.com'))).toEqual([200, 200, 200, 200, 200, 429]);
    expect((await asking('bob@example.com')).status).toBe(200);
  });

  it('that is a Worker of one zone shares no count with those of other zones, which have the same address', async () => {
    const send = counting();
    const from = (zone: string) => ({ 'cf-connecting-ip': WORKERS, 'cf-worker': zone });
    const answers = await statuses(6, () => postWith(send, SIGN_IN, guess(), from('attacker.example')));
    expect(answers).toEqual([400, 400, 400, 400, 400, 429]);
    expect((await postWith(send, SIGN_IN, guess(), from('shop.example'))).status).toBe(400);
  });

  it('is no other client with the header of a Worker', async () => {
    const send = counting();
    const answers = await statuses(6, (attempt) =>
      postWith(send, SIGN_IN, guess(), { 'cf-connecting-ip': '192.0.2.11', 'cf-worker': `zone${attempt}.example` }),
    );
    expect(answers).toEqual([400, 400, 400, 400, 400, 429]);
  });

  it('without an address is not counted by the limit of content either', async () => {
    const limited = { rateLimit: { content: { enabled: true } } };
    const send = serve(limited, { CONTENT_RATE_LIMIT: limiterOf(1) });
    expect(await statuses(3, () => send('/api/nope'))).toEqual([404, 404, 404]);
  });
});

describe('guesses at the password of one account from many addresses', () => {
  const MANY = 3;
  let addresses = 0;
  const elsewhere = () => {
    addresses += 1;
    return { 'cf-connecting-ip': `203.0.113.${addresses}` };
  };
  /** A deployment with new counters; accounts that are closed stay closed. */
  const deployed = (settings: SettingsInput = on) =>
    serve(settings, { AUTH_RATE_LIMIT: limiterOf(5), AUTH_FAILURE_RATE_LIMIT: limiterOf(MANY) });
  const enter = (send: Send, identifier: string, password: string) =>
    postWith(send, SIGN_IN, { identifier, password }, elsewhere());
  const guess = (send: Send, identifier: string, times = MANY + 1) =>
    statuses(times, () => enter(send, identifier, 'guessed'));
  const change = (send: Send, jwt: string, currentPassword: string) => {
    const body = { currentPassword, password: 'An0therOne', passwordConfirmation: 'An0therOne' };
    const path = '/api/auth/change-password';
    return postWith(send, path, body, { ...elsewhere(), authorization: `Bearer ${jwt}` });
  };
  const TOO_MANY = [...Array(MANY).fill(400), 429];

  it('close it for a minute, to every password and in every case of its name', async () => {
    const send = deployed();
    expect([...(await guess(send, 'guessed', 2)), ...(await guess(send, 'GUESSED', 2))]).toEqual(TOO_MANY);
    const refused = await enter(send, 'guesseD', PASSWORD);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50);
    expect((await enter(send, 'guessed@example.com', PASSWORD)).status).toBe(200);
    vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ['Date'] });
    try {
      expect((await enter(send, 'guessed', PASSWORD)).status).toBe(200);
    } finally {
      vi.useRealTimers();
    }
  });

  it('close it to concurrent guesses before the right one is checked', async () => {
    await register(serve(), 'hurried');
    const send = deployed();
    const guesses = [...Array.from({ length: 20 }, (_, guess) => `guess ${guess}`), PASSWORD];
    const answers = await Promise.all(guesses.map((password) => enter(send, 'hurried', password)));
    const told = answers.map(({ status }) => status);
    expect(told.filter((status) => status === 400)).toHaveLength(MANY);
    expect(told.filter((status) => status === 429)).toHaveLength(guesses.length - MANY);
    expect(told).not.toContain(200);
  });

  it('are checked one at a time while the counter has not responded', async () => {
    await register(serve(), 'waiting');
    const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now());
    const { promise: responded, resolve: respond } = Promise.withResolvers<void>();
    let over = 0;
    /** The counter responds when each guess has been rejected, or waits for it. */
    const endOne = () => {
      over += 1;
      if (over === 10) respond();
    };
    const limit = async () => {
      endOne();
      await responded;
      return { success: true };
    };
    const send = serve(on, { AUTH_FAILURE_RATE_LIMIT: { limit } });
    const guesses = Array.from({ length: 10 }, async (_, guess) => {
      const { status } = await enter(send, 'waiting', `guess ${guess}`);
      if (status === 429) endOne();
      return status;
    });
    const told = await Promise.all(guesses);
    now.mockRestore();
    const checked = told.filter((status) => status === 400).length;
    expect(checked).toBeGreaterThan(0);
    expect(checked).toBeLessThan(5);
    expect((await enter(send, 'waiting', PASSWORD)).status).toBe(200);
  });

  it('count only with a wrong password', async () => {
    await register(serve(), 'careless');
    const send = deployed();
    expect(await guess(send, 'careless', MANY)).toEqual(Array(MANY).fill(400));
    expect(await statuses(5, () => enter(send, 'careless', PASSWORD))).toEqual(Array(5).fill(200));
    for (const body of [{ identifier: 'careless' }, { identifier: 'careless', password: '' }])
      expect((await postWith(send, SIGN_IN, body, elsewhere())).status).toBe(400);
    expect((await enter(send, 'careless', PASSWORD)).status).toBe(200);
    expect((await enter(send, 'careless', 'guessed')).status).toBe(429);
  });

  it('get the same responses with and without an account', async () => {
    await register(serve(), 'somebody');
    const send = deployed();
    const told = async (identifier: string) => {
      const answers: string[] = [];
      for (let attempt = 0; attempt <= MANY + 1; attempt += 1) {
        const answer = await enter(send, identifier, 'guessed');
        expect(answer.status).toBe(attempt < MANY ? 400 : 429);
        answers.push(`${answer.status} ${await answer.text()}`);
      }
      return answers;
    };
    expect(await told('somebody')).toEqual(await told('nobody at all'));
  });

  it('with a stolen JWT close the change of its password, also for the right one', async () => {
    const { jwt } = await register(serve(), 'robbed');
    const send = deployed();
    expect(await statuses(MANY + 1, () => change(send, jwt, 'guessed'))).toEqual(TOO_MANY);
    expect((await change(send, jwt, PASSWORD)).status).toBe(429);
    expect((await enter(send, 'robbed@example.com', PASSWORD)).status).toBe(429);
    expect((await enter(send, 'robbed', PASSWORD)).status).toBe(200);
  });

  it('are not counted where the settings disable the limit', async () => {
    await register(serve(), 'uncounted');
    const send = deployed({ rateLimit: { auth: { enabled: false } } });
    expect(await guess(send, 'uncounted', MANY + 2)).not.toContain(429);
    expect((await enter(send, 'uncounted', PASSWORD)).status).toBe(200);
  });
});

const LIMIT = 5;
const limited = serve(on, { AUTH_RATE_LIMIT: limiterOf(LIMIT) });
const from = (address: string, path: string, body: unknown) =>
  postWith(limited, path, body, { 'cf-connecting-ip': address });
const GUESS = { identifier: 'spelled', password: 'guessed' };

describe('the limit of sign-ins', () => {
  beforeAll(() => register(serve(), 'spelled'));

  it('counts every spelling of the path alike, and no other path signs in', async () => {
    const address = '198.51.100.201';
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

  it.each([
    ['/api/auth/local', 400, GUESS],
    ['/api/auth/reset-password', 400, { code: 'x', password: 'guessed', passwordConfirmation: 'guessed' }],
    ['/api/auth/change-password', 403, { currentPassword: 'x', password: 'guessed', passwordConfirmation: 'guessed' }],
  ])('counts requests to %s alike, whatever e-mail address they have in addition', async (path, rejected, body) => {
    const address = `198.51.101.${path.length}`;
    const attempts: number[] = [];
    for (let attempt = 0; attempt <= LIMIT; attempt += 1)
      attempts.push((await from(address, path, { ...body, email: `${attempt}@example.com` })).status);
    expect(attempts).toEqual([...Array.from({ length: LIMIT }, () => rejected), 429]);
  });
});

describe('the limit of one e-mail address', () => {
  it.each(ABOUT_ADDRESSES)(
    'counts it at %s in every case, in JSON and in a form, and wherever the path leads',
    async (path) => {
      const send = serve(on, { AUTH_RATE_LIMIT: limiterOf(5) });
      const json = (email: string, at = path) => postWith(send, at, { email });
      const form = (body: string) =>
        send(path, { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body });
      const requests = [
        () => json('ann@example.com'),
        () => json('ANN@example.com'),
        () => json('ann@EXAMPLE.com', path.toUpperCase()),
        () => form('email=Ann@example.com'),
        () => form('email=%61nn%40example.com'),
      ];
      const statusesOf = await statuses(5, (attempt) => requests[attempt]?.() ?? json('ann@example.com'));
      expect(statusesOf).not.toContain(429);
      for (const again of [...requests, () => json('ann@example.com', `${path}/?email=bob@example.com`)])
        expect((await again()).status).toBe(429);
      expect((await json('bob@example.com')).status).not.toBe(429);
    },
  );
});

describe('the limit of all requests', () => {
  it('counts every surface and method of one client together, and a preflight not at all', async () => {
    const send = serve(
      { rateLimit: { content: { enabled: true } }, cors: { origins: ['https://site.example'] } },
      { CONTENT_RATE_LIMIT: limiterOf(6) },
    );
    const headers = { 'cf-connecting-ip': '192.0.2.77', origin: 'https://site.example' };
    const requests = [
      ['GET', '/api/articles'],
      ['HEAD', '/API/articles/'],
      ['POST', '/api/batch'],
      ['DELETE', '/api/upload/files/1'],
      ['GET', '/uploads/none'],
      ['GET', '/openapi.json'],
    ] as const;
    for (const [method, path] of requests) expect((await send(path, { method, headers })).status).not.toBe(429);
    for (const [method, path] of [...requests, ['POST', SIGN_IN], ['GET', '/nothing'], ['GET', '/']] as const)
      expect([path, (await send(path, { method, headers })).status]).toEqual([path, 429]);
    const preflight = { ...headers, 'access-control-request-method': 'GET' };
    expect((await send('/api/articles', { method: 'OPTIONS', headers: preflight })).status).toBe(204);
  });
});
