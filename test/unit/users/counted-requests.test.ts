/**
 * @module What a request of accounts is counted by, and when an account is closed.
 */
import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { failuresOf } from '../../../src/features/users/failures.ts';
import { byClient, countRequest, limitAuth } from '../../../src/features/users/rate-limit.ts';
import type { AppContext, AppEnv } from '../../../src/http/context.ts';
import type { Deployment } from '../../../src/http/deployment.ts';
import { counterKey } from '../../../src/http/rate-limiters.ts';
import type { AccountRoute } from '../../../src/schema/account-routes.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { limiterOf } from '../../support/limiter.ts';

const deployed = (enabled = true) =>
  ({ settings: parseSettings({ rateLimit: { auth: { enabled, period: 10 } } }) }) as Deployment;
const on = deployed();

let limiters = {
  AUTH_RATE_LIMIT: limiterOf(1),
  AUTH_ADDRESS_RATE_LIMIT: limiterOf(1),
  AUTH_FAILURE_RATE_LIMIT: limiterOf(1),
};
beforeEach(() => {
  vi.useFakeTimers({ now: 1_900_000_000_000, toFake: ['Date'] });
  const [AUTH_RATE_LIMIT, AUTH_ADDRESS_RATE_LIMIT, AUTH_FAILURE_RATE_LIMIT] = [
    limiterOf(1),
    limiterOf(1),
    limiterOf(1),
  ];
  limiters = { AUTH_RATE_LIMIT, AUTH_ADDRESS_RATE_LIMIT, AUTH_FAILURE_RATE_LIMIT };
});
afterEach(() => void vi.useRealTimers());

/** Handles a request from an address. */
async function inContext<T>(work: (context: AppContext) => Promise<T>, address?: string): Promise<T> {
  const results: T[] = [];
  const app = new Hono<AppEnv>();
  app.onError((error) => {
    throw error;
  });
  app.get('*', async (context) => {
    results.push(await work(context));
    return context.body(null);
  });
  const headers = address === undefined ? {} : { 'cf-connecting-ip': address };
  await app.request('https://edgewise.test/', { headers }, limiters as never);
  return results[0] as T;
}

const TOO_MANY = expect.objectContaining({ problem: { kind: 'rate-limited', retryAfter: 10 } });
const counted = () =>
  Object.entries(limiters).flatMap(([name, { counts }]) => [...counts.keys()].map((key) => [name, key]));
const keyed = (...counters: readonly (readonly [string, readonly string[]])[]) =>
  counters.map(([name, key]) => [name, counterKey(key)]);

