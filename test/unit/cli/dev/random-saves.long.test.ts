import { expect, it } from 'vitest';
import { seedOf } from '../../../support/seed.ts';
import { saveAtRandom } from './random-saves.ts';

it('serves random saves beside reads and writes, or refuses them, and takes each back as it was', async () => {
  const seed = seedOf('random saves');
  let [served, back] = [0, 0];
  for (let part = 0; part < 10; part += 1) {
    const done = await saveAtRandom(seed + part, 50);
    served += done.served;
    back += done.back;
  }
  expect(served).toBeGreaterThan(200);
  expect(back).toBeGreaterThan(80);
});
