/**
 * @module Sequences of requests by chance, over all surfaces.
 */
import fc from 'fast-check';
import { CALLERS } from './names.ts';
import type { Sequence } from './pair.ts';
import { secretsFor } from './secrets.ts';
import { requested, type Step } from './step.ts';
import { FINAL_READS, SURFACES } from './surfaces.ts';

const MAX_STEPS = 8;

export const sequence: fc.Arbitrary<Sequence> = fc.constantFrom(...CALLERS).chain((caller) => {
  const secrets = fc.tuple(secretsFor(caller), secretsFor(caller));
  const hidden = secrets.map((changes): readonly Step[] => [{ kind: 'hidden', changes }]);
  const surface = fc.oneof(...SURFACES.map(({ weight, steps }) => ({ weight, arbitrary: steps(caller) })), {
    weight: 2,
    arbitrary: hidden,
  });
  return fc.record({
    caller: fc.constant(caller),
    secrets,
    steps: fc
      .array(surface, { minLength: 1, maxLength: MAX_STEPS })
      .map((all) => [...all.flat(), ...FINAL_READS.map(requested)]),
  });
});
