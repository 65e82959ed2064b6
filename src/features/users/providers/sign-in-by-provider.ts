/**
 * @module `GET /api/auth/:provider/callback`: a ticket → the user whose identity it has, or who proves an address by it, or a
 * new one.
 */
import { application } from '../../../common/errors.ts';
import { changeTime } from '../../../content/credentials/jwt.ts';
import { defaultRole } from '../../../content/credentials/roles.ts';
import type { Caller } from '../../../content/runtime/caller.ts';
import { constant, together } from '../../../content/sql/compiled.ts';
import { type UserCall, userType } from '../call.ts';
import { noSender } from '../email.ts';
import { type Entry, enter, linkedEntry, newEntry, rejectBlocked, returningEntry } from '../identity-sign-in.ts';
import { withAccountGrant } from '../precheck.ts';
import type { SignedIn } from '../sign-in.ts';
import {
  addIdentity,
  assertFreeIdentity,
  assertNotRedeemed,
  endIdentities,
  hasIdentityOf,
  redeem,
  wasRedeemed,
} from '../sql/identities.ts';
import { endGrants } from '../sql/oauth-grants.ts';
import { endSessions } from '../sql/sessions.ts';
import { type Account, accountByEmail, accountByIdentity } from '../sql/users.ts';
import { returned } from './connect.ts';
import { sealTicket, type Ticket } from './pending.ts';

/** Strapi's text for a sign-in that did not go through the provider. */
export const INCOMPLETE = 'OAuth authentication requires a completed provider session';

/** A name for Strapi's messages: `keycloak` → `Keycloak`. */
export const titleOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const unverified = ({ provider }: Ticket, more = ''): Error =>
  application(`Email not verified by ${titleOf(provider)}${more}`);

/** Returns the address of a ticket. @throws ApiError 400 without one, and where nothing can prove it */
function emailOf(call: UserCall, ticket: Ticket): string {
  if (ticket.email === undefined) throw application('Email was not available.');
  // The link of the message proves the address; only a code challenge proves that its reader has signed in.
  if (!ticket.isVerified && (call.email === noSender || ticket.challenge === null)) throw unverified(ticket);
  return ticket.email.toLowerCase();
}

/** Milliseconds. */
const MAILED_AGE = 3_600_000;

/**
 * Sends a link to the address that the provider does not vouch for. It completes the sign-in in the browser that has the
 * verifier, and does nothing elsewhere.
 */
async function sendLink(call: UserCall, ticket: Ticket, email: string): Promise<void> {
  const proven = { ...ticket, email, isVerified: true, isMailed: true };
  const link = returned(ticket.callback, { access_token: await sealTicket(call, proven, MAILED_AGE) });
  const title = titleOf(ticket.provider);
  const text = `Someone has signed in with ${title}, and named this address as theirs. If it was you, follow this link within an hour:\n${link}\n\nIf it was not you, do not follow it: it would give them an account with your address.\n`;
  await call.email.send({ to: email, subject: `Finish signing in with ${title}`, text });
}

/** Redeems the ticket with what the entry does, all or nothing. */
function enterOnce(call: UserCall, ticket: Ticket, entry: Entry): Promise<SignedIn> {
  const { guards = [], also = [] } = entry;
  const redeemed = redeem(ticket.id, ticket.expiresAt, call.now);
  return enter(call, {
    ...entry,
    guards: [assertNotRedeemed(ticket.id), ...guards],
    also: [...redeemed, ...also],
  });
}

/**
 * An account without a proven address goes over to the user who proves it: the credentials of its first owner end.
 * @throws ApiError 400 for an account that someone else has proven, and that is not to be linked
 */
async function linked(call: UserCall, caller: Caller, ticket: Ticket, account: Account): Promise<Entry> {
  const { documentId: user, emailProven, password } = account;
  rejectBlocked(account);
  if (emailProven) {
    const isOfProvider = account.provider === ticket.provider;
    const isLocal = account.provider === 'local' && call.settings.users.linkByEmail && !ticket.isMailed;
    // The issuer may have given the address to another user.
    const isOther = await caller.read(hasIdentityOf(user, ticket.issuer));
    if (isOther || !(isOfProvider || isLocal)) throw application('Email is already taken.');
    return linkedEntry(call, caller, ticket, account);
  }
  if (ticket.isMailed && password !== null) throw application('Email is already taken.');
  const changedAt = changeTime(call.now, account.changedAt);
  const data = {
    ...{ provider: ticket.provider, password: null, confirmed: true, emailProven: true },
    ...{ resetPasswordToken: null, confirmationToken: null, passwordChangedAt: new Date(changedAt).toISOString() },
  };
  const ended = [...endSessions({ user: account.id }).statements, endGrants(account.id), endIdentities(user)];
  const also = [...ended, addIdentity(ticket, user, call.now)];
  return { caller, user, account, data, guards: [assertFreeIdentity(ticket)], also, changedAt };
}

/** @throws ApiError 400 where nobody may register */
function joining(call: UserCall, caller: Caller, ticket: Ticket, email: string): Promise<Entry> {
  const { settings } = call;
  if (!settings.users.allowRegistration) throw application('Register action is actually not available.');
  return newEntry(call, caller, ticket, email, defaultRole(settings)?.documentId);
}

/**
 * Who comes for the first time with an address that the provider does not vouch for gets a message, and the same response
 * whether there is an account or not.
 * @throws ApiError 400 for a ticket that was redeemed, and where the user may not enter
 */
export async function signInByTicket(call: UserCall, ticket: Ticket): Promise<SignedIn> {
  const entered = await withAccountGrant(call, 'auth.callback', async (caller) => {
    const type = userType(call);
    const byEmail = accountByEmail(type, ticket.email ?? '');
    const [isRedeemed, known, owner] = await caller.read(
      together([wasRedeemed(ticket.id), accountByIdentity(type, ticket), byEmail]),
    );
    if (isRedeemed) throw application(INCOMPLETE);
    if (known) return enterOnce(call, ticket, returningEntry(call, caller, ticket, known));
    const email = emailOf(call, ticket);
    if (ticket.isVerified) {
      const entry = owner ? linked(call, caller, ticket, owner) : joining(call, caller, ticket, email);
      return enterOnce(call, ticket, await entry);
    }
    const statements = [assertNotRedeemed(ticket.id), ...redeem(ticket.id, ticket.expiresAt, call.now)];
    return caller.write({ statements, result: constant(email) });
  });
  if (typeof entered !== 'string') return entered;
  call.afterwards(() => sendLink(call, ticket, entered));
  throw unverified(ticket, '. Follow the link in the message that was sent to it');
}
