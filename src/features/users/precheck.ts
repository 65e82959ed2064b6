/**
 * @module The grant and the precheck of account routes; handlers and validation errors come after both.
 */
import { requireGrant } from '../../access/grants.ts';
import { application, notFound, unauthorized } from '../../common/errors.ts';
import { isUser } from '../../content/credentials/credential.ts';
import { requiredSecret } from '../../content/credentials/secrets.ts';
import type { User } from '../../content/credentials/user-token.ts';
import { type Caller, withCredential } from '../../content/runtime/caller.ts';
import type { Compiled } from '../../content/sql/compiled.ts';
import type { AccountAction } from '../../schema/account-routes.ts';
import type { UserCall } from './call.ts';
import { usesSessions } from './tokens.ts';
import { updatedUser } from './updated-user.ts';

function requireRegistration({ settings }: UserCall): void {
  if (!settings.users.allowRegistration) throw application('Register action is currently disabled');
}

function requireSessions(call: UserCall): void {
  if (!usesSessions(call)) throw notFound();
}

function sessionUser(call: UserCall, { credential }: Caller): User {
  requireSessions(call);
  if (!isUser(credential)) throw unauthorized('Missing authentication');
  return credential;
}

function passwordUser(_: UserCall, { credential }: Caller): User {
  if (!isUser(credential)) throw application('You must be authenticated to reset your password');
  return credential;
}

function ownUser(_: UserCall, { credential }: Caller): User {
  if (!isUser(credential)) throw unauthorized('Unauthorized');
  return credential;
}

function identityUser(call: UserCall, caller: Caller): User {
  if (Object.keys(call.settings.users.providers).length === 0) throw notFound();
  return ownUser(call, caller);
}

/** Checks after the grant and before validation errors; handlers get the result. */
const PRECHECKS = {
  'auth.register': requireRegistration,
  'auth.changePassword': passwordUser,
  'auth.refresh': requireSessions,
  'auth.logout': sessionUser,
  'auth.getSessions': sessionUser,
  'auth.revokeSession': sessionUser,
  'user.update': updatedUser,
  'user.me': ownUser,
  'user.updateMe': ownUser,
  'identity.find': identityUser,
  'identity.link': identityUser,
  'identity.unlink': identityUser,
  'user.getSessions': requireSessions,
  'user.revokeSession': requireSessions,
} as const satisfies Partial<Record<AccountAction, (call: UserCall, caller: Caller) => unknown>>;

type Prechecks = typeof PRECHECKS;
type Prechecked<A extends string> = A extends keyof Prechecks ? Awaited<ReturnType<Prechecks[A]>> : undefined;

/** Reads from the primary. @throws ApiError 401; 403 without `plugin::users-permissions.<action>`; that of the precheck */
export const withAccountGrant = <A extends string, T>(
  call: UserCall,
  action: A,
  block: (caller: Caller, prechecked: Prechecked<A>) => Promise<T>,
): Promise<T> =>
  withCredential(call, { source: 'primary' }, async (caller) => {
    requireGrant(caller.grants, `plugin::users-permissions.${action}`);
    // Nothing is written for a caller who gets no token in the end.
    if (action.startsWith('auth.')) requiredSecret(call.jwtSecret);
    const precheck = (PRECHECKS as Partial<Record<string, Prechecks[keyof Prechecks]>>)[action];
    return block(caller, (await precheck?.(call, caller)) as Prechecked<A>);
  });

export const readAs = <A extends string, T>(
  call: UserCall,
  action: A,
  plan: (caller: Caller, prechecked: Prechecked<A>) => Compiled<T>,
): Promise<T> => withAccountGrant(call, action, (caller, prechecked) => caller.read(plan(caller, prechecked)));

/** @throws the error for a caller with the grant who passes the precheck; otherwise theirs */
export const rejectInput = (call: UserCall, action: AccountAction | 'auth.connect', error: unknown): Promise<never> =>
  withAccountGrant(call, action, async () => {
    throw error;
  });
