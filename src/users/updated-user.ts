/**
 * @module The user that `PUT /api/users/:id` changes, with what the write of the body must know first.
 */
import { notFound } from '../errors.ts';
import type { Caller } from '../execute/caller.ts';
import { rowId } from '../request/plain-params.ts';
import { type Account, accountById, type Taken, takenNames } from '../sql/accounts/users.ts';
import { together } from '../sql/compiled.ts';
import { type UserCall, userType } from './call.ts';
import { askOwn, hasOwnAttributes, type OwnAnswers, ownData } from './own-data.ts';
import { namesOf } from './save-user.ts';

export interface UpdatedUser {
  readonly account: Account;
  readonly taken: Taken;
  readonly own: OwnAnswers;
}

/** Who is changed, where the body is about attributes that have to be looked up by documentId. */
async function targetOf(call: UserCall, caller: Caller, id: number): Promise<Account | undefined> {
  if (!hasOwnAttributes(call)) return undefined;
  const isPlain = Object.keys(ownData(call, call.body())).length === 0;
  return isPlain ? undefined : caller.read(accountById(userType(call), id));
}

/** @throws ApiError 400 for custom attributes that no write may set, 404 when there is no such user. */
export async function updatedUser(call: UserCall, caller: Caller): Promise<UpdatedUser> {
  const id = rowId(call.id);
  const target = await targetOf(call, caller, id);
  const names = { ...namesOf(call, call.body()), but: id };
  const asked = askOwn(call, target, ownData(call, call.body()), caller.grants);
  const found = accountById(userType(call), id);
  const [account, taken, own] = await caller.read(
    together<[Account | undefined, Taken, OwnAnswers]>([found, takenNames(names), asked]),
  );
  if (!account) throw notFound('User not found');
  return { account, taken, own };
}
