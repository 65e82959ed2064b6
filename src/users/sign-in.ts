/**
 * @module `POST /api/auth/local`, `/local/register` and `/change-password`: passwords in, JWTs out.
 */
import type { Credential } from '../auth/credential.ts';
import { changeTime, issueJwt } from '../auth/jwt.ts';
import { performRead, type Work } from '../auth/perform.ts';
import { rolesOf } from '../auth/roles.ts';
import { isPassword } from '../auth/secrets.ts';
import { secondsOf } from '../config.ts';
import type { Document } from '../document/assemble.ts';
import { application, invalid } from '../errors.ts';
import type { InputData } from '../request/body.ts';
import { type Account, accountOf, byEither, byId, byIdentifier } from './accounts.ts';
import { CHANGE_PASSWORD, checkBody, LOGIN, REGISTER, refuseOtherKeys } from './body-rules.ts';
import { insist, refuse, rowOf, shown, type UserCall } from './call.ts';
import { confirmationOf, sendConfirmation } from './confirm.ts';
import { saveUser } from './save-user.ts';

export interface SignedIn {
  /** Absent where the address has to be confirmed first. */
  readonly jwt?: string;
  readonly user: Document;
}

/** A token that is younger than the user's last change of password. */
export async function signedIn(call: UserCall, user: Document, changedAt: number): Promise<SignedIn> {
  const lifetime = secondsOf(call.settings.users.jwtExpiresIn);
  const claims = { id: Number(user.id), now: call.now, notBefore: changedAt, lifetime };
  return { jwt: await issueJwt(claims, call.jwtSecret), user };
}

/** What the password is right for may still be closed. */
function refuseClosed({ confirmed, blocked }: Account, { settings }: UserCall): void {
  if (settings.users.emailConfirmation && !confirmed) throw application('Your account email is not confirmed');
  if (blocked) throw application('Your account has been blocked by an administrator');
}

/** Unknown users and wrong passwords get the same answer after the same work. */
export async function login(call: UserCall): Promise<SignedIn> {
  const { value: account, credential } = await performRead(call, call.credential, ({ grants }) => {
    refuse(grants, 'auth.callback');
    checkBody(call.body(), LOGIN);
    return {
      statements: [byIdentifier(String(call.body().identifier))],
      finish: (rows) => accountOf(rowOf(rows)),
    };
  });
  const right = isPassword(String(call.body().password), account?.password);
  if (!right || !account) throw invalid('Invalid identifier or password');
  refuseClosed(account, call);
  return signedIn(call, shown(account.row, call, credential), account.changedAt);
}

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
  const user = await saveUser(call, credential, { data });
  if (!user) return undefined;
  if (!confirmation) return signedIn(call, user, 0);
  call.waitUntil(sendConfirmation(call, String(user.email), confirmation.code));
  return { user };
}

export const register = (call: UserCall): Promise<SignedIn> => insist(() => registerOnce(call));

/** Stores a new password and ends the JWTs that were issued until now. */
export async function replacePassword(
  call: UserCall,
  credential: Credential,
  account: Account,
  data: InputData,
): Promise<SignedIn | undefined> {
  const changedAt = changeTime(call.now, account.changedAt);
  const passwordChangedAt = new Date(changedAt).toISOString();
  const user = await saveUser(call, credential, { account, data: { ...data, passwordChangedAt } });
  return user && signedIn(call, user, changedAt);
}

async function changeOnce(call: UserCall): Promise<SignedIn | undefined> {
  const { value: account, credential } = await performRead(call, call.credential, (assumed) => {
    refuse(assumed.grants, 'auth.changePassword');
    if (assumed.kind !== 'user') throw application('You must be authenticated to reset your password');
    checkBody(call.body(), CHANGE_PASSWORD);
    return { statements: [byId(assumed.id)], finish: (rows) => accountOf(rowOf(rows)) };
  });
  const { currentPassword, password } = call.body();
  const right = isPassword(String(currentPassword), account?.password);
  if (!right || !account) throw invalid('The provided current password is invalid');
  if (currentPassword === password) throw invalid('Your new password must be different than your current password');
  return replacePassword(call, credential, account, { password });
}

export const changePassword = (call: UserCall): Promise<SignedIn> => insist(() => changeOnce(call));
