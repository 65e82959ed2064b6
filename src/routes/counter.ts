/**
 * @module Counting with a binding of wrangler.toml.
 */
import type { RateLimiter } from '../config.ts';
import { sha256 } from '../digest.ts';
import { ApiError } from '../errors.ts';
import type { AppContext } from './context.ts';

/** A deployment may lack the bindings; then nothing is counted. */
type Bindings = Partial<Record<RateLimiter, RateLimit>>;

/** Hashed, so that keys have one length, and tell nobody's address. */
export const counterKey = (parts: readonly string[]): string => sha256(JSON.stringify(parts));

export const tooOften = (retryAfter: number): ApiError => new ApiError({ kind: 'rate-limited', retryAfter });

/** Counts. @returns whether it was once too often. */
export async function exceeds({ env }: AppContext, limiter: RateLimiter, key: string): Promise<boolean> {
  const binding = (env as Bindings)[limiter];
  return binding !== undefined && !(await binding.limit({ key })).success;
}
