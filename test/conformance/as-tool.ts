/**
 * @module Recorded reads as calls of tools: they give the same data.
 */
import { parse } from 'qs';
import type { Registry } from '../../src/schema/model.ts';

/** The values of `pagination` that tools take. */
const [SIZE, FLAG, CURSOR] = [/^-?\d+$/, /^(true|false)$/, /./];
const PAGINATION: Readonly<Record<string, RegExp>> = {
  ...{ page: SIZE, pageSize: SIZE, start: SIZE, limit: SIZE },
  ...{ withCount: FLAG, after: CURSOR },
};

const ARGUMENTS = ['filters', 'sort', 'pagination', '_q', 'fields', 'populate', 'status', 'locale'];

export interface ToolRead {
  readonly name: 'find' | 'get';
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** Returns the call that `GET /api/articles?sort=title` is; undefined for what no tool reads. */
export function toolOf(
  url: string,
  { method = 'GET', headers }: RequestInit,
  registry: Registry,
): ToolRead | undefined {
  const { pathname, search } = new URL(url);
  const [, api, name = '', documentId, ...rest] = pathname.split('/');
  const type = registry.routes.get(name);
  const isPlain = !['strapi-response-format', 'strapi-encode-source-maps'].some((each) =>
    new Headers(headers).has(each),
  );
  if (method !== 'GET' || api !== 'api' || !type || type.system || rest.length > 0 || !isPlain) return undefined;
  const query = parse(search.slice(1), { depth: 20, arrayLimit: 1_000 });
  if (!Object.entries(query).every(([key, value]) => ARGUMENTS.includes(key) && value !== '')) return undefined;
  // Notations that a query string has, and arguments have not.
  if (documentId === '' || typeof (query.pagination ?? {}) !== 'object' || Array.isArray(query.pagination))
    return undefined;
  const isOne = documentId !== undefined || type.kind === 'singleType';
  // Tools reject unknown keys and other values, which REST ignores or reads in its own way.
  const isDeclared = ([key, value]: readonly [string, unknown]): boolean =>
    PAGINATION[key]?.test(String(value)) === true;
  if (!Object.entries(query.pagination ?? {}).every(isDeclared)) return undefined;
  if (isOne && ['filters', 'sort', 'pagination', '_q'].some((key) => key in query)) return undefined;
  if (query.status !== undefined && query.status !== 'draft' && query.status !== 'published') return undefined;
  const document = documentId !== undefined && { documentId: decodeURIComponent(documentId) };
  return { name: isOne ? 'get' : 'find', arguments: { type: name, ...document, ...query } };
}

/** The request that calls a tool. */
export const callOf = (params: ToolRead, headers: HeadersInit | undefined): RequestInit => ({
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    ...Object.fromEntries([...new Headers(headers)].filter(([name]) => name === 'authorization')),
  },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
});
