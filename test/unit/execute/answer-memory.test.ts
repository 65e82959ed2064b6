/**
 * @module What an isolate remembers stays within its limit, and what was asked for last stays.
 */
import { describe, expect, it } from 'vitest';
import { EVERYTHING, only } from '../../../src/auth/grants.ts';
import { AnswerMemory, type KnownAnswer } from '../../../src/execute/answer-memory.ts';
import { known } from '../../../src/sql/compiled.ts';

const LIMITS = { totalBytes: 1_000_000, answerBytes: 100_000 };

const answer = (bytes: number, granted: readonly string[] = [], denied: readonly string[] = []): KnownAnswer => ({
  bytes: new Uint8Array(bytes),
  etag: '"a.b"',
  digest: 'a',
  names: ['api::tag.tag published'],
  stamps: 'b',
  work: known(undefined),
  answers: { granted, denied },
});

describe('the memory of answers', () => {
  it('stays within its limit, whatever is asked', () => {
    const memory = new AnswerMemory(LIMITS);
    for (let number = 0; number < 100_000; number += 1) {
      memory.keep(`/api/tags?filters[id]=${number}`, answer(number % 5_000), EVERYTHING);
      if (number % 1_000 === 0) expect(memory.bytes).toBeLessThanOrEqual(LIMITS.totalBytes);
    }
    expect(memory.bytes).toBeGreaterThan(LIMITS.totalBytes / 2);
    expect(memory.find('/api/tags?filters[id]=0', EVERYTHING)).toBeUndefined();
    expect(memory.find('/api/tags?filters[id]=99999', EVERYTHING)).toBeDefined();
  });

  it('keeps what is asked for again and again', () => {
    const memory = new AnswerMemory(LIMITS);
    memory.keep('often', answer(10_000), EVERYTHING);
    for (let number = 0; number < 1_000; number += 1) {
      memory.keep(`once ${number}`, answer(10_000), EVERYTHING);
      expect(memory.find('often', EVERYTHING)).toBeDefined();
    }
  });

  it('takes no answer that is too large, and forgets the one before it', () => {
    const memory = new AnswerMemory(LIMITS);
    memory.keep('grown', answer(10), EVERYTHING);
    memory.keep('grown', answer(LIMITS.answerBytes), EVERYTHING);
    expect([memory.find('grown', EVERYTHING), memory.bytes]).toEqual([undefined, 0]);
  });

  it('gives an answer to those alone for whom it was planned', () => {
    const memory = new AnswerMemory(LIMITS);
    const [all, some] = [answer(1, ['a', 'b']), answer(2, ['a'], ['b'])];
    memory.keep('question', all, EVERYTHING);
    memory.keep('question', some, only(['a']));
    expect(memory.find('question', EVERYTHING)).toBe(all);
    expect(memory.find('question', only(['a']))).toBe(some);
    expect(memory.find('question', only([]))).toBeUndefined();
  });

  it('has few answers to one question', () => {
    const memory = new AnswerMemory(LIMITS);
    for (let number = 0; number < 20; number += 1)
      memory.keep('question', answer(1, [`only ${number}`]), only([`only ${number}`]));
    expect(memory.find('question', only(['only 19']))).toBeDefined();
    expect(memory.find('question', only(['only 0']))).toBeUndefined();
  });
});
