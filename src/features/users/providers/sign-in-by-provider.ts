/**
 * @module `GET /api/auth/:provider/callback`: a ticket → the user whose identity it has, or who proves an address by it, or a
 * new one.
 */
import { application } from '../../../common/errors.ts';
import { changeTime } from '../../../content/credentials/jwt.ts';
import { defaultRole } from '../../../content/credentials/roles.ts';
import type { Document } from '../../../content/document/document.ts';
import { shownRow } from '../../../content/operations/system-rows.ts';
import type { AtomicChange, Caller } from '../../../content/runtime/caller.ts';
import { constant, together } from '../../../content/sql/compiled.ts';
import type { Statement } from '../../../content/sql/statement.ts';
import { type UserCall, userType } from '../call.ts';
import { readCustom } from '../custom-data.ts';
import { noSender } from '../email.ts';
import { withAccountGrant } from '../precheck.ts';
import { assertUnchangedUser, namesOf, type Save, saveUser } from '../save-user.ts';
import type { SignedIn } from '../sign-in.ts';
import {
  addIdentity,
  assertFreeIdentity,
  assertNoIdentityOf,
  assertNotRedeemed,
  endIdentities,
  hasIdentityOf,
  redeem,
  wasRedeemed,
} from '../sql/identities.ts';
import { endSessions } from '../sql/sessions.ts';
import { type Account, accountByEmail, accountByIdentity, takenNames } from '../sql/users.ts';
import { opening, sessionFor, tokensOf } from '../tokens.ts';
import { returned } from './connect.ts';
import { sealTicket, type Ticket } from './pending.ts';

/** Strapi's text for a sign-in that did not go through the provider. */
export const INCOMPLETE = 'OAuth authentication requires a completed provider session';

/** A name for Strapi's messages: `keycloak` → `Keycloak`. */
const titleOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

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

const MIN_NAME = 3;
const MAX_NAME = 200;

const withDigits = (name: string): string =>
  `${name}${1000 + ((crypto.getRandomValues(new Uint16Array(1))[0] ?? 0) % 9000)}`;

/** As in Strapi: the name at the provider, or what stands before the @, with four digits if it is short or taken. */
function possibleNames({ username }: Ticket, email: string): readonly string[] {
  const own = username?.includes('@') ? undefined : username?.trim();
  const name = (own || (email.split('@')[0] ?? '')).slice(0, MAX_NAME);
  return [...(name.length < MIN_NAME ? [] : [name]), withDigits(name), withDigits(name), crypto.randomUUID()];
}

/** What each sign-in by a ticket does in its batch. */
interface Entry {
  readonly ticket: Ticket;
  readonly caller: Caller;
  /** documentId of the user. */
  readonly user: string;
  /** Absent for a new user. */
  readonly account?: Account;
  readonly data: Save['data'];
  readonly own?: Save['own'];
  readonly guards?: readonly Statement[];
  /** Statements that the session follows. */
  readonly also?: readonly Statement[];
  /** Tokens from before are rejected; milliseconds since 1970. */
  readonly changedAt: number;
}

/** Redeems the ticket, saves what changes of the user, and opens a session, all or nothing. */
async function enter(call: UserCall, entry: Entry): Promise<SignedIn> {
  const { ticket, caller, user: documentId, account, data, own, guards = [], also = [], changedAt } = entry;
  const session = sessionFor(call, null);
  const redeemed = redeem(ticket.id, ticket.expiresAt, call.now);
  const more = [...redeemed, ...also, ...opening(call, session, documentId)];
  const change: AtomicChange<Document> =
    account && Object.keys(data).length === 0
      ? {
          statements: [assertUnchangedUser(call, account), ...more],
          result: constant(shownRow(account.row, userType(call), call, caller)),
        }
      : saveUser(call, caller, { ...(account && { account }), data, ...(own && { own }), also: more });
  const statements = [assertNotRedeemed(ticket.id), ...guards, ...change.statements];
  const user = await caller.write({ ...change, statements });
  return { ...(await tokensOf(call, Number(user.id), changedAt, session)), user };
}

