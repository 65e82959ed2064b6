import { expect, it } from 'vitest';
import { saveAtRandom } from './random-saves.ts';

it.each([
  [3, 60],
  [21, 50],
  [207, 75],
])(
  'takes random saves beside reads and writes, and takes each back as it was (seed %i, %i steps)',
  async (seed, steps) => {
    const { taken, back } = await saveAtRandom(seed, steps);
    expect(taken).toBeGreaterThan(steps / 2);
    expect(back).toBeGreaterThan(steps / 5);
  },
  240_000,
);
