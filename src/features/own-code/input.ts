/**
 * @module Values of the project's own code → parameters and bodies, as a request would have them.
 */

import { invalid } from '../../common/errors.ts';
import { type InputData, parseData } from '../../content/request/body.ts';
import type { RawQuery, RawValue } from '../../content/request/query-string.ts';
import type { Limits } from '../../schema/settings/config.ts';

/** As of brackets in a query string. */
const MAX_DEPTH = 20;

/** What is undefined in a filter, and an empty `$or`, would match everything. */
function rawOf(value: unknown, path: readonly string[]): RawValue {
  const at = path.join('.');
  if (path.length > MAX_DEPTH) throw invalid(`Invalid parameter at '${path[0]}'. It is nested too deeply`);
  if (value === undefined) throw new Error(`The parameter ${at} is undefined`);
  if (Array.isArray(value) && value.length === 0 && at.endsWith('.$or'))
    throw new Error(`The parameter ${at} is empty`);
  if (value === null) return null;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map((item, index) => rawOf(item, [...path, String(index)]));
  if (typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, rawOf(item, [...path, key])]));
  return String(value).toWellFormed();
}

/** Omits parameters that are undefined. @throws Error for an undefined value inside of one */
export const rawQueryOf = (params: object): RawQuery =>
  Object.fromEntries(
    Object.entries(params).flatMap(([name, value]) => (value === undefined ? [] : [[name, rawOf(value, [name])]])),
  );

/** @throws TypeError for what is no JSON, ApiError 400 for what a body may not have */
export const dataOfValue = (value: unknown, limits: Limits): InputData =>
  parseData(JSON.stringify({ data: value }), 'application/json', limits);