/** @throws ApiError 400 for a blocked user, and for one whose address is to be confirmed first */
function returning(call: UserCall, caller: Caller, ticket: Ticket, account: Account): Promise<SignedIn> {
  const isOwnAddress = ticket.isVerified && ticket.email?.toLowerCase() === account.email;
  if (account.blocked) throw application('Your account has been blocked by an administrator');
  if (call.settings.users.emailConfirmation && !account.confirmed && !isOwnAddress)
    throw application('Your account email is not confirmed');
  const proves = isOwnAddress && !(account.confirmed && account.emailProven);
  const data = proves ? { confirmed: true, emailProven: true } : {};
  const { documentId: user, changedAt } = account;
  return enter(call, { ticket, caller, user, account, data, changedAt });
}

/**
 * An account without a proven address goes over to the user who proves it: the credentials of its first owner end.
 * @throws ApiError 400 for an account that someone else has proven, and that is not to be linked
 */
async function linked(call: UserCall, caller: Caller, ticket: Ticket, account: Account): Promise<SignedIn> {
  const { documentId: user, changedAt, emailProven, password } = account;
  if (account.blocked) throw application('Your account has been blocked by an administrator');
  const identity = addIdentity(ticket, user, call.now);
  const isFree = assertFreeIdentity(ticket);
  if (emailProven) {
    const isOfProvider = account.provider === ticket.provider;
    const isLocal = account.provider === 'local' && call.settings.users.linkByEmail && !ticket.isMailed;
    // The issuer may have given the address to another user.
    const isOther = await caller.read(hasIdentityOf(user, ticket.issuer));
    if (isOther || !(isOfProvider || isLocal)) throw application('Email is already taken.');
    const data = account.confirmed ? {} : { confirmed: true };
    const guards = [isFree, assertNoIdentityOf(user, ticket.issuer)];
    return enter(call, { ticket, caller, user, account, data, guards, also: [identity], changedAt });
  }
  if (ticket.isMailed && password !== null) throw application('Email is already taken.');
  const changed = changeTime(call.now, changedAt);
  const data = {
    ...{ provider: ticket.provider, password: null, confirmed: true, emailProven: true },
    ...{ resetPasswordToken: null, confirmationToken: null, passwordChangedAt: new Date(changed).toISOString() },
  };
  const also = [...endSessions({ user: account.id }).statements, endIdentities(user), identity];
  return enter(call, { ticket, caller, user, account, data, guards: [isFree], also, changedAt: changed });
}

async function joining(call: UserCall, caller: Caller, ticket: Ticket, email: string): Promise<SignedIn> {
  const { settings, newDocumentId: user } = call;
  if (!settings.users.allowRegistration) throw application('Register action is actually not available.');
  const names = possibleNames(ticket, email);
  const custom = readCustom(call, { documentId: user }, {}, caller.grants);
  const checks = names.map((username) => takenNames(namesOf(call, { username, email })));
  const [own, ...taken] = await caller.read(together([custom, ...checks]));
  if (taken.some((each) => each.email)) throw application('Email is already taken.');
  const username = names.find((_, index) => !taken[index]?.username);
  const role = defaultRole(settings)?.documentId;
  const data = { username, email, provider: ticket.provider, role, confirmed: true, emailProven: true };
  const [guards, also] = [[assertFreeIdentity(ticket)], [addIdentity(ticket, user, call.now)]];
  return enter(call, { ticket, caller, user, data, own, guards, also, changedAt: 0 });
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
    if (known) return returning(call, caller, ticket, known);
    const email = emailOf(call, ticket);
    if (ticket.isVerified) return owner ? linked(call, caller, ticket, owner) : joining(call, caller, ticket, email);
    const statements = [assertNotRedeemed(ticket.id), ...redeem(ticket.id, ticket.expiresAt, call.now)];
    return caller.write({ statements, result: constant(email) });
  });
  if (typeof entered !== 'string') return entered;
  call.afterwards(() => sendLink(call, ticket, entered));
  throw unverified(ticket, '. Follow the link in the message that was sent to it');
}
