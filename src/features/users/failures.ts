/**
 * @module Counts wrong passwords per account, across all client addresses.
 */
import { BoundedCache } from '../../common/cache.ts';
import type { AppContext } from '../../http/context.ts';
import type { Deployment } from '../../http/deployment.ts';
import { counterKey, exceeds, rateLimited } from '../../http/rate-limiters.ts';
import type { UserCall } from './call.ts';

/**
 * Hashed identifier → time when the account opens again. A binding cannot be read without counting, so each isolate
 * caches its last result; an isolate without one lets one more attempt through.
 */
const closed = new BoundedCache<string, number>();

/** Maximum milliseconds of a count, during which the account is closed: concurrent guesses are checked in turn. */
const COUNTING = 1_000;

const accountKey = (identifier: string): string => counterKey(['account', identifier.toLowerCase()]);

/** Attempts do not count while an account is closed, so it stays closed for longer than a period only by new guesses. */
function rejectClosed(identifier: string): void {
  const left = (closed.get(accountKey(identifier)) ?? 0) - Date.now();
  if (left > 0) throw rateLimited(Math.ceil(left / 1000));
}

type Failures = Pick<UserCall, 'countFailure' | 'rejectClosed'>;

/** Does nothing if the settings disable rate limits. */
export function failuresOf(context: AppContext, { settings }: Deployment): Failures {
  const { enabled, period } = settings.rateLimit.auth;
  if (!enabled) return { countFailure: async () => {}, rejectClosed: () => {} };
  return {
    async countFailure(identifier) {
      const key = accountKey(identifier);
      closed.set(key, Date.now() + COUNTING);
      if (!(await exceeds(context, 'AUTH_FAILURE_RATE_LIMIT', key))) return closed.evict(key);
      closed.set(key, Date.now() + period * 1000);
      throw rateLimited(period);
    },
    rejectClosed,
  };
}
