/**
 * @module Wrong passwords for one account, counted across all client addresses.
 */
import { Memory } from '../memory.ts';
import type { UserCall } from '../users/call.ts';
import type { AppContext, Deployment } from './context.ts';
import { counterKey, exceeds, tooOften } from './counter.ts';

/**
 * Closed accounts, by the hash of the identifier, with the time when they open again. A binding cannot be read without
 * counting, so each isolate caches its last response; an isolate without one lets one more attempt through.
 */
const closed = new Memory<string, number>();

/** How long an account is closed at most while the binding counts a failure, so that guesses at once are checked in turn. */
const COUNTING = 1_000;

/** Without waiting for it: a check of a password and its count are one step, whatever else goes on in the isolate. */
const accountKey = (identifier: string): string => counterKey(['account', identifier.toLowerCase()]);

/**
 * Only failures close an account, and attempts do not count while it is closed. So it stays closed for longer than a
 * period only if guessing continues.
 * @throws ApiError 429 for a closed account, regardless of the password
 */
function refuseClosed(identifier: string): void {
  const left = (closed.get(accountKey(identifier)) ?? 0) - Date.now();
  if (left > 0) throw tooOften(Math.ceil(left / 1000));
}

/** Returns the counter of wrong passwords of a request; it does nothing if the settings disable rate limits. */
export function failuresOf(context: AppContext, { settings }: Deployment): Pick<UserCall, 'failed' | 'refuseClosed'> {
  const { enabled, period } = settings.rateLimit.auth;
  if (!enabled) return { failed: async () => {}, refuseClosed: () => {} };
  return {
    async failed(identifier) {
      const key = accountKey(identifier);
      closed.keep(key, Date.now() + COUNTING);
      if (!(await exceeds(context, 'AUTH_FAILURE_RATE_LIMIT', key))) return closed.evict(key);
      closed.keep(key, Date.now() + period * 1000);
      throw tooOften(period);
    },
    refuseClosed,
  };
}
