/**
 * @module Operations of the OpenAPI document, filtered by the grants of a caller.
 */
import { type Grants, roleGrants } from '../auth/grants.ts';
import type { Settings } from '../config.ts';
import type { JsonSchema } from './json-schema.ts';
import type { ApiShapes } from './shapes.ts';

/** What is described, and for which reader. */
export interface Subject {
  readonly shapes: ApiShapes;
  readonly settings: Settings;
  /** The grants of the reader; absent: the reader owns the API, and sees everything. */
  readonly grants: Grants | undefined;
}

interface Named {
  readonly operationId: string;
  readonly tag: string;
  /** The required grant: `api::article.article.find`. */
  readonly action: string;
  readonly summary: string;
}

/**
 * Returns an operation with its tag; undefined if the reader is not granted it. No credential is required where the
 * public role is granted it.
 */
export function operation(
  { settings, grants }: Subject,
  { operationId, tag, action, summary }: Named,
  rest: JsonSchema,
): JsonSchema | undefined {
  if (grants && !grants.allows(action)) return undefined;
  const isPublic = roleGrants(settings, 'public').allows(action);
  return {
    operationId,
    summary,
    tags: [tag],
    security: isPublic ? [{ bearer: [] }, {}] : [{ bearer: [] }],
    ...rest,
  };
}

/** A path with its operations and parameters. */
export type Path = readonly [path: string, item: JsonSchema];

type Verb = 'get' | 'post' | 'put' | 'delete';

/** A path with what is left of its operations; none, if nothing is left. */
export function pathItem(
  path: string,
  operations: Partial<Readonly<Record<Verb, JsonSchema | undefined>>>,
  parameters: readonly JsonSchema[] = [],
): readonly Path[] {
  const seen = Object.entries(operations).filter(([, described]) => described !== undefined);
  if (seen.length === 0) return [];
  return [[path, { ...(parameters.length > 0 && { parameters }), ...Object.fromEntries(seen) }]];
}
