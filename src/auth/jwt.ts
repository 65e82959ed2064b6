/**
 * @module The JSON web tokens of users, signed with HS256 and the deployment's secret: long-lived ones `{id, iat, exp}`,
 * and in the mode of refresh tokens access tokens `{userId, sessionId, type, iat, exp}`, which stand for a session, and
 * refresh tokens, which have the session's key of the moment as their `jti`.
 */
import { sign, verify } from 'hono/utils/jwt/jwt';
import { requiredSecret } from './secrets.ts';

const ALGORITHM = 'HS256';

type Payload = Record<string, unknown>;

export interface Claims {
  /** Number of the user's row. */
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
  /** The session of an access token; null for a long-lived token. */
  readonly session: string | null;
}

export interface RefreshClaims {
  readonly id: number;
  readonly session: string;
  /** Changes with every use of the token. */
  readonly key: string;
}

/** Three parts with dots between them. API tokens never look like that. */
export const looksLikeJwt = (token: string): boolean => token.split('.').length === 3;

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isId = (value: unknown): value is string => isText(value) && /^[1-9]\d{0,14}$/.test(value);

async function payloadOf(token: string, secret: string | undefined): Promise<Payload | undefined> {
  if (!secret) return undefined;
  try {
    // A token issued in the second of a password change is dated to the next one, so `iat` may be ahead.
    const payload = await verify(token, secret, { alg: ALGORITHM, iat: false });
    // https://www.rfc-editor.org/rfc/rfc7519#section-4.1.3: nobody here is an audience.
    return isCount(payload.iat) && isCount(payload.exp) && payload.aud === undefined ? payload : undefined;
  } catch {
    return undefined;
  }
}

/** What a long-lived token says, or undefined when it was not issued here, was changed, or has expired. */
export async function readJwt(token: string, secret: string | undefined): Promise<Claims | undefined> {
  const payload = await payloadOf(token, secret);
  if (!payload || !isCount(payload.id)) return undefined;
  return { id: payload.id, issuedAt: Number(payload.iat) * 1000, session: null };
}

/** The same for an access token. */
export async function readAccessToken(token: string, secret: string | undefined): Promise<Claims | undefined> {
  const { type, userId, sessionId, iat } = (await payloadOf(token, secret)) ?? {};
  if (type !== 'access' || !isId(userId) || !isText(sessionId)) return undefined;
  return { id: Number(userId), issuedAt: Number(iat) * 1000, session: sessionId };
}

/** The same for a refresh token. Whether its key is still the session's, the database knows. */
export async function readRefreshToken(token: string, secret: string | undefined): Promise<RefreshClaims | undefined> {
  const { type, userId, sessionId, jti } = (await payloadOf(token, secret)) ?? {};
  if (type !== 'refresh' || !isId(userId) || !isText(sessionId) || !isText(jti)) return undefined;
  return { id: Number(userId), session: sessionId, key: jti };
}

export interface Issuance {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Tokens from before this time are refused. */
  readonly notBefore: number;
  /** Seconds. */
  readonly lifetime: number;
}

/** @throws Error when the deployment has no JWT_SECRET. */
function signed(payload: Payload, { now, notBefore, lifetime }: Issuance, secret: string | undefined): Promise<string> {
  const iat = Math.floor(Math.max(now, notBefore) / 1000);
  return sign({ ...payload, iat, exp: iat + lifetime }, requiredSecret(secret), ALGORITHM);
}

/** A long-lived token. */
export const issueJwt = (issue: Issuance, secret: string | undefined): Promise<string> =>
  signed({ id: issue.id }, issue, secret);

export const issueAccessToken = (issue: Issuance, session: string, secret: string | undefined): Promise<string> =>
  signed({ userId: String(issue.id), sessionId: session, type: 'access' }, issue, secret);

export const issueRefreshToken = (
  issue: Issuance,
  claims: RefreshClaims,
  secret: string | undefined,
): Promise<string> =>
  signed({ userId: String(issue.id), sessionId: claims.session, type: 'refresh', jti: claims.key }, issue, secret);

/**
 * When a change of password takes effect for tokens, which know whole seconds: from the next one on, and always later
 * than the last change.
 */
export const changeTime = (now: number, previous: number): number =>
  Math.max((Math.floor(now / 1000) + 1) * 1000, previous + 1000);
