/**
 * @module Counters: the rate-limit bindings of wrangler.toml.
 */

import { sha256 } from '../common/digest.ts';
import { ApiError } from '../common/errors.ts';
import type { RateLimiter } from '../schema/settings/config.ts';
import type { AppContext } from './context.ts';

/** Hashes a key, which may have an address. */
export const counterKey = (parts: readonly string[]): string => sha256(JSON.stringify(parts));

export const rateLimited = (retryAfter: number): ApiError => new ApiError({ kind: 'rate-limited', retryAfter });

/** Counts, and returns whether the limit is exceeded; never if the deployment lacks the binding. */
export async function exceeds({ env }: AppContext, limiter: RateLimiter, key: string): Promise<boolean> {
  const binding = (env as Partial<Env>)[limiter];
  return binding !== undefined && !(await binding.limit({ key })).success;
}
