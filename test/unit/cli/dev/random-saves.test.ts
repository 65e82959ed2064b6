import { expect, it } from 'vitest';
import { saveAtRandom } from './random-saves.ts';

const STEPS = 60;

it.each([1, 3, 5])(
  'takes random saves beside reads and writes, and takes each back as it was (seed %i)',
  async (seed) => {
    const { taken, back } = await saveAtRandom(seed, STEPS);
    expect(taken).toBeGreaterThan(STEPS / 2);
    expect(back).toBeGreaterThan(STEPS / 5);
  },
  240_000,
);
