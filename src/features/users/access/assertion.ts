/**
 * @module The assertion of Cloudflare Access: a JWT that it adds to requests of users who have signed in there.
 * https://developers.cloudflare.com/cloudflare-one/access-controls/applications/http-apps/authorization-cookie/validating-json/
 */

import type { HonoJsonWebKey } from 'hono/utils/jwt/jws';
import { decodeHeader, verify } from 'hono/utils/jwt/jwt';
import type { JWTPayload } from 'hono/utils/jwt/types';
import { BoundedCache } from '../../../common/cache.ts';
import { isAccountEmail } from '../../../common/email-address.ts';
import { ApiError, unauthorized } from '../../../common/errors.ts';
import { ownValue } from '../../../common/json.ts';
import type { AccessApplication } from '../../../schema/settings/access-setting.ts';
import type { UserCall } from '../call.ts';
import type { Visitor } from '../identity-sign-in.ts';
import { readJson } from '../providers/provider-requests.ts';
import { ACCESS_PROVIDER } from '../sql/identities.ts';

/** Milliseconds. */
const MINUTE = 60_000;
/** Cloudflare names the next key days before it signs with it. */
const HOUR = 3_600_000;

type Keys = readonly HonoJsonWebKey[];

interface AtTime<T> {
  /** Of the request that has read it. */
  readonly at: number;
  readonly value: T;
}

/** By team: the keys that were read last. */
const known = new BoundedCache<string, AtTime<Keys>>();
/** By team: the last attempt to read them, which returns why it failed. */
const attempts = new BoundedCache<string, AtTime<Promise<Keys | Error>>>();

async function readKeys(team: string): Promise<Keys> {
  const keys = ownValue(await readJson({ issuer: team }, `${team}/cdn-cgi/access/certs`), 'keys');
  if (!Array.isArray(keys)) throw new Error(`${team} has no list of keys`);
  return keys;
}

/** Reads the keys, or waits for the request that reads them; once a minute, also where that fails. */
function attemptOf(call: UserCall, team: string): Promise<Keys | Error> {
  const last = attempts.get(team);
  if (last && call.now - last.at < MINUTE) return last.value;
  const value = readKeys(team).then(
    (keys) => {
      known.set(team, { at: call.now, value: keys });
      return keys;
    },
    (error: Error) => error,
  );
  // A request that waits for it outlives the one that began it.
  call.waitUntil(value);
  attempts.set(team, { at: call.now, value });
  return value;
}

/** @throws ApiError 503 if they cannot be read */
async function keysFor(kid: string | undefined, call: UserCall, team: string): Promise<Keys> {
  const held = known.get(team);
  if (held && call.now - held.at < HOUR && held.value.some((key) => key.kid === kid)) return held.value;
  const keys = await attemptOf(call, team);
  if (!(keys instanceof Error)) return keys;
  const message = 'The keys of Cloudflare Access cannot be read';
  throw new ApiError({ kind: 'not-ready', message, retryAfter: MINUTE / 1000 }, { cause: keys });
}

const invalid = (why: string): Error => unauthorized(`The assertion of Cloudflare Access ${why}`);

/** Returns the claims of a token that is signed and valid now. @throws ApiError 401, 503 */
async function signedClaims(call: UserCall, team: string, token: string): Promise<JWTPayload> {
  try {
    const { kid } = decodeHeader(token);
    const key = (await keysFor(kid, call, team)).find((each) => each.kid === kid);
    if (!kid || !key) throw invalid('is not valid: no key of the team has signed it');
    return await verify(token, key, 'RS256');
  } catch (error) {
    if (error instanceof ApiError) throw error;
    // Messages of the library repeat the token.
    throw invalid(`is not valid: ${(error as Error).name}`);
  }
}

/**
 * Returns who has signed in to the application.
 * @throws ApiError 401 for an assertion that is missing or invalid, of another application, or of a service token; 503
 */
export async function readAssertion(
  call: UserCall,
  { team, audience }: AccessApplication,
  token: string | undefined,
): Promise<Visitor & { readonly email: string }> {
  if (!token) throw invalid('is missing: this address is not within its application');
  const { iss, aud, exp, sub, email, common_name: service } = await signedClaims(call, team, token);
  if (iss !== team) throw invalid('is of another team');
  if (![aud].flat().includes(audience)) throw invalid('is for another application');
  if (exp === undefined) throw invalid('has no end');
  if (service !== undefined || typeof sub !== 'string' || sub === '')
    throw invalid('is that of a service token, which is no user');
  if (typeof email !== 'string' || !isAccountEmail(email)) throw invalid('names no e-mail address');
  return { issuer: team, subject: sub, provider: ACCESS_PROVIDER, email: email.toLowerCase(), isVerified: true };
}
