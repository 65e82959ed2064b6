/**
 * @module Requests to the REST API on behalf of the caller: tools have no other way to content.
 */
import { unauthorized } from '../../common/errors.ts';
import { isObject } from '../../common/json.ts';
import { QUERY_DEPTH } from '../../content/request/query-string.ts';
import { ToolError } from './errors.ts';

export interface ApiRequest {
  /** GET by default. */
  readonly method?: 'POST' | 'PUT' | 'DELETE';
  /** `/api/articles` */
  readonly path: string;
  /** Parameters of the query string, nested as in code. */
  readonly query?: Readonly<Record<string, unknown>>;
  /** JSON, or a form. */
  readonly body?: object;
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

/** Encodes a text for a URL, which has no half of a surrogate pair. */
export const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

/** Makes a segment of a path. @throws ToolError for what is no text, and for a text that leads elsewhere */
export function segmentOf(value: unknown, path: string, message: string, next: string): string {
  if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) throw new ToolError(message, path, { next });
  return encoded(value);
}

/** What a query string cannot say is an error: without it, a filter would match everything. */
function pairsOf(value: unknown, key: string): readonly string[] {
  if (value === undefined) return [];
  const [name = '', ...brackets] = key.split('[');
  if (brackets.length > QUERY_DEPTH)
    throw new ToolError(`Invalid ${name}. Expected at most ${QUERY_DEPTH} levels`, name);
  const isEmpty = value === null || (typeof value === 'object' && Object.keys(value).length === 0);
  if (isEmpty && key.includes('[')) throw new ToolError(`Invalid ${key}. Expected a value: for null use $null`, key);
  if (isEmpty) return [];
  if (Array.isArray(value) || isObject(value))
    return Object.entries(value).flatMap(([name, item]) => pairsOf(item, `${key}[${name}]`));
  return [`${encoded(key)}=${encoded(String(value))}`];
}

/** Makes a query string. @throws ToolError */
export const searchOf = (query: Readonly<Record<string, unknown>> = {}): string =>
  `?${Object.entries(query)
    .flatMap(([key, value]) => pairsOf(value, key))
    .join('&')}`.replace(/^\?$/, '');

/**
 * @param send the app @param authorization the header of the caller
 * @returns requests of the caller. They throw ApiError 401 where the credential is no longer valid: that is no error of a tool,
 * since the client has to get another one
 */
export const apiOf =
  (send: (request: Request) => Promise<Response>, origin: string, authorization: string | undefined): Api =>
  async ({ method = 'GET', path, query, body, headers }) => {
    const isForm = body instanceof FormData;
    const response = await send(
      new Request(`${origin}${path}${searchOf(query)}`, {
        method,
        headers: {
          // A tool reads what another has just written.
          'x-d1-bookmark': 'first-primary',
          ...(authorization !== undefined && { authorization }),
          ...(body && !isForm && { 'content-type': 'application/json' }),
          ...headers,
        },
        body: isForm ? body : JSON.stringify(body),
      }),
    );
    if (response.status === 401) throw unauthorized();
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    return {
      status: response.status,
      body: isJson && text !== '' ? JSON.parse(text) : null,
      revision: response.headers.get('etag')?.replace(/^W\//, '').slice(1, -1),
    };
  };
