/**
 * @module `POST /api/users`, `PUT` and `DELETE /api/users/:id`, for callers that look after other people's accounts.
 */
import { changeTime } from '../auth/jwt.ts';
import { defaultRole } from '../auth/roles.ts';
import type { Document } from '../document/assemble.ts';
import { ApiError, application, invalid, notFound } from '../errors.ts';
import { commitOne } from '../execute/commit.ts';
import { shownRow } from '../execute/system-rows.ts';
import { planDelete } from '../plan/plan-delete.ts';
import { touchedBy } from '../plan/touched.ts';
import { NO_LOCALE } from '../plan/versions.ts';
import { CREATE_USER, UPDATE_USER } from '../registry/account-bodies.ts';
import { rowId } from '../request/plain-params.ts';
import { type Account, accountById, type Taken, takenNames } from '../sql/accounts.ts';
import { known, mapped, together } from '../sql/compiled.ts';
import { compileWrite } from '../sql/mutate.ts';
import { endSessions, endSessionsIfBlocked } from '../sql/sessions.ts';
import { checkBody } from './body-rules.ts';
import { readAs, refuse, type UserCall, userType } from './call.ts';
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
  commitOne(call, {
    ask({ grants }) {
      refuse(grants, 'user.create');
      checkBody(call.body(), CREATE_USER, newRoleIssues(call.body().role));
      const target = { documentId: call.newDocumentId };
      const asked = asApplication(() => askOwn(call, target, ownData(call, call.body()), grants));
      const questions = together<[Taken, OwnAnswers]>([takenNames(namesOf(call, call.body())), asked]);
      return mapped(questions, ([names, own]) => (caller, means) => {
        if (names.email) throw application('Email already taken');
        const input = inputOf(call);
        const data = { ...input, role: input.role || defaultRole(call.settings)?.documentId, provider: 'local' };
        const taken = new Set(names.username ? ['username'] : []);
        return asApplication(() => saveUser(call, caller, means, { data, own, taken, withRole: true }));
      });
    },
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
async function targetOf(call: UserCall, id: number): Promise<Account | undefined> {
  if (!hasOwnAttributes(call)) return undefined;
  return readAs(call, 'user.update', () => {
    const isPlain = Object.keys(ownData(call, call.body())).length === 0;
    return isPlain ? known(undefined) : accountById(userType(call), id);
  });
}

export async function updateUser(call: UserCall): Promise<Document> {
  const id = rowId(call.id);
  const target = await targetOf(call, id);
  return commitOne(call, {
    ask({ grants }) {
      refuse(grants, 'user.update');
      const names = { ...namesOf(call, call.body()), but: id };
      const asked = askOwn(call, target, ownData(call, call.body()), grants);
      const account = accountById(userType(call), id);
      const questions = together<[Account | undefined, Taken, OwnAnswers]>([account, takenNames(names), asked]);
      return mapped(questions, ([account, taken, own]) => (caller, means) => {
        if (!account) throw notFound('User not found');
        checkUpdate(call, account, taken);
        return saveUser(call, caller, means, changesOf(call, account, own));
      });
    },
  });
}

const NOTHING = { statements: [], result: known(undefined), touched: [] } as const;

/** @returns the user that was; undefined when there was none. */
export const deleteUser = (call: UserCall): Promise<Document | undefined> =>
  commitOne<Document | undefined>(call, {
    ask({ grants }) {
      refuse(grants, 'user.destroy');
      return mapped(accountById(userType(call), rowId(call.id)), (account) => (caller) => {
        if (!account) return NOTHING;
        const type = userType(call);
        const plan = planDelete({ type, documentId: account.documentId, locale: NO_LOCALE }, call.registry);
        return {
          statements: [...compileWrite(plan), ...endSessions(account.id).statements],
          result: known(shownRow(account.row, type, call, caller)),
          touched: touchedBy(plan),
        };
      });
    },
  });
