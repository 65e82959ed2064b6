/**
 * @module Ways through an OpenAPI description.
 */
import type { JsonSchema, OpenApi } from './model.ts';

/** Returns what stands at the end of a path of keys. */
export const at = (value: unknown, ...path: readonly string[]): JsonSchema | undefined =>
  path.reduce<unknown>((inner, key) => (inner as JsonSchema | undefined)?.[key], value) as JsonSchema | undefined;

/** Follows `$ref`. */
export function resolve(description: OpenApi, node: JsonSchema = {}): JsonSchema {
  if (typeof node.$ref !== 'string') return node;
  return resolve(description, at(description, ...node.$ref.slice(2).split('/')));
}
