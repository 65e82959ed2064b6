/**
 * @module Codes by e-mail, issued for an account and checked against its current row.
 */
import { type CodeUse, codeFor, isCode, keyOfCode, newCodeKey } from '../auth/codes.ts';
import { secondsOf } from '../settings/derived.ts';
import { type Account, accountByCodeKey, type CodeColumn, keepCodeKey } from '../sql/accounts/users.ts';
import { type Compiled, mapped } from '../sql/compiled.ts';
import { type UserCall, userType } from './call.ts';

type Action = CodeUse['action'];

const COLUMNS: Readonly<Record<Action, CodeColumn>> = {
  'confirm-email': 'confirmation_token',
  'reset-password': 'reset_password_token',
};

function useOf(action: Action, { row, documentId: user, email, password }: Account): CodeUse {
  const key = String(row[COLUMNS[action]]);
  return { action, key, user, email, password: action === 'reset-password' ? password : null };
}

/** Returns a code for the account; undefined if its address was changed concurrently. */
export async function storedCode(call: UserCall, action: Action, account: Account): Promise<string | undefined> {
  const { statements, decode } = keepCodeKey(account, COLUMNS[action], newCodeKey());
  const kept = decode(await call.database.write(statements));
  return kept && codeFor(useOf(action, kept), call.now, call.jwtSecret);
}

/** Reads the account of a code; undefined for a void one. */
export function accountByCode(call: UserCall, action: Action, code: string): Compiled<Account | undefined> {
  const { confirmationCodeExpiresIn, resetCodeExpiresIn } = call.settings.users;
  const lifetime = secondsOf(action === 'confirm-email' ? confirmationCodeExpiresIn : resetCodeExpiresIn);
  return mapped(accountByCodeKey(userType(call), COLUMNS[action], keyOfCode(code)), (account) =>
    account && isCode(code, useOf(action, account), call.now, lifetime, call.jwtSecret) ? account : undefined,
  );
}
