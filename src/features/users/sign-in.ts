/**
 * @module `POST /api/auth/local`, `/local/register` and `/change-password`.
 */

import { application, invalid, unauthorized } from '../../common/errors.ts';
import { newCodeKey } from '../../content/credentials/codes.ts';
import { changeTime } from '../../content/credentials/jwt.ts';
import { isOutdated } from '../../content/credentials/passwords.ts';
import { defaultRole } from '../../content/credentials/roles.ts';
import type { Document } from '../../content/document/document.ts';
import { shownRow } from '../../content/operations/system-rows.ts';
import type { AtomicChange, Caller } from '../../content/runtime/caller.ts';
import { constant, together } from '../../content/sql/compiled.ts';
import type { AccountInput } from '../../schema/account-routes.ts';
import { type UserCall, userType } from './call.ts';
import { sendConfirmation } from './confirm.ts';
import { allowedData, readCustom } from './custom-data.ts';
import { withAccountGrant } from './precheck.ts';
import { assertUnchangedUser, namesOf, rejectTaken, saveUser } from './save-user.ts';
import { opened, type UserSession } from './session-lifetimes.ts';
import { endIdentities } from './sql/identities.ts';
import { endGrants } from './sql/oauth-grants.ts';
import { endSessions, keepOneSession } from './sql/sessions.ts';
import {
  type Account,
  accountById,
  accountByIdentifier,
  importedPassword,
  rehash,
  rekey,
  takenNames,
} from './sql/users.ts';
import { opening, sessionFor, type Tokens, tokensOf, usesSessions } from './tokens.ts';

/** Without tokens until the address is confirmed. */
export interface SignedIn extends Partial<Tokens> {
  readonly user: Document;
}

/** @param changedAt tokens from before this time are rejected; milliseconds since 1970 */
async function signedIn(call: UserCall, user: Document, changedAt: number, session?: UserSession): Promise<SignedIn> {
  return { ...(await tokensOf(call, Number(user.id), changedAt, session)), user };
}

/** @throws ApiError 400 for an unconfirmed or blocked user with the right password */
function rejectBarred({ confirmed, blocked }: Account, { settings }: UserCall): void {
  if (settings.users.emailConfirmation && !confirmed) throw application('Your account email is not confirmed');
  if (blocked) throw application('Your account has been blocked by an administrator');
}

/** Opens the session, and updates outdated keys of names and the outdated hash of a password. */
function entering(
  call: UserCall,
  caller: Caller,
  account: Account,
  password: string,
  session: UserSession | undefined,
): AtomicChange<Document> {
  const { id, documentId, password: hash } = account;
  const rehashed = isOutdated(hash) ? [rehash(id, hash, caller.writeContext.hashPassword(password))] : [];
  const changes = [...rehashed, ...rekey(account), ...opening(call, session, documentId)];
  return {
    statements: changes.length > 0 ? [assertUnchangedUser(call, account), ...changes] : [],
    result: constant(shownRow(account.row, userType(call), call, caller)),
  };
}

/** Unknown users and wrong passwords get the same response after the same work. */
export const login = (call: UserCall, sent: AccountInput<'auth.callback'>): Promise<SignedIn> =>
  withAccountGrant(call, 'auth.callback', async (caller) => {
    const { identifier, password, deviceId } = sent;
    const found = accountByIdentifier(userType(call), identifier);
    const [account, imported] = await caller.read(together([found, importedPassword]));
    call.rejectClosed(identifier);
    const isRight = caller.writeContext.isPassword(password, account?.password, imported);
    if (!isRight || !account) {
      await call.countFailure(identifier);
      throw invalid('Invalid identifier or password');
    }
    rejectBarred(account, call);
    const session = sessionFor(call, deviceId);
    const user = await caller.write(entering(call, caller, account, password, session));
    return signedIn(call, user, account.changedAt, session);
  });

function newAccount(call: UserCall, { username, email, password }: AccountInput<'auth.register'>) {
  const role = defaultRole(call.settings)?.documentId;
  const data = { username, email: email.toLowerCase(), password, provider: 'local', role };
  return { ...allowedData(call), ...data, confirmed: !call.settings.users.emailConfirmation };
}

