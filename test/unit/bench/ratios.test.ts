/**
 * @module What the benchmark concludes from rounds of load on two trees.
 */
import { describe, expect, it } from 'vitest';
import type { Round } from '../../../bench/load.ts';
import { compareRounds, ratioOf, type Trees, verdictOf } from '../../../bench/ratios.ts';

const round = (perSecond: number, cpu: number | undefined): Round => ({ requests: perSecond, perSecond, p50: 1, cpu });

/** 100 requests a second of the other tree at 2 ms of CPU each; this tree takes so many milliseconds of CPU. */
const rounds = (...milliseconds: readonly number[]): readonly Trees<Round>[] =>
  milliseconds.map((each) => ({ now: round(100, each * 100), against: round(100, 200) }));

/** Twelve rounds by three values. */
const repeated = (...values: readonly number[]) => [0, 1, 2, 3].flatMap(() => values);

const verdict = (...milliseconds: readonly number[]) => verdictOf(compareRounds(rounds(...milliseconds)));

describe('ratioOf', () => {
  it('returns the median and the distance of the quartiles', () => {
    expect(ratioOf([1.4, 0.8, 1, 0.9, 1.2])).toEqual({ ratio: 1, spread: expect.closeTo(0.3) });
  });

  it('interpolates between two ratios', () => {
    expect(ratioOf([0.8, 1])).toEqual({ ratio: expect.closeTo(0.9), spread: expect.closeTo(0.1) });
  });
});

describe('compareRounds', () => {
  it('takes the median of the ratios of rounds, not the ratio of the medians', () => {
    const { speed, perSecond } = compareRounds([
      { now: round(50, 1), against: round(100, 1) },
      { now: round(200, 1), against: round(200, 1) },
      { now: round(300, 1), against: round(150, 1) },
    ]);
    expect(speed.ratio).toBe(1);
    expect(perSecond).toEqual({ now: 200, against: 150 });
  });

  it('returns a ratio below 1 where this tree takes more CPU per request', () => {
    const { cpu, efficiency } = compareRounds(rounds(2.5, 2.5));
    expect(cpu).toEqual({ now: 2.5, against: 2 });
    expect(efficiency).toEqual({ ratio: 0.8, spread: 0 });
  });

  it('returns no CPU if one round has none', () => {
    const { cpu, efficiency } = compareRounds([...rounds(2), { now: round(1, undefined), against: round(1, 1) }]);
    expect([cpu, efficiency]).toEqual([undefined, undefined]);
  });
});

describe('verdictOf', () => {
  it('is behind if the ratio is below 1 by more than its spread', () => {
    expect(verdict(...repeated(2.4, 2.5, 2.6))).toBe('behind');
  });

  it('is even if the spread is larger than what is missing to 1', () => {
    expect(verdict(...repeated(1.5, 2.1, 2.7))).toBe('even');
  });

  it('is ahead if the ratio is above 1 by more than its spread', () => {
    expect(verdict(...repeated(1.5, 1.6, 1.7))).toBe('ahead');
  });

  it('goes by requests per second where CPU is unknown', () => {
    const half = { now: round(50, undefined), against: round(100, undefined) };
    expect(verdictOf(compareRounds(repeated(1, 2, 3).map(() => half)))).toBe('behind');
  });

  it('is not given for fewer than twelve rounds', () => {
    expect(verdict(...repeated(4, 4, 4).slice(1))).toBe('too few rounds');
  });
});
