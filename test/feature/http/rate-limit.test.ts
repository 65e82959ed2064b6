/**
 * @module How often one address may try to sign in, whatever it does to look like another, and how often it may ask.
 */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { Send } from '../../support/app.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { limiterOf } from '../../support/limiter.ts';
import { bearer, serve } from '../../support/recorded.ts';
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
});

describe('the settings', () => {
  it('may be used without the bindings: then nothing is counted', async () => {
    const address = someAddress();
    const without = serve(on, { AUTH_RATE_LIMIT: undefined, CONTENT_RATE_LIMIT: undefined } as never);
    expect(await times(LIMIT + 1, () => postFrom(without, address, '/api/auth/local', guess()))).toEqual(
      all(400, LIMIT + 1),
    );
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
