/**
 * @module The keys of API tokens, which each request with a token needs.
 */
import { expect, it, vi } from 'vitest';
import { sha256 } from '../../src/common/digest.ts';
import { assumeToken, confirmToken } from '../../src/content/credentials/api-token.ts';

vi.mock('../../src/common/digest.ts', { spy: true });

/** How often each of three requests computes the key. */
const computedFor = (token: string) =>
  [1, 2, 3].map((now) => {
    vi.mocked(sha256).mockClear();
    assumeToken(token, now);
    return vi.mocked(sha256).mock.calls.length;
  });

it('is kept once the token is confirmed, and not before: made-up tokens would fill the cache', () => {
  expect(computedFor('made up')).toEqual([1, 1, 1]);
  const row = { type: 'full-access', permissions: null, expiresAt: null, lastUsedAt: 0, holds: true };
  const { key } = confirmToken(assumeToken('known', 1), row, 1);
  expect(computedFor('known')).toEqual([1, 0, 0]);
  expect(assumeToken('known', 4)).toMatchObject({ key, isCached: true });
});
