/**
 * @module Who is signed in. The credential lives in the session storage of this tab, and goes nowhere but into the
 * `Authorization` header.
 */
import { useSyncExternalStore } from 'react';

export interface Session {
  /** An API token, or the JWT of a user; '' for a visitor who is not signed in. */
  readonly token: string;
  /** What the page shows. */
  readonly name: string;
  /** Whether the token is that of an account, which may be renewed. */
  readonly isUser?: boolean;
  /** Missing where the server keeps it in a cookie. */
  readonly refreshToken?: string;
}

const KEY = 'studio.session';
const listeners = new Set<() => void>();

function stored(): Session | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
  } catch {
    return null;
  }
}

let current = stored();

export const session = (): Session | null => current;

function change(next: Session | null): void {
  current = next;
  if (next) sessionStorage.setItem(KEY, JSON.stringify(next));
  else sessionStorage.removeItem(KEY);
  for (const listener of listeners) listener();
}

/** A duplicated tab has the same refresh token, which works once: the first to refresh passes the next one on. */
const tabs = new BroadcastChannel(KEY);
tabs.onmessage = ({ data: { used, next } }) => {
  if (current?.refreshToken === used) change(next);
};

/** Signs in, renews the credential, or signs out with null. */
export function setSession(next: Session | null): void {
  const used = current?.refreshToken;
  if (used && next) tabs.postMessage({ used, next });
  change(next);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useSession = (): Session | null => useSyncExternalStore(subscribe, session);
