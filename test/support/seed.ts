/**
 * @module The seed of everything that tests throw dice for: one for each commit, so that a commit passes or fails and
 * never both. `npm run fuzz` has other seeds. vitest.config.ts provides it.
 */
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    readonly seed: number;
  }
}

/** The seed of this commit, and a line that says so. */
export function seedOf(what: string): number {
  const seed = inject('seed');
  console.log(`${what}: seed ${seed}`);
  return seed;
}
