/**
 * @module `POST /api/auth/refresh`: new tokens for a refresh token.
 */
import { ApiError, unauthorized } from '../../common/errors.ts';
import { readRefreshToken } from '../../content/credentials/jwt.ts';
import { nextKey } from '../../content/credentials/secrets.ts';
import type { AccountInput } from '../../schema/account-routes.ts';
import type { UserCall } from './call.ts';
import { withAccountGrant } from './precheck.ts';
import { rotationOf } from './session-lifetimes.ts';
import { rotateRefreshKey } from './sql/sessions.ts';
import { sessionTokens, type Tokens } from './tokens.ts';

/**
 * A refresh token works once; within `refreshTokenGrace`, and until the next one is used, it returns the same next one.
 * @throws ApiError 401 for an invalid, expired or used token; a used one ends its session
 */
export const refreshTokens = (call: UserCall, sent: AccountInput<'auth.refresh'>): Promise<Tokens> =>
  withAccountGrant(call, 'auth.refresh', async (caller) => {
    const { jwtSecret } = call;
    // A cookie may be left over from another sign-in.
    const token = sent.refreshToken ?? call.refreshCookie;
    if (token === undefined) throw new ApiError({ kind: 'bad-request', message: 'Missing refresh token' });
    const claims = await readRefreshToken(token, jwtSecret);
    // Without a secret no token is valid.
    if (!claims || !jwtSecret) throw unauthorized('Invalid refresh token');
    const key = nextKey(claims.session, claims.key, jwtSecret);
    const session = await caller.write({ statements: [], result: rotateRefreshKey(rotationOf(call, claims, key)) });
    if (!session) throw unauthorized('Invalid refresh token');
    return sessionTokens(call, claims.id, session.changedAt, { id: claims.session, key }, session.expiresAt);
  });
