/**
 * @module As large as it may be: each axis of a project at its largest, and random pairs of axes. Every kind of request is
 * sent, and D1 takes every statement: at most 100 parameters, 100 KB, five terms of a compound, expressions of depth 100.
 */
import { reset } from 'cloudflare:test';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createRegistryTables } from '../support/app.ts';
import { diceOf } from '../support/dice.ts';
import { emptyCaches } from '../support/emptied-caches.ts';
import { receivers } from '../support/receivers.ts';
import { seedOf } from '../support/seed.ts';
import { isLongTier, oneIn } from '../support/tier.ts';
import { runScript } from './largest/script.ts';
import { AXES, type Axis, PAIRS, worldOf } from './largest/world.ts';

/** Milliseconds: some thousand tables, and as many requests. */
const timeout = 1_800_000;
/** 300 types take minutes; `many-types.test.ts` has them in each tier. */
const QUICK = AXES.filter((axis) => axis !== 'types' && axis !== 'polymorphic');

/** Twenty pairs, others with each commit. */
function randomPairs(): readonly (readonly [Axis, Axis])[] {
  const dice = diceOf(seedOf('pairs of axes'));
  const left = [...PAIRS];
  return Array.from({ length: 20 }, () => left.splice(dice.below(left.length), 1)[0] as readonly [Axis, Axis]);
}

async function failuresWith(axes: readonly Axis[]): Promise<readonly string[]> {
  const world = worldOf(axes);
  await createRegistryTables(world.registry);
  return runScript(world);
}

beforeEach(() => {
  receivers();
});

afterEach(async () => {
  vi.restoreAllMocks();
  emptyCaches();
  await reset();
});

it.each(isLongTier ? AXES : oneIn(5, QUICK))('every request works with the largest %s', { timeout }, async (axis) => {
  expect(await failuresWith([axis])).toEqual([]);
});

it.runIf(isLongTier).each(randomPairs())(
  'every request works with the largest %s and %s',
  { timeout },
  async (...pair) => {
    expect(await failuresWith(pair)).toEqual([]);
  },
);
