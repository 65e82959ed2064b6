/**
 * @module The link of `npm run dev` that signs in: its secret is in the fragment, which no browser sends or passes on.
 */
import { loadLanguage } from '../texts/language.ts';
import { startTokenSession } from './request.ts';
import { createStore } from './session.ts';

const LINK = /^#sign-in=([\w-]+)$/;

const hasFailed = createStore(false);

/** Did the page open with a link that no longer signs in? */
export const useFailedLink = hasFailed.use;

/** Takes the secret out of the address, and signs in with it unless it was used or is of an earlier run. */
export async function followLink(): Promise<void> {
  const [, secret] = LINK.exec(location.hash) ?? [];
  if (secret === undefined) return;
  // Neither the history of the browser nor a copied address has it.
  history.replaceState(null, '', '#/');
  const options = { method: 'POST', body: secret, credentials: 'omit' } as const;
  const response = await fetch('/_dev/sign-in', options).catch(() => undefined);
  const { token } = (await response?.json().catch(() => undefined)) ?? {};
  if (typeof token !== 'string') return hasFailed.set(true);
  await loadLanguage();
  startTokenSession(token);
}

/** Follows a link that comes into the address of the open page. Is called before the router listens, which shows no secret. */
export function followLaterLinks(): void {
  window.addEventListener('popstate', (event) => {
    if (!LINK.test(location.hash)) return;
    event.stopImmediatePropagation();
    void followLink();
    // The address is without the secret by now.
    window.dispatchEvent(new PopStateEvent('popstate', { state: null }));
  });
}
