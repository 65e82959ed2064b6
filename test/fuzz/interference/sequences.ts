/**
 * @module Sequences of requests by chance, over all surfaces.
 */
import fc from 'fast-check';
import { read } from '../../generators/features/reads.ts';
import { requested } from '../../generators/step.ts';
import { weighted } from '../callers.ts';
import type { Sequence } from './pair.ts';
import { secretsFor } from './secrets.ts';
import type { Step } from './step.ts';
import { subjectOf } from './subject.ts';
import { FINAL_READS, surfacesFor } from './surfaces.ts';

const MIN_STEPS = 3;
const MAX_STEPS = 10;
const FINAL = 3;
const READS = 8;

export const sequence: fc.Arbitrary<Sequence> = fc.constantFrom(...weighted('interference')).chain((caller) => {
  const secrets = fc.tuple(secretsFor(caller), secretsFor(caller));
  const hidden = secrets.map((changes): readonly Step[] => [{ kind: 'hidden', changes }]);
  const surface = fc.oneof(...surfacesFor(caller), { weight: 2, arbitrary: hidden });
  return fc.record({
    caller: fc.constant(caller),
    secrets,
    steps: fc
      .tuple(
        fc.array(surface, { minLength: MIN_STEPS, maxLength: MAX_STEPS, size: 'max' }),
        fc.subarray([...FINAL_READS], { minLength: FINAL, maxLength: FINAL }),
        fc.array(read(subjectOf(caller)), { minLength: READS, maxLength: READS }),
      )
      .map(([all, ...reads]) => [...all.flat(), ...reads.flat().map(requested)]),
  });
});
