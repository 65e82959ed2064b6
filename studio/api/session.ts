/**
 * @module Who is signed in, as a value that components follow. The credential lives in the session storage of this tab,
 * or in the local storage, which all tabs share. It goes nowhere but into the `Authorization` header.
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
  /** Tells callers apart who have one name, and stays when a user is renamed. What this browser keeps is kept under it. */
  readonly id: string;
  /** What the page shows. */
  readonly name: string;
  /** Whether the token is that of an account, which may be refreshed. */
  readonly isUser?: boolean;
  /** Missing where the server keeps it in a cookie. */
  readonly refreshToken?: string;
  /** Whether all tabs of this browser are signed in. */
  readonly isKept?: boolean;
}

const KEY = 'studio.session';

const stored = (storage: Storage): Session | null => attempt(() => JSON.parse(storage.getItem(KEY) ?? 'null'), null);

const current = createStore<Session | null>(stored(sessionStorage) ?? stored(localStorage));

export const session = current.get;
export const useSession = current.use;

/** Counts how often another user has signed in, or the user has signed out. */
let changes = 0;
const leaving = new Set<() => void>();

/** Calls a function when the person who is signed in goes, or another one comes: it forgets what is theirs. */
export const onOtherPerson = (forget: () => void) => leaving.add(forget);

/** Returns a function that says whether the person who is signed in now still is. */
export function personCheck(): () => boolean {
  const before = changes;
  return () => changes === before;
}

/** Has somebody signed in or out since the page was loaded? */
export const hasChangedPerson = (): boolean => changes > 0;

function become(next: Session | null): void {
  if (next?.id !== session()?.id) {
    changes += 1;
    for (const forget of leaving) forget();
  }
  current.set(next);
}

function change(next: Session | null): void {
  const held = session();
  if (next) (next.isKept ? localStorage : sessionStorage).setItem(KEY, JSON.stringify(next));
  if (!next || next.isKept) sessionStorage.removeItem(KEY);
  // Someone else may have signed in meanwhile, in another tab.
  if (!next?.isKept && held?.isKept && stored(localStorage)?.id === held.id) localStorage.removeItem(KEY);
  become(next);
}

/** Follows the other tabs: to the next token, and out. */
window.addEventListener('storage', ({ key, storageArea }) => {
  const held = session();
  if (!held?.isKept || storageArea !== localStorage || (key !== KEY && key !== null)) return;
  const next = stored(localStorage);
  become(next?.id === held.id ? next : null);
});

/** A duplicated tab has the same refresh token, which works once: the first to refresh passes the next one on. */
const tabs = new BroadcastChannel(KEY);
tabs.onmessage = ({ data: { used, next } }) => {
  if (session()?.refreshToken === used) change(next);
};

/** Signs in, refreshes the credential, or signs out with null. */
export function setSession(next: Session | null): void {
  const held = session();
  if (held?.refreshToken && next?.id === held.id) tabs.postMessage({ used: held.refreshToken, next });
  change(next);
}
