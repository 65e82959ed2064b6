/**
 * @module `POST /api/auth/local`, `/local/register` and `/change-password`: passwords in, JWTs out.
 */
import { newCodeKey } from '../auth/codes.ts';
import { changeTime } from '../auth/jwt.ts';
import { isOutdated } from '../auth/passwords.ts';
import { defaultRole } from '../auth/roles.ts';
import type { Document } from '../document/document.ts';
import { application, invalid, unauthorized } from '../errors.ts';
import type { Caller, Change } from '../execute/caller.ts';
import { shownRow } from '../execute/system-rows.ts';
import type { AccountInput } from '../registry/account-routes.ts';
import { endSessions, keepOneSession } from '../sql/accounts/sessions.ts';
import {
  type Account,
  accountById,
  accountByIdentifier,
  importedPassword,
  rehash,
  rekey,
  takenNames,
} from '../sql/accounts/users.ts';
import { constant, mapped, together } from '../sql/compiled.ts';
import type { Statement } from '../sql/statement.ts';
import { type UserCall, userType } from './call.ts';
import { sendConfirmation } from './confirm.ts';
import { allowedData, askOwn } from './own-data.ts';
import { withAccountGrant } from './precheck.ts';
import { assertUnchangedUser, namesOf, saveUser } from './save-user.ts';
import { opened, type Session } from './sessions.ts';
import { opening, sessionFor, type Tokens, tokensOf, usesSessions } from './tokens.ts';

/** Without tokens where the address has to be confirmed first. */
export interface SignedIn extends Partial<Tokens> {
  readonly user: Document;
}

/** Who has come in, and what the tokens are to say. */
export interface AuthenticatedUser {
  readonly user: Document;
  /** When the password was changed last; milliseconds since 1970. */
  readonly changedAt: number;
  readonly session: Session | undefined;
}

/** Issues the tokens of a user who has come in. */
export async function tokensFor(call: UserCall, { user, changedAt, session }: AuthenticatedUser): Promise<SignedIn> {
  return { ...(await tokensOf(call, Number(user.id), changedAt, session)), user };
}

/** What the password is right for may still be barred. */
function refuseBarred({ confirmed, blocked }: Account, { settings }: UserCall): void {
  if (settings.users.emailConfirmation && !confirmed) throw application('Your account email is not confirmed');
  if (blocked) throw application('Your account has been blocked by an administrator');
}

function rehashed({ id, password }: Account, given: string, { writeContext }: Caller): readonly Statement[] {
  return isOutdated(password) ? [rehash(id, password, writeContext.hashPassword(given))] : [];
}

/** Opens the session, and brings an outdated hash of the password and outdated keys of the names up to date. */
function entering(
  call: UserCall,
  caller: Caller,
  account: Account,
  { deviceId, password }: AccountInput<'auth.callback'>,
): Change<AuthenticatedUser> {
  const session = sessionFor(call, deviceId);
  const user = shownRow(account.row, userType(call), call, caller);
  const changes = [
    ...rehashed(account, password, caller),
    ...rekey(account),
    ...opening(call, session, account.documentId),
  ];
  return {
    statements: changes.length > 0 ? [assertUnchangedUser(call, account), ...changes] : [],
    result: constant({ user, changedAt: account.changedAt, session }),
    stamps: [],
  };
}

/** Unknown users and wrong passwords get the same answer after the same work. */
export async function login(call: UserCall, sent: AccountInput<'auth.callback'>): Promise<SignedIn> {
  const { identifier, password } = sent;
  const entry = await withAccountGrant(call, 'auth.callback', async (caller) => {
    const found = accountByIdentifier(userType(call), identifier);
    const [account, imported] = await caller.read(together([found, importedPassword]));
    call.refuseClosed(identifier);
    const isRight = caller.writeContext.isPassword(password, account?.password, imported);
    if (!isRight || !account) {
      await call.failed(identifier);
      throw invalid('Invalid identifier or password');
    }
    refuseBarred(account, call);
    return caller.write(entering(call, caller, account, sent));
  });
  return tokensFor(call, entry);
}

