/**
 * @module Requests to the API of this server.
 */
import { addExchange } from './exchanges.ts';
import { address, type Query } from './query-string.ts';
import { session, setSession } from './session.ts';

/** One issue of a validation error. `path`: the attribute, and the way into components. */
export interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** A response of the API that is an error, or no response at all (`status` 0). */
export class ApiError extends Error {
  readonly status: number;
  readonly issues: readonly Issue[];
  readonly details: Readonly<Record<string, unknown>>;

  constructor(status: number, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.status = status;
    this.details = details;
    this.issues = Array.isArray(details.errors) ? details.errors : [];
  }
}

interface RequestOptions {
  readonly method?: string;
  readonly query?: Query;
  /** Sent as JSON; a form is sent as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface Reply<T> {
  /** The whole body; undefined for 204. */
  readonly body: T;
  readonly etag: string | null;
  readonly headers: Headers;
}

/** The body of most responses. */
export interface Answer<T> {
  readonly data: T;
  readonly meta: { readonly pagination?: Pagination };
}

/** Pages have `page` and `pageCount`, cursors `limit` and `next`; `total` is missing where it was not asked for. */
export interface Pagination {
  readonly page?: number;
  readonly pageSize?: number;
  readonly pageCount?: number;
  readonly total?: number;
  readonly limit?: number;
  readonly next?: string | null;
}

/** Requests for a credential: an old one in them is refused, and what they send is not shown. */
const ASKS_CREDENTIAL: readonly string[] = ['/api/auth/local', '/api/auth/refresh'];

function init({ method = 'GET', body, headers, signal }: RequestOptions, token: string | undefined): RequestInit {
  const isForm = body instanceof FormData;
  return {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
  };
}

async function send(path: string, options: RequestOptions): Promise<Response> {
  const { method = 'GET', query = {}, body } = options;
  const url = address(path, query);
  const asksCredential = ASKS_CREDENTIAL.includes(path);
  const started = performance.now();
  const note = (status: number, cost: string | null) =>
    addExchange({
      method,
      address: url,
      status,
      milliseconds: Math.round(performance.now() - started),
      cost,
      body: asksCredential || body instanceof FormData ? undefined : body,
    });
  try {
    const response = await fetch(url, init(options, asksCredential ? undefined : session()?.token));
    note(response.status, response.headers.get('server-timing'));
    return response;
  } catch (error) {
    if (options.signal?.aborted) throw error;
    note(0, null);
    throw new ApiError(0, 'The server cannot be reached.');
  }
}

async function errorOf(response: Response): Promise<ApiError> {
  try {
    const { error } = await response.json();
    return new ApiError(response.status, error.message, error.details);
  } catch {
    return new ApiError(response.status, `The server answered ${response.status}.`);
  }
}

/** Returns the user of an access token. */
function userOf(jwt: string): unknown {
  const payload = jwt.split('.')[1] ?? '';
  return JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))).userId;
}

let refreshing: Promise<boolean> | undefined;

async function refresh(): Promise<boolean> {
  const held = session();
  if (!held?.isUser) return false;
  const { refreshToken } = held;
  const response = await send('/api/auth/refresh', { method: 'POST', body: { ...(refreshToken && { refreshToken }) } });
  if (response.status === 429 || response.status >= 500) throw await errorOf(response);
  if (!response.ok) return false;
  const { jwt, refreshToken: next } = await response.json();
  // All tabs have one cookie. It may be that of someone else, who has signed in in another tab.
  if (!next && userOf(jwt) !== userOf(held.token)) return false;
  setSession({ ...held, token: jwt, ...(next && { refreshToken: next }) });
  return true;
}

/**
 * Takes the next access token, once for all requests that wait for it. Returns whether there is one.
 * @throws ApiError where the server cannot tell now
 */
export async function renewed(): Promise<boolean> {
  refreshing ??= refresh().finally(() => {
    refreshing = undefined;
  });
  return refreshing;
}

/** Sends a request with the credential of the session; an expired access token is renewed once. */
export async function respond(path: string, options: RequestOptions = {}): Promise<Response> {
  let response = await send(path, options);
  if (response.status === 401 && session() && !ASKS_CREDENTIAL.includes(path)) {
    if (await renewed()) response = await send(path, options);
  }
  return response;
}

/** Signs out; a session of an account ends on the server, too, where it has sessions. */
export async function signOut(): Promise<void> {
  const request = { method: 'POST', signal: AbortSignal.timeout(3000) };
  if (session()?.isUser) await respond('/api/auth/logout', request).catch(() => undefined);
  setSession(null);
}

/**
 * Sends a request; a credential that is no longer valid is forgotten.
 * @throws ApiError for every status that is no success
 */
export async function request<T>(path: string, options: RequestOptions = {}): Promise<Reply<T>> {
  const response = await respond(path, options);
  if (response.status === 401 && session() && !ASKS_CREDENTIAL.includes(path)) setSession(null);
  if (!response.ok) throw await errorOf(response);
  const body = response.status === 204 ? undefined : await response.json();
  return { body: body as T, etag: response.headers.get('etag'), headers: response.headers };
}
