/**
 * @module `GET /api/users`, `/count`, `/me` and `/:id`: bare lists, numbers and objects.
 */
import type { Credential } from '../auth/credential.ts';
import { performRead, type Work } from '../auth/perform.ts';
import { assemble, type Document } from '../document/assemble.ts';
import { invalid, unauthorized } from '../errors.ts';
import { allOf } from '../plan/logic.ts';
import { planList, planOne } from '../plan/plan-read.ts';
import type { ReadPlan } from '../plan/read-plan.ts';
import { ID } from '../plan/resolve.ts';
import { parseQueryParams, type QueryParams } from '../request/query-params.ts';
import type { RawQuery, RawValue } from '../request/query-string.ts';
import type { Row } from '../sql/batch.ts';
import { compileRead } from '../sql/select.ts';
import { readerOf, refuse, rowId, rowOf, type UserCall, userType } from './call.ts';

const PARAMETERS = ['filters', 'sort', 'fields', 'populate', '_q'] as const;

/** Unknown parameters, and those that mean nothing for users, are ignored as in the reference. */
function paramsOf({ query, settings }: UserCall): QueryParams {
  const raw = query();
  const known = PARAMETERS.filter((name) => Object.hasOwn(raw, name)).map((name) => [name, raw[name]]);
  return parseQueryParams(Object.fromEntries(known) as RawQuery, 'one', settings);
}

function whole(name: string, value: RawValue | undefined, fallback: number): number {
  if (value === undefined || value === null || value === '') return fallback;
  const number = Number(value);
  if (Number.isInteger(number) && number >= 0) return number;
  if (name === 'limit' && number === -1) return fallback;
  throw invalid(`Invalid parameter at '${name}'. Expected a whole number, received: ${String(value)}`, {
    source: 'query',
    param: name,
  });
}

/**
 * `start` and `limit` stand at the top level; without them every user is listed. One more than may be answered is
 * looked for, so that a list which is too long is told from one that just fits.
 */
const windowOf = ({ start, limit }: RawQuery, most: number): QueryParams['page'] => ({
  start: whole('start', start, 0),
  limit: Math.min(whole('limit', limit, most + 1), most + 1),
  mode: 'offset',
  withCount: false,
});

/** A list that ends early would pass for the whole one. */
function refuseOver(count: number, most: number): void {
  if (count <= most) return;
  throw invalid(`Too many users. Expected at most ${most}: use start and limit`, { source: 'query', limit: 'users' });
}

export async function listUsers(call: UserCall): Promise<readonly Document[]> {
  const { value } = await performRead(call, call.credential, (credential): Work<readonly Document[]> => {
    refuse(credential.grants, 'user.find');
    const most = call.settings.api.rest.limits.users;
    const params = { ...paramsOf(call), page: windowOf(call.query(), most) };
    const plan = planList(params, userType(call), readerOf(call, credential));
    const finish = ([rows = []]: readonly (readonly Row[])[]) => {
      refuseOver(rows.length, most);
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
