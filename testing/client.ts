/**
 * @module Requests to the Worker of a project, with a token that may do everything.
 */
import { env, exports } from 'cloudflare:workers';
import { createTokenSql, newToken } from '../cli/core/sql/tokens.ts';
import { TEST_HOST } from '../src/http/request-url.ts';

export interface ApiDocument {
  readonly documentId: string;
  readonly [attribute: string]: unknown;
}

const ORIGIN = `http://${TEST_HOST}`;

/** Creates the token in the database of the test. */
export async function openClient() {
  const token = newToken();
  await env.DB.prepare(createTokenSql({ name: `tests ${token}`, type: 'full-access' }, token, Date.now())).run();
  const fetchPublic = (path: string, init?: RequestInit): Promise<Response> =>
    exports.default.fetch(ORIGIN + path, init);
  const fetch = (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${token}`);
    return fetchPublic(path, { ...init, headers });
  };
  const json = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const sent: RequestInit =
      body === undefined || body instanceof FormData
        ? { body: body ?? null }
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const response = await fetch(path, { method, ...sent });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} responded ${response.status}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  return {
    /** Any request, with the token; `path` begins with `/`. */
    fetch,
    /** The same without a token. */
    fetchPublic,
    /** The JSON of a response that is no error; undefined for 204. @throws Error that names the request and the error. */
    json,
    /** `data` of a response. @throws as `json` does. */
    async data<T>(method: string, path: string, data?: object): Promise<T> {
      return ((await json(method, path, data && { data })) as { readonly data: T }).data;
    },
  };
}

export type Client = Awaited<ReturnType<typeof openClient>>;
