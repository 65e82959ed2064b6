/**
 * @module The user that a path names, as a number.
 */
import type { Caller } from '../../content/runtime/caller.ts';
import { type UserCall, userType } from './call.ts';
import { accountNamed } from './sql/users.ts';

/** Returns the numeric id; -1 for a documentId that no user has. It takes a read of its own for a documentId. */
export async function namedUser(call: UserCall, caller: Caller): Promise<number> {
  const { row } = call;
  if (typeof row === 'number') return row;
  const account = await caller.read(accountNamed(userType(call), row));
  return account?.id ?? -1;
}
