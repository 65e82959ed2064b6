/**
 * @module Signing in by a provider of the settings: the way there, and what the address has on the way back. Only a sign-in
 * that this browser has begun counts: it keeps the verifier, which goes with the exchange. A link in a message, which
 * completes a sign-in, opens another tab.
 */

import { providerFailure } from './providers.ts';
import { attempt } from './query-string.ts';
import { request, type SignedIn, startSession } from './request.ts';

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

/** Leaves for a provider. */
export async function goToProvider(provider: string): Promise<void> {
  const [id, verifier] = [random(), random()];
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  forgetOld();
  const begun: Begun = { provider, verifier, hash: location.hash, at: Date.now() };
  localStorage.setItem(KEY + id, JSON.stringify(begun));
  const callback = `${location.origin}${location.pathname}?begun=${id}`;
  const query = new URLSearchParams({ callback, code_challenge: encoded(new Uint8Array(digest)) });
  location.assign(`/api/connect/${provider}?${query}`);
}

/** Takes what a provider has led to out of the address, and signs in with it. */
export async function comeBack(): Promise<void> {
  const query = new URLSearchParams(location.search);
  const key = `${KEY}${query.get('begun')}`;
  const begun = begunAt(key);
  // Neither the history of the browser nor a copied address has it.
  history.replaceState(null, '', `${location.pathname}${begun?.hash || '#/'}`);
  window.dispatchEvent(new PopStateEvent('popstate', { state: null }));
  if (!begun) return;
  const token = query.get('access_token');
  // A link in a message may come later, with the same verifier.
  if (token === null) {
    localStorage.removeItem(key);
    return providerFailure.set(query.get('error_description') ?? query.get('error') ?? '');
  }
  try {
    const parameters = { access_token: token, code_verifier: begun.verifier };
    const { body } = await request<SignedIn>(`/api/auth/${begun.provider}/callback`, { query: parameters });
    localStorage.removeItem(key);
    startSession(body);
  } catch (error) {
    providerFailure.set((error as Error).message);
  }
}
