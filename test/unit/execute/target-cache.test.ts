/**
 * @module Cached targets of creates: found by what their read depends on, bounded in bytes, and gone after a failure.
 */
import { describe, expect, it } from 'vitest';
import { type Caches, createCaches } from '../../../src/content/runtime/caches.ts';
import type { Compiled } from '../../../src/content/sql/compiled.ts';

const LIMITS = { totalBytes: 1_000_000, answerBytes: 100_000 };

describe('the memory of cached targets', () => {
  const read = (key: number): Compiled<string> => ({
    statements: [{ sql: `select ${key}`, params: ['x'.repeat(2_000)] }],
    decode: ([rows = []]) => String(rows[0]?.key),
  });
  const throughWith = (targets: Caches['targets'], key: number) =>
    targets.through(read(key), 0, async ({ statements, decode }) => {
      decode([[{ key }]]);
      return statements.length === 0;
    });

  it('stays within its share of memory, whatever is asked', async () => {
    const { targets } = createCaches(LIMITS);
    for (let key = 0; key < 500; key += 1) await throughWith(targets, key);
    expect(targets.bytes).toBeGreaterThan(LIMITS.totalBytes / 32);
    expect(targets.bytes).toBeLessThanOrEqual(LIMITS.totalBytes / 16);
    expect(await throughWith(targets, 499)).toBe(true);
    expect(await throughWith(targets, 0)).toBe(false);
  });
});

describe('the cache of targets', () => {
  const NOW = 1_900_000_000_000;
  /** Returns whether the work ran with a cached read. */
  const through = (targets: Caches['targets'], param: unknown, rows: unknown = [], now = NOW) =>
    targets.through(
      { statements: [{ sql: 'select ?', params: [param] }], decode: () => 'target' },
      now,
      async ({ statements, decode }) => {
        await Promise.resolve();
        expect(decode([[{ rows }]])).toBe('target');
        if (rows instanceof Error) throw rows;
        return statements.length === 0;
      },
    );

  it.each([
    ['milliseconds', (now: number) => now],
    ['ISO', (now: number) => new Date(now).toISOString()],
  ])('finds the read of another time in %s, whose assertions depend on it', async (_, timeOf) => {
    const { targets } = createCaches(LIMITS);
    expect(await through(targets, timeOf(NOW), [], NOW)).toBe(false);
    expect(await through(targets, timeOf(NOW + 1), [], NOW + 1)).toBe(true);
  });

  it('evicts what a failed write has used', async () => {
    const { targets } = createCaches(LIMITS);
    const seen = [await through(targets, 'a'), await through(targets, 'a')];
    await expect(through(targets, 'a', new Error('conflict'))).rejects.toThrow('conflict');
    expect([...seen, await through(targets, 'a')]).toEqual([false, true, false]);
  });

  it('keeps a read and its results up to 8,000 characters', async () => {
    const isKept = async (rows: string) => {
      const { targets } = createCaches(LIMITS);
      return [await through(targets, 'a', rows), await through(targets, 'a', rows)];
    };
    const room = 8_000 - 'select ?["a"]'.length - '[[{"rows":""}]]'.length;
    expect(await isKept('x'.repeat(room))).toEqual([false, true]);
    expect(await isKept('x'.repeat(room + 1))).toEqual([false, false]);
  });
});
