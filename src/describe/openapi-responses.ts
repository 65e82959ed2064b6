/**
 * @module Answers of the Content API: successes, and the failures that an operation may have.
 */
import { objectOf, ref, type Schema } from './json-schema.ts';

export type Failure = 'BadRequest' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'TooLarge' | 'RateLimited';

export const json = (schema: Schema): Schema => ({ 'application/json': { schema } });

const failure = (description: string, rest: Schema = {}): Schema => ({
  description,
  ...rest,
  content: json(ref('Error')),
});

const RETRY_AFTER = { 'Retry-After': { description: 'Seconds', schema: { type: 'integer' } } };

/** `components.responses` */
export const FAILURES: Readonly<Record<Failure | 'Failure', Schema>> = {
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
export function responses(status: string, success: Schema, ...extra: readonly Failure[]): Schema {
  const names: readonly Failure[] = ['BadRequest', 'Unauthorized', 'Forbidden', ...extra];
  const response = (name: string): Schema => ({ $ref: `#/components/responses/${name}` });
  const failures = names.map((name) => [FAILURE_STATUS[name], response(name)]);
  return { [status]: success, ...Object.fromEntries(failures), default: response('Failure') };
}

export const answer = (description: string, data: Schema, meta: Schema = { type: 'object' }): Schema => ({
  description,
  content: json(objectOf({ data, meta }, ['data', 'meta'])),
});
