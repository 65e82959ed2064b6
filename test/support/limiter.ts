/**
 * @module A rate limiter of its own for one test, which begins to count again when it is told to, not by the clock.
 */
export interface Limiter extends RateLimit {
  /** How often each key was counted. */
  readonly counts: Map<string, number>;
}

export function limiterOf(limit: number): Limiter {
  const counts = new Map<string, number>();
  return {
    counts,
    limit: async ({ key }) => {
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return { success: count <= limit };
    },
  };
}
