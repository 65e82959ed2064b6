/**
 * @module Parses `pagination` with Strapi's arithmetic: a text that is not a number becomes NaN, and is rejected or capped.
 */

import { ApiError, invalid } from '../../common/errors.ts';
import { isObject } from '../../common/json.ts';
import type { Settings } from '../../schema/settings/config.ts';
import { isEmpty, type RawQuery, type RawValue, switchOf } from './query-string.ts';

export interface Page {
  /** Number of documents to skip. */
  readonly start: number;
  readonly limit: number;
  /** The form of `meta.pagination`. */
  readonly mode: 'page' | 'offset' | 'cursor';
  readonly withCount: boolean;
  /** `pagination[after]`: a cursor; empty for the first page. */
  readonly after?: string;
}

type Rest = Settings['api']['rest'];

const isGiven = (value: RawValue | undefined): boolean => value !== undefined && value !== null;
const has = (raw: RawQuery, key: string): boolean => Object.hasOwn(raw, key);

function parseWithCount(raw: RawQuery, rest: Rest): boolean {
  if (!has(raw, 'withCount')) return rest.withCount;
  const withCount = switchOf(raw.withCount);
  if (withCount === undefined) throw invalid('Invalid withCount parameter. Expected "t","1","true","false","0","f"');
  return withCount;
}

/** Returns at least 1 and at most `maxLimit`, which replaces NaN, too. */
function cappedLimit(value: number, maxLimit: number | null): number {
  const limit = Math.max(value, 1);
  return maxLimit === null || limit < maxLimit ? limit : maxLimit;
}

function windowOf(raw: RawQuery, rest: Rest): { start: number; limit: number } {
  const paged = isGiven(raw.page) || isGiven(raw.pageSize);
  const offset = isGiven(raw.start) || isGiven(raw.limit);
  if (paged && offset)
    throw new ApiError({ kind: 'pagination', message: 'Cannot use both page & offset pagination in the same query' });
  // `limit` without a value counts as 0, `pageSize` as the default.
  const number = (value: RawValue | undefined, fallback: number) => (value === undefined ? fallback : Number(value));
  if (offset) {
    const limit = cappedLimit(number(raw.limit, rest.defaultLimit), rest.maxLimit);
    return { start: Math.max(number(raw.start, 0), 0), limit };
  }
  const pageSize = isGiven(raw.pageSize) ? Number(raw.pageSize) : rest.defaultLimit;
  const limit = cappedLimit(Math.max(1, pageSize), rest.maxLimit);
  return { start: Math.max((number(raw.page, 1) - 1) * limit, 0), limit };
}

/** Strapi's words for each number, and its minimum. */
const NUMBERS = {
  page: ['integer >= 1', 1],
  pageSize: ['integer >= 1', 1],
  start: ['integer >= 0', 0],
  limit: ['integer >= 1 or -1', 1],
} as const;

/** Without strict parameters Strapi rejects the number later, with another message. */
function checkNumber(name: keyof typeof NUMBERS, value: unknown, isStrict: boolean): void {
  const [expected, min] = NUMBERS[name];
  const number = Number(value);
  if (Number.isInteger(number) && number >= min) return;
  const lenient = `convert${name === 'start' ? 'Start' : 'Limit'}QueryParams expected a positive integer got ${number}`;
  throw invalid(
    isStrict ? `Invalid parameter at '${name}'. Expected ${expected}, received: ${String(value)}` : lenient,
  );
}

/** The total is opt-in, since every page would count again. */
function cursorPage(raw: RawQuery, rest: Rest): Page {
  const { after } = raw;
  const details = { source: 'query', param: 'pagination' };
  if (typeof after !== 'string') throw invalid("Invalid parameter at 'pagination[after]'. Expected a cursor", details);
  const other = ['page', 'pageSize', 'start'].find((name) => isGiven(raw[name]));
  const message = `Cannot use both after & ${other} pagination in the same query`;
  if (other !== undefined) throw new ApiError({ kind: 'pagination', message });
  const limit = cappedLimit(isGiven(raw.limit) ? Number(raw.limit) : rest.defaultLimit, rest.maxLimit);
  checkNumber('limit', limit, rest.strictParams);
  return { start: 0, limit, mode: 'cursor', withCount: has(raw, 'withCount') && parseWithCount(raw, rest), after };
}

/**
 * Reads `pagination`; ignores a value that is not an object.
 * @throws ApiError 400: PaginationError for both modes together, ValidationError for fractions and texts
 */
export function parsePage(value: RawValue | undefined, rest: Rest): Page {
  const raw = isObject(value) ? value : {};
  if (isGiven(raw.after)) return cursorPage(raw, rest);
  const withCount = parseWithCount(raw, rest);
  const { start, limit } = windowOf(raw, rest);
  checkNumber('start', start, rest.strictParams);
  checkNumber('limit', limit, rest.strictParams);
  const offset = (has(raw, 'start') || has(raw, 'limit')) && !has(raw, 'page') && !has(raw, 'pageSize');
  return { start, limit, mode: offset ? 'offset' : 'page', withCount };
}

/** Rejects `?page=2` at the top level like Strapi: on a list, and on a single document if the number is malformed. */
export function rejectRootPagination(raw: RawQuery, scope: 'list' | 'one', strict: boolean): void {
  const filled = (name: string) => !isEmpty(raw[name]);
  const paged = filled('page') || filled('pageSize');
  if (!strict && paged && scope === 'list') throw misplacedPage();
  if (!strict) return;
  if (paged && (scope === 'list' || filled('start') || filled('limit')))
    throw invalid(
      'Invalid pagination parameters. Cannot use both page-based (page, pageSize) and offset-based (start, limit) pagination in the same query.',
    );
  if (scope === 'list') return;
  for (const name of ['page', 'pageSize', 'start'] as const) if (filled(name)) checkNumber(name, raw[name], strict);
  if (filled('limit') && Number(raw.limit) !== -1) checkNumber('limit', raw.limit, strict);
}

export const misplacedPage = (): ApiError =>
  new ApiError({
    kind: 'pagination',
    message: 'Invalid pagination attributes. The page parameters are incorrect and must be in the pagination object',
  });
