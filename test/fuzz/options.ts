/**
 * @module How long to run and from which seed: what `npm run fuzz` was asked for, or a short run in the tests,
 * from the seed of the commit.
 */
import { expect, inject } from 'vitest';
import { samplesOf } from '../support/tier.ts';

export interface FuzzOptions {
  readonly runs: number;
  readonly seed: number;
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly fuzz?: FuzzOptions;
  }
}

const DEFAULT_RUNS = samplesOf(300);
/** No request takes longer than this, on the slowest of machines. */
const MILLISECONDS_PER_RUN = 500;

const asked = inject('fuzz');
const runs = asked?.runs ?? DEFAULT_RUNS;
/** Of the run. */
export const seed = asked?.seed ?? inject('seed');
const REPORT_EVERY = Math.max(1_000, Math.trunc(runs / 20));

export const timeout = Math.max(900_000, runs * MILLISECONDS_PER_RUN);

/** How a property that sends its requests in sequences counts them. */
interface Sequences {
  /** Requests, if `npm run fuzz` asks for no number. */
  readonly sample: number;
  /** Requests of a sequence, on average. */
  readonly length: number;
}

/** Parameters of `fc.assert`; the seed is printed so that a run can be repeated. */
export function parameters(
  what: string,
  { sample, length }: Sequences = { sample: DEFAULT_RUNS, length: 1 },
): { readonly numRuns: number; readonly seed: number } {
  const requests = asked?.runs ?? sample;
  console.log(`fuzz: ${what}: ${requests} runs, seed ${seed}`);
  return { numRuns: Math.ceil(requests / length), seed };
}

/** Fewer runs may have no accepted request by chance. */
export const JUDGED_RUNS = 300;

/** Rejects a sample of which hardly any request was accepted: what must hold of their effects would hold of none. */
export function expectAccepted(accepted: number, { numRuns }: { readonly numRuns: number }): void {
  if (numRuns >= JUDGED_RUNS) expect(accepted).toBeGreaterThanOrEqual(numRuns / 100);
}

/** Calls back once for each run, and tells of long ones how far they are. */
export function progress(what: string): () => void {
  let done = 0;
  return () => {
    done += 1;
    if (done % REPORT_EVERY === 0 && done < runs) console.log(`fuzz: ${what}: ${done} of ${runs}`);
  };
}
