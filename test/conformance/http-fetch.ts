/**
 * @module `fetch` over HTTP as a replay needs it: with a time limit, and a connection for each request, so that none is
 * lost on a connection which the server has just closed.
 */
import type { Fetch } from './client.ts';

const TIME_LIMIT = 60_000;

export const httpFetch: Fetch = (url, init) => {
  const headers = new Headers(init.headers);
  headers.set('connection', 'close');
  return fetch(url, { ...init, headers, signal: AbortSignal.timeout(TIME_LIMIT) });
};
