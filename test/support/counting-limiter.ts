/**
 * @module A rate limiter that counts as the platform's does, but by no clock: it forgets nothing while a test runs.
 */
export function countingLimiter(limit: number): RateLimit {
  const counts = new Map<string, number>();
  return {
    limit: async ({ key }) => {
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return { success: count <= limit };
    },
  };
}
