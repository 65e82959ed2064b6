/**
 * @module Requests to an API: address, credential, body, retries of reads.
 */
import { errorOf, secondsIn } from './errors.ts';
import { queryString } from './query.ts';

export interface ClientOptions {
  /** The origin of the API, without `/api`. */
  readonly url: string;
  /** An API token, or the JWT of a user; or what returns one for each request. */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>) | undefined;
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Headers of each request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How often a read is repeated after a failed connection, 429 or 503; by default twice. Writes are never repeated. */
  readonly retries?: number;
}

/** Options of one request, beside the parameters of its query. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Further options of `fetch`, such as `cache`, or `next` of Next. */
  readonly init?: RequestInit | undefined;
}

/** Options of a request as they are sent. */
export interface Sent extends RequestOptions {
  readonly query?: object;
  /** JSON, or a form. */
  readonly body?: unknown;
  readonly ifMatch?: string;
  readonly ifNoneMatch?: string;
  readonly idempotencyKey?: string;
}

export type Send = (method: string, path: string, sent?: Sent) => Promise<Response>;

/** Reads wait no longer than this for a repetition, in seconds: the caller decides about more. */
const MAX_WAIT = 30;

const HEADERS = { ifMatch: 'If-Match', ifNoneMatch: 'If-None-Match', idempotencyKey: 'Idempotency-Key' } as const;

/** Returns the headers of options. @throws TypeError for an option without a value: the write would have no condition */
export function conditionsOf(sent: Sent): Record<string, string> {
  const names = (Object.keys(HEADERS) as (keyof typeof HEADERS)[]).filter((name) => name in sent);
  const empty = names.find((name) => !sent[name]);
  if (empty) throw new TypeError(`${empty} has no value`);
  return Object.fromEntries(names.map((name) => [HEADERS[name], String(sent[name])]));
}

/** Joins headers, of which later ones win, in whatever case their names are written. */
function joined(...all: readonly (Readonly<Record<string, string>> | undefined)[]): Headers {
  const headers = new Headers();
  for (const each of all) for (const [name, value] of Object.entries(each ?? {})) headers.set(name, value);
  return headers;
}

const isTransient = (status: number): boolean => status === 429 || status === 503;

function wait(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const done = () => {
      signal?.removeEventListener('abort', stop);
      resolve();
    };
    const timer = setTimeout(done, seconds * 1000);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** Returns a function that sends requests. @throws ApiError by it, for a response that is no success */
export function sender({ url, token, fetch: custom, headers, retries = 2 }: ClientOptions): Send {
  const origin = url.replace(/\/+$/, '');

  async function attempt(method: string, path: string, sent: Sent, left: number): Promise<Response> {
    const { query = {}, body, signal, init } = sent;
    const address = origin + path + queryString(query);
    const credential = typeof token === 'function' ? await token() : token;
    const isForm = body instanceof FormData;
    const request: RequestInit = {
      ...init,
      method,
      headers: joined(
        credential ? { Authorization: `Bearer ${credential}` } : {},
        body !== undefined && !isForm ? { 'Content-Type': 'application/json' } : {},
        headers,
        sent.headers,
        conditionsOf(sent),
      ),
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    };
    const delay = 0.2 * 2 ** (retries - left);
    const canRetry = method === 'GET' && left > 0;
    let response: Response;
    try {
      response = await (custom ?? fetch)(address, request);
    } catch (error) {
      if (!canRetry || signal?.aborted) throw error;
      await wait(delay, signal);
      return attempt(method, path, sent, left - 1);
    }
    if (response.ok) return response;
    const seconds = secondsIn(response) ?? delay;
    if (!canRetry || !isTransient(response.status) || seconds > MAX_WAIT) throw await errorOf(response);
    await response.body?.cancel();
    await wait(seconds, signal);
    return attempt(method, path, sent, left - 1);
  }

  return (method, path, sent = {}) => attempt(method, path, sent, retries);
}
