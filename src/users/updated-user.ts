/**
 * @module The user that `PUT /api/users/:id` changes, with what the write of the body must know first.
 */
import { notFound } from '../errors.ts';
import type { Caller } from '../execute/caller.ts';
import { rowId } from '../request/plain-params.ts';
import { type Account, accountById, type Taken, takenNames } from '../sql/accounts/users.ts';
import { together } from '../sql/compiled.ts';
import { type UserCall, userType } from './call.ts';
import { askOwn, type OwnAnswers, ownData } from './own-data.ts';
import { namesOf } from './save-user.ts';

export interface UpdatedUser {
  readonly account: Account;
  readonly taken: Taken;
  readonly own: OwnAnswers;
}

/** @throws ApiError 400 for custom attributes that no write may set, 404 when there is no such user. */
export async function updatedUser(call: UserCall, caller: Caller): Promise<UpdatedUser> {
  const id = rowId(call.id);
  const data = ownData(call, call.body());
  const found = accountById(userType(call), id);
  // Custom attributes are looked up by documentId.
  const target = Object.keys(data).length > 0 ? await caller.read(found) : undefined;
  const names = { ...namesOf(call, call.body()), but: id };
  const asked = askOwn(call, target, data, caller.grants);
  const [account, taken, own] = await caller.read(together([found, takenNames(names), asked]));
  if (!account) throw notFound('User not found');
  return { account, taken, own };
}
