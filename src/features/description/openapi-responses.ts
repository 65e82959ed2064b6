/**
 * @module Responses of the Content API: successes, and the failures of an operation.
 */
import { arrayOf, type JsonSchema, objectOf, ref, type Schemas } from './json-schema.ts';

const json = (schema: JsonSchema): JsonSchema => ({ 'application/json': { schema } });

/** Returns the `requestBody` of an operation. */
export const requestBody = (schema: JsonSchema, required = true): JsonSchema => ({ required, content: json(schema) });

export const jsonResponse = (description: string, schema: JsonSchema): JsonSchema => ({
  description,
  content: json(schema),
});

const RETRY_AFTER = { 'Retry-After': { description: 'Seconds', schema: { type: 'integer' } } };

const ETAG = { ETag: { description: 'The tag of the document as it is', schema: { type: 'string' } } };

const STATUSES = {
  BadRequest: { status: '400', description: 'A parameter or the body is not accepted; the error names it' },
  Unauthorized: { status: '401', description: 'The credential is not valid' },
  Forbidden: { status: '403', description: 'The caller has no grant for this' },
  NotFound: { status: '404', description: 'There is no such document' },
  KeyInUse: {
    status: '409',
    description: 'Another request with this `Idempotency-Key` is in progress',
    headers: RETRY_AFTER,
  },
  PreconditionFailed: {
    status: '412',
    description: '`If-Match` or `If-None-Match` does not hold',
    headers: ETAG,
  },
  TooLarge: { status: '413', description: 'The body is too large' },
  KeyReused: { status: '422', description: 'Another request has used this `Idempotency-Key`' },
  RateLimited: { status: '429', description: 'Too many requests', headers: RETRY_AFTER },
  Failure: { status: 'default', description: 'Any other failure' },
};

export type FailureStatus = keyof typeof STATUSES;

/** `components.responses` */
export const FAILURES: Schemas = Object.fromEntries(
  Object.entries(STATUSES).map(([name, { status: _, ...rest }]) => [name, { ...rest, content: json(ref('Error')) }]),
);

/** Returns the `responses` of an operation, with the failures that every operation has. */
export function responses(status: string, success: JsonSchema, ...extra: readonly FailureStatus[]): JsonSchema {
  const names: readonly FailureStatus[] = ['BadRequest', 'Unauthorized', 'Forbidden', ...extra, 'Failure'];
  const failures = names.map((name) => [STATUSES[name].status, { $ref: `#/components/responses/${name}` }]);
  return { [status]: success, ...Object.fromEntries(failures) };
}

export const dataResponse = (
  description: string,
  data: JsonSchema,
  meta: JsonSchema = { type: 'object' },
): JsonSchema => jsonResponse(description, objectOf({ data, meta }, ['data', 'meta']));

/** @param meta what `meta` has beside `pagination` */
export const pageResponse = (description: string, item: JsonSchema, meta: JsonSchema = {}): JsonSchema =>
  dataResponse(description, arrayOf(item), objectOf({ pagination: ref('Pagination'), ...meta }));
