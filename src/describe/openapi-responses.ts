/**
 * @module Answers of the Content API: successes, and the failures that an operation may have.
 */
import { type JsonSchema, objectOf, ref } from './json-schema.ts';

export type Failure = 'BadRequest' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'TooLarge' | 'RateLimited';

export const json = (schema: JsonSchema): JsonSchema => ({ 'application/json': { schema } });

const failure = (description: string, rest: JsonSchema = {}): JsonSchema => ({
  description,
  ...rest,
  content: json(ref('Error')),
});

const RETRY_AFTER = { 'Retry-After': { description: 'Seconds', schema: { type: 'integer' } } };

/** `components.responses` */
export const FAILURES: Readonly<Record<Failure | 'Failure', JsonSchema>> = {
  BadRequest: failure('A parameter or the body is not accepted; the error names it'),
  Unauthorized: failure('The credential is not valid'),
  Forbidden: failure('The caller has no grant for this'),
  NotFound: failure('There is no such document'),
  TooLarge: failure('The body is too large'),
  RateLimited: failure('Too many requests', { headers: RETRY_AFTER }),
  Failure: failure('Any other failure'),
};

const FAILURE_STATUS: Readonly<Record<Failure, string>> = {
  BadRequest: '400',
  Unauthorized: '401',
  Forbidden: '403',
  NotFound: '404',
  TooLarge: '413',
  RateLimited: '429',
};

/** `responses` of an operation; every one may be refused for its parameters, its credential or its grants. */
export function responses(status: string, success: JsonSchema, ...extra: readonly Failure[]): JsonSchema {
  const names: readonly Failure[] = ['BadRequest', 'Unauthorized', 'Forbidden', ...extra];
  const response = (name: string): JsonSchema => ({ $ref: `#/components/responses/${name}` });
  const failures = names.map((name) => [FAILURE_STATUS[name], response(name)]);
  return { [status]: success, ...Object.fromEntries(failures), default: response('Failure') };
}

export const dataResponse = (
  description: string,
  data: JsonSchema,
  meta: JsonSchema = { type: 'object' },
): JsonSchema => ({
  description,
  content: json(objectOf({ data, meta }, ['data', 'meta'])),
});
