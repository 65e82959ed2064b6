/**
 * @module Texts that the API and content send: query strings, which are nested objects in brackets, as in the address
 * of a screen; addresses, and JSON.
 */
import qs from 'qs';

/** Parameters of a request, nested as in Strapi's documentation. */
export type Query = { readonly [key: string]: unknown };

export const isQuery = (value: unknown): value is Query =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the query string without `?`; brackets and `*`, `,`, `/`, `:` stay readable. */
export const writeQuery = (query: Query): string =>
  qs.stringify(query, { encodeValuesOnly: true, skipNulls: true }).replace(/%(2A|2C|2F|3A)/g, decodeURIComponent);

/** Reads a query string, with or without `?`. */
export const readQuery = (text: string): Query =>
  qs.parse(text, { ignoreQueryPrefix: true, depth: 40, arrayLimit: 500, parameterLimit: 5000, allowPrototypes: true });

/** Returns `path?query`, or the path alone. */
export function address(path: string, query: Query): string {
  const text = writeQuery(query);
  return text === '' ? path : `${path}?${text}`;
}

/** Returns names of `fields` or `sort`: `a,b`, a list, or the object that a long list becomes. */
export function textList(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.split(',').filter((name) => name !== '');
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textList) : [];
}

/** Returns the address of a link if it leads to the web, a mailbox, a telephone or within the site; else undefined. */
export const safeAddress = (address: string): string | undefined =>
  /^(https?:|mailto:|tel:|[/#?.]|[^:]*$)/i.test(address.trim()) ? address.trim() : undefined;

/** Returns what is read of a text, or another value where reading it throws. */
export function attempt<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