export async function register(call: UserCall, sent: AccountInput<'auth.register'>): Promise<SignedIn> {
  const codeKey = call.settings.users.emailConfirmation ? newCodeKey() : undefined;
  const session = codeKey ? undefined : sessionFor(call, crypto.randomUUID());
  const registered = await withAccountGrant(call, 'auth.register', async (caller) => {
    const custom = readCustom(call, { documentId: call.newDocumentId }, allowedData(call), caller.grants);
    const names = takenNames(namesOf(call, sent));
    const [taken, own] = await caller.read(together([names, custom]));
    rejectTaken(taken);
    const data = { ...newAccount(call, sent), ...(codeKey && { confirmationToken: codeKey }) };
    const also = opening(call, session, call.newDocumentId);
    const user = await caller.write(saveUser(call, caller, { data, own, also, withRole: true }));
    return codeKey ? { user } : signedIn(call, user, 0, session);
  });
  if (codeKey) call.afterwards(() => sendConfirmation(call, sent.email.toLowerCase(), codeKey));
  return registered;
}

/** A change of password leaves one session: a new one, or `kept`. */
function sessionsLeft(call: UserCall, account: Account, deviceId: string | null, kept: string | null) {
  const { id, documentId } = account;
  const session = sessionFor(call, kept === null ? (deviceId ?? crypto.randomUUID()) : deviceId, kept ?? undefined);
  if (!session) return { session, also: [] };
  if (kept !== null) return { session, also: keepOneSession(id, opened(call, session, documentId)) };
  return { session, also: [...endSessions({ user: id }).statements, ...opening(call, session, documentId)] };
}

interface Replacement {
  /** The session that makes the change. */
  readonly kept?: string | null;
  readonly keepsTokens?: boolean;
  /** Does it confirm the address, too? */
  readonly accepts?: boolean;
  /** Was its code in a message to the address? */
  readonly proves?: boolean;
}

/** Invalidates the codes, tokens and sessions of the user, and what clients may do in their name. */
export async function replacePassword(
  call: UserCall,
  caller: Caller,
  account: Account,
  { password, deviceId }: Pick<AccountInput<'auth.resetPassword'>, 'password' | 'deviceId'>,
  { kept = null, keepsTokens = false, accepts = false, proves = false }: Replacement,
): Promise<SignedIn> {
  const changedAt = keepsTokens ? account.changedAt : changeTime(call.now, account.changedAt);
  const passwordChangedAt = { passwordChangedAt: new Date(changedAt).toISOString() };
  const { session, also } = sessionsLeft(call, account, deviceId, kept);
  const address = { ...(accepts && { confirmed: true }), ...(proves && { emailProven: true }) };
  // The password signs in also where a provider alone did.
  const chosen = { password, provider: 'local', resetPasswordToken: null };
  const data = { ...chosen, ...(!keepsTokens && passwordChangedAt), ...address };
  // The identities of before are of a user who has not proven the address.
  const taken = proves && !account.emailProven ? [endIdentities(account.documentId)] : [];
  const user = await caller.write(
    saveUser(call, caller, { account, data, also: [...also, ...taken, endGrants(account.id)] }),
  );
  return signedIn(call, user, changedAt, session);
}

/** @throws ApiError 400 for a wrong password, which counts; 429 after too many */
export async function requirePassword(call: UserCall, caller: Caller, account: Account, sent = ''): Promise<void> {
  call.rejectClosed(account.email);
  if (caller.writeContext.isPassword(sent, account.password)) return;
  await call.countFailure(account.email);
  throw invalid('The provided current password is invalid');
}

export const changePassword = (call: UserCall, sent: AccountInput<'auth.changePassword'>): Promise<SignedIn> =>
  withAccountGrant(call, 'auth.changePassword', async (caller, user) => {
    const { currentPassword, password } = sent;
    const account = await caller.read(accountById(userType(call), user.id));
    if (!account) throw unauthorized('Invalid credentials');
    await requirePassword(call, caller, account, currentPassword);
    if (currentPassword === password) throw invalid('Your new password must be different than your current password');
    const keepsTokens = !call.settings.users.passwordChangeEndsTokens && !usesSessions(call);
    return replacePassword(call, caller, account, sent, { kept: user.session, keepsTokens });
  });
