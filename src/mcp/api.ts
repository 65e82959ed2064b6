/**
 * @module Requests to the REST API on behalf of the caller: tools have no other way to content.
 */
import { isObject } from '../common/json.ts';
import { QUERY_DEPTH } from '../request/query-string.ts';
import { ToolError } from './errors.ts';

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** `/api/articles` */
  readonly path: string;
  /** Parameters of the query string, nested as in code. */
  readonly query?: Readonly<Record<string, unknown>>;
  /** JSON, or a form. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ApiResponse {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the JSON of any response
  readonly body: any;
  /** Without quotes. */
  readonly revision: string | undefined;
}

export type Api = (request: ApiRequest) => Promise<ApiResponse>;

/** What a query string cannot say is an error: without it, a filter would match everything. */
function pairsOf(value: unknown, key: string): readonly string[] {
  if (value === undefined) return [];
  const [name = '', ...brackets] = key.split('[');
  if (brackets.length > QUERY_DEPTH)
    throw new ToolError(`Invalid ${name}. Expected at most ${QUERY_DEPTH} levels`, name);
  const isEmpty = typeof value === 'object' && (value === null || Object.keys(value).length === 0);
  if (isEmpty && key.includes('[')) throw new ToolError(`Invalid ${key}. Expected a value: for null use $null`, key);
  if (isEmpty) return [];
  if (Array.isArray(value)) return value.flatMap((item, index) => pairsOf(item, `${key}[${index}]`));
  if (isObject(value)) return Object.entries(value).flatMap(([name, item]) => pairsOf(item, `${key}[${name}]`));
  return [`${encoded(key)}=${encoded(String(value))}`];
}

/** For a URL, which has no half of a surrogate pair. */
export const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

export const searchOf = (query: Readonly<Record<string, unknown>>): string => {
  const pairs = Object.entries(query).flatMap(([key, value]) => pairsOf(value, key));
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
};

/** @param send the app @param authorization the header of the caller */
export const apiOf = (
  send: (request: Request) => Promise<Response>,
  origin: string,
  authorization: string | undefined,
): Api =>
  async function api({ method, path, query = {}, body, headers }) {
    const isForm = body instanceof FormData;
    const response = await send(
      new Request(`${origin}${path}${searchOf(query)}`, {
        method,
        headers: {
          // A tool reads what another has just written.
          'x-d1-bookmark': 'first-primary',
          ...(authorization !== undefined && { authorization }),
          ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
      }),
    );
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    return {
      status: response.status,
      body: isJson && text !== '' ? JSON.parse(text) : null,
      revision: response.headers.get('etag')?.replace(/^W\//, '').slice(1, -1),
    };
  };
