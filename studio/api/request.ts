/**
 * @module Requests to the API of this server, and reads that screens share.
 */
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { text } from '../texts/text.ts';
import type { Query } from './query-string.ts';
import { ApiError, ASKS_CREDENTIAL, type RequestOptions, sendRequest } from './send.ts';
import { personCheck, session, setSession } from './session.ts';

export interface Reply<T> {
  /** The whole body; undefined for 204. */
  readonly body: T;
  /** The one that the server has made: a proxy that compresses marks it as weak, and those match no write. */
  readonly etag: string | null;
}

/** The body of most responses. */
export interface ResponseBody<T> {
  readonly data: T;
  readonly meta: { readonly pagination?: Pagination };
}

/** Pages have `page` and `pageCount`, cursors `next`; `total` is missing where it was not asked for. */
export interface Pagination {
  readonly page?: number;
  readonly pageCount?: number;
  readonly total?: number;
  readonly next?: string | null;
}

async function errorOf(response: Response): Promise<ApiError> {
  try {
    const { error } = await response.json();
    return new ApiError(response.status, error.message, error.details);
  } catch {
    return new ApiError(response.status, text('The server responded with {status}.', { status: response.status }));
  }
}

/** Returns the claims of a token of the server. */
function claimsOf(jwt: string): { readonly userId?: unknown; readonly sessionId?: unknown } {
  const payload = jwt.split('.')[1] ?? '';
  return JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
}

/** The response to a sign-in, and to a change of the password. */
export interface SignedIn {
  readonly jwt: string;
  readonly refreshToken?: string;
  readonly user: { readonly documentId: string; readonly username: string };
}

/** Signs in a user. All tabs are signed in if one asks for it, or where the refresh token is in their cookie. */
export function startSession({ jwt, refreshToken, user }: SignedIn, keep = false): void {
  const isKept = keep || (!refreshToken && claimsOf(jwt).sessionId !== undefined);
  const tokens = { token: jwt, ...(refreshToken && { refreshToken }) };
  setSession({ ...tokens, id: user.documentId, name: user.username, isUser: true, ...(isKept && { isKept }) });
}

/** Returns a number for a text of which it says nothing more. */
const hashOf = (text: string): string =>
  String([...text].reduce((hash, character) => (Math.imul(hash, 31) + character.charCodeAt(0)) | 0, 0));

/** Signs in with an API token. */
export const startTokenSession = (token: string, keep = false): void =>
  setSession({ token, id: hashOf(token), name: text('API token'), ...(keep && { isKept: true }) });

let refreshing: Promise<boolean> | undefined;

async function refresh(): Promise<boolean> {
  const held = session();
  if (!held?.isUser) return false;
  const isSamePerson = personCheck();
  const { refreshToken } = held;
  const response = await sendRequest('/api/auth/refresh', {
    method: 'POST',
    body: { ...(refreshToken && { refreshToken }) },
  });
  if (response.status === 429 || response.status >= 500) throw await errorOf(response);
  // Meanwhile the user has signed out, or another tab has passed the next token on.
  const isOther = () => session()?.token !== held.token;
  const isPassedOn = () => isSamePerson() && Boolean(session()?.token);
  if (!response.ok) return isOther() && isPassedOn();
  const { jwt, refreshToken: next } = await response.json();
  // All tabs have one cookie. It may be that of someone else, who has signed in in another tab.
  if (!next && claimsOf(jwt).userId !== claimsOf(held.token).userId) return false;
  if (isOther()) return isPassedOn();
  setSession({ ...held, token: jwt, ...(next && { refreshToken: next }) });
  return true;
}

/**
 * Takes the next access token, once for all requests that wait for it. Returns whether there is one.
 * @throws ApiError where the server cannot tell now
 */
export async function refreshSession(): Promise<boolean> {
  refreshing ??= refresh().finally(() => {
    refreshing = undefined;
  });
  return refreshing;
}

/** Sends a request with the credential of the session; an expired access token is refreshed once. */
export async function sendWithSession(path: string, options: RequestOptions = {}): Promise<Response> {
  const isSamePerson = personCheck();
  const response = await sendRequest(path, options);
  if (response.status !== 401 || !session() || ASKS_CREDENTIAL.includes(path) || !isSamePerson()) return response;
  const isRefreshed = await refreshSession();
  // A user never sends what another one has written.
  return isRefreshed && isSamePerson() ? sendRequest(path, options) : response;
}

/** Signs out; a session of an account ends on the server, too, where it has sessions. */
export async function signOut(): Promise<void> {
  const request = { method: 'POST', signal: AbortSignal.timeout(3000) };
  const isSamePerson = personCheck();
  if (session()?.isUser) await sendWithSession('/api/auth/logout', request).catch(() => undefined);
  if (isSamePerson()) setSession(null);
}

/**
 * Sends a request; a credential that is no longer valid is forgotten.
 * @throws ApiError for every status that is no success
 */
export async function request<T>(path: string, options: RequestOptions = {}): Promise<Reply<T>> {
  const isSamePerson = personCheck();
  const response = await sendWithSession(path, options);
  if (response.status === 401 && session() && isSamePerson() && !ASKS_CREDENTIAL.includes(path)) setSession(null);
  if (!response.ok) throw await errorOf(response);
  const body = response.status === 204 ? undefined : await response.json();
  return { body: body as T, etag: response.headers.get('etag')?.replace(/^W\//, '') ?? null };
}

/** Reads the whole body. `invalidateQueries({ queryKey: [path] })` reads it again. */
export const readOf = <T>(path: string, query: Query = {}) =>
  queryOptions({
    queryKey: [path, query],
    queryFn: async ({ signal }) => (await request<T>(path, { query, signal })).body,
  });

/** While the next query is on its way, the data are those of the one before. */
export const useRead = <T>(path: string, query?: Query, enabled = true) =>
  useQuery({ ...readOf<T>(path, query), placeholderData: keepPreviousData, enabled });
