/**
 * @module What is sealed is read with its secret, for its use and in its time alone.
 */
import { expect, it } from 'vitest';
import { seal, unseal } from '../../../src/content/credentials/seal.ts';

const CLAIMS = { user: 'ada', level: 1 };
const sealed = await seal(CLAIMS, 'a use', 'a secret', 10);

it('is read as it was, until its time is over', async () => {
  expect(await unseal(sealed, 'a use', 'a secret', 9)).toEqual({ ...CLAIMS, until: 10 });
  expect(await unseal(sealed, 'a use', 'a secret', 10)).toBeUndefined();
  expect(await seal(CLAIMS, 'a use', 'a secret', 10)).not.toBe(sealed);
});

it.each([
  ['for another use', sealed, 'another use', 'a secret'],
  ['with another secret', sealed, 'a use', 'another secret'],
  ['with the line between use and secret elsewhere', sealed, 'a', ' use\na secret'],
  ['once its first bytes are others', `${sealed.startsWith('A') ? 'B' : 'A'}${sealed.slice(1)}`, 'a use', 'a secret'],
  ['once it is cut off', sealed.slice(0, -4), 'a use', 'a secret'],
  ['with padding', `${sealed}=`, 'a use', 'a secret'],
  ['with characters that a decoder ignores', `${sealed.slice(0, 8)}!${sealed.slice(8)}`, 'a use', 'a secret'],
  ['if it is empty', '', 'a use', 'a secret'],
])('is not read %s', async (_, text, use, secret) => {
  expect(await unseal(text, use, secret, 9)).toBeUndefined();
});
