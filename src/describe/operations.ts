/**
 * @module Operations of the OpenAPI document, and which of them a caller is told of.
 */
import { type Grants, roleGrants } from '../auth/grants.ts';
import type { Settings } from '../config.ts';
import type { Schema } from './json-schema.ts';
import type { Shapes } from './shapes.ts';

/** What is described, and to whom. */
export interface Subject {
  readonly shapes: Shapes;
  readonly settings: Settings;
  /** What the reader may do; absent: the reader owns the API, and is told of everything. */
  readonly grants: Grants | undefined;
}

interface Named {
  readonly operationId: string;
  readonly tag: string;
  /** `api::article.article.find`: whoever has it granted may do this. */
  readonly action: string;
  readonly summary: string;
}

/**
 * An operation below a tag; undefined where the reader may not do it. Callers without a credential are let through
 * where the public role may.
 */
export function operation(
  { settings, grants }: Subject,
  { operationId, tag, action, summary }: Named,
  rest: Schema,
): Schema | undefined {
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
export type Path = readonly [path: string, item: Schema];

type Verb = 'get' | 'post' | 'put' | 'delete';

/** A path with what is left of its operations; none, if nothing is left. */
export function pathOf(
  path: string,
  operations: Partial<Readonly<Record<Verb, Schema | undefined>>>,
  parameters: readonly Schema[] = [],
): readonly Path[] {
  const seen = Object.entries(operations).filter(([, described]) => described !== undefined);
  if (seen.length === 0) return [];
  return [[path, { ...(parameters.length > 0 && { parameters }), ...Object.fromEntries(seen) }]];
}
