/**
 * @module `/api/users/me/identities`: users list, link and unlink the providers that sign them in.
 */
import { application, notFound, unauthorized } from '../../../common/errors.ts';
import { constant, mapped, together } from '../../../content/sql/compiled.ts';
import type { AccountInput } from '../../../schema/account-routes.ts';
import type { Settings } from '../../../schema/settings/config.ts';
import { type UserCall, userType } from '../call.ts';
import { readAs, withAccountGrant } from '../precheck.ts';
import { assertUnchangedUser, saveUser } from '../save-user.ts';
import { requirePassword } from '../sign-in.ts';
import {
  ACCESS_PROVIDER,
  addIdentity,
  assertFreeIdentity,
  assertNoIdentityOf,
  assertNotRedeemed,
  endIdentitiesAt,
  hasIdentityOf,
  identitiesOf,
  type OwnIdentity,
  redeem,
  wasRedeemed,
} from '../sql/identities.ts';
import { type Account, accountById, accountByIdentity } from '../sql/users.ts';
import { providerOf } from './connect.ts';
import { readTicket, requireVerifier, type Ticket } from './pending.ts';
import { INCOMPLETE, titleOf } from './sign-in-by-provider.ts';

const identityView = ({ provider, createdAt }: OwnIdentity) => ({
  provider,
  createdAt: new Date(createdAt).toISOString(),
});

export async function listIdentities(call: UserCall) {
  return {
    data: await readAs(call, 'identity.find', (_, { id }) =>
      mapped(identitiesOf(id), (found) => found.map(identityView)),
    ),
  };
}

/** Can the user sign in with a password? That of an account of a provider is not accepted. */
const hasPassword = ({ provider, password }: Account): boolean => provider === 'local' && password !== null;

const isInSettings = ({ users, access }: Settings, provider: string): boolean =>
  provider === ACCESS_PROVIDER ? access !== null : Object.hasOwn(users.providers, provider);

/** @throws ApiError 400 for one that is void, of another browser, or of a provider that is gone */
async function validTicket(call: UserCall, sent: AccountInput<'identity.link'>): Promise<Ticket> {
  const ticket = await readTicket(call, sent.access_token);
  if (!ticket) throw application(INCOMPLETE);
  providerOf(call, ticket.provider);
  requireVerifier(ticket, sent.code_verifier);
  return ticket;
}

/**
 * The identity signs in like a password from then on, so a user who has one has to send it.
 * @throws ApiError 400 for an identity of another user, and beside another one of its issuer
 */
export const linkIdentity = (call: UserCall, sent: AccountInput<'identity.link'>) =>
  withAccountGrant(call, 'identity.link', async (caller, { id }) => {
    const ticket = await validTicket(call, sent);
    const type = userType(call);
    const [isRedeemed, account, owner] = await caller.read(
      together([wasRedeemed(ticket.id), accountById(type, id), accountByIdentity(type, ticket)]),
    );
    if (!account) throw unauthorized('Invalid credentials');
    if (hasPassword(account)) await requirePassword(call, caller, account, sent.currentPassword);
    if (isRedeemed) throw application(INCOMPLETE);
    const [title, { documentId: user }] = [titleOf(ticket.provider), account];
    if (owner && owner.id !== id) throw application(`This user of ${title} signs in to another account`);
    if (await caller.read(hasIdentityOf(user, ticket.issuer)))
      throw application(`A user of ${title} signs in to your account already: unlink that one first`);
    const statements = [
      assertNotRedeemed(ticket.id),
      assertUnchangedUser(call, account),
      assertFreeIdentity(ticket),
      assertNoIdentityOf(user, ticket.issuer),
      addIdentity(ticket, user, call.now),
      ...redeem(ticket.id, ticket.expiresAt, call.now),
    ];
    const data = identityView({ provider: ticket.provider, createdAt: call.now });
    return caller.write({ statements, result: constant({ data }) });
  });

/** @throws ApiError 404 for a provider that does not sign the user in, 400 for the only way to sign in */
export const unlinkIdentity = (call: UserCall) =>
  withAccountGrant(call, 'identity.unlink', async (caller, { id }) => {
    const { provider, settings } = call;
    const [account, found] = await caller.read(together([accountById(userType(call), id), identitiesOf(id)]));
    if (!account) throw unauthorized('Invalid credentials');
    if (!found.some((each) => each.provider === provider)) throw notFound('Identity not found');
    const end = endIdentitiesAt(account.documentId, provider);
    const result = constant({ data: {} });
    if (hasPassword(account)) return caller.write({ statements: [assertUnchangedUser(call, account), end], result });
    const left = found.find((each) => each.provider !== provider && isInSettings(settings, each.provider));
    if (!left) throw application('Nothing else signs you in: link another provider or choose a password first');
    // The next sign-in there would link an account of the provider again, by its address.
    const data = account.provider === provider ? { provider: left.provider } : {};
    // It changes the time of the user in any case: the one that is left is not unlinked at the same time.
    return caller.write({ ...saveUser(call, caller, { account, data, also: [end] }), result });
  });
