/**
 * @module `POST /api/auth/local`, `/local/register` and `/change-password`: passwords in, JWTs out.
 */
import type { Credential } from '../auth/credential.ts';
import { changeTime } from '../auth/jwt.ts';
import { hashPassword, isOutdated, isPassword } from '../auth/passwords.ts';
import { performRead, performWrite, type Work } from '../auth/perform.ts';
import { rolesOf } from '../auth/roles.ts';
import type { Document } from '../document/assemble.ts';
import { application, invalid } from '../errors.ts';
import type { InputData } from '../request/body.ts';
import type { Row } from '../sql/batch.ts';
import type { Statement } from '../sql/statement.ts';
import { type Account, accountOf, byEither, byId, byIdentifier, importedPassword, rehash } from './accounts.ts';
import { CHANGE_PASSWORD, checkBody, LOGIN, REGISTER, refuseOtherKeys } from './body-rules.ts';
import { insist, refuse, rowOf, shown, type UserCall } from './call.ts';
import { confirmationOf, sendConfirmation } from './confirm.ts';
import { saveUser } from './save-user.ts';
import { deviceIdOf, endSessions, type Session } from './sessions.ts';
import { opened, sessionFor, type Tokens, tokensOf } from './tokens.ts';

/** Without tokens where the address has to be confirmed first. */
export interface SignedIn extends Partial<Tokens> {
  readonly user: Document;
}

const signedIn = async (call: UserCall, user: Document, changedAt: number, session?: Session): Promise<SignedIn> => ({
  ...(await tokensOf(call, Number(user.id), changedAt, session)),
  user,
});

/** What the password is right for may still be closed. */
function refuseClosed({ confirmed, blocked }: Account, { settings }: UserCall): void {
  if (settings.users.emailConfirmation && !confirmed) throw application('Your account email is not confirmed');
  if (blocked) throw application('Your account has been blocked by an administrator');
}

function rehashed({ id, password }: Account, given: string): readonly Statement[] {
  return isOutdated(password) ? [rehash(id, password, hashPassword(given))] : [];
}

/**
 * Opens the session, and hashes the password anew if its hash is outdated.
 * @returns undefined when the user has changed since the password was checked.
 */
async function enter(call: UserCall, credential: Credential, account: Account): Promise<SignedIn | undefined> {
  const session = sessionFor(call, deviceIdOf(call.body()));
  const renewed = rehashed(account, String(call.body().password));
  const statements = [...renewed, ...opened(call, session, account.documentId, account.changedAt)];
  if (statements.length > 0) {
    const rows = await performWrite(call, credential, statements);
    if (!rows || (session && !rows.at(-1)?.length)) return undefined;
  }
  return signedIn(call, shown(account.row, call, credential), account.changedAt, session);
}

interface Found {
  readonly account: Account | undefined;
  /** A hash of somebody who was imported. */
  readonly imported: unknown;
}

async function loginOnce(call: UserCall): Promise<SignedIn | undefined> {
  const { value, credential } = await performRead(call, call.credential, ({ grants }): Work<Found> => {
    refuse(grants, 'auth.callback');
    checkBody(call.body(), LOGIN);
    deviceIdOf(call.body());
    const statements = [byIdentifier(String(call.body().identifier)), importedPassword];
    const finish = (rows: readonly (readonly Row[])[]): Found => ({
      account: accountOf(rowOf(rows)),
      imported: rowOf(rows, 1)?.password,
    });
    return { statements, finish };
  });
  const { account, imported } = value;
  const right = isPassword(String(call.body().password), account?.password, imported);
  if (!right || !account) throw invalid('Invalid identifier or password');
  refuseClosed(account, call);
  return enter(call, credential, account);
}

/** Unknown users and wrong passwords get the same answer after the same work. */
export const login = (call: UserCall): Promise<SignedIn> => insist(call, loginOnce);

function refuseRegistration(body: InputData, credential: Credential, call: UserCall): void {
  refuse(credential.grants, 'auth.register');
  if (!call.settings.users.allowRegistration) throw application('Register action is currently disabled');
  refuseOtherKeys(body);
  checkBody(body, REGISTER);
}

function newAccount({ body, settings }: UserCall) {
  const { username, email, password } = body();
  const { emailConfirmation, defaultRole } = settings.users;
  const role = rolesOf(settings).find(({ type }) => type === defaultRole)?.documentId;
  const data = { username, email: String(email).toLowerCase(), password, provider: 'local', role };
  return { ...data, confirmed: !emailConfirmation };
}

async function registerOnce(call: UserCall): Promise<SignedIn | undefined> {
  const { credential } = await performRead(call, call.credential, (assumed): Work<void> => {
    const body = call.body();
    refuseRegistration(body, assumed, call);
    const finish: Work<void>['finish'] = (rows) => {
      if (rowOf(rows)) throw application('Email or Username are already taken');
    };
    return { statements: [byEither(String(body.email), String(body.username))], finish };
  });
  const confirmation = call.settings.users.emailConfirmation ? confirmationOf(call.now) : undefined;
  const data = { ...newAccount(call), ...confirmation?.data };
  const session = confirmation ? undefined : sessionFor(call, crypto.randomUUID());
  const user = await saveUser(call, credential, { data, also: opened(call, session, call.newDocumentId, 0) });
  if (!user) return undefined;
  if (!confirmation) return signedIn(call, user, 0, session);
  call.waitUntil(sendConfirmation(call, String(user.email), confirmation.code));
  return { user };
}

export const register = (call: UserCall): Promise<SignedIn> => insist(call, registerOnce);

/** Stores a new password, and ends all sessions, and the tokens and the code that were issued until now. */
export async function replacePassword(
  call: UserCall,
  credential: Credential,
  account: Account,
  password: unknown,
): Promise<SignedIn | undefined> {
  const changedAt = changeTime(call.now, account.changedAt);
  const passwordChangedAt = new Date(changedAt).toISOString();
  const session = sessionFor(call, deviceIdOf(call.body()) ?? crypto.randomUUID());
  const also = [endSessions(account.id), ...opened(call, session, account.documentId, changedAt)];
  const data = { password, passwordChangedAt, resetPasswordToken: null };
  const user = await saveUser(call, credential, { account, data, also });
  return user && signedIn(call, user, changedAt, session);
}

async function changeOnce(call: UserCall): Promise<SignedIn | undefined> {
  const { value: account, credential } = await performRead(call, call.credential, (assumed) => {
    refuse(assumed.grants, 'auth.changePassword');
    if (assumed.kind !== 'user') throw application('You must be authenticated to reset your password');
    checkBody(call.body(), CHANGE_PASSWORD);
    deviceIdOf(call.body());
    return { statements: [byId(assumed.id)], finish: (rows) => accountOf(rowOf(rows)) };
  });
  const { currentPassword, password } = call.body();
  const right = isPassword(String(currentPassword), account?.password);
  if (!right || !account) throw invalid('The provided current password is invalid');
  if (currentPassword === password) throw invalid('Your new password must be different than your current password');
  return replacePassword(call, credential, account, password);
}

export const changePassword = (call: UserCall): Promise<SignedIn> => insist(call, changeOnce);
