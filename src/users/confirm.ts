/**
 * @module Confirmation of e-mail addresses: the code, its message, and the two routes about it.
 */
import { performRead } from '../auth/perform.ts';
import { hashCode, newCode } from '../auth/secrets.ts';
import type { Document } from '../document/assemble.ts';
import { invalid } from '../errors.ts';
import { type Account, accountOf, byConfirmationCode, byEmail, storeCode } from './accounts.ts';
import { CONFIRMATION, checkBody, EMAIL } from './body-rules.ts';
import { insist, refuse, rowOf, type UserCall } from './call.ts';
import { saveUser } from './save-user.ts';

const PATH = '/api/auth/email-confirmation';

/** A code, and what the database is told of it. */
export function confirmationOf(now: number) {
  const code = newCode(now);
  return { code, data: { confirmationToken: hashCode(code) } };
}

export const sendConfirmation = ({ email, publicUrl }: UserCall, to: string, code: string): Promise<void> =>
  email.send({
    to,
    subject: 'Confirm your e-mail address',
    text: `Thank you for registering.\n\nFollow this link to confirm your e-mail address:\n${publicUrl}${PATH}?confirmation=${code}\n`,
  });

async function sendAgain(call: UserCall, account: Account): Promise<void> {
  const code = newCode(call.now);
  await call.database.run([storeCode(account, 'confirmation_token', hashCode(code))], 'write');
  await sendConfirmation(call, account.email, code);
}

/**
 * `POST /api/auth/send-email-confirmation`. The answer is the same whoever's address it is: the reference's "Already
 * confirmed" would tell which addresses have an account.
 */
export async function sendEmailConfirmation(call: UserCall): Promise<{ readonly email: unknown; readonly sent: true }> {
  const { value: account } = await performRead(call, call.credential, ({ grants }) => {
    refuse(grants, 'auth.sendEmailConfirmation');
    checkBody(call.body(), EMAIL);
    return { statements: [byEmail(String(call.body().email))], finish: (rows) => accountOf(rowOf(rows)) };
  });
  if (account && !account.confirmed && !account.blocked) call.waitUntil(sendAgain(call, account));
  return { email: call.body().email, sent: true };
}

async function confirmOnce(call: UserCall): Promise<Document | undefined> {
  const { value: account, credential } = await performRead(call, call.credential, ({ grants }) => {
    refuse(grants, 'auth.emailConfirmation');
    const query = call.query();
    checkBody(query, CONFIRMATION);
    const statements = [byConfirmationCode(hashCode(String(query.confirmation)))];
    return { statements, finish: (rows) => accountOf(rowOf(rows)) };
  });
  if (!account) throw invalid('Invalid token');
  return saveUser(call, credential, { account, data: { confirmed: true, confirmationToken: null } });
}

/** `GET /api/auth/email-confirmation?confirmation=…`; @returns where the browser is to go. */
export async function confirmEmail(call: UserCall): Promise<string> {
  await insist(call, confirmOnce);
  return call.settings.users.emailConfirmationRedirection;
}
