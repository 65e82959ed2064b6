/**
 * @module A code in a message is valid for exactly what it was made for: each part of its use is signed.
 */
import { expect, it } from 'vitest';
import { type CodeUse, codeFor, isCode, keyOfCode } from '../../../src/content/credentials/codes.ts';

const SECRET = 'a secret of thirty-two characters';
const NOW = Date.UTC(2026, 10, 30);
const USE: CodeUse = {
  action: 'reset-password',
  // Unlike any part of a time.
  key: 'ab'.repeat(16),
  user: 'ada',
  email: 'ada@example.com',
  password: 'hash',
};
const CODE = codeFor(USE, NOW, SECRET);
const HOUR = 3600;

it('is valid for its use', () => {
  expect(isCode(CODE, USE, NOW, HOUR, SECRET)).toBe(true);
  expect(keyOfCode(CODE)).toBe(USE.key);
});

const OTHERS: readonly Partial<CodeUse>[] = [
  { action: 'confirm-email' },
  { key: 'f'.repeat(32) },
  { user: 'bob' },
  { email: 'bob@example.com' },
  { password: 'another hash' },
  { password: null },
];

it.each(OTHERS)('is void for %j, whatever its text says of the key', (other) => {
  const use = { ...USE, ...other };
  expect(isCode(CODE, use, NOW, HOUR, SECRET)).toBe(false);
  // A key is stored as it is: who reads it still cannot make a code of it.
  expect(isCode(CODE.replace(USE.key, use.key), use, NOW, HOUR, SECRET)).toBe(false);
});

it('is void at another time, and with another secret', () => {
  const later = codeFor(USE, NOW + 1, SECRET);
  expect(isCode(later.slice(0, 12) + CODE.slice(12), USE, NOW + 1, HOUR, SECRET)).toBe(false);
  expect(isCode(CODE, USE, NOW - 1, HOUR, SECRET)).toBe(false);
  expect(isCode(CODE, USE, NOW + HOUR * 1000, HOUR, SECRET)).toBe(false);
  expect(isCode(CODE, USE, NOW, HOUR, `${SECRET}.`)).toBe(false);
});

it.each([
  ['empty', ''],
  ['too short', CODE.slice(1)],
  ['too long', `${CODE}0`],
  ['in capitals', CODE.toUpperCase()],
])('is void, and has no key, if it is %s', (_, text) => {
  expect(isCode(text, USE, NOW, HOUR, SECRET)).toBe(false);
  expect(keyOfCode(text)).toBe('');
});
