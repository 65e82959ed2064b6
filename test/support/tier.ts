/**
 * @module The tier that runs: `npm test` takes samples of what `npm run test:long` tries as a whole. vitest.config.ts
 * provides it.
 */
import { inject, it } from 'vitest';
import type {} from './seed.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** As in seed.ts. */
    readonly seed: number;
    readonly tier: 'short' | 'long';
  }
}

/** Does everything run? */
export const isLongTier = inject('tier') === 'long';

/**
 * Says how many of these samples the tier takes.
 * @param part of all, in the short tier.
 */
export const samplesOf = (all: number, part = 0.1): number => (isLongTier ? all : Math.ceil(all * part));

/**
 * Takes one of so many, others with each commit; the long tier takes all.
 * @param offset takes others in another place of the same commit.
 */
export const oneIn = <T>(count: number, all: readonly T[], offset = 0): readonly T[] =>
  isLongTier ? all : all.filter((_, index) => (index + offset + inject('seed')) % count === 0);

/** Declares a test that only the long tier runs: real processes, kills, many rows. */
export const itLong = it.runIf(isLongTier);
