/**
 * @module Values that an isolate computes once, or keeps up to a size.
 */
import { describe, expect, it, vi } from 'vitest';
import { memoized, SizedCache } from '../../src/common/cache.ts';

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

describe('SizedCache', () => {
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