describe('a request', () => {
  const routeOf = (more: Partial<AccountRoute>) => ({ path: '/p', ...more }) as AccountRoute;
  const limit = (more: Partial<AccountRoute>, body: () => object, address?: string, deployment = on) =>
    inContext((context) => limitAuth(context, deployment, routeOf(more), body as never), address);
  const ann = () => ({ email: 'ANN@example.com', identifier: 'x' });
  const client = '192.0.2.1';

  it('is counted by client and path, and where it is about an address by that, too', async () => {
    for (const [more, from, keys] of [
      [{}, client, []],
      [{ counted: 'address' }, client, keyed(['AUTH_RATE_LIMIT', ['/p', client]])],
      [{ counted: 'address' }, undefined, []],
      [
        { counted: 'email' },
        client,
        keyed(['AUTH_RATE_LIMIT', ['/p', client, 'ann@example.com']], ['AUTH_ADDRESS_RATE_LIMIT', ['/p', client]]),
      ],
      [{ counted: 'email' }, undefined, keyed(['AUTH_RATE_LIMIT', ['/p', '', 'ann@example.com']])],
    ] as const) {
      for (const { counts } of Object.values(limiters)) counts.clear();
      await limit(more, ann, from);
      expect(counted()).toEqual(keys);
    }
  });

  it.each([{}, { email: 5 }, { email: ['x'] }, { email: null }])('about %j is about no address', async (body) => {
    await limit({ counted: 'email' }, () => body);
    expect(counted()).toEqual(keyed(['AUTH_RATE_LIMIT', ['/p', '', '']]));
  });

  it('whose body cannot be read is about no address, and says nothing of it', async () => {
    const malformed = () => {
      throw new SyntaxError('x');
    };
    await limit({ counted: 'email', failures: true }, malformed);
    expect(counted()).toEqual(keyed(['AUTH_RATE_LIMIT', ['/p', '', '']]));
  });

  it('over a limit is rejected, and counted by no other', async () => {
    await limit({ counted: 'email' }, ann, client);
    const { counts } = limiters.AUTH_RATE_LIMIT;
    counts.clear();
    await expect(limit({ counted: 'email' }, ann, client)).rejects.toEqual(TOO_MANY);
    expect(counts.size).toBe(0);
    await limit({ counted: 'email' }, ann, '192.0.2.2');
    await expect(limit({ counted: 'email' }, ann, '192.0.2.2')).rejects.toEqual(TOO_MANY);
  });

  it('is not counted where the settings have no limits', async () => {
    for (const _ of [1, 2]) await limit({ counted: 'email' }, ann, client, deployed(false));
    await inContext((context) => countRequest(context, deployed(false), byClient('AUTH_RATE_LIMIT', '/p', client)));
    expect(counted()).toEqual([]);
  });

  it('to sign in to a closed account is rejected before it is counted', async () => {
    const close = (context: AppContext) => failuresOf(context, on).countFailure('Closed');
    await inContext(close);
    await expect(inContext(close)).rejects.toEqual(TOO_MANY);
    const body = () => ({ identifier: 'cloSED' });
    await expect(limit({ counted: 'address', failures: true }, body, client)).rejects.toEqual(TOO_MANY);
    expect(limiters.AUTH_RATE_LIMIT.counts.size).toBe(0);
    await limit({ counted: 'address' }, body, client);
    await limit({ failures: true }, () => ({ email: 'closed', identifier: ['closed'] }), client);
    await limit({ failures: true }, body, client, deployed(false));
  });
});

describe('a wrong password', () => {
  it('closes the account once there were too many, for the period', async () => {
    const key = counterKey(['account', 'ann']);
    await inContext(async (context) => {
      const { countFailure, rejectClosed } = failuresOf(context, on);
      expect(() => rejectClosed('ann')).not.toThrow();
      await countFailure('ANN');
      expect([...limiters.AUTH_FAILURE_RATE_LIMIT.counts]).toEqual([[key, 1]]);
      expect(() => rejectClosed('ann')).not.toThrow();
      await expect(countFailure('ann')).rejects.toEqual(TOO_MANY);
      expect(() => rejectClosed('bob')).not.toThrow();
      for (const [wait, retryAfter] of [
        [0, 10],
        [8_500, 2],
        [1_499, 1],
      ] as const) {
        vi.setSystemTime(Date.now() + wait);
        expect(() => rejectClosed('Ann')).toThrow(
          expect.objectContaining({ problem: { kind: 'rate-limited', retryAfter } }),
        );
      }
      vi.setSystemTime(Date.now() + 1);
      expect(() => rejectClosed('ann')).not.toThrow();
    });
  });

  it('closes it while it is counted, for a second', async () => {
    const { promise, resolve } = Promise.withResolvers<{ success: boolean }>();
    limiters.AUTH_FAILURE_RATE_LIMIT.limit = () => promise as never;
    await inContext(async (context) => {
      const { countFailure, rejectClosed } = failuresOf(context, on);
      const count = countFailure('eve');
      expect(() => rejectClosed('eve')).toThrow(
        expect.objectContaining({ problem: { kind: 'rate-limited', retryAfter: 1 } }),
      );
      vi.setSystemTime(Date.now() + 1_000);
      expect(() => rejectClosed('eve')).not.toThrow();
      vi.setSystemTime(Date.now() - 1_000);
      resolve({ success: true });
      await count;
      expect(() => rejectClosed('eve')).not.toThrow();
    });
  });

  it('counts for nothing where the settings have no limits', async () => {
    await inContext(async (context) => {
      const { countFailure, rejectClosed } = failuresOf(context, deployed(false));
      for (const _ of [1, 2, 3]) await countFailure('off');
      expect(() => rejectClosed('off')).not.toThrow();
      expect(counted()).toEqual([]);
    });
  });
});
