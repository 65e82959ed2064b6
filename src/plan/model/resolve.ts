/**
 * @module Resolves names of a request to attributes of the registry; unknown names get the error "Invalid key".
 */
import { type ApiError, invalid } from '../../errors.ts';
import { systemScalar } from '../../registry/attributes.ts';
import type { ScalarAttribute } from '../../registry/model.ts';

/** Where a name stood: in a parameter of the query string, or in the body. */
export type Source =
  | { readonly source: 'query'; readonly param: 'filters' | 'sort' | 'fields' | 'populate' }
  | { readonly source: 'body' };

/** @param path the parent of an unknown key, or the path of a known attribute that may not be used. */
export function invalidKey(key: string, path: string | null, source: Source): ApiError {
  const at = path !== null && path !== key ? ` at ${path}` : '';
  return invalid(`Invalid key ${key}${at}`, { key, path, ...source });
}

export const childPath = (path: string | null, key: string): string => (path === null ? key : `${path}.${key}`);

/** `id` and `documentId` are no attributes of the schema, but filter and sort like ones. */
export const DOCUMENT_ID = systemScalar('documentId', 'string');
/** Compared as text: an `id` that is no number matches nothing, as in Strapi. */
export const ID = systemScalar('id', 'string');

export function identityOf(key: string): ScalarAttribute | undefined {
  if (key === 'id') return ID;
  return key === 'documentId' ? DOCUMENT_ID : undefined;
}
