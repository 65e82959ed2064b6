/**
 * @module Resolves names of a request to attributes of the registry; unknown names get the error "Invalid key".
 */
import { type ApiError, invalid } from '../../common/errors.ts';
import { systemScalar } from '../../registry/attributes.ts';
import type { ScalarAttribute } from '../../registry/model.ts';

/** Where the request has a name: in a parameter of the query string, or in the body. */
export type NameSource =
  | { readonly source: 'query'; readonly param: 'filters' | 'sort' | 'fields' | 'populate' }
  | { readonly source: 'body' };

/** @param path the parent of an unknown key, or the path of a known but forbidden attribute */
export function invalidKey(key: string, path: string | null, source: NameSource): ApiError {
  const at = path !== null && path !== key ? ` at ${path}` : '';
  return invalid(`Invalid key ${key}${at}`, { key, path, ...source });
}

export const childPath = (path: string | null, key: string): string => (path === null ? key : `${path}.${key}`);

export const DOCUMENT_ID = systemScalar('documentId', 'string');
/** Compared as text: like in Strapi, an `id` that is not a number matches nothing. */
export const ID = systemScalar('id', 'string');

/** Returns the attribute for `id` and `documentId`, which filter and sort without being in the schema. */
export const identityOf = (key: string): ScalarAttribute | undefined =>
  [ID, DOCUMENT_ID].find(({ name }) => name === key);
