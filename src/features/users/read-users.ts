/**
 * @module `GET /api/users`, `/count`, `/me` and `/:id`: bare lists, numbers and objects.
 */

import type { Document } from '../../content/document/document.ts';
import { shownDocuments } from '../../content/operations/response.ts';
import { bareList, plainParams, readRows } from '../../content/operations/system-rows.ts';
import { planList, planNamed } from '../../content/plan/read/plan-read.ts';
import { type RowName, windowOf } from '../../content/request/plain-params.ts';
import type { QueryParams } from '../../content/request/query-params.ts';
import { readerOf } from '../../content/runtime/call.ts';
import type { Caller } from '../../content/runtime/caller.ts';
import { type Compiled, mapped } from '../../content/sql/compiled.ts';
import { type UserCall, userType } from './call.ts';
import { readAs } from './precheck.ts';

export const listUsers = (call: UserCall): Promise<readonly Document[]> =>
  readAs(call, 'user.find', (caller) =>
    bareList(call, userType(call), caller, (rows, plan) => shownDocuments(rows, plan, call)),
  );

/** Validates `start` and `limit`, though they have no effect here, as in Strapi. */
function paramsOf(call: UserCall): QueryParams {
  windowOf(call.query(), call.settings.api.rest.limits);
  return plainParams(call);
}

export const countUsers = (call: UserCall): Promise<number> =>
  readAs(call, 'user.count', (caller) => {
    const page = { start: 0, limit: 1, mode: 'page', withCount: true } as const;
    const plan = planList({ ...paramsOf(call), page }, userType(call), readerOf(call, caller));
    return mapped(readRows(call, plan), ({ total = 0 }) => total);
  });

function userWith(call: UserCall, caller: Caller, row: RowName): Compiled<Document | undefined> {
  const plan = planNamed(paramsOf(call), userType(call), row, readerOf(call, caller));
  return mapped(readRows(call, plan), ({ rows }) => shownDocuments(rows, plan, call)[0]);
}

export const findUser = (call: UserCall): Promise<Document | undefined> =>
  readAs(call, 'user.findOne', (caller) => userWith(call, caller, call.row));

/** Returns the user of the JWT. @throws ApiError 401 for other callers */
export const me = (call: UserCall): Promise<Document | undefined> =>
  readAs(call, 'user.me', (caller, { id }) => userWith(call, caller, id));
