/**
 * @module What rounds of load on two trees at the same moment come to.
 */
import type { Round } from './load.ts';
import { median, quantile } from './median.ts';

/** Something of this tree, and of the commit that it is compared with. */
export interface Trees<T> {
  readonly now: T;
  readonly against: T;
}

export interface Ratio {
  /** Median over the rounds of now / against: below 1, this tree is slower. */
  readonly ratio: number;
  /** From the first to the third quartile of the rounds: half of them are in a range so wide. */
  readonly spread: number;
}

/** Reduces the ratios of rounds. */
export const ratioOf = (ratios: readonly number[]): Ratio => ({
  ratio: median(ratios),
  spread: quantile(ratios, 0.75) - quantile(ratios, 0.25),
});

export interface Comparison {
  readonly perSecond: Trees<number>;
  /** Of the requests per second. */
  readonly speed: Ratio;
  /** Milliseconds of CPU per request; undefined where the kernel does not report CPU time. */
  readonly cpu: Trees<number> | undefined;
  /** Of the requests per second of CPU. */
  readonly efficiency: Ratio | undefined;
  readonly rounds: readonly Trees<Round>[];
}

const cpuPerRequest = ({ cpu, requests }: Round): number => (cpu ?? Number.NaN) / requests;

/** Compares the rounds of one row. Medians are of all rounds. */
export function compareRounds(rounds: readonly Trees<Round>[]): Comparison {
  const medians = (value: (round: Round) => number): Trees<number> => ({
    now: median(rounds.map(({ now }) => value(now))),
    against: median(rounds.map(({ against }) => value(against))),
  });
  const isCpuKnown = rounds.every(({ now, against }) => now.cpu !== undefined && against.cpu !== undefined);
  return {
    perSecond: medians(({ perSecond }) => perSecond),
    speed: ratioOf(rounds.map(({ now, against }) => now.perSecond / against.perSecond)),
    cpu: isCpuKnown ? medians(cpuPerRequest) : undefined,
    efficiency: isCpuKnown
      ? ratioOf(rounds.map(({ now, against }) => cpuPerRequest(against) / cpuPerRequest(now)))
      : undefined,
    rounds,
  };
}

export type Verdict = 'behind' | 'ahead' | 'even' | 'too few rounds';

/** Quartiles of fewer rounds are chance. */
const MIN_ROUNDS = 12;

/** Judges by CPU where it is known: it varies less. A ratio that differs from 1 by no more than its spread is even. */
export function verdictOf({ rounds, speed, efficiency }: Comparison): Verdict {
  if (rounds.length < MIN_ROUNDS) return 'too few rounds';
  const { ratio, spread } = efficiency ?? speed;
  if (ratio < 1 - spread) return 'behind';
  return ratio > 1 + spread ? 'ahead' : 'even';
}
