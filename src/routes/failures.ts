/**
 * @module Wrong passwords for one account, counted from whatever addresses they come.
 */
import { Memory } from '../auth/memory.ts';
import type { UserCall } from '../users/call.ts';
import type { AppContext, Deployment } from './content.ts';
import { exceeds, keyOf, tooOften } from './counter.ts';

/**
 * Accounts that are closed, by the hash of what they were called, with the time when they open again. A binding cannot
 * be asked without counting, so each isolate remembers what it was told; one that was not lets one more attempt through.
 */
const closed = new Memory<string, number>();

const accountKey = (identifier: string): Promise<string> => keyOf(['account', identifier.toLowerCase()]);

/**
 * Only failures close an account, and no attempt is one while it is closed. So nobody keeps it closed for longer than a
 * period without going on to guess.
 * @throws ApiError 429 for an account that is closed, whatever the password
 */
async function refuseClosed(identifier: string): Promise<void> {
  const left = (closed.get(await accountKey(identifier)) ?? 0) - Date.now();
  if (left > 0) throw tooOften(Math.ceil(left / 1000));
}

/** What requests that check passwords are given to count the wrong ones, unless the settings say that nothing counts. */
export function failuresOf(context: AppContext, { settings }: Deployment): Pick<UserCall, 'failed' | 'refuseClosed'> {
  const { enabled, period } = settings.rateLimit.auth;
  if (!enabled) return { failed: async () => {}, refuseClosed: async () => {} };
  return {
    async failed(identifier) {
      const key = await accountKey(identifier);
      if (!(await exceeds(context, 'AUTH_FAILURE_RATE_LIMIT', key))) return;
      closed.keep(key, Date.now() + period * 1000);
      throw tooOften(period);
    },
    refuseClosed,
  };
}
