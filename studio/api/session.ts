/**
 * @module Who is signed in, as a value that components follow. The credential lives in the session storage of this tab,
 * and goes nowhere but into the `Authorization` header.
 */
import { useSyncExternalStore } from 'react';
import { attempt } from './query-string.ts';

export function createStore<T>(initial: T) {
  const listeners = new Set<() => void>();
  let current = initial;
  const get = (): T => current;
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    get,
    set(next: T): void {
      current = next;
      for (const listener of listeners) listener();
    },
    use: (): T => useSyncExternalStore(subscribe, get),
  };
}

export interface Session {
  /** An API token, or the JWT of a user; '' for a visitor who is not signed in. */
  readonly token: string;
  /** What the page shows. */
  readonly name: string;
  /** Whether the token is that of an account, which may be refreshed. */
  readonly isUser?: boolean;
  /** Missing where the server keeps it in a cookie. */
  readonly refreshToken?: string;
}

const KEY = 'studio.session';

const current = createStore<Session | null>(attempt(() => JSON.parse(sessionStorage.getItem(KEY) ?? 'null'), null));

export const session = current.get;
export const useSession = current.use;

function change(next: Session | null): void {
  if (next) sessionStorage.setItem(KEY, JSON.stringify(next));
  else sessionStorage.removeItem(KEY);
  current.set(next);
}

/** A duplicated tab has the same refresh token, which works once: the first to refresh passes the next one on. */
const tabs = new BroadcastChannel(KEY);
tabs.onmessage = ({ data: { used, next } }) => {
  if (session()?.refreshToken === used) change(next);
};

/** Signs in, refreshes the credential, or signs out with null. */
export function setSession(next: Session | null): void {
  const used = session()?.refreshToken;
  if (used && next) tabs.postMessage({ used, next });
  change(next);
}
