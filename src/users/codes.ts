/**
 * @module Codes by e-mail: made for an account as it is stored, and held against it as it is by then.
 */
import { type CodeUse, codeFor, isCode, keyOfCode, newCodeKey } from '../auth/codes.ts';
import { secondsOf } from '../setting-values.ts';
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

/** @returns a code for the account; undefined when its address was changed meanwhile, and nothing is to be sent there. */
export async function storedCode(call: UserCall, action: Action, account: Account): Promise<string | undefined> {
  const { statements, decode } = keepCodeKey(account, COLUMNS[action], newCodeKey());
  const kept = decode(await call.database.write(statements));
  return kept && codeFor(useOf(action, kept), call.now, call.jwtSecret);
}

const lifetimeOf = (action: Action, { settings: { users } }: UserCall): number =>
  secondsOf(action === 'confirm-email' ? users.confirmationCodeExpiresIn : users.resetCodeExpiresIn);

/** @returns the account that a code was made for; undefined for a code that is void, by whatever reason. */
export const accountByCode = (call: UserCall, action: Action, code: string): Compiled<Account | undefined> =>
  mapped(accountByCodeKey(userType(call), COLUMNS[action], keyOfCode(code)), (account) => {
    if (!account) return undefined;
    const isRight = isCode(code, useOf(action, account), call.now, lifetimeOf(action, call), call.jwtSecret);
    return isRight ? account : undefined;
  });
