/**
 * @module Authorization header → credential: assumed permissions, and the statements that confirm them.
 */

import { unauthorized } from '../common/errors.ts';
import type { Settings } from '../settings/config.ts';
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

/** Returns the same caller, whose permissions the next attempt reads again. */
export const invalidated = (credential: Credential): Credential =>
  credential.kind === 'public' ? credential : { ...credential, isCached: false };

/** Anything else is no credential, as in Strapi. */
const BEARER = /^\s*bearer\s+(\S+)\s*$/i;

/** Assumes permissions without a round trip. @throws ApiError 401 for an expired JWT, or one of another secret */
export async function assumeCredential(
  header: string | undefined,
  settings: Settings,
  secret: string | undefined,
  now: number,
): Promise<Credential> {
  const token = header && BEARER.exec(header)?.[1];
  if (!token) return { kind: 'public', grants: roleGrants(settings, 'public', { user: undefined, now }) };
  if (!looksLikeJwt(token)) return assumeToken(token, now);
  const read = settings.users.jwtManagement === 'refresh' ? readAccessToken : readJwt;
  const claims = await read(token, secret);
  if (!claims) throw unauthorized();
  return assumeUser(claims, settings, now);
}

interface Confirmed {
  readonly credential: Claimed;
  /** Does the permission trace hold? Otherwise the statements of the batch have not run. */
  readonly holds: boolean;
  /** Notes the use of a token, unless that was done within the hour. */
  readonly note?: Statement;
}

/** Statements that confirm a credential in a batch of reads, or guard a batch of writes. */
export interface Confirmation extends Pick<CredentialQuery<unknown>, 'guard' | 'assertion'> {
  /** Its decoding throws ApiError 401 for an invalid credential. */
  readonly row: Compiled<Confirmed>;
}

function userConfirmation(user: User, trace: PermissionTrace, settings: Settings): Confirmation {
  const { row, ...guards } = userQuery(userNeeds(user, trace, settings));
  return {
    ...guards,
    row: mapped(row, (found) => ({ credential: confirmUser(user, found, settings), holds: found?.holds === true })),
  };
}

function tokenConfirmation(token: Token, trace: PermissionTrace, now: number): Confirmation {
  const { row, ...guards } = tokenQuery(tokenNeeds(token, trace, now));
  const confirmed = mapped(row, (found): Confirmed => {
    const credential = confirmToken(token, found, now);
    const noted = found !== undefined && isUseNoted(found, now);
    return { credential, holds: found?.holds === true, ...(!noted && { note: noteTokenUse(token.key, now) }) };
  });
  return { ...guards, row: confirmed };
}

export const confirmationOf = (
  claimed: Claimed,
  trace: PermissionTrace,
  settings: Settings,
  now: number,
): Confirmation =>
  claimed.kind === 'user' ? userConfirmation(claimed, trace, settings) : tokenConfirmation(claimed, trace, now);
