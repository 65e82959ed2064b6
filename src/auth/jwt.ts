/**
 * @module The JSON web tokens of users: `{id, iat, exp}`, signed with HS256 and the deployment's secret.
 */
import { sign, verify } from 'hono/jwt';

const ALGORITHM = 'HS256';

export interface Claims {
  /** Number of the user's row. */
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
}

/** Three parts with dots between them. API tokens never look like that. */
export const looksLikeJwt = (token: string): boolean => token.split('.').length === 3;

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;

/** What a token says, or undefined when it was not issued here, was changed, or has expired. */
export async function readJwt(token: string, secret: string | undefined): Promise<Claims | undefined> {
  if (!secret) return undefined;
  try {
    // A token issued in the second of a password change is dated to the next one, so `iat` may be ahead.
    const { id, iat, exp } = await verify(token, secret, { alg: ALGORITHM, iat: false });
    return isCount(id) && isCount(iat) && isCount(exp) ? { id, issuedAt: iat * 1000 } : undefined;
  } catch {
    return undefined;
  }
}

export interface Issue {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Tokens from before this time are refused. */
  readonly notBefore: number;
  /** Seconds. */
  readonly lifetime: number;
}

/** @throws Error when the deployment has no JWT_SECRET. */
export async function issueJwt({ id, now, notBefore, lifetime }: Issue, secret: string | undefined): Promise<string> {
  if (!secret) throw new Error('JWT_SECRET is not set: run `wrangler secret put JWT_SECRET`, or see .dev.vars');
  const iat = Math.floor(Math.max(now, notBefore) / 1000);
  return sign({ id, iat, exp: iat + lifetime }, secret, ALGORITHM);
}

/**
 * When a change of password takes effect for tokens, which know whole seconds: from the next one on, and always later
 * than the last change.
 */
export const changeTime = (now: number, previous: number): number =>
  Math.max((Math.floor(now / 1000) + 1) * 1000, previous + 1000);
