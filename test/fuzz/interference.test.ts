/**
 * @module Non-interference: two worlds that differ only in what is hidden from a caller give that caller the same responses.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { shareChance } from './interference/chance.ts';
import { plant } from './interference/content.ts';
import { firstFailure, report } from './interference/pair.ts';
import { sequence } from './interference/sequences.ts';
import { openSide, type Side } from './interference/side.ts';
import { createWorld } from './interference/world.ts';
import { parameters, progress, timeout } from './options.ts';

const sides: Side[] = [];

beforeAll(async () => {
  shareChance();
  for (let count = 0; count < 2; count += 1) {
    const world = await createWorld();
    sides.push(openSide(world, await plant(world)));
  }
}, timeout);

afterAll(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

it('responses are alike whatever is hidden', { timeout }, async () => {
  const tick = progress('interference');
  const property = fc.asyncProperty(sequence, async (each) => {
    const failure = await firstFailure(sides as [Side, Side], each, tick);
    if (failure) throw new Error(report(each, failure));
  });
  await fc.assert(property, parameters('interference'));
  expect(sides).toHaveLength(2);
});
