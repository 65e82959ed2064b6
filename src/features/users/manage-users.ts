/**
 * @module `POST /api/users`, `PUT` and `DELETE /api/users/:id`.
 */

import { application, invalid, isProblem } from '../../common/errors.ts';
import { changeTime } from '../../content/credentials/jwt.ts';
import { defaultRole, rolesOf } from '../../content/credentials/roles.ts';
import type { Document } from '../../content/document/document.ts';
import { shownRow } from '../../content/operations/system-rows.ts';
import { NO_LOCALE } from '../../content/plan/model/versions.ts';
import { rotatedStamps } from '../../content/plan/write/invalidation.ts';
import { planDelete } from '../../content/plan/write/plan-delete.ts';
import { constant, together } from '../../content/sql/compiled.ts';
import { compileWrite } from '../../content/sql/write/mutate.ts';
import type { AccountInput } from '../../schema/account-routes.ts';
import { namedDocument } from '../../schema/document-ref.ts';
import { type UserCall, userType } from './call.ts';
import { customData, readCustom } from './custom-data.ts';
import { forgetNames } from './forget-names.ts';
import { withAccountGrant } from './precheck.ts';
import { namesOf, type Save, saveUser } from './save-user.ts';
import { endIdentities } from './sql/identities.ts';
import { leaveName } from './sql/left-names.ts';
import { endGrants, endGrantsIfBlocked } from './sql/oauth-grants.ts';
import { endSessions, endSessionsIfBlocked } from './sql/sessions.ts';
import { accountNamed, takenNames } from './sql/users.ts';
import type { UpdatedUser } from './updated-user.ts';

/** Resolves the type of a role, as settings and responses have it. */
const roleInput = (role: unknown, { settings }: UserCall): unknown =>
  rolesOf(settings).find(({ type }) => type === role)?.documentId ?? role;

/** The input with custom attributes; other keys of the body are ignored. */
const inputOf = <T extends AccountInput<'user.update'>>(call: UserCall, { email, role, ...sent }: T) => ({
  ...sent,
  ...(email !== undefined && { email: email.toLowerCase() }),
  ...(role !== undefined && { role: roleInput(role, call) }),
  ...customData(call, call.body()),
});

/** Strapi reports a validation error of a new user as an ApplicationError, without details. */
function asApplication<T>({ settings }: UserCall, plan: () => T): T {
  try {
    return plan();
  } catch (error) {
    if (!isProblem(error, 'validation')) throw error;
    const isListed = settings.api.rest.errorDetails === 'documented';
    throw application(error.message, isListed ? error.problem.details : undefined);
  }
}

export const createUser = (call: UserCall, sent: AccountInput<'user.create'>): Promise<Document> =>
  withAccountGrant(call, 'user.create', async (caller) => {
    const target = { documentId: call.newDocumentId };
    const custom = asApplication(call, () => readCustom(call, target, customData(call, call.body()), caller.grants));
    const free = takenNames(namesOf(call, sent));
    const [names, own] = await caller.read(together([free, custom]));
    if (names.email) throw application('Email already taken');
    const data = {
      ...inputOf(call, sent),
      ...(!sent.role && { role: defaultRole(call.settings)?.documentId }),
      provider: 'local',
    };
    const taken = new Set(names.username ? ['username'] : []);
    return caller.write(asApplication(call, () => saveUser(call, caller, { data, own, taken, withRole: true })));
  });

function checkUpdate(call: UserCall, sent: AccountInput<'user.update'>, { account, taken }: UpdatedUser): void {
  if (account.provider === 'local' && (sent.password === '' || sent.password === null))
    throw invalid('password.notNull');
  const { username, email } = namesOf(call, sent, account);
  if (username !== undefined && taken.username) throw application('Username already taken');
  if (email !== undefined && taken.email) throw application('Email already taken');
}

/** Voids codes that were sent to the old address or for the old password. */
function changesOf(call: UserCall, sent: AccountInput<'user.update'>, { account, own }: UpdatedUser): Save {
  const { provider } = call.body();
  const data: Record<string, unknown> = { ...inputOf(call, sent), ...(provider !== undefined && { provider }) };
  const moved = data.email !== undefined && data.email !== account.email;
  if (data.password || moved) data.resetPasswordToken = null;
  if (moved) data.confirmationToken = null;
  if (data.password) data.passwordChangedAt = new Date(changeTime(call.now, account.changedAt)).toISOString();
  const { id } = account;
  const ended = data.password
    ? [...endSessions({ user: id }).statements, endGrants(id)]
    : [...endSessionsIfBlocked({ user: id }).statements, endGrantsIfBlocked(id)];
  return { account, data, own, also: ended, withRole: true };
}

export const updateUser = (call: UserCall, sent: AccountInput<'user.update'>): Promise<Document> =>
  withAccountGrant(call, 'user.update', async (caller, user) => {
    checkUpdate(call, sent, user);
    return caller.write(saveUser(call, caller, changesOf(call, sent, user)));
  });

/** Returns the deleted user; undefined if there was none. */
export const deleteUser = (call: UserCall): Promise<Document | undefined> =>
  withAccountGrant(call, 'user.destroy', async (caller) => {
    const type = userType(call);
    const account = await caller.read(accountNamed(type, call.row));
    if (!account) return undefined;
    const plan = planDelete(
      { kind: 'document', type, document: namedDocument(account.documentId), locale: NO_LOCALE },
      call.registry,
    );
    const deleted = await caller.write({
      statements: [
        endGrants(account.id),
        ...compileWrite(plan),
        ...endSessions({ user: account.id }).statements,
        endIdentities(account.documentId),
        leaveName(account.id),
      ],
      result: constant(shownRow(account.row, type, call, caller)),
      stamps: rotatedStamps(plan),
    });
    call.afterResponse?.((database) => forgetNames({ database }));
    return deleted;
  });
