/**
 * @module Query string → nested plain value, as the reference's parser reads it (`qs`, nesting of 20), within limits.
 */
import qs from 'qs';
import type { Limits } from '../config.ts';
import { invalid } from '../errors.ts';

/** What a bracketed query string says before anybody asked what it means. */
export interface RawQuery {
  readonly [name: string]: RawValue;
}
export type RawValue = string | null | RawQuery | readonly RawValue[];

export const isRawObject = (value: unknown): value is RawQuery =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Lists beyond this many entries would become objects and lose their meaning; the length limit is stricter. */
const ARRAY_LIMIT = 100_000;

/**
 * Parses the part of a URL behind `?` (percent-encoded). Names of `Object.prototype` are dropped, `a` without `=` is
 * null, nesting deeper than 20 stays one key in brackets.
 * @throws ApiError 400 when it is longer than `limits.queryLength`.
 */
export function parseQueryString(search: string, limits: Limits): RawQuery {
  if (search.length > limits.queryLength)
    throw invalid(`Query string too long. Expected at most ${limits.queryLength} characters`, {
      limit: 'queryLength',
      source: 'query',
    });
  return qs.parse(search, {
    strictNullHandling: true,
    depth: 20,
    arrayLimit: ARRAY_LIMIT,
    parameterLimit: limits.queryLength,
  }) as RawQuery;
}
