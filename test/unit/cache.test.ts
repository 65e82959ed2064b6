/**
 * @module Values that an isolate computes once.
 */
import { describe, expect, it, vi } from 'vitest';
import { memoized } from '../../src/common/cache.ts';

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
