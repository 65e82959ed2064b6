/**
 * @module The link of `npm run dev` that signs in: its secret is in the fragment, which no browser sends or passes on.
 */
import { createStore } from './session.ts';

const hasFailed = createStore(false);

/** Did the page open with a link that no longer signs in? */
export const useFailedLink = hasFailed.use;

/**
 * Takes the secret out of the address and exchanges it.
 * @returns the token; undefined without a link, and for one that was used or is of an earlier run
 */
export async function followLink(): Promise<string | undefined> {
  const [, secret] = /^#sign-in=([\w-]+)$/.exec(location.hash) ?? [];
  if (secret === undefined) return undefined;
  // Neither the history of the browser nor a copied address has it.
  history.replaceState(null, '', '#/');
  const options = { method: 'POST', body: secret, credentials: 'omit' } as const;
  const response = await fetch('/_dev/sign-in', options).catch(() => undefined);
  const { token } = (await response?.json().catch(() => undefined)) ?? {};
  if (typeof token !== 'string') hasFailed.set(true);
  return token;
}
