/**
 * @module The requests that this page has made, the latest first, so that every screen can show them.
 */
import { useSyncExternalStore } from 'react';

export interface Exchange {
  readonly id: number;
  readonly method: string;
  /** Path and query. */
  readonly address: string;
  /** 0 when the server was not reached. */
  readonly status: number;
  readonly milliseconds: number;
  /** `Server-Timing`, as the server sent it. */
  readonly cost: string | null;
  /** The JSON that was sent; a password in it is not kept. */
  readonly body: unknown;
}

const MOST = 60;
const listeners = new Set<() => void>();
let exchanges: readonly Exchange[] = [];
let count = 0;

export function addExchange(exchange: Omit<Exchange, 'id'>): void {
  count += 1;
  exchanges = [{ ...exchange, id: count }, ...exchanges].slice(0, MOST);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useExchanges = (): readonly Exchange[] => useSyncExternalStore(subscribe, () => exchanges);
