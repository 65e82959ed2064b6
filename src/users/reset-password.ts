/**
 * @module `POST /api/auth/forgot-password` and `/reset-password`.
 */
import { invalid } from '../common/errors.ts';
import type { AccountInput } from '../registry/account-routes.ts';
import { type Account, accountByEmail } from '../sql/accounts/users.ts';
import { type UserCall, userType } from './call.ts';
import { accountByCode, storedCode } from './codes.ts';
import { readAs, withAccountGrant } from './precheck.ts';
import { replacePassword, type SignedIn } from './sign-in.ts';

function linkOf({ settings, publicUrl }: UserCall, code: string): string {
  const { resetPasswordUrl } = settings.users;
  const page = /^https?:/.test(resetPasswordUrl) ? resetPasswordUrl : publicUrl + (resetPasswordUrl || '/');
  return `${page}${page.includes('?') ? '&' : '?'}code=${code}`;
}

async function sendCode(call: UserCall, account: Account | undefined): Promise<void> {
  const code = account && !account.blocked && (await storedCode(call, 'reset-password', account));
  if (!code) return;
  const text = `A new password was requested for this address. If it was you, choose one here:\n${linkOf(call, code)}\n\nOtherwise nothing has to be done.\n`;
  await call.email.send({ to: account.email, subject: 'Reset your password', text });
}

/** Responds alike, and as fast, for every address: the code is created and sent afterwards. */
export async function forgotPassword(call: UserCall, { email }: AccountInput<'auth.forgotPassword'>) {
  const account = await readAs(call, 'auth.forgotPassword', () => accountByEmail(userType(call), email));
  call.afterwards(() => sendCode(call, account));
  return { ok: true };
}

/** A code works once, and voids all others. */
export const resetPassword = (call: UserCall, sent: AccountInput<'auth.resetPassword'>): Promise<SignedIn> =>
  withAccountGrant(call, 'auth.resetPassword', async (caller) => {
    const account = await caller.read(accountByCode(call, 'reset-password', sent.code));
    if (!account) throw invalid('Incorrect code provided');
    return replacePassword(call, caller, account, sent);
  });
