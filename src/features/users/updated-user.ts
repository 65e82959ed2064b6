/**
 * @module The user that `PUT /api/users/:id` changes, with the preconditions of the write.
 */
import { notFound } from '../../common/errors.ts';
import type { Caller } from '../../content/runtime/caller.ts';
import { together } from '../../content/sql/compiled.ts';
import { type UserCall, userType } from './call.ts';
import { customData, readCustom } from './custom-data.ts';
import { namedUser } from './named-user.ts';
import { namesOf } from './save-user.ts';
import { accountById, takenNames } from './sql/users.ts';

export type UpdatedUser = Awaited<ReturnType<typeof updatedUser>>;

/** @throws ApiError 400 for custom attributes that are not writable, 404 for an unknown user */
export async function updatedUser(call: UserCall, caller: Caller) {
  const id = await namedUser(call, caller);
  const data = customData(call, call.body());
  const found = accountById(userType(call), id);
  // Relations of custom attributes are read by documentId.
  const target = Object.keys(data).length > 0 ? await caller.read(found) : undefined;
  const names = { ...namesOf(call, call.body()), but: id };
  const custom = readCustom(call, target, data, caller.grants);
  const [account, taken, own] = await caller.read(together([found, takenNames(names), custom]));
  if (!account) throw notFound('User not found');
  return { account, taken, own };
}
