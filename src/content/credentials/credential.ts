/**
 * @module Authorization header → credential: assumed permissions, and the statements that confirm them.
 */

import { EVERYTHING, type Grants, roleGrants } from '../../access/grants.ts';
import type { PermissionTrace } from '../../access/permission-trace.ts';
import { unauthorized } from '../../common/errors.ts';
import type { Settings } from '../../schema/settings/config.ts';
import { type Compiled, mapped } from '../sql/compiled.ts';
import type { Statement } from '../sql/statement.ts';
import { assumeToken, confirmToken, isUseNoted, type Token, tokenNeeds } from './api-token.ts';
import { looksLikeJwt, readAccessToken, readJwt } from './jwt.ts';
import { type CredentialQuery, noteGrantUse, noteTokenUse, tokenQuery, userQuery } from './sql/credentials.ts';
import { assumeUser, confirmUser, type User, userNeeds } from './user-token.ts';

/** The credential of a preview. It has the grants of the public role, and more for reads of content. */
export interface Preview {
  readonly kind: 'preview';
  readonly isCached: boolean;
  readonly grants: Grants;
  /** Returns the same credential with the grants of reads of content. */
  forContent(): Preview;
  /** The rights of its maker are confirmed, whatever was queried. */
  confirmation(): Confirmation;
}

/** Returns undefined for other tokens. @throws ApiError 401 for an invalid one */
export type PreviewReader = (
  token: string,
  settings: Settings,
  secret: string | undefined,
  now: number,
) => Promise<Preview | undefined>;

/** A credential that the database has to confirm. */
export type ClaimedCredential = Token | User | Preview;
export type Credential =
  | ClaimedCredential
  /** That of requests without one; that of the project's own code, and of schedules. */
  | { readonly kind: 'public' | 'code'; readonly grants: Grants };

export const CODE: Credential = { kind: 'code', grants: EVERYTHING };

/** What the database has to confirm: an account, that of a preview, or nothing. */
const CLAIMS: Readonly<Record<Credential['kind'], 'account' | 'preview' | 'nothing'>> = {
  token: 'account',
  user: 'account',
  preview: 'preview',
  public: 'nothing',
  code: 'nothing',
};

export const isClaimed = (credential: Credential): credential is ClaimedCredential =>
  CLAIMS[credential.kind] !== 'nothing';
export const isAccount = (credential: Credential): credential is Token | User => CLAIMS[credential.kind] === 'account';
export const isPreview = (credential: Credential): credential is Preview => credential.kind === 'preview';
export const isUser = (credential: Credential): credential is User => credential.kind === 'user';
/** Does a client of OAuth act for a user? */
export const isOfClient = (credential: Credential): boolean => isUser(credential) && credential.client !== undefined;

/** Returns the same caller, whose permissions the next attempt reads again. */
export const invalidated = (credential: Credential): Credential =>
  isClaimed(credential) ? { ...credential, isCached: false } : credential;

/** Anything else is no credential, as in Strapi. */
const BEARER = /^\s*bearer\s+(\S+)\s*$/i;

/** Assumes permissions without a round trip. @throws ApiError 401 for an expired JWT, or one of another secret */
export async function assumeCredential(
  header: string | undefined,
  settings: Settings,
  secret: string | undefined,
  now: number,
  readPreview?: PreviewReader,
): Promise<Credential> {
  const token = header && BEARER.exec(header)?.[1];
  if (!token) return { kind: 'public', grants: roleGrants(settings, 'public', { user: undefined, now }) };
  if (!looksLikeJwt(token)) return (await readPreview?.(token, settings, secret, now)) ?? assumeToken(token, now);
  const read = settings.users.jwtManagement === 'refresh' ? readAccessToken : readJwt;
  const claims = await read(token, secret);
  if (!claims) throw unauthorized();
  return assumeUser(claims, settings, now);
}

interface Confirmed<C extends ClaimedCredential = ClaimedCredential> {
  readonly credential: C;
  /** Does the permission trace hold? Otherwise the statements of the batch have not run. */
  readonly holds: boolean;
  /** Notes the use of a token or grant, unless that was done within the hour. */
  readonly note?: Statement;
}

/** Statements that confirm a credential in a batch of reads, or guard a batch of writes. */
export interface Confirmation<C extends ClaimedCredential = ClaimedCredential>
  extends Pick<CredentialQuery<unknown>, 'guard' | 'assertion'> {
  /** Its decoding throws ApiError 401 for an invalid credential. */
  readonly row: Compiled<Confirmed<C>>;
}

function userConfirmation(user: User, trace: PermissionTrace, settings: Settings): Confirmation<User> {
  const { row, ...guards } = userQuery(userNeeds(user, trace, settings));
  const { client, now } = user;
  return {
    ...guards,
    row: mapped(row, (found) => {
      const credential = confirmUser(user, found, settings);
      const noted = client && found && !isUseNoted(found.usedAt, now) && noteGrantUse(client.grant, now);
      return { credential, holds: found?.holds === true, ...(noted && { note: noted }) };
    }),
  };
}

function tokenConfirmation(token: Token, trace: PermissionTrace, now: number): Confirmation<Token> {
  const { row, ...guards } = tokenQuery(tokenNeeds(token, trace, now));
  const confirmed = mapped(row, (found): Confirmed<Token> => {
    const credential = confirmToken(token, found, now);
    const noted = found !== undefined && isUseNoted(found.lastUsedAt, now);
    return { credential, holds: found?.holds === true, ...(!noted && { note: noteTokenUse(token.key, now) }) };
  });
  return { ...guards, row: confirmed };
}

/** Confirms an API token or a user. */
export const accountConfirmation = (
  account: Token | User,
  trace: PermissionTrace,
  settings: Settings,
  now: number,
): Confirmation<Token | User> =>
  account.kind === 'user' ? userConfirmation(account, trace, settings) : tokenConfirmation(account, trace, now);

export const confirmationOf = (
  claimed: ClaimedCredential,
  trace: PermissionTrace,
  settings: Settings,
  now: number,
): Confirmation => (isPreview(claimed) ? claimed.confirmation() : accountConfirmation(claimed, trace, settings, now));
