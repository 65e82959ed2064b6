/**
 * @module Short hashes tell texts apart, however alike they are.
 */
import { expect, it } from 'vitest';
import { shortHash } from '../../src/common/digest.ts';

it.each([
  ['numbered', (number: number) => `/api/articles?pagination[page]=${number}`],
  ['of one letter', (number: number) => String.fromCharCode(number)],
  ['of many of one letter', (number: number) => 'a'.repeat(number % 2_000) + 'b'.repeat(Math.floor(number / 2_000))],
  ['of two places that change', (number: number) => `${String.fromCharCode(number % 256)}x${number >> 8}`],
])('65,536 texts, %s', (_, textOf) => {
  const texts = new Set(Array.from({ length: 65_536 }, (_, number) => textOf(number)));
  const hashes = new Set([...texts].map(shortHash));
  expect(hashes.size).toBe(texts.size);
  expect([...hashes].filter((hash) => !/^[\da-f]{16}$/.test(hash))).toEqual([]);
  for (const half of [0, 8]) {
    const halves = new Set([...hashes].map((hash) => hash.slice(half, half + 8)));
    expect(texts.size - halves.size).toBeLessThan(10);
  }
});
