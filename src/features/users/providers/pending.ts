/**
 * @module What a sign-in by a provider keeps in the browser, sealed: one cookie for each, so that those in two tabs do not
 * disturb each other.
 */

import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { CookieOptions } from 'hono/utils/cookie';
import { sha256Base64Url } from '../../../common/digest.ts';
import { application } from '../../../common/errors.ts';
import { seal, unseal } from '../../../content/credentials/seal.ts';
import { newSessionId, requiredSecret } from '../../../content/credentials/secrets.ts';
import { type AppContext, isLocal } from '../../../http/context.ts';
import { addressOf } from '../../../http/request-url.ts';
import type { UserCall } from '../call.ts';
import type { Binding } from './exchange.ts';
import type { Profile } from './oauth-profiles.ts';

/** A sign-in that is at the provider. */
export interface Pending extends Binding {
  readonly provider: string;
  /** The page that the browser returns to. */
  readonly callback: string;
  /** S256 of a text that only the page knows; null for pages that send none. */
  readonly challenge: string | null;
}

/** The result of a sign-in at a provider, to be exchanged once for tokens of this server. */
export interface Ticket extends Profile {
  readonly id: string;
  /** Was it in a message to the address, which it proves then? */
  readonly isMailed?: boolean;
  readonly provider: string;
  readonly callback: string;
  readonly challenge: string | null;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

const PENDING = 'edgewise_connect_';
const TICKET = 'edgewise_connected_';

/** Milliseconds that a person may take at the provider. */
const PENDING_AGE = 600_000;
const TICKET_AGE = 120_000;
/** Cookies of one kind in a browser; a header has room for no more than a few dozen. */
const MAX_COOKIES = 5;

const isHttps = ({ req }: AppContext): boolean => addressOf(req.raw).isHttps;

/** https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-4.1.3.2: no other host can set it. */
const prefixed = (context: AppContext, kind: string): string => (isHttps(context) ? `__Host-${kind}` : kind);

const ofPending = (context: AppContext) =>
  ({ path: '/', httpOnly: true, secure: isHttps(context) || !isLocal(context), sameSite: 'Lax' }) as const;

const OF_TICKET = { path: '/', httpOnly: true, secure: true, sameSite: 'None' } as const;

/** Deletes the cookies that are too many: which ones does not matter, since a browser has so few. */
function makeRoom(context: AppContext, kind: string, options: CookieOptions): void {
  const prefix = prefixed(context, kind);
  const names = Object.keys(getCookie(context)).filter((name) => name.startsWith(prefix));
  for (const name of names.slice(0, Math.max(0, names.length - MAX_COOKIES + 1))) deleteCookie(context, name, options);
}

/** A browser sends it with the navigation from the provider, and with no other request from a page elsewhere. */
export async function keepPending(context: AppContext, call: UserCall, pending: Pending): Promise<void> {
  const sealed = await seal({ ...pending }, PENDING, requiredSecret(call.jwtSecret), call.now + PENDING_AGE);
  const options = ofPending(context);
  makeRoom(context, PENDING, options);
  setCookie(context, prefixed(context, PENDING) + pending.state, sealed, { ...options, maxAge: PENDING_AGE / 1000 });
}

/** Returns the sign-in that this browser began with this state, and forgets it. */
export async function takePending(context: AppContext, call: UserCall, state: string): Promise<Pending | undefined> {
  if (!/^[\da-f]{40}$/.test(state)) return undefined;
  const name = prefixed(context, PENDING) + state;
  const sealed = getCookie(context, name);
  if (sealed === undefined) return undefined;
  if (!call.bodiless) deleteCookie(context, name, ofPending(context));
  const claims = await unseal(sealed, PENDING, requiredSecret(call.jwtSecret), call.now);
  return claims as unknown as Pending | undefined;
}

type Signed = Profile & Pick<Ticket, 'provider' | 'callback' | 'challenge' | 'isMailed'>;

/** @param age milliseconds */
export function sealTicket(
  call: UserCall,
  { issuer, subject, email, isVerified, username, provider, callback, challenge, isMailed = false }: Signed,
  age: number = TICKET_AGE,
): Promise<string> {
  const expiresAt = call.now + age;
  const claims = { id: newSessionId(), issuer, subject, email, isVerified, username };
  const all = { ...claims, provider, callback, challenge, isMailed, expiresAt };
  return seal(all, TICKET, requiredSecret(call.jwtSecret), expiresAt);
}

/**
 * Keeps a ticket for pages that send none: those made for Strapi 5.53 and later. Pages of other sites send it only where
 * the browser allows it, and read the response only if `cors.origins` lists them.
 */
export function keepTicket(context: AppContext, state: string, ticket: string): void {
  makeRoom(context, TICKET, OF_TICKET);
  setCookie(context, prefixed(context, TICKET) + state, ticket, { ...OF_TICKET, maxAge: TICKET_AGE / 1000 });
}

/** A ticket with the text that a request has. */
export interface SentTicket extends Ticket {
  readonly sealed: string;
}

/** Returns undefined for a ticket that is too old, or not of this deployment. */
export async function readTicket({ jwtSecret, now }: UserCall, sealed: string): Promise<SentTicket | undefined> {
  const claims = await unseal(sealed, TICKET, requiredSecret(jwtSecret), now);
  return claims && { ...(claims as unknown as Ticket), sealed };
}

const ticketCookies = (context: AppContext): readonly (readonly [name: string, sealed: string])[] =>
  Object.entries(getCookie(context)).filter(([name]) => name.startsWith(prefixed(context, TICKET)));

/** Has the request a cookie with a ticket? */
export const hasTicketCookie = (context: AppContext): boolean => ticketCookies(context).length > 0;

/**
 * Returns the ticket of the query, or without one in the query the last one in a cookie; undefined for one of another
 * provider, and without any.
 */
export async function ticketOf(
  context: AppContext,
  call: UserCall,
  provider: string,
  sent: unknown,
): Promise<SentTicket | undefined> {
  const kept = ticketCookies(context).map(([, value]) => value);
  const sealed = sent === undefined ? kept : typeof sent === 'string' ? [sent] : [];
  const tickets = await Promise.all(sealed.map((text) => readTicket(call, text)));
  return tickets
    .filter((ticket) => ticket !== undefined)
    .filter((ticket) => ticket.provider === provider)
    .toSorted((a, b) => b.expiresAt - a.expiresAt)[0];
}

/** @throws ApiError 400 for another verifier than that of the page which began the sign-in */
export function requireVerifier({ challenge }: Ticket, verifier: unknown): void {
  // A verifier without a challenge is wrong, too: the sign-in of another browser has none.
  const proof = verifier === undefined ? null : sha256Base64Url(String(verifier));
  if (proof !== challenge) throw application('code_verifier does not fit the code_challenge of this sign-in');
}

/** Forgets the cookie of a ticket that was redeemed; those of other tabs stay. */
export function dropTicket(context: AppContext, sealed: string): void {
  for (const [name, value] of ticketCookies(context)) if (value === sealed) deleteCookie(context, name, OF_TICKET);
}
