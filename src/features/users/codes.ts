/**
 * @module Codes by e-mail, issued for an account and checked against its current row.
 */
import { type CodeUse, codeFor, isCode, keyOfCode, newCodeKey } from '../../content/credentials/codes.ts';
import { type Compiled, mapped } from '../../content/sql/compiled.ts';
import { secondsOf } from '../../schema/settings/derived.ts';
import { type UserCall, userType } from './call.ts';
import { type Account, accountByCodeKey, type CodeColumn, keepCodeKey } from './sql/users.ts';

type Action = CodeUse['action'];

const KINDS = {
  'confirm-email': { column: 'confirmation_token', lifetime: 'confirmationCodeExpiresIn' },
  'reset-password': { column: 'reset_password_token', lifetime: 'resetCodeExpiresIn' },
  invite: { column: 'reset_password_token', lifetime: 'invitationExpiresIn' },
  'handed-invite': { column: 'reset_password_token', lifetime: 'invitationExpiresIn' },
} as const satisfies Readonly<Record<Action, { readonly column: CodeColumn; readonly lifetime: string }>>;

/** @param email the address that the code is for: that of the account, or one that it is to have */
function useOf(action: Action, { row, documentId: user, password, email: own }: Account, email: string): CodeUse {
  const key = String(row[KINDS[action].column]);
  // A new password takes back a change of the address that was requested before.
  const isForOwn = action === 'confirm-email' && email === own;
  return { action, key, user, email, password: isForOwn ? null : password };
}

/** Returns a code for the account; undefined if its address was changed concurrently. @param email by default its address */
export async function storedCode(
  call: UserCall,
  action: Action,
  account: Account,
  email: string = account.email,
): Promise<string | undefined> {
  const { statements, decode } = keepCodeKey(account, KINDS[action].column, newCodeKey());
  const kept = decode(await call.database.write(statements));
  return kept && codeFor(useOf(action, kept, email), call.now, call.jwtSecret);
}

/** Reads the account and the kind of a code of one of these kinds, which have one key; undefined for a void one. */
export function accountByCode(
  call: UserCall,
  actions: readonly [Action, ...Action[]],
  code: string,
  email?: string,
): Compiled<{ readonly account: Account; readonly action: Action } | undefined> {
  const { now, settings, jwtSecret } = call;
  return mapped(accountByCodeKey(userType(call), KINDS[actions[0]].column, keyOfCode(code)), (account) => {
    const action =
      account &&
      actions.find((each) => {
        const lifetime = secondsOf(settings.users[KINDS[each].lifetime]);
        return isCode(code, useOf(each, account, email ?? account.email), now, lifetime, jwtSecret);
      });
    return action && { account, action };
  });
}
