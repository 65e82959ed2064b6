/**
 * @module Signing in by a provider of the settings, and linking it: the way there, and what the address has on the way back.
 * Only a sign-in that this browser has begun counts: it keeps the verifier, which goes with the exchange. A link in a
 * message, which completes a sign-in, opens another tab.
 */
import { text } from '../texts/text.ts';
import { ACCESS, coming, providerFailure } from './providers.ts';
import { attempt } from './query-string.ts';
import { request, type SignedIn, startSession } from './request.ts';
import { personCheck, session } from './session.ts';

/** Of what a sign-in keeps, before its id: several may be on their way, in several tabs. */
const KEY = 'studio.provider.';
/** Milliseconds after which neither a token nor a link of a sign-in is valid. */
const AGE = 3_600_000;

interface Begun {
  readonly provider: string;
  readonly verifier: string;
  /** Of the screen that the sign-in began on. */
  readonly hash: string;
  readonly at: number;
  /** `id` of the session of the user whose account gets the sign-in; absent: it signs in. */
  readonly user?: string;
}

const encoded = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const begunAt = (key: string): Begun | null => attempt(() => JSON.parse(localStorage.getItem(key) ?? 'null'), null);

/** Forgets the sign-ins that have not come back in time. */
function forgetOld(): void {
  for (const key of Object.keys(localStorage).filter((each) => each.startsWith(KEY)))
    if (Date.now() - (begunAt(key)?.at ?? 0) > AGE) localStorage.removeItem(key);
}

const random = (): string => encoded(crypto.getRandomValues(new Uint8Array(32)));

/** Leaves for a provider. @param user that of `Begun` */
export async function goToProvider(provider: string, user?: string): Promise<void> {
  const [id, verifier] = [random(), random()];
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  forgetOld();
  const begun: Begun = { provider, verifier, hash: location.hash, at: Date.now(), ...(user && { user }) };
  localStorage.setItem(KEY + id, JSON.stringify(begun));
  const callback = `${location.origin}${location.pathname}?begun=${id}${user ? location.hash : ''}`;
  const query = new URLSearchParams({ callback, code_challenge: encoded(new Uint8Array(digest)) });
  location.assign(`/api/connect/${provider}?${query}`);
}

/** Asks the server who Access says that this is; before the page, it has asked the person. */
async function signInByAccess(): Promise<void> {
  const isSamePerson = personCheck();
  try {
    const { body } = await request<SignedIn>('/api/auth/access', { method: 'POST' });
    if (isSamePerson()) startSession(body);
  } catch (error) {
    providerFailure.set((error as Error).message);
  }
}

export const signInBy = (name: string): Promise<void> => (name === ACCESS ? signInByAccess() : goToProvider(name));

interface Return {
  readonly begun: Begun;
  /** Undefined for a failure. */
  readonly token: string | undefined;
  readonly failure: string;
  /** Makes the verifier void. */
  forget(): void;
}

/** Takes what a provider has led to out of the address. Returns undefined for a sign-in that began elsewhere. */
function takeReturn(): Return | undefined {
  const query = new URLSearchParams(location.search);
  const key = `${KEY}${query.get('begun')}`;
  const begun = begunAt(key);
  // Neither the history of the browser nor a copied address has it.
  history.replaceState(null, '', `${location.pathname}${begun?.hash || '#/'}`);
  window.dispatchEvent(new PopStateEvent('popstate', { state: null }));
  if (!begun) return undefined;
  const token = query.get('access_token') ?? undefined;
  const failure = query.get('error_description') ?? query.get('error') ?? '';
  const forget = () => localStorage.removeItem(key);
  // A link in a message may come later, with the same verifier.
  if (token === undefined || begun.user !== undefined) forget();
  return { begun, token, failure, forget };
}

/** Signs in with what a provider has led to. */
async function comeBack(): Promise<void> {
  const found = takeReturn();
  if (!found) return;
  const { begun, token, failure, forget } = found;
  if (begun.user !== undefined) return providerFailure.set(text('You were signed out meanwhile.'));
  if (token === undefined) return providerFailure.set(failure);
  try {
    const parameters = { access_token: token, code_verifier: begun.verifier };
    const { body } = await request<SignedIn>(`/api/auth/${begun.provider}/callback`, { query: parameters });
    forget();
    startSession(body);
  } catch (error) {
    providerFailure.set((error as Error).message);
  }
}

/** A sign-in at a provider that the user who is signed in has begun to link. */
export interface Link {
  readonly provider: string;
  /** Undefined for a failure. */
  readonly proof: { readonly access_token: string; readonly code_verifier: string } | undefined;
  readonly failure: string;
}

/** Takes what a provider has led to out of the address, for the user who is signed in. */
export function takeLink(): Link | undefined {
  const found = takeReturn();
  if (!found || found.begun.user !== session()?.id) return undefined;
  const { begun, token, failure } = found;
  const proof = token === undefined ? undefined : { access_token: token, code_verifier: begun.verifier };
  return { provider: begun.provider, proof, failure };
}

let arrival: Promise<void> | undefined;

/** Signs in who comes without a click, once: the screen changes meanwhile. */
export const comeIn = (): Promise<void> => {
  arrival ??= coming.get() === ACCESS ? signInByAccess() : comeBack();
  return arrival;
};
