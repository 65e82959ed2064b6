/**
 * @module Signing in by an identity: the user who has it, an account with the address that it vouches for, or a new one.
 */
import { application, isProblem } from '../../common/errors.ts';
import type { Document } from '../../content/document/document.ts';
import { shownRow } from '../../content/operations/system-rows.ts';
import type { AtomicChange, Caller } from '../../content/runtime/caller.ts';
import { constant, together } from '../../content/sql/compiled.ts';
import type { Statement } from '../../content/sql/statement.ts';
import { type UserCall, userType } from './call.ts';
import { readCustom } from './custom-data.ts';
import { assertUnchangedUser, namesOf, type Save, saveUser } from './save-user.ts';
import type { SignedIn } from './sign-in.ts';
import { addIdentity, assertFreeIdentity, assertNoIdentityOf, type Identity } from './sql/identities.ts';
import { type Account, takenNames } from './sql/users.ts';
import { opening, sessionFor, tokensOf } from './tokens.ts';

/** Who signs in, as the issuer says. */
export interface Visitor extends Identity {
  /** What users and their identities have as `provider`. */
  readonly provider: string;
  readonly email?: string | undefined;
  /** Does the issuer vouch for the address? */
  readonly isVerified: boolean;
  readonly username?: string | undefined;
}

/** What a sign-in does in its batch. */
export interface Entry {
  readonly caller: Caller;
  /** documentId of the user. */
  readonly user: string;
  /** Absent for a new user. */
  readonly account?: Account;
  readonly data: Save['data'];
  readonly own?: Save['own'];
  readonly guards?: readonly Statement[];
  /** Statements that the session follows. */
  readonly also?: readonly Statement[];
  /** Tokens from before are rejected; milliseconds since 1970. */
  readonly changedAt: number;
}

/** An issuer does not know what attributes of your own a user must have. @throws ApiError 400 */
function saved(call: UserCall, caller: Caller, save: Save): AtomicChange<Document> {
  try {
    return saveUser(call, caller, save);
  } catch (error) {
    if (save.account || !isProblem(error, 'validation')) throw error;
    throw application(`There is no account yet, and none can be made by a sign-in: ${error.message}`);
  }
}

/** Saves what changes of the user, and opens a session, all or nothing. */
export async function enter(call: UserCall, entry: Entry): Promise<SignedIn> {
  const { caller, user: documentId, account, data, own, guards = [], also = [], changedAt } = entry;
  const session = sessionFor(call, null);
  const more = [...also, ...opening(call, session, documentId)];
  const change: AtomicChange<Document> =
    account && Object.keys(data).length === 0
      ? {
          statements: [assertUnchangedUser(call, account), ...more],
          result: constant(shownRow(account.row, userType(call), call, caller)),
        }
      : saved(call, caller, { ...(account && { account }), data, ...(own && { own }), also: more });
  const user = await caller.write({ ...change, statements: [...guards, ...change.statements] });
  return { ...(await tokensOf(call, Number(user.id), changedAt, session)), user };
}

/** @throws ApiError 400 for a blocked user */
export function rejectBlocked({ blocked }: Account): void {
  if (blocked) throw application('Your account has been blocked by an administrator');
}

/**
 * Returns the entry of a user who has the identity.
 * @throws ApiError 400 for a blocked user, and for one whose address is to be confirmed first
 */
export function returningEntry(call: UserCall, caller: Caller, visitor: Visitor, account: Account): Entry {
  const isOwnAddress = visitor.isVerified && visitor.email?.toLowerCase() === account.email;
  rejectBlocked(account);
  if (call.settings.users.emailConfirmation && !account.confirmed && !isOwnAddress)
    throw application('Your account email is not confirmed');
  const proves = isOwnAddress && !(account.confirmed && account.emailProven);
  const data = proves ? { confirmed: true, emailProven: true } : {};
  return { caller, user: account.documentId, account, data, changedAt: account.changedAt };
}

/** Returns the entry that links the identity to an account with a proven address. */
export function linkedEntry(call: UserCall, caller: Caller, visitor: Visitor, account: Account): Entry {
  const { documentId: user, changedAt } = account;
  const data = account.confirmed ? {} : { confirmed: true };
  const guards = [assertFreeIdentity(visitor), assertNoIdentityOf(user, visitor.issuer)];
  return { caller, user, account, data, guards, also: [addIdentity(visitor, user, call.now)], changedAt };
}

const MIN_NAME = 3;
const MAX_NAME = 200;

const withDigits = (name: string): string =>
  `${name}${1000 + ((crypto.getRandomValues(new Uint16Array(1))[0] ?? 0) % 9000)}`;

/** As in Strapi: the name at the issuer, or what stands before the @, with four digits if it is short or taken. */
function possibleNames({ username }: Visitor, email: string): readonly string[] {
  const own = username?.includes('@') ? undefined : username?.trim();
  const name = (own || (email.split('@')[0] ?? '')).slice(0, MAX_NAME);
  return [...(name.length < MIN_NAME ? [] : [name]), withDigits(name), withDigits(name), crypto.randomUUID()];
}

/**
 * Returns the entry of a new user, whose address is proven.
 * @param role documentId
 * @throws ApiError 400 if another user has the address
 */
export async function newEntry(
  call: UserCall,
  caller: Caller,
  visitor: Visitor,
  email: string,
  role: string | undefined,
): Promise<Entry> {
  const user = call.newDocumentId;
  const names = possibleNames(visitor, email);
  const custom = readCustom(call, { documentId: user }, {}, caller.grants);
  const checks = names.map((username) => takenNames(namesOf(call, { username, email })));
  const [own, ...taken] = await caller.read(together([custom, ...checks]));
  if (taken.some((each) => each.email)) throw application('Email is already taken.');
  const username = names.find((_, index) => !taken[index]?.username);
  const data = { username, email, provider: visitor.provider, role, confirmed: true, emailProven: true };
  const [guards, also] = [[assertFreeIdentity(visitor)], [addIdentity(visitor, user, call.now)]];
  return { caller, user, data, own, guards, also, changedAt: 0 };
}
