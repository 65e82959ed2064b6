/**
 * @module `POST /api/auth/forgot-password` and `/reset-password`: a code by e-mail, and a new password for it.
 */
import { invalid } from '../errors.ts';
import { FORGOT_PASSWORD, RESET_PASSWORD } from '../registry/account-bodies.ts';
import { type Account, accountByEmail } from '../sql/accounts.ts';
import { checkBody } from './body-rules.ts';
import { asGranted, readAs, type UserCall, userType } from './call.ts';
import { accountByCode, storedCode } from './codes.ts';
import { deviceIdOf } from './sessions.ts';
import { replacePassword, type SignedIn, tokensFor } from './sign-in.ts';

function linkOf({ settings, publicUrl }: UserCall, code: string): string {
  const { resetPasswordUrl } = settings.users;
  const page = /^https?:/.test(resetPasswordUrl) ? resetPasswordUrl : publicUrl + (resetPasswordUrl || '/');
  return `${page}${page.includes('?') ? '&' : '?'}code=${code}`;
}

async function sendCode(call: UserCall, account: Account): Promise<void> {
  const code = await storedCode(call, 'reset-password', account);
  if (code === undefined) return;
  const text = `Somebody asked for a new password for this address. If it was you, choose one here:\n${linkOf(call, code)}\n\nOtherwise nothing has to be done.\n`;
  await call.email.send({ to: account.email, subject: 'Reset your password', text });
}

/** Answers the same, and as fast, whether there is such a user or not: code and message are made afterwards. */
export async function forgotPassword(call: UserCall): Promise<{ readonly ok: true }> {
  const account = await readAs(call, 'auth.forgotPassword', () => {
    checkBody(call.body(), FORGOT_PASSWORD);
    return accountByEmail(userType(call), String(call.body().email));
  });
  call.afterwards(async () => {
    if (account && !account.blocked) await sendCode(call, account);
  });
  return { ok: true };
}

/** A code works once, and ends those that were sent before and after it. */
export async function resetPassword(call: UserCall): Promise<SignedIn> {
  const entry = await asGranted(call, 'auth.resetPassword', async (caller) => {
    checkBody(call.body(), RESET_PASSWORD);
    deviceIdOf(call.body());
    const { code, password } = call.body();
    const account = await caller.read(accountByCode(call, 'reset-password', String(code)));
    if (!account) throw invalid('Incorrect code provided');
    return caller.write(replacePassword(call, caller, account, password));
  });
  return tokensFor(call, entry);
}
