/**
 * @module Codes and tokens of clients: whom they are for, and what one of another version gives.
 */
import { describe, expect, it } from 'vitest';
import type { Level } from '../../../src/access/delegation.ts';
import { sha256Base64Url } from '../../../src/common/digest.ts';
import { openCode, sealCode } from '../../../src/features/oauth/code.ts';
import { grantOf, readAccessToken, readRefreshToken, tokenResponse } from '../../../src/features/oauth/tokens.ts';

const SECRET = 'a secret';
const NOW = 1_000;
const UNKNOWN = 'publish' as Level;

describe('a code', () => {
  const sent = { clientId: 'https://client.example.com/client.json', redirectUri: 'https://client.example.com/' };
  const opened = async (verifier: string, level: Level = 'read') => {
    const user = { id: 1, issuedAt: 0, session: null };
    const allowed = { ...sent, level, types: null, user, host: 'h', name: 'n', challenge: sha256Base64Url(verifier) };
    return openCode(await sealCode(allowed, SECRET, NOW), { ...sent, verifier }, SECRET, NOW);
  };

  it.each([
    [42, false],
    [43, true],
    [128, true],
    [129, false],
  ])('is redeemed by a verifier of %i characters: %j', async (length, isRedeemed) => {
    expect((await opened('v'.repeat(length))) !== undefined).toBe(isRedeemed);
  });

  it('is none of a level that this version does not know', async () => {
    expect(await opened('v'.repeat(43), UNKNOWN)).toBeUndefined();
  });
});

describe('a token', () => {
  const issued = (more: object = {}) =>
    tokenResponse(
      { grant: 'g', user: 1, host: 'h', level: 'write', types: null, key: 'k', ...more },
      ...([SECRET, NOW] as const),
    );
  const read = async (more: object) =>
    (await readAccessToken(`Bearer ${(await issued(more)).access_token}`, SECRET, NOW))?.client;

  it('of a level or types that this version does not know gives the least', async () => {
    expect(await read({})).toEqual({ grant: 'g', host: 'h', level: 'write', types: null });
    expect(await read({ level: UNKNOWN, types: 'all' })).toEqual({ grant: 'g', host: 'h', level: 'read', types: [] });
  });

  it('is read with its own prefix alone', async () => {
    const { access_token: access, refresh_token: refresh } = await issued();
    const other = (token: string) => `ewx_${token.slice(4)}`;
    expect(await readRefreshToken(refresh, SECRET, NOW)).toEqual({ grant: 'g', key: 'k' });
    expect(await readRefreshToken(other(refresh), SECRET, NOW)).toBeUndefined();
    expect([await grantOf(access, SECRET, NOW), await grantOf(other(access), SECRET, NOW)]).toEqual(['g', undefined]);
  });

  it('is refused where there is no secret, and no header of another kind is one', async () => {
    await expect(readAccessToken('Bearer ewa_x', undefined, NOW)).rejects.toThrow();
    expect(await readAccessToken('Bearer x', undefined, NOW)).toBeUndefined();
    expect(await readAccessToken(undefined, SECRET, NOW)).toBeUndefined();
  });
});
