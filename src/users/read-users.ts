/**
 * @module `GET /api/users`, `/count`, `/me` and `/:id`: bare lists, numbers and objects.
 */
import type { Credential } from '../auth/credential.ts';
import { performRead, type Work } from '../auth/perform.ts';
import { assemble, type Document } from '../document/assemble.ts';
import { unauthorized } from '../errors.ts';
import { allOf } from '../plan/logic.ts';
import { planList, planOne } from '../plan/plan-read.ts';
import type { ReadPlan } from '../plan/read-plan.ts';
import { ID } from '../plan/resolve.ts';
import { knownParams, refuseLonger, rowId, windowOf } from '../request/plain-params.ts';
import { parseQueryParams, type QueryParams } from '../request/query-params.ts';
import type { Row } from '../sql/batch.ts';
import { compileRead } from '../sql/select.ts';
import { readerOf, refuse, rowOf, type UserCall, userType } from './call.ts';

const paramsOf = ({ query, settings }: UserCall): QueryParams =>
  parseQueryParams(knownParams(query()), 'one', settings);

export async function listUsers(call: UserCall): Promise<readonly Document[]> {
  const { value } = await performRead(call, call.credential, (credential): Work<readonly Document[]> => {
    refuse(credential.grants, 'user.find');
    const { limits } = call.settings.api.rest;
    const params = { ...paramsOf(call), page: windowOf(call.query(), limits) };
    const plan = planList(params, userType(call), readerOf(call, credential));
    const finish = ([rows = []]: readonly (readonly Row[])[]) => {
      refuseLonger(rows, limits);
      return rows.map((row) => assemble(row, plan));
    };
    return { statements: compileRead(plan), finish };
  });
  return value;
}

export async function countUsers(call: UserCall): Promise<number> {
  const { value } = await performRead(call, call.credential, (credential): Work<number> => {
    refuse(credential.grants, 'user.count');
    const page = { start: 0, limit: 1, mode: 'page', withCount: true } as const;
    const plan = planList({ ...paramsOf(call), page }, userType(call), readerOf(call, credential));
    return { statements: compileRead(plan), finish: ([, count]) => Number(count?.[0]?.total ?? 0) };
  });
  return value;
}

function planUser(call: UserCall, credential: Credential, id: number): ReadPlan {
  const plan = planOne(paramsOf(call), userType(call), undefined, readerOf(call, credential));
  const isUser = { kind: 'compare', attribute: ID, operator: '$eq', operands: [id] } as const;
  const where = allOf(plan.where ? [isUser, plan.where] : [isUser]);
  return { ...plan, ...(where && { where }) };
}

function userWork(call: UserCall, credential: Credential, id: number): Work<Document | undefined> {
  const plan = planUser(call, credential, id);
  const finish = (rows: readonly (readonly Row[])[]) => {
    const row = rowOf(rows);
    return row && assemble(row, plan);
  };
  return { statements: compileRead(plan), finish };
}

/** @returns undefined when there is no such user. */
export async function findUser(call: UserCall): Promise<Document | undefined> {
  const { value } = await performRead(call, call.credential, (credential) => {
    refuse(credential.grants, 'user.findOne');
    return userWork(call, credential, rowId(call.id));
  });
  return value;
}

/** The user whose JWT it is. @throws ApiError 401 for an API token, which is nobody's. */
export async function me(call: UserCall): Promise<Document | undefined> {
  const { value } = await performRead(call, call.credential, (credential) => {
    refuse(credential.grants, 'user.me');
    if (credential.kind !== 'user') throw unauthorized('Unauthorized');
    return userWork(call, credential, credential.id);
  });
  return value;
}
