/**
 * @module `POST /api/users`, `PUT` and `DELETE /api/users/:id`, for callers that look after other people's accounts.
 */
import { changeTime } from '../auth/jwt.ts';
import { defaultRole } from '../auth/roles.ts';
import type { Document } from '../document/assemble.ts';
import { ApiError, application, invalid, notFound } from '../errors.ts';
import type { Caller } from '../execute/caller.ts';
import { shownRow } from '../execute/system-rows.ts';
import { planDelete } from '../plan/plan-delete.ts';
import { touchedBy } from '../plan/touched.ts';
import { NO_LOCALE } from '../plan/versions.ts';
import { CREATE_USER, UPDATE_USER } from '../registry/account-bodies.ts';
import { rowId } from '../request/plain-params.ts';
import { type Account, accountById, type Taken, takenNames } from '../sql/accounts.ts';
import { known, together } from '../sql/compiled.ts';
import { compileWrite } from '../sql/mutate.ts';
import { endSessions, endSessionsIfBlocked } from '../sql/sessions.ts';
import { checkBody } from './body-rules.ts';
import { asGranted, type UserCall, userType } from './call.ts';
import { askOwn, hasOwnAttributes, type OwnAnswers, ownData } from './own-data.ts';
import { changedRoleIssues, newRoleIssues } from './role-rules.ts';
import { namesOf, type Save, saveUser } from './save-user.ts';

/** What a body may say of a user; other keys are ignored, and codes and stamps are the server's own. */
const WRITABLE = ['username', 'email', 'password', 'provider', 'confirmed', 'blocked', 'role'] as const;

function inputOf(call: UserCall): Record<string, unknown> {
  const body = call.body();
  const given = WRITABLE.filter((name) => Object.hasOwn(body, name)).map((name) => [name, body[name]]);
  const input: Record<string, unknown> = { ...Object.fromEntries(given), ...ownData(call, body) };
  if (typeof input.email === 'string') input.email = input.email.toLowerCase();
  return input;
}

/** The reference tells every failed rule of a new user in this form. */
function asApplication<T>(plan: () => T): T {
  try {
    return plan();
  } catch (error) {
    throw error instanceof ApiError && error.problem.kind === 'validation' ? application(error.message) : error;
  }
}

export const createUser = (call: UserCall): Promise<Document> =>
  asGranted(call, 'user.create', async (caller) => {
    checkBody(call.body(), CREATE_USER, newRoleIssues(call.body().role));
    const target = { documentId: call.newDocumentId };
    const asked = asApplication(() => askOwn(call, target, ownData(call, call.body()), caller.grants));
    const free = takenNames(namesOf(call, call.body()));
    const [names, own] = await caller.read(together<[Taken, OwnAnswers]>([free, asked]));
    if (names.email) throw application('Email already taken');
    const input = inputOf(call);
    const data = { ...input, role: input.role || defaultRole(call.settings)?.documentId, provider: 'local' };
    const taken = new Set(names.username ? ['username'] : []);
    return caller.write(asApplication(() => saveUser(call, caller, { data, own, taken, withRole: true })));
  });

function checkUpdate(call: UserCall, account: Account, taken: Taken): void {
  const body = call.body();
  checkBody(body, UPDATE_USER, changedRoleIssues(body.role));
  if (account.provider === 'local' && 'password' in body && !body.password) throw invalid('password.notNull');
  const { username, email } = namesOf(call, body, account);
  if (username !== undefined && taken.username) throw application('Username already taken');
  if (email !== undefined && taken.email) throw application('Email already taken');
}

/** A code that is on its way to the old address, or meant for the old password, is void. */
function changesOf(call: UserCall, account: Account, own: OwnAnswers): Save {
  const data = inputOf(call);
  const moved = data.email !== undefined && data.email !== account.email;
  if (data.password || moved) data.resetPasswordToken = null;
  if (moved) data.confirmationToken = null;
  if (data.password) data.passwordChangedAt = new Date(changeTime(call.now, account.changedAt)).toISOString();
  const { statements } = data.password ? endSessions(account.id) : endSessionsIfBlocked(account.id);
  return { account, data, own, also: statements, withRole: true };
}

/** Who is changed, where the body is about attributes that have to be looked up by documentId. */
async function targetOf(call: UserCall, caller: Caller, id: number): Promise<Account | undefined> {
  if (!hasOwnAttributes(call)) return undefined;
  const isPlain = Object.keys(ownData(call, call.body())).length === 0;
  return isPlain ? undefined : caller.read(accountById(userType(call), id));
}

export const updateUser = (call: UserCall): Promise<Document> =>
  asGranted(call, 'user.update', async (caller) => {
    const id = rowId(call.id);
    const target = await targetOf(call, caller, id);
    const names = { ...namesOf(call, call.body()), but: id };
    const asked = askOwn(call, target, ownData(call, call.body()), caller.grants);
    const found = accountById(userType(call), id);
    const [account, taken, own] = await caller.read(
      together<[Account | undefined, Taken, OwnAnswers]>([found, takenNames(names), asked]),
    );
    if (!account) throw notFound('User not found');
    checkUpdate(call, account, taken);
    return caller.write(saveUser(call, caller, changesOf(call, account, own)));
  });

/** @returns the user that was; undefined when there was none. */
export const deleteUser = (call: UserCall): Promise<Document | undefined> =>
  asGranted(call, 'user.destroy', async (caller) => {
    const type = userType(call);
    const account = await caller.read(accountById(type, rowId(call.id)));
    if (!account) return undefined;
    const plan = planDelete({ type, documentId: account.documentId, locale: NO_LOCALE }, call.registry);
    return caller.write({
      statements: [...compileWrite(plan), ...endSessions(account.id).statements],
      result: known(shownRow(account.row, type, call, caller)),
      touched: touchedBy(plan),
    });
  });
