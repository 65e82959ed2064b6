/**
 * @module Operations of the OpenAPI document, filtered by grants.
 */
import { type Grants, roleGrants } from '../../access/grants.ts';
import type { ContentType } from '../../schema/model.ts';
import type { Settings } from '../../schema/settings/config.ts';
import type { JsonSchema } from './json-schema.ts';
import type { ApiShapes, Shape } from './shapes.ts';

export interface Subject {
  readonly shapes: ApiShapes;
  readonly settings: Settings;
  /** Of the reader; undefined for the owner of the API, who sees everything. */
  readonly grants: Grants | undefined;
}

/** A content type with a route. */
export interface TypeSubject extends Subject {
  readonly segment: string;
  readonly shape: Shape;
  readonly type: ContentType;
}

/** The operations of a feature that settings switch on. */
export interface FeatureDescription {
  /** Absent if its operations are with those of their types. */
  readonly tag?: JsonSchema;
  /** Returns the paths below that of a document. */
  documentPaths?(subject: TypeSubject): readonly DescribedPath[];
  /** Parameters of `GET /uploads/{key}`. */
  readonly bytesParameters?: readonly JsonSchema[];
  /** Returns its other paths. */
  paths?(subject: Subject, types: readonly ContentType[]): readonly DescribedPath[];
}

interface Named {
  readonly operationId: string;
  readonly tag: string;
  /** The required grant: `api::article.article.find`. */
  readonly action: string;
  readonly summary: string;
}

/** Returns undefined if the reader has no grant. `security` is optional if the public role has it. */
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

/** Returns the grant of an operation that each of the actions allows; undefined if the reader has none. */
export function anyOf({ settings, grants }: Subject, actions: readonly string[]): string | undefined {
  const granted = actions.filter((action) => !grants || grants.allows(action));
  return granted.find((action) => roleGrants(settings, 'public').allows(action)) ?? granted[0];
}

export type DescribedPath = readonly [path: string, item: JsonSchema];

/** Returns a path with its granted operations; an empty list without any. */
export function pathItem(
  path: string,
  operations: Readonly<Record<string, JsonSchema | undefined>>,
  parameters: readonly JsonSchema[] = [],
): readonly DescribedPath[] {
  const seen = Object.entries(operations).filter(([, described]) => described !== undefined);
  if (seen.length === 0) return [];
  return [[path, { ...(parameters.length > 0 && { parameters }), ...Object.fromEntries(seen) }]];
}
