/**
 * @module Who has signed in to Cloudflare Access → the user with this identity, the account that has proven the address, or a
 * new user, if the settings have a role for those.
 */
import { application } from '../../../common/errors.ts';
import { rolesOf } from '../../../content/credentials/roles.ts';
import type { Caller } from '../../../content/runtime/caller.ts';
import { together } from '../../../content/sql/compiled.ts';
import type { AccessApplication } from '../../../schema/settings/access-setting.ts';
import { type UserCall, userType } from '../call.ts';
import { type Entry, enter, linkedEntry, newEntry, rejectBlocked, returningEntry } from '../identity-sign-in.ts';
import { withAccountGrant } from '../precheck.ts';
import type { SignedIn } from '../sign-in.ts';
import { hasIdentityOf } from '../sql/identities.ts';
import { type Account, accountByEmail, accountByIdentity } from '../sql/users.ts';
import { readAssertion } from './assertion.ts';

type Person = Awaited<ReturnType<typeof readAssertion>>;

/** @throws ApiError 400 for an account that has not proven the address, and for that of another user of the team */
async function linked(call: UserCall, caller: Caller, person: Person, account: Account): Promise<Entry> {
  const { email, issuer } = person;
  rejectBlocked(account);
  // Anybody may have registered with the address.
  if (!account.emailProven)
    throw application(`The account with the address ${email} has not proven it: choose a new password by e-mail first`);
  // The team may have given the address to another person.
  if (await caller.read(hasIdentityOf(account.documentId, issuer)))
    throw application(`The account with the address ${email} is that of another user of Cloudflare Access`);
  return linkedEntry(call, caller, person, account);
}

/** @throws ApiError 400 unless the settings have a role for new users */
function joining(call: UserCall, caller: Caller, person: Person, type: string | undefined): Promise<Entry> {
  if (type === undefined) throw application(`No user has the address ${person.email}`);
  const role = rolesOf(call.settings).find((each) => each.type === type);
  return newEntry(call, caller, person, person.email, role?.documentId);
}

/** @throws ApiError 400 where the user may not enter, 401 for an invalid assertion, 503 if its keys cannot be read */
export async function signInByAccess(
  call: UserCall,
  access: AccessApplication,
  assertion: string | undefined,
): Promise<SignedIn> {
  const person = await withAccountGrant(call, 'auth.callback', () => readAssertion(call, access, assertion));
  return withAccountGrant(call, 'auth.callback', async (caller) => {
    const type = userType(call);
    const accounts = together([accountByIdentity(type, person), accountByEmail(type, person.email)]);
    const [known, owner] = await caller.read(accounts);
    if (known) return enter(call, returningEntry(call, caller, person, known));
    const entry = owner ? linked(call, caller, person, owner) : joining(call, caller, person, access.role);
    return enter(call, await entry);
  });
}
