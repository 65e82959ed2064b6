/**
 * @module Authorization header → credential: what the isolate believes of the caller, and what the database is asked to
 * confirm it.
 */
import type { Settings } from '../config.ts';
import { unauthorized } from '../errors.ts';
import { type CredentialQuery, noteTokenUse, tokenQuery, userQuery } from '../sql/accounts/credentials.ts';
import { type Compiled, mapped } from '../sql/compiled.ts';
import type { Statement } from '../sql/statement.ts';
import { assumeToken, confirmToken, isUseNoted, type Token, tokenNeeds } from './api-token.ts';
import { type Grants, roleGrants } from './grants.ts';
import { looksLikeJwt, readAccessToken, readJwt } from './jwt.ts';
import type { PermissionTrace } from './permission-trace.ts';
import { assumeUser, confirmUser, type User, userNeeds } from './user-token.ts';

/** A credential that the database has to confirm. */
export type Claimed = Token | User;
export type Credential = { readonly kind: 'public'; readonly grants: Grants } | Claimed;

/** The same caller, to be looked up again. */
export const doubted = (credential: Credential): Credential =>
  credential.kind === 'public' ? credential : { ...credential, known: false };

/** The token of `Bearer <token>`; anything else is no credential, as in Strapi. */
const BEARER = /^\s*bearer\s+(\S+)\s*$/i;

/**
 * Who asks, as far as the isolate knows without a round trip.
 * @throws ApiError 401 for a JWT that was not issued with this secret or has expired.
 */
export async function assumeCredential(
  header: string | undefined,
  settings: Settings,
  secret: string | undefined,
): Promise<Credential> {
  const token = header && BEARER.exec(header)?.[1];
  if (!token) return { kind: 'public', grants: roleGrants(settings, 'public') };
  if (!looksLikeJwt(token)) return assumeToken(token);
  const read = settings.users.jwtManagement === 'refresh' ? readAccessToken : readJwt;
  const claims = await read(token, secret);
  if (!claims) throw unauthorized();
  return assumeUser(claims, settings);
}

/** What the database says of a credential. */
export interface Confirmed {
  readonly credential: Claimed;
  /** Does it allow what was assumed? Else the work has to be planned again, and its statements have not run. */
  readonly holds: boolean;
  /** Notes that a token is in use; absent when that is known. */
  readonly note?: Statement;
}

/** How a credential is confirmed in the batch of the work, or guards a batch that writes. */
export interface Confirmation extends Pick<CredentialQuery<unknown>, 'guard' | 'assertion'> {
  /** Its decoding throws ApiError 401 when the credential is not, or no longer, valid. */
  readonly row: Compiled<Confirmed>;
}

function userConfirmation(user: User, answers: PermissionTrace, settings: Settings): Confirmation {
  const { row, ...guards } = userQuery(userNeeds(user, answers, settings));
  return {
    ...guards,
    row: mapped(row, (found) => ({ credential: confirmUser(user, found, settings), holds: found?.holds === true })),
  };
}

function tokenConfirmation(token: Token, answers: PermissionTrace, now: number): Confirmation {
  const { row, ...guards } = tokenQuery(tokenNeeds(token, answers, now));
  const confirmed = mapped(row, (found): Confirmed => {
    const credential = confirmToken(token, found, now);
    const noted = found !== undefined && isUseNoted(found, now);
    return { credential, holds: found?.holds === true, ...(!noted && { note: noteTokenUse(token.key, now) }) };
  });
  return { ...guards, row: confirmed };
}

/** @param answers the permission trace: the action ids that the plan queried, with the results. */
export const confirmationOf = (
  claimed: Claimed,
  answers: PermissionTrace,
  settings: Settings,
  now: number,
): Confirmation =>
  claimed.kind === 'user' ? userConfirmation(claimed, answers, settings) : tokenConfirmation(claimed, answers, now);
