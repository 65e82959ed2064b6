/**
 * @module Confirmation of e-mail addresses: the message and its two routes.
 */

import { invalid } from '../../common/errors.ts';
import { codeFor } from '../../content/credentials/codes.ts';
import type { AccountInput } from '../../schema/account-routes.ts';
import { type UserCall, userType } from './call.ts';
import { accountByCode, storedCode } from './codes.ts';
import { readAs, withAccountGrant } from './precheck.ts';
import { namesOf, rejectTaken, saveUser } from './save-user.ts';
import { endIdentities } from './sql/identities.ts';
import { endGrants } from './sql/oauth-grants.ts';
import { type Account, accountByEmail, takenNames } from './sql/users.ts';

const PATH = '/api/auth/email-confirmation';

const send = ({ email, publicUrl }: UserCall, to: string, code: string, start: string, end = ''): Promise<void> =>
  email.send({
    to,
    subject: 'Confirm your e-mail address',
    text: `${start}Follow this link to confirm your e-mail address:\n${publicUrl}${PATH}?confirmation=${code}${end}\n`,
  });

const WELCOME = 'Thank you for registering.\n\n';

/** @param key stored key of the codes of the new user */
export async function sendConfirmation(call: UserCall, email: string, key: string): Promise<void> {
  const use = { action: 'confirm-email', key, user: call.newDocumentId, email, password: null } as const;
  await send(call, email, codeFor(use, call.now, call.jwtSecret), WELCOME);
}

async function sendAgain(call: UserCall, account: Account | undefined): Promise<void> {
  if (!account || account.confirmed || account.blocked) return;
  const code = await storedCode(call, 'confirm-email', account);
  if (code !== undefined) await send(call, account.email, code, WELCOME);
}

/** Sends a code to the address that an account is to have: its link makes the change. */
export async function sendChangedAddress(call: UserCall, account: Account, email: string): Promise<void> {
  const code = await storedCode(call, 'confirm-email', account, email);
  if (code !== undefined) await send(call, email, code, '', `&email=${encodeURIComponent(email)}`);
}

/** Responds alike for every address: Strapi's "Already confirmed" would reveal which ones have an account. */
export async function sendEmailConfirmation(call: UserCall, { email }: AccountInput<'auth.sendEmailConfirmation'>) {
  const account = await readAs(call, 'auth.sendEmailConfirmation', () => accountByEmail(userType(call), email));
  call.afterwards(() => sendAgain(call, account));
  return { email, sent: true };
}

/**
 * `GET /api/auth/email-confirmation?confirmation=…`; a code works once. With `email`, which the code has signed, the
 * account gets that address. A HEAD request, which mail scanners send, leaves the code as it is. Returns the URL of the
 * redirection.
 */
export async function confirmEmail(
  call: UserCall,
  { confirmation, email }: AccountInput<'auth.emailConfirmation'>,
): Promise<string> {
  await withAccountGrant(call, 'auth.emailConfirmation', async (caller) => {
    const { account } = (await caller.read(accountByCode(call, ['confirm-email'], confirmation, email))) ?? {};
    const moved = email !== undefined && email !== account?.email;
    if (!account || (moved && account.blocked)) throw invalid('Invalid token');
    if (moved) rejectTaken(await caller.read(takenNames(namesOf(call, { email }, account))));
    if (call.bodiless) return;
    const data = {
      confirmed: true,
      emailProven: true,
      confirmationToken: null,
      ...(moved && { email, resetPasswordToken: null }),
    };
    // Before the proof, the account was that of who had chosen the address.
    const grants = account.emailProven ? [] : [endGrants(account.id)];
    const also = moved || !account.emailProven ? [endIdentities(account.documentId), ...grants] : [];
    await caller.write(saveUser(call, caller, { account, data, also }));
  });
  return call.settings.users.emailConfirmationRedirection;
}
