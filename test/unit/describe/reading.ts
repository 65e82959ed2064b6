/**
 * @module How the tests read an OpenAPI document.
 */
import type { OpenApiDocument } from '../../../src/features/description/openapi.ts';
import { describeApi } from '../../support/describe-api.ts';
import { magazine, settings } from './fixture.ts';

/** An object of the document. */
export type Json = Readonly<Record<string, unknown>>;

/** The document of the magazine under these settings. */
export const described = (input: Parameters<typeof settings>[0] = {}): OpenApiDocument =>
  describeApi(magazine(), settings(input));

/** Follows keys from a value; references on the way are resolved. */
export function at(document: OpenApiDocument, ...keys: readonly (string | number)[]): unknown {
  const resolve = (value: unknown): unknown => {
    const target = (value as { readonly $ref?: string } | undefined)?.$ref;
    return target === undefined ? value : at(document, ...target.slice(2).split('/'));
  };
  return keys.reduce<unknown>((value, key) => resolve((value as Json | undefined)?.[key]), document);
}

/** A schema by its name. */
export const schema = (document: OpenApiDocument, name: string) => at(document, 'components', 'schemas', name) as Json;

/** What a schema says of one key. */
export const property = (document: OpenApiDocument, name: string, key: string) =>
  (schema(document, name).properties as Json)[key];