function newAccount(call: UserCall, { username, email, password }: AccountInput<'auth.register'>) {
  const role = defaultRole(call.settings)?.documentId;
  const data = { username, email: email.toLowerCase(), password, provider: 'local', role };
  return { ...allowedData(call), ...data, confirmed: !call.settings.users.emailConfirmation };
}

export async function register(call: UserCall, sent: AccountInput<'auth.register'>): Promise<SignedIn> {
  const codeKey = call.settings.users.emailConfirmation ? newCodeKey() : undefined;
  const session = codeKey ? undefined : sessionFor(call, crypto.randomUUID());
  const entry = await withAccountGrant(call, 'auth.register', async (caller) => {
    const asked = askOwn(call, { documentId: call.newDocumentId }, allowedData(call));
    const names = takenNames(namesOf(call, sent));
    const [taken, own] = await caller.read(together([names, asked]));
    if (taken.email || taken.username) throw application('Email or Username are already taken');
    const data = { ...newAccount(call, sent), ...(codeKey && { confirmationToken: codeKey }) };
    const also = opening(call, session, call.newDocumentId);
    return caller.write(entered(saveUser(call, caller, { data, own, also, withRole: true }), 0, session));
  });
  if (!codeKey) return tokensFor(call, entry);
  const { user } = entry;
  call.afterwards(() => sendConfirmation(call, sent.email.toLowerCase(), codeKey));
  return { user };
}

const entered = (
  { result, ...change }: Change<Document>,
  changedAt: number,
  session: Session | undefined,
): Change<AuthenticatedUser> => ({ ...change, result: mapped(result, (user) => ({ user, changedAt, session })) });

/** The sessions that are left when the password is another: one that is opened, or the one that made the change. */
function sessionsLeft(call: UserCall, account: Account, deviceId: string | null, kept: string | null) {
  const session = sessionFor(call, kept === null ? (deviceId ?? crypto.randomUUID()) : deviceId, kept ?? undefined);
  if (!session) return { session, also: [] };
  if (kept === null)
    return { session, also: [...endSessions(account.id).statements, ...opening(call, session, account.documentId)] };
  return { session, also: keepOneSession(account.id, opened(call, session, account.documentId)) };
}

interface NewPassword {
  readonly password: string;
  readonly deviceId: string | null;
}

/**
 * Stores a new password, and ends the codes that were issued until now, the tokens, and all sessions.
 * @param kept the session that makes the change, which goes on.
 */
export function replacePassword(
  call: UserCall,
  caller: Caller,
  account: Account,
  { password, deviceId }: NewPassword,
  kept: string | null = null,
  keepsTokens = false,
): Change<AuthenticatedUser> {
  const changedAt = keepsTokens ? account.changedAt : changeTime(call.now, account.changedAt);
  const passwordChangedAt = { passwordChangedAt: new Date(changedAt).toISOString() };
  const { session, also } = sessionsLeft(call, account, deviceId, kept);
  const data = { password, resetPasswordToken: null, ...(!keepsTokens && passwordChangedAt) };
  return entered(saveUser(call, caller, { account, data, also }), changedAt, session);
}

export async function changePassword(call: UserCall, sent: AccountInput<'auth.changePassword'>): Promise<SignedIn> {
  const entry = await withAccountGrant(call, 'auth.changePassword', async (caller, user) => {
    const { currentPassword, password } = sent;
    const account = await caller.read(accountById(userType(call), user.id));
    if (!account) throw unauthorized('Invalid credentials');
    call.refuseClosed(account.email);
    if (!caller.writeContext.isPassword(currentPassword, account.password)) {
      await call.failed(account.email);
      throw invalid('The provided current password is invalid');
    }
    if (currentPassword === password) throw invalid('Your new password must be different than your current password');
    const keepsTokens = !call.settings.users.passwordChangeEndsTokens && !usesSessions(call);
    return caller.write(replacePassword(call, caller, account, sent, user.session, keepsTokens));
  });
  return tokensFor(call, entry);
}
