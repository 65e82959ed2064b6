/**
 * @module What an isolate remembers stays within its limit, and what was asked for last stays.
 */
import { describe, expect, it } from 'vitest';
import { EVERYTHING, only } from '../../../src/access/grants.ts';
import { type CachedPlan, type CachedResponse, createCaches } from '../../../src/content/runtime/caches.ts';
import { constant } from '../../../src/content/sql/compiled.ts';

const LIMITS = { totalBytes: 1_000_000, answerBytes: 100_000 };
const FOR_ALL = { granted: [], denied: [] };

const answer = (bytes: number, granted: readonly string[] = [], denied: readonly string[] = []): CachedResponse => ({
  bytes: new Uint8Array(bytes),
  stamps: 'b',
  trace: { granted, denied },
});

const plan = (length: number, bound = length): CachedPlan => {
  const statements = [{ sql: ' '.repeat(length), params: ['x'.repeat(bound), 1, null] }];
  return {
    names: [],
    work: { ...constant({ body: null }), statements },
    digest: 'a',
    isTimed: false,
    trace: FOR_ALL,
  };
};

describe('the cache of responses', () => {
  it('stays within its limit for many different keys', () => {
    const { responses } = createCaches(LIMITS);
    for (let number = 0; number < 100_000; number += 1) {
      responses.keep(`/api/tags?filters[id]=${number}`, answer(number % 5_000), EVERYTHING);
      if (number % 1_000 === 0) expect(responses.bytes).toBeLessThanOrEqual(LIMITS.totalBytes);
    }
    expect(responses.bytes).toBeGreaterThan(LIMITS.totalBytes / 2);
    expect(responses.find('/api/tags?filters[id]=0', EVERYTHING)).toBeUndefined();
    expect(responses.find('/api/tags?filters[id]=99999', EVERYTHING)).toBeDefined();
  });

  it('keeps what is read again and again', () => {
    const { responses } = createCaches(LIMITS);
    responses.keep('often', answer(10_000), EVERYTHING);
    for (let number = 0; number < 1_000; number += 1) {
      responses.keep(`once ${number}`, answer(10_000), EVERYTHING);
      expect(responses.find('often', EVERYTHING)).toBeDefined();
    }
  });

  it('rejects a response that is too large, and evicts the one before it', () => {
    const { responses } = createCaches(LIMITS);
    responses.keep('grown', answer(10), EVERYTHING);
    responses.keep('grown', answer(LIMITS.answerBytes), EVERYTHING);
    expect([responses.find('grown', EVERYTHING), responses.bytes]).toEqual([undefined, 0]);
  });

  it('keeps a response of the maximum size, with its key and stamps', () => {
    const { responses } = createCaches(LIMITS);
    const [full, larger] = [LIMITS.answerBytes - 1_000 - 'key'.length - 'b'.length, 1];
    responses.keep('key', answer(full + larger), EVERYTHING);
    expect(responses.bytes).toBe(0);
    responses.keep('key', answer(full), EVERYTHING);
    expect(responses.bytes).toBe(LIMITS.answerBytes);
  });

  it('returns a response only to callers with its permission trace', () => {
    const { responses } = createCaches(LIMITS);
    const [all, some] = [answer(1, ['a', 'b']), answer(2, ['a'], ['b'])];
    responses.keep('key', all, EVERYTHING);
    responses.keep('key', some, only(['a']));
    expect(responses.find('key', EVERYTHING)).toBe(all);
    expect(responses.find('key', only(['a']))).toBe(some);
    expect(responses.find('key', only([]))).toBeUndefined();
  });

  it('keeps few responses for one key', () => {
    const { responses } = createCaches(LIMITS);
    for (let number = 0; number < 20; number += 1)
      responses.keep('key', answer(1, [`only ${number}`]), only([`only ${number}`]));
    expect(responses.find('key', only(['only 19']))).toBeDefined();
    expect(responses.find('key', only(['only 0']))).toBeUndefined();
  });
});

describe('the cache of plans', () => {
  it('shares one limit with the responses', () => {
    const { plans, responses } = createCaches(LIMITS);
    for (let number = 0; number < 20_000; number += 1) {
      plans.keep(`list ?filters[id]=${number}`, plan(number % 2_000), EVERYTHING);
      responses.keep(`/api/tags?filters[id]=${number}`, answer(number % 5_000), EVERYTHING);
      if (number % 1_000 === 0) expect(plans.bytes + responses.bytes).toBeLessThanOrEqual(LIMITS.totalBytes);
    }
    expect(plans.bytes).toBeGreaterThan(LIMITS.totalBytes / 8);
  });

  it.each([
    ['its SQL', plan(LIMITS.answerBytes / 4, 0)],
    ['the texts that it binds', plan(0, LIMITS.answerBytes / 4)],
  ])('counts of a plan %s', (_, large) => {
    const { plans } = createCaches(LIMITS);
    plans.keep('large', large, EVERYTHING);
    expect(plans.find('large', EVERYTHING)).toBeUndefined();
    plans.keep('small', plan(10), EVERYTHING);
    expect(plans.find('small', EVERYTHING)).toBeDefined();
  });
});
