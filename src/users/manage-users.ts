/**
 * @module `POST /api/users`, `PUT` and `DELETE /api/users/:id`, for callers that look after other people's accounts.
 */
import { changeTime } from '../auth/jwt.ts';
import { performRead, performWrite, type Work } from '../auth/perform.ts';
import type { Document } from '../document/assemble.ts';
import { ApiError, application, invalid, notFound } from '../errors.ts';
import { planDelete } from '../plan/plan-delete.ts';
import type { InputData } from '../request/body.ts';
import { NO_PARAMS, rowId } from '../request/plain-params.ts';
import type { Row } from '../sql/batch.ts';
import { compileWrite } from '../sql/mutate.ts';
import { type Account, accountOf, byId, takenQuery } from './accounts.ts';
import { CREATE_USER, checkBody, UPDATE_USER } from './body-rules.ts';
import { insist, readerOf, refuse, rowOf, shown, type UserCall, userType } from './call.ts';
import { saveUser } from './save-user.ts';
import { endSessions, endSessionsIfBlocked } from './sessions.ts';

/** What a body may say of a user; other keys are ignored, and codes and stamps are the server's own. */
const WRITABLE = ['username', 'email', 'password', 'provider', 'confirmed', 'blocked', 'role'] as const;

function inputOf(body: InputData): Record<string, unknown> {
  const given = WRITABLE.filter((name) => Object.hasOwn(body, name)).map((name) => [name, body[name]]);
  const input: Record<string, unknown> = Object.fromEntries(given);
  if (typeof input.email === 'string') input.email = input.email.toLowerCase();
  return input;
}

/** The reference tells every failed rule of a new user in this form. */
function asApplication(error: unknown): unknown {
  return error instanceof ApiError && error.problem.kind === 'validation' ? application(error.message) : error;
}

async function createOnce(call: UserCall): Promise<Document | undefined> {
  const { value: taken, credential } = await performRead(call, call.credential, ({ grants }): Work<Row> => {
    refuse(grants, 'user.create');
    checkBody(call.body(), CREATE_USER);
    const { email, username } = call.body();
    return { statements: [takenQuery(email, username, 0)], finish: (rows) => rowOf(rows) ?? {} };
  });
  if (taken.email) throw application('Email already taken');
  const names = new Set(taken.username ? ['username'] : []);
  const data = { ...inputOf(call.body()), provider: 'local' };
  try {
    return await saveUser(call, credential, { data, taken: names, withRole: true });
  } catch (error) {
    throw asApplication(error);
  }
}

export const createUser = (call: UserCall): Promise<Document> => insist(call, createOnce);

function checkUpdate(body: InputData, { provider }: Account, taken: Row): void {
  checkBody(body, UPDATE_USER);
  if (provider === 'local' && 'password' in body && !body.password) throw invalid('password.notNull');
  if (taken.username) throw application('Username already taken');
  if (taken.email) throw application('Email already taken');
}

async function updateOnce(call: UserCall): Promise<Document | undefined> {
  const { value: account, credential } = await performRead(call, call.credential, ({ grants }): Work<Account> => {
    refuse(grants, 'user.update');
    const { email, username } = call.body();
    const id = rowId(call.id);
    const finish = (rows: readonly (readonly Row[])[]) => {
      const found = accountOf(rowOf(rows));
      if (!found) throw notFound('User not found');
      checkUpdate(call.body(), found, rowOf(rows, 1) ?? {});
      return found;
    };
    return { statements: [byId(id), takenQuery(email, username, id)], finish };
  });
  const data = inputOf(call.body());
  // A code that is on its way to the old address, or meant for the old password, is void.
  const moved = data.email !== undefined && data.email !== account.email;
  if (data.password || moved) data.resetPasswordToken = null;
  if (moved) data.confirmationToken = null;
  if (data.password) data.passwordChangedAt = new Date(changeTime(call.now, account.changedAt)).toISOString();
  const ended = data.password ? endSessions(account.id) : endSessionsIfBlocked(account.id);
  return saveUser(call, credential, { account, data, also: [ended], withRole: true });
}

export const updateUser = (call: UserCall): Promise<Document> => insist(call, updateOnce);

interface Deleted {
  /** Absent when there was no such user. */
  readonly user?: Document;
}

async function deleteOnce(call: UserCall): Promise<Deleted | undefined> {
  const { value: account, credential } = await performRead(call, call.credential, ({ grants }) => {
    refuse(grants, 'user.destroy');
    return { statements: [byId(rowId(call.id))], finish: (rows) => accountOf(rowOf(rows)) };
  });
  if (!account) return {};
  const plan = planDelete(NO_PARAMS, userType(call), account.documentId, readerOf(call, credential));
  const done = await performWrite(call, credential, [...compileWrite(plan), endSessions(account.id)]);
  return done && { user: shown(account.row, call, credential) };
}

/** @returns the user that was; undefined when there was none. */
export async function deleteUser(call: UserCall): Promise<Document | undefined> {
  return (await insist(call, deleteOnce)).user;
}
