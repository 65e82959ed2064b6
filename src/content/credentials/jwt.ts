/**
 * @module JSON Web Tokens of users, signed with HS256: long-lived ones `{id, iat, exp}`, or of a session: access tokens
 * `{userId, sessionId, type, iat, exp}`, and refresh tokens, whose `jti` is the session's current key.
 */
import { sign, verify } from 'hono/utils/jwt/jwt';
import type { Delegation } from '../../access/delegation.ts';
import { requiredSecret } from './secrets.ts';

const ALGORITHM = 'HS256';

type Payload = Record<string, unknown>;

/** A client of OAuth that acts for a user. */
export interface Client extends Delegation {
  /** The id of the grant. */
  readonly grant: string;
  /** That of its id: who it is, as far as that is proven. */
  readonly host: string;
}

export interface Claims {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
  /** null for a long-lived token. */
  readonly session: string | null;
  /** Absent for the user themselves. */
  readonly client?: Client | undefined;
}

export interface RefreshClaims {
  readonly id: number;
  readonly session: string;
  /** Changes with every use of the token. */
  readonly key: string;
}

/** API tokens have no dots. */
export const looksLikeJwt = (token: string): boolean => token.split('.').length === 3;

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isId = (value: unknown): value is string => isText(value) && /^[1-9]\d{0,14}$/.test(value);

async function payloadOf(token: string, secret?: string): Promise<Payload | undefined> {
  if (!secret) return undefined;
  try {
    // `iat` may be in the future: a token issued with a password change is dated to the next second.
    const payload = await verify(token, secret, { alg: ALGORITHM, iat: false });
    // https://www.rfc-editor.org/rfc/rfc7519#section-4.1.3: Edgewise is no audience.
    return isCount(payload.iat) && isCount(payload.exp) && payload.aud === undefined ? payload : undefined;
  } catch {
    return undefined;
  }
}

/** Reads a long-lived token; undefined if it was not issued with this secret, was changed, or has expired. */
export async function readJwt(token: string, secret?: string): Promise<Claims | undefined> {
  const payload = await payloadOf(token, secret);
  if (!payload || !isCount(payload.id)) return undefined;
  return { id: payload.id, issuedAt: Number(payload.iat) * 1000, session: null };
}

export async function readAccessToken(token: string, secret?: string): Promise<Claims | undefined> {
  const { type, userId, sessionId, iat } = (await payloadOf(token, secret)) ?? {};
  if (type !== 'access' || !isId(userId) || !isText(sessionId)) return undefined;
  return { id: Number(userId), issuedAt: Number(iat) * 1000, session: sessionId };
}

/** The key may be outdated. */
export async function readRefreshToken(token: string, secret?: string): Promise<RefreshClaims | undefined> {
  const { type, userId, sessionId, jti } = (await payloadOf(token, secret)) ?? {};
  if (type !== 'refresh' || !isId(userId) || !isText(sessionId) || !isText(jti)) return undefined;
  return { id: Number(userId), session: sessionId, key: jti };
}

interface Issuance {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Tokens issued before this time are invalid. */
  readonly notBefore: number;
  /** Seconds. */
  readonly lifetime: number;
}

/** @throws Error without a JWT_SECRET. */
function signed(payload: Payload, { now, notBefore, lifetime }: Issuance, secret?: string): Promise<string> {
  const iat = Math.floor(Math.max(now, notBefore) / 1000);
  return sign({ ...payload, iat, exp: iat + lifetime }, requiredSecret(secret), ALGORITHM);
}

export const issueJwt = (issue: Issuance, secret?: string): Promise<string> => signed({ id: issue.id }, issue, secret);

export const issueAccessToken = (issue: Issuance, sessionId: string, secret?: string): Promise<string> =>
  signed({ userId: String(issue.id), sessionId, type: 'access' }, issue, secret);

export const issueRefreshToken = (issue: Issuance, sessionId: string, key: string, secret?: string): Promise<string> =>
  signed({ userId: String(issue.id), sessionId, type: 'refresh', jti: key }, issue, secret);

/** When a change of password takes effect: at the next whole second, since `iat` has seconds, and after the last change. */
export const changeTime = (now: number, previous: number): number =>
  (Math.floor(Math.max(now, previous) / 1000) + 1) * 1000;
