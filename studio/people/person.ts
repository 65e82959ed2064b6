/**
 * @module Users and roles, as the API has them.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useRead } from '../api/request.ts';
import { useModel } from '../shell/model.ts';
import { notify } from '../ui/toasts.tsx';

export const USERS = '/api/users';
export const ROLES = '/api/users-permissions/roles';

export interface Role {
  readonly id: number;
  readonly type: string;
  readonly name: string;
  readonly description: string;
  readonly nb_users: number;
}

export interface Person {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  readonly confirmed: boolean | null;
  readonly blocked: boolean | null;
  readonly createdAt: string;
  /** `local` for users who may sign in with a password. */
  readonly provider: string | null;
  /** Missing where the caller may not see roles. */
  readonly role?: Role | null;
}

/** Reads of users, of roles with their numbers, and of the own account, which are read again after a change. */
export const OF_USERS = {
  predicate: ({ queryKey: [path] }: { readonly queryKey: readonly unknown[] }) => String(path).startsWith(USERS),
};

/** Returns a function that waits for a change of users, says that it is done, and reads them again. @throws its error */
export function useChange() {
  const queries = useQueryClient();
  return async (done: string, change: Promise<unknown>): Promise<void> => {
    await change;
    notify(done);
    await queries.invalidateQueries(OF_USERS);
  };
}

/** Returns the roles; none where the caller may not see them. */
export function useRoles(): readonly Role[] {
  const mayRead = useModel().may('get', ROLES);
  return useRead<{ readonly roles: readonly Role[] }>(ROLES, {}, mayRead).data?.roles ?? [];
}
