/**
 * @module The permissions of API tokens as an isolate keeps them.
 */
import { afterEach, expect, it, vi } from 'vitest';
import { assumeToken, confirmToken } from '../../../src/content/credentials/api-token.ts';

const FIND = 'api::note.note.find';
const UPDATE = 'api::note.note.update';
const rowWith = (permissions: readonly unknown[]) => ({
  ...{ type: 'custom', permissions: JSON.stringify(permissions), expiresAt: null, lastUsedAt: 0, holds: true },
});

afterEach(() => {
  vi.restoreAllMocks();
});

it('are read once, however many requests there are, and at the time of each', () => {
  const where = { publishedAt: { $lt: '$now' } };
  const row = rowWith([{ action: [FIND], where }]);
  confirmToken(assumeToken('a token', 1), row, 1);
  const parse = vi.spyOn(JSON, 'parse');
  for (const now of [2, 3]) {
    const { grants } = confirmToken(assumeToken('a token', now), row, now);
    expect(grants.rule?.(FIND)).toMatchObject({ where: [where], caller: { now } });
  }
  expect(parse).not.toHaveBeenCalled();
});

it('are those of the row once that has others', () => {
  const token = () => assumeToken('another token', 1);
  confirmToken(token(), rowWith([FIND, UPDATE]), 1);
  expect(token().grants.allows(UPDATE)).toBe(true);
  expect(confirmToken(token(), rowWith([FIND]), 1).grants.allows(UPDATE)).toBe(false);
  expect([FIND, UPDATE].map((id) => token().grants.allows(id))).toEqual([true, false]);
});
