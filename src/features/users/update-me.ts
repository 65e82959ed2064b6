/**
 * @module `PUT /api/users/me`: users change their own name and address.
 */
import { unauthorized } from '../../common/errors.ts';
import type { Document } from '../../content/document/document.ts';
import { together } from '../../content/sql/compiled.ts';
import type { AccountInput } from '../../schema/account-routes.ts';
import { type UserCall, userType } from './call.ts';
import { sendChangedAddress } from './confirm.ts';
import { withAccountGrant } from './precheck.ts';
import { namesOf, rejectTaken, saveUser } from './save-user.ts';
import { requirePassword } from './sign-in.ts';
import { accountById, takenNames } from './sql/users.ts';

/**
 * Another address takes the current password. If addresses must be confirmed, the account keeps its own until the link
 * in the message to the other one is followed.
 */
export async function updateMe(call: UserCall, sent: AccountInput<'user.updateMe'>): Promise<Document> {
  const { user, account, pending } = await withAccountGrant(call, 'user.updateMe', async (caller, { id }) => {
    const names = takenNames({ ...namesOf(call, sent), but: id });
    const [account, taken] = await caller.read(together([accountById(userType(call), id), names]));
    if (!account) throw unauthorized('Invalid credentials');
    const email = sent.email?.toLowerCase();
    const moved = email !== undefined && email !== account.email;
    if (moved) await requirePassword(call, caller, account, sent.currentPassword);
    rejectTaken(taken);
    const isPending = moved && call.settings.users.emailConfirmation;
    const data = {
      ...(sent.username !== undefined && { username: sent.username }),
      // Void: codes that were sent to the address before.
      ...(moved && !isPending && { email, resetPasswordToken: null, confirmationToken: null }),
    };
    const user = await caller.write(saveUser(call, caller, { account, data }));
    return { user, account, pending: isPending ? email : undefined };
  });
  if (pending !== undefined) call.afterwards(() => sendChangedAddress(call, account, pending));
  return user;
}
