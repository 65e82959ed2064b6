/**
 * @module Values that an isolate computes once, or keeps up to a size.
 */
import { describe, expect, it, vi } from 'vitest';
import { BoundedCache, memoized, SizedCache } from '../../../src/common/cache.ts';

describe('memoized', () => {
  it('computes the value of each key once', () => {
    const make = vi.fn((key: string) => `${key}!`);
    const shout = memoized(make);
    expect([shout('a'), shout('b'), shout('a')]).toEqual(['a!', 'b!', 'a!']);
    expect(make.mock.calls).toEqual([['a'], ['b']]);
  });

  it('computes one value without a key', () => {
    const make = vi.fn(() => ({}));
    const value = memoized(make);
    expect(value()).toBe(value());
    expect(make).toHaveBeenCalledOnce();
  });

  it('computes again after an error', () => {
    const make = vi
      .fn(() => 1)
      .mockImplementationOnce(() => {
        throw new Error('not yet');
      });
    const value = memoized(make);
    expect(() => value()).toThrow('not yet');
    expect(value()).toBe(1);
  });
});

describe('BoundedCache', () => {
  const cacheOf = (...keys: readonly string[]) => {
    const cache = new BoundedCache<string, number>(2);
    for (const [index, key] of keys.entries()) cache.set(key, index);
    return cache;
  };
  const kept = (cache: BoundedCache<string, number>) => ['a', 'b', 'c'].map((key) => cache.get(key));

  it('keeps as many entries as it may have, those that were set last', () => {
    expect(kept(cacheOf('a', 'b'))).toEqual([0, 1, undefined]);
    expect(kept(cacheOf('a', 'b', 'c'))).toEqual([undefined, 1, 2]);
    expect(kept(cacheOf('a', 'b', 'a', 'c'))).toEqual([2, undefined, 3]);
  });

  it('evicts an entry', () => {
    const cache = cacheOf('a', 'b');
    cache.evict('a');
    expect(kept(cache)).toEqual([undefined, 1, undefined]);
  });
});

describe('SizedCache', () => {
  it('keeps what fills it exactly', () => {
    const cache = new SizedCache<number>(8);
    cache.set('a', 1, 4);
    cache.set('b', 2, 4);
    expect([cache.get('a'), cache.get('b'), cache.bytes]).toEqual([1, 2, 8]);
  });

  it('evicts the least recently used entries above its bytes', () => {
    const cache = new SizedCache<number>(10);
    cache.set('a', 1, 4);
    cache.set('b', 2, 4);
    expect(cache.get('a')).toBe(1);
    cache.set('c', 3, 4);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3]);
    expect(cache.bytes).toBe(8);
  });

  it('counts an entry once that is replaced or evicted, and keeps none that is larger than all of it', () => {
    const cache = new SizedCache<number>(10);
    cache.set('a', 1, 4);
    cache.set('a', 2, 6);
    expect([cache.get('a'), cache.bytes]).toEqual([2, 6]);
    cache.evict('a');
    cache.evict('a');
    expect(cache.bytes).toBe(0);
    cache.set('b', 3, 11);
    expect([cache.get('b'), cache.bytes]).toEqual([undefined, 0]);
  });
});
