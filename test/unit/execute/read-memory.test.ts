/**
 * @module What an isolate remembers stays within its limit, and what was asked for last stays.
 */
import { describe, expect, it } from 'vitest';
import { EVERYTHING, only } from '../../../src/auth/grants.ts';
import { type KnownAnswer, type KnownPlan, readMemory } from '../../../src/execute/read-memory.ts';
import { known } from '../../../src/sql/compiled.ts';

const LIMITS = { totalBytes: 1_000_000, answerBytes: 100_000 };
const FOR_ALL = { granted: [], denied: [] };

const answer = (bytes: number, granted: readonly string[] = [], denied: readonly string[] = []): KnownAnswer => ({
  bytes: new Uint8Array(bytes),
  stamps: 'b',
  answers: { granted, denied },
});

const plan = (length: number): KnownPlan => {
  const statements = [{ sql: ' '.repeat(length), params: ['x'.repeat(length), 1, null] }];
  return {
    names: [],
    current: known(undefined),
    work: { ...known(undefined), statements },
    digest: 'a',
    answers: FOR_ALL,
  };
};

describe('the memory of answers', () => {
  it('stays within its limit, whatever is asked', () => {
    const { answers } = readMemory(LIMITS);
    for (let number = 0; number < 100_000; number += 1) {
      answers.keep(`/api/tags?filters[id]=${number}`, answer(number % 5_000), EVERYTHING);
      if (number % 1_000 === 0) expect(answers.bytes).toBeLessThanOrEqual(LIMITS.totalBytes);
    }
    expect(answers.bytes).toBeGreaterThan(LIMITS.totalBytes / 2);
    expect(answers.find('/api/tags?filters[id]=0', EVERYTHING)).toBeUndefined();
    expect(answers.find('/api/tags?filters[id]=99999', EVERYTHING)).toBeDefined();
  });

  it('keeps what is asked for again and again', () => {
    const { answers } = readMemory(LIMITS);
    answers.keep('often', answer(10_000), EVERYTHING);
    for (let number = 0; number < 1_000; number += 1) {
      answers.keep(`once ${number}`, answer(10_000), EVERYTHING);
      expect(answers.find('often', EVERYTHING)).toBeDefined();
    }
  });

  it('takes no answer that is too large, and forgets the one before it', () => {
    const { answers } = readMemory(LIMITS);
    answers.keep('grown', answer(10), EVERYTHING);
    answers.keep('grown', answer(LIMITS.answerBytes), EVERYTHING);
    expect([answers.find('grown', EVERYTHING), answers.bytes]).toEqual([undefined, 0]);
  });

  it('gives an answer to those alone for whom it was planned', () => {
    const { answers } = readMemory(LIMITS);
    const [all, some] = [answer(1, ['a', 'b']), answer(2, ['a'], ['b'])];
    answers.keep('question', all, EVERYTHING);
    answers.keep('question', some, only(['a']));
    expect(answers.find('question', EVERYTHING)).toBe(all);
    expect(answers.find('question', only(['a']))).toBe(some);
    expect(answers.find('question', only([]))).toBeUndefined();
  });

  it('has few answers to one question', () => {
    const { answers } = readMemory(LIMITS);
    for (let number = 0; number < 20; number += 1)
      answers.keep('question', answer(1, [`only ${number}`]), only([`only ${number}`]));
    expect(answers.find('question', only(['only 19']))).toBeDefined();
    expect(answers.find('question', only(['only 0']))).toBeUndefined();
  });
});

describe('the memory of plans', () => {
  it('shares one limit with answers, whatever is asked', () => {
    const { plans, answers } = readMemory(LIMITS);
    for (let number = 0; number < 20_000; number += 1) {
      plans.keep(`list ?filters[id]=${number}`, plan(number % 2_000), EVERYTHING);
      answers.keep(`/api/tags?filters[id]=${number}`, answer(number % 5_000), EVERYTHING);
      if (number % 1_000 === 0) expect(plans.bytes + answers.bytes).toBeLessThanOrEqual(LIMITS.totalBytes);
    }
    expect(plans.bytes).toBeGreaterThan(LIMITS.totalBytes / 8);
  });

  it('weighs the texts that a plan binds', () => {
    const { plans } = readMemory(LIMITS);
    plans.keep('large', plan(LIMITS.answerBytes), EVERYTHING);
    expect(plans.find('large', EVERYTHING)).toBeUndefined();
    plans.keep('small', plan(10), EVERYTHING);
    expect(plans.find('small', EVERYTHING)).toBeDefined();
  });
});
