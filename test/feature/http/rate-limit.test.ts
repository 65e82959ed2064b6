/**
 * @module How often one address may try to sign in, whatever it does to look like another, or like another path.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { networkOf } from '../../../src/http/client-address.ts';
import type { Send } from '../../support/app.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { limiterOf } from '../../support/limiter.ts';
import { bearer, serve } from '../../support/recorded.ts';
import { PASSWORD, register } from '../../support/users.ts';
import { openMagazine } from '../../support/world.ts';

const LIMIT = 5;
const on = { rateLimit: { auth: { enabled: true } } };
const AUTH_RATE_LIMIT = limiterOf(LIMIT);
const { send } = openMagazine(on, { AUTH_RATE_LIMIT });

let nobodies = 0;
/** Never for the same account, which would be closed. */
const guess = () => {
  nobodies += 1;
  return { identifier: `nobody${nobodies}`, password: 'guessed' };
};

let addresses = 0;
/** Tests do not use up one another's attempts. */
const someAddress = (): string => {
  addresses += 1;
  return `203.0.113.${addresses}`;
};

const postFrom = (from: Send, address: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
  from(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'cf-connecting-ip': address, ...headers },
    body: JSON.stringify(body),
  });

async function statuses(requests: readonly (() => Promise<Response>)[]): Promise<number[]> {
  const answers: number[] = [];
  for (const request of requests) answers.push((await request()).status);
  return answers;
}

const times = (count: number, request: (attempt: number) => Promise<Response>) =>
  statuses(Array.from({ length: count }, (_, attempt) => () => request(attempt)));

const all = (status: number, count = LIMIT) => Array.from({ length: count }, () => status);

beforeAll(async () => {
  await register(serve(), 'mira');
});

describe('signing in', () => {
  it('is refused after five attempts in a minute, in the form of errors, before the database is asked', async () => {
    const address = someAddress();
    expect(await times(LIMIT, () => postFrom(send, address, '/api/auth/local', guess()))).toEqual(all(400));
    const counted = countedDatabase(env.DB);
    const response = await postFrom(
      serve(on, { AUTH_RATE_LIMIT, DB: counted.database }),
      address,
      '/api/auth/local',
      guess(),
    );
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('60');
    expect(await response.json()).toEqual({
      data: null,
      error: {
        status: 429,
        name: 'RateLimitError',
        message: 'Too many requests, please try again later.',
        details: {},
      },
    });
    expect(counted.batches).toEqual([]);
  });

  it('is refused with the right password too', async () => {
    const address = someAddress();
    const right = { identifier: 'mira', password: PASSWORD };
    expect(await times(LIMIT, () => postFrom(send, address, '/api/auth/local', right))).toEqual(all(200));
    expect((await postFrom(send, address, '/api/auth/local', right)).status).toBe(429);
  });

  it('is counted for each address by itself', async () => {
    const address = someAddress();
    await times(LIMIT + 1, () => postFrom(send, address, '/api/auth/local', guess()));
    expect((await postFrom(send, someAddress(), '/api/auth/local', guess())).status).toBe(400);
  });

  it('is counted for itself: other routes have their own attempts', async () => {
    const address = someAddress();
    await times(LIMIT + 1, () => postFrom(send, address, '/api/auth/local', guess()));
    const code = { code: 'x', password: PASSWORD, passwordConfirmation: PASSWORD };
    expect((await postFrom(send, address, '/api/auth/reset-password', code)).status).toBe(400);
  });
});

describe('the binding of wrangler.toml', () => {
  // It begins anew with each minute of the clock: of twice the attempts and one more, one is refused in any case.
  it('lets five attempts in, and refuses by the time of twice as many', async () => {
    const address = someAddress();
    const attempts = await times(2 * LIMIT + 1, () => postFrom(serve(on), address, '/api/auth/local', guess()));
    expect(attempts.slice(0, LIMIT)).toEqual(all(400));
    expect(attempts.slice(LIMIT)).toContain(429);
  });
});

