/**
 * @module Confirmation of e-mail addresses: the code, its message, and the two routes about it.
 */
import { hashCode, newCode } from '../auth/secrets.ts';
import { invalid } from '../errors.ts';
import { read } from '../execute/ask.ts';
import { commitOne } from '../execute/commit.ts';
import { type Account, accountByConfirmationCode, accountByEmail, storeCode } from '../sql/accounts.ts';
import { mapped } from '../sql/compiled.ts';
import { CONFIRMATION, checkBody, EMAIL } from './body-rules.ts';
import { refuse, type UserCall } from './call.ts';
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
  await call.database.write([storeCode(account, 'confirmation_token', hashCode(code))]);
  await sendConfirmation(call, account.email, code);
}

/**
 * `POST /api/auth/send-email-confirmation`. The answer is the same whoever's address it is: the reference's "Already
 * confirmed" would tell which addresses have an account.
 */
export async function sendEmailConfirmation(call: UserCall): Promise<{ readonly email: unknown; readonly sent: true }> {
  const account = await read(
    call,
    ({ grants }) => {
      refuse(grants, 'auth.sendEmailConfirmation');
      checkBody(call.body(), EMAIL);
      return accountByEmail(String(call.body().email));
    },
    'primary',
  );
  if (account && !account.confirmed && !account.blocked) call.waitUntil(sendAgain(call, account));
  return { email: call.body().email, sent: true };
}

/** `GET /api/auth/email-confirmation?confirmation=…`; @returns where the browser is to go. */
export async function confirmEmail(call: UserCall): Promise<string> {
  await commitOne(call, {
    ask({ grants }) {
      refuse(grants, 'auth.emailConfirmation');
      const query = call.query();
      checkBody(query, CONFIRMATION);
      return mapped(accountByConfirmationCode(hashCode(String(query.confirmation))), (account) => (caller, means) => {
        if (!account) throw invalid('Invalid token');
        return saveUser(call, caller, means, { account, data: { confirmed: true, confirmationToken: null } });
      });
    },
  });
  return call.settings.users.emailConfirmationRedirection;
}
