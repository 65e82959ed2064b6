/**
 * @module The requests that this page has made, the latest first, so that every screen can show them.
 */
import { createStore } from './store.ts';

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
  /** The JSON that was sent; that of a request for a credential is not kept. */
  readonly body: unknown;
}

const MOST = 60;
const exchanges = createStore<readonly Exchange[]>([]);
let count = 0;

export function addExchange(exchange: Omit<Exchange, 'id'>): void {
  count += 1;
  exchanges.set([{ ...exchange, id: count }, ...exchanges.get()].slice(0, MOST));
}

/** Forgets all, so that who signs in next does not see them. */
export const clearExchanges = (): void => exchanges.set([]);

export const useExchanges = exchanges.use;
