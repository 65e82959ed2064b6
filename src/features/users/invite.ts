/**
 * @module `POST /api/users/invite`: a user without a password, and a link to choose one.
 */

import { type Grants, requireGrant } from '../../access/grants.ts';
import { invalid } from '../../common/errors.ts';
import { codeFor, newCodeKey } from '../../content/credentials/codes.ts';
import { defaultRole, rolesOf } from '../../content/credentials/roles.ts';
import type { Role } from '../../content/credentials/sql/roles.ts';
import { type AccountInput, accountActionId } from '../../schema/account-routes.ts';
import type { UserCall } from './call.ts';
import { noSender } from './email.ts';
import { withAccountGrant } from './precheck.ts';
import { linkOf } from './reset-password.ts';
import { namesOf, rejectTaken, saveUser } from './save-user.ts';
import { takenNames } from './sql/users.ts';

/** Any other role than that of registrations takes the right to create users. @throws ApiError 400, 403 */
function invitedRole({ settings }: UserCall, grants: Grants, sent: unknown): Role | undefined {
  if (sent === undefined) return defaultRole(settings);
  const role = rolesOf(settings).find(({ id, documentId, type }) => [id, documentId, type].includes(sent as string));
  if (role !== defaultRole(settings)) requireGrant(grants, accountActionId('user.create'));
  if (!role) throw invalid('role must name a role');
  return role;
}

/** Sends the link. Where no message can be sent, it returns the link to the caller, who passes it on. */
async function deliver(call: UserCall, to: string, link: string) {
  if (call.email === noSender) return { sent: false, link };
  const text = `There is an account for you. Choose your password here:\n${link}\n`;
  try {
    await call.email.send({ to, subject: 'Your invitation', text });
    return { sent: true };
  } catch (error) {
    // For its log.
    call.afterwards(() => Promise.reject(error));
    return { sent: false };
  }
}

/** The address is confirmed with the first password. */
export async function inviteUser(call: UserCall, sent: AccountInput<'user.invite'>) {
  const email = sent.email.toLowerCase();
  const names = { email, username: sent.username ?? email };
  const key = newCodeKey();
  // Its use tells which address the link came by, whatever the server sends by then.
  const action = call.email === noSender ? 'handed-invite' : 'invite';
  const { user, code } = await withAccountGrant(call, 'user.invite', async (caller) => {
    const role = invitedRole(call, caller.grants, sent.role)?.documentId;
    rejectTaken(await caller.read(takenNames(namesOf(call, names))));
    const use = { action, key, user: call.newDocumentId, email, password: null } as const;
    const data = { ...names, provider: 'local', role, resetPasswordToken: key };
    // Before the write: nothing is written without a secret.
    const code = codeFor(use, call.now, call.jwtSecret);
    return { user: await caller.write(saveUser(call, caller, { data, withRole: true })), code };
  });
  return { user, ...(await deliver(call, email, linkOf(call, code))) };
}
