/**
 * @module `POST /api/auth/forgot-password` and `/reset-password`: a code by e-mail, and a new password for it.
 */
import { invalid } from '../errors.ts';
import type { AccountInput } from '../registry/account-routes.ts';
import { type Account, accountByEmail } from '../sql/accounts/users.ts';
import { type UserCall, userType } from './call.ts';
import { accountByCode, storedCode } from './codes.ts';
import { readAs, withAccountGrant } from './precheck.ts';
import { replacePassword, type SignedIn, tokensFor } from './sign-in.ts';

function linkOf({ settings, publicUrl }: UserCall, code: string): string {
  const { resetPasswordUrl } = settings.users;
  const page = /^https?:/.test(resetPasswordUrl) ? resetPasswordUrl : publicUrl + (resetPasswordUrl || '/');
  return `${page}${page.includes('?') ? '&' : '?'}code=${code}`;
}

async function sendCode(call: UserCall, account: Account): Promise<void> {
  const code = await storedCode(call, 'reset-password', account);
  if (code === undefined) return;
  const text = `A new password was requested for this address. If it was you, choose one here:\n${linkOf(call, code)}\n\nOtherwise nothing has to be done.\n`;
  await call.email.send({ to: account.email, subject: 'Reset your password', text });
}

/** Answers the same, and as fast, whether there is such a user or not: code and message are made afterwards. */
export async function forgotPassword(call: UserCall, { email }: AccountInput<'auth.forgotPassword'>) {
  const account = await readAs(call, 'auth.forgotPassword', () => accountByEmail(userType(call), email));
  call.afterwards(async () => {
    if (account && !account.blocked) await sendCode(call, account);
  });
  return { ok: true };
}

/** A code works once, and ends those that were sent before and after it. */
export async function resetPassword(call: UserCall, sent: AccountInput<'auth.resetPassword'>): Promise<SignedIn> {
  const entry = await withAccountGrant(call, 'auth.resetPassword', async (caller) => {
    const account = await caller.read(accountByCode(call, 'reset-password', sent.code));
    if (!account) throw invalid('Incorrect code provided');
    return caller.write(replacePassword(call, caller, account, sent));
  });
  return tokensFor(call, entry);
}
