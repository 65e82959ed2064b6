/**
 * @module Confirmation of e-mail addresses: the message and its two routes.
 */
import { codeFor } from '../auth/codes.ts';
import { invalid } from '../common/errors.ts';
import type { AccountInput } from '../registry/account-routes.ts';
import { type Account, accountByEmail } from '../sql/accounts/users.ts';
import { type UserCall, userType } from './call.ts';
import { accountByCode, storedCode } from './codes.ts';
import { readAs, withAccountGrant } from './precheck.ts';
import { saveUser } from './save-user.ts';

const PATH = '/api/auth/email-confirmation';

const send = ({ email, publicUrl }: UserCall, to: string, code: string): Promise<void> =>
  email.send({
    to,
    subject: 'Confirm your e-mail address',
    text: `Thank you for registering.\n\nFollow this link to confirm your e-mail address:\n${publicUrl}${PATH}?confirmation=${code}\n`,
  });

/** @param key stored key of the codes of the new user */
export async function sendConfirmation(call: UserCall, email: string, key: string): Promise<void> {
  const use = { action: 'confirm-email', key, user: call.newDocumentId, email, password: null } as const;
  await send(call, email, codeFor(use, call.now, call.jwtSecret));
}

async function sendAgain(call: UserCall, account: Account | undefined): Promise<void> {
  if (!account || account.confirmed || account.blocked) return;
  const code = await storedCode(call, 'confirm-email', account);
  if (code !== undefined) await send(call, account.email, code);
}

/** Responds alike for every address: Strapi's "Already confirmed" would reveal which ones have an account. */
export async function sendEmailConfirmation(call: UserCall, { email }: AccountInput<'auth.sendEmailConfirmation'>) {
  const account = await readAs(call, 'auth.sendEmailConfirmation', () => accountByEmail(userType(call), email));
  call.afterwards(() => sendAgain(call, account));
  return { email, sent: true };
}

/** `GET /api/auth/email-confirmation?confirmation=…`; a code works once. Returns the URL of the redirection. */
export async function confirmEmail(
  call: UserCall,
  { confirmation }: AccountInput<'auth.emailConfirmation'>,
): Promise<string> {
  await withAccountGrant(call, 'auth.emailConfirmation', async (caller) => {
    const account = await caller.read(accountByCode(call, 'confirm-email', confirmation));
    if (!account) throw invalid('Invalid token');
    return caller.write(saveUser(call, caller, { account, data: { confirmed: true, confirmationToken: null } }));
  });
  return call.settings.users.emailConfirmationRedirection;
}
