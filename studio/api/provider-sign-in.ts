/**
 * @module Signing in by a provider of the settings: the way there, and what the address has on the way back. Only a sign-in
 * that this browser has begun counts: it keeps the verifier, which goes with the exchange. A link in a message, which
 * completes a sign-in, opens another tab.
 */
import { attempt } from './query-string.ts';
import { request, type SignedIn, startSession } from './request.ts';
import { createStore } from './session.ts';

const KEY = 'studio.provider';

interface Begun {
  readonly provider: string;
  readonly verifier: string;
  /** Of the screen that the sign-in began on. */
  readonly hash: string;
}

const failure = createStore<string | undefined>(undefined);

/** Why the last sign-in by a provider did not succeed. */
export const useProviderFailure = failure.use;

/** The providers of the settings, which the build has written into the page. */
export const providers = (): readonly string[] =>
  (document.querySelector<HTMLMetaElement>('meta[name="studio-providers"]')?.content ?? '').split(' ').filter(Boolean);

const TITLES: Readonly<Record<string, string>> = { github: 'GitHub', gitlab: 'GitLab', linkedin: 'LinkedIn' };

/** `google` → `Google` */
export const providerTitle = (name: string): string =>
  TITLES[name] ?? name.charAt(0).toUpperCase() + name.slice(1).replaceAll(/[-_]/g, ' ');

const encoded = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** Leaves for a provider. */
export async function goToProvider(provider: string): Promise<void> {
  const verifier = encoded(crypto.getRandomValues(new Uint8Array(32)));
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  localStorage.setItem(KEY, JSON.stringify({ provider, verifier, hash: location.hash } satisfies Begun));
  const callback = `${location.origin}${location.pathname}`;
  const query = new URLSearchParams({ callback, code_challenge: encoded(new Uint8Array(digest)) });
  location.assign(`/api/connect/${provider}?${query}`);
}

/** Has a provider led to this address? */
export const isBack = (): boolean => /[?&](access_token|error)=/.test(location.search);

/** Takes what a provider has led to out of the address, and signs in with it. */
export async function comeBack(): Promise<void> {
  const query = new URLSearchParams(location.search);
  const begun: Begun | null = attempt(() => JSON.parse(localStorage.getItem(KEY) ?? 'null'), null);
  // Neither the history of the browser nor a copied address has it.
  history.replaceState(null, '', `${location.pathname}${begun?.hash || '#/'}`);
  window.dispatchEvent(new PopStateEvent('popstate', { state: null }));
  if (!begun) return;
  const token = query.get('access_token');
  if (token === null) return failure.set(query.get('error_description') ?? query.get('error') ?? '');
  try {
    const parameters = { access_token: token, code_verifier: begun.verifier };
    const { body } = await request<SignedIn>(`/api/auth/${begun.provider}/callback`, { query: parameters });
    localStorage.removeItem(KEY);
    startSession(body);
  } catch (error) {
    failure.set((error as Error).message);
  }
}
