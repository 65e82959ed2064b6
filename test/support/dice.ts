/**
 * @module Chance that can be repeated: the same seed gives the same throws.
 */
import fc from 'fast-check';

export interface Dice {
  /** A whole number from 0 up to, not including, `sides`. */
  below(sides: number): number;
  /** One of the items. */
  pick<T>(items: readonly [T, ...T[]]): T;
  /** True once in `times`. */
  once(times: number): boolean;
}

/** Mulberry32: https://gist.github.com/tommyettinger/46a874533244883189143505d203312c */
export function diceOf(seed: number): Dice {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (sides: number): number => Math.floor(next() * sides);
  return {
    below,
    pick: (items) => items[below(items.length)] ?? items[0],
    once: (times) => below(times) === 0,
  };
}

/** Draws from an arbitrary. */
export const draw = <T>(arbitrary: fc.Arbitrary<T>, dice: Dice): T =>
  fc.sample(arbitrary, { numRuns: 1, seed: dice.below(2 ** 31) })[0] as T;
