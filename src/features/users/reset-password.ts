/**
 * @module `POST /api/auth/forgot-password` and `/reset-password`.
 */
import { invalid } from '../../common/errors.ts';
import type { AccountInput } from '../../schema/account-routes.ts';
import { type UserCall, userType } from './call.ts';
import { accountByCode, storedCode } from './codes.ts';
import { readAs, withAccountGrant } from './precheck.ts';
import { replacePassword, type SignedIn } from './sign-in.ts';
import { type Account, accountByEmail } from './sql/users.ts';

/** Returns the address of the page that asks for a password: that of the settings, else of Studio, where it is deployed. */
export function linkOf({ settings, publicUrl }: UserCall, code: string): string {
  const page = settings.users.resetPasswordUrl || (settings.studio === false ? '/' : '/studio/#/reset');
  const url = /^https?:/.test(page) ? page : publicUrl + page;
  return `${url}${url.includes('?') ? '&' : '?'}code=${code}`;
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
    const found = await caller.read(accountByCode(call, ['reset-password', 'invite', 'handed-invite'], sent.code));
    if (!found) throw invalid('Incorrect code provided');
    const { account, action } = found;
    // Every other code was in a message to the address.
    const proves = action !== 'handed-invite';
    const accepts = account.password === null && (proves || !call.settings.users.emailConfirmation);
    return replacePassword(call, caller, account, sent, { accepts, proves });
  });