describe('an address', () => {
  it('is not what a client says of itself', async () => {
    const address = someAddress();
    const pretended = (attempt: number) => ({
      'x-forwarded-for': `198.51.100.${attempt}`,
      'x-real-ip': `198.51.100.${attempt}`,
      forwarded: `for=198.51.100.${attempt}`,
      'true-client-ip': `198.51.100.${attempt}`,
    });
    const attempts = await times(LIMIT + 1, (attempt) =>
      postFrom(send, address, '/api/auth/local', guess(), pretended(attempt)),
    );
    expect(attempts).toEqual([...all(400), 429]);
  });

  it('may not be moved within its IPv6 network', async () => {
    const attempts = await times(LIMIT + 1, (attempt) =>
      postFrom(send, `2001:db8:7:1::${attempt}:${attempt}`, '/api/auth/local', guess()),
    );
    expect(attempts).toEqual([...all(400), 429]);
    expect((await postFrom(send, '2001:db8:7:2::1', '/api/auth/local', guess())).status).toBe(400);
  });

  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:C000:0201', '192.0.2.1'],
    ['2001:db8:0:7::192.0.2.1', '2001:db8:0:7'],
    ['2001:0DB8:0000:0007::1', '2001:db8:0:7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8::6', '2001:db8:0:0'],
    ['2001:db8:1:2:3::', '2001:db8:1:2'],
    ['::1', '0:0:0:0'],
    ['1:2:3:4:5:6:7:8:9::', '1:2:3:4:5:6:7:8:9::'],
    ['1:2:3:4:5:6:7::192.0.2.1', '1:2:3:4:5:6:7::192.0.2.1'],
    ['', ''],
  ])('%j counts as %j', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

describe('a route that is about an e-mail address', () => {
  const ROUTES = ['/api/auth/forgot-password', '/api/auth/send-email-confirmation', '/api/auth/local/register'];

  it.each(ROUTES)('%s is counted for each of them, in any case', async (path) => {
    const address = someAddress();
    const answer = path.endsWith('/register') ? 400 : 200;
    const written = (attempt: number) => ({ email: attempt % 2 ? 'Ann@Example.com' : 'ann@example.com' });
    const attempts = await times(LIMIT + 1, (attempt) => postFrom(send, address, path, written(attempt)));
    expect(attempts).toEqual([...all(answer), 429]);
    expect((await postFrom(send, address, path, { email: 'bob@example.com' })).status).toBe(answer);
  });

  it.each(ROUTES)('%s has one count for all bodies that name none', async (path) => {
    const address = someAddress();
    const bodies: unknown[] = [{}, [], { email: 1 }, { email: ['a'] }, { email: { a: 1 } }, { email: '' }];
    const attempts = await statuses(bodies.map((body) => () => postFrom(send, address, path, body)));
    expect(attempts).toEqual([...all(400), 429]);
  });
});

describe('the settings', () => {
  it('may let everybody try as often as they like', async () => {
    const address = someAddress();
    const off = serve({ rateLimit: { auth: { enabled: false } } });
    expect(await times(LIMIT + 2, () => postFrom(off, address, '/api/auth/local', guess()))).toEqual(
      all(400, LIMIT + 2),
    );
  });

  it('may be used without the bindings: then nothing is counted', async () => {
    const address = someAddress();
    const without = serve(on, { AUTH_RATE_LIMIT: undefined, CONTENT_RATE_LIMIT: undefined } as never);
    expect(await times(LIMIT + 1, () => postFrom(without, address, '/api/auth/local', guess()))).toEqual(
      all(400, LIMIT + 1),
    );
  });

  it('may limit all requests of an address', async () => {
    const limited = serve(
      { rateLimit: { content: { enabled: true, period: 10 } } },
      { CONTENT_RATE_LIMIT: limiterOf(LIMIT) },
    );
    const address = someAddress();
    const headers = { ...bearer('full').headers, 'cf-connecting-ip': address };
    const paths = ['/api/tags', '/api/articles', '/api/users', '/api/nope', '/%61pi/tags', '/api/tags'];
    const answers = await statuses(paths.map((path) => () => limited(path, { headers })));
    expect(answers).toEqual([200, 200, 200, 404, 404, 429]);
    expect((await limited('/api/tags', { headers })).headers.get('retry-after')).toBe('10');
    const others = { ...headers, 'cf-connecting-ip': someAddress() };
    expect((await limited('/api/tags', { headers: others })).status).toBe(200);
  });

  it('may limit all requests of an address, those of tools among them', async () => {
    const limiter = limiterOf(LIMIT);
    const limited = serve({ mcp: true, rateLimit: { content: { enabled: true } } }, { CONTENT_RATE_LIMIT: limiter });
    const address = someAddress();
    const find = async () => {
      const params = { name: 'find', arguments: { type: 'tags' } };
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      const headers = bearer('full').headers as Record<string, string>;
      const response = await postFrom(limited, address, '/mcp', message, headers);
      const { result } = (await response.json()) as { result?: { structuredContent: { error?: { status: number } } } };
      return [response.status, result?.structuredContent.error?.status];
    };
    // Each is a request, and has one inside.
    expect(await find()).toEqual([200, undefined]);
    expect(await find()).toEqual([200, undefined]);
    expect(await find()).toEqual([200, 429]);
    expect(await find()).toEqual([429, undefined]);
    expect([...limiter.counts.values()]).toEqual([LIMIT + 2]);
    expect(await statuses([() => limited('/api/tags', { headers: { 'cf-connecting-ip': address } })])).toEqual([429]);
  });

  it('limit content for nobody unless told to', async () => {
    const headers = { ...bearer('full').headers, 'cf-connecting-ip': someAddress() };
    const few = serve(on, { CONTENT_RATE_LIMIT: limiterOf(LIMIT) });
    expect(await times(LIMIT + 1, () => few('/api/tags', { headers }))).toEqual(all(200, LIMIT + 1));
  });
});
