/**
 * @module `pagination[page]`, `pagination[start]` and their odd values, to the arithmetic of Strapi
 * (text that is no number becomes NaN and is refused or capped by where it lands).
 */

import type { Settings } from '../config.ts';
import { ApiError, invalid } from '../errors.ts';
import { isObject } from '../json.ts';
import { type RawQuery, type RawValue, switchOf } from './query-string.ts';

export interface Page {
  /** Documents to skip, a whole number. */
  readonly start: number;
  readonly limit: number;
  /** Form of `meta.pagination`: page and pageSize, start and limit, or limit and the next cursor. */
  readonly mode: 'page' | 'offset' | 'cursor';
  readonly withCount: boolean;
  /** `pagination[after]`: a cursor, or nothing for the first page. */
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

/** At least 1, at most `maxLimit`; what is no number is the maximum. */
function cappedLimit(value: number, maxLimit: number | null): number {
  const limit = Math.max(value, 1);
  return maxLimit === null || limit < maxLimit ? limit : maxLimit;
}

function windowOf(raw: RawQuery, rest: Rest): { start: number; limit: number } {
  const paged = isGiven(raw.page) || isGiven(raw.pageSize);
  const offset = isGiven(raw.start) || isGiven(raw.limit);
  if (paged && offset)
    throw new ApiError({ kind: 'pagination', message: 'Cannot use both page & offset pagination in the same query' });
  if (!paged && !offset) return { start: 0, limit: cappedLimit(rest.defaultLimit, rest.maxLimit) };
  // `limit` without a value is null, and counts as 0; `pageSize` without one is the default.
  const number = (value: RawValue | undefined, fallback: number) => (value === undefined ? fallback : Number(value));
  if (offset) {
    const limit = cappedLimit(number(raw.limit, rest.defaultLimit), rest.maxLimit);
    return { start: Math.max(number(raw.start, 0), 0), limit };
  }
  const pageSize = isGiven(raw.pageSize) ? Number(raw.pageSize) : rest.defaultLimit;
  const limit = cappedLimit(Math.max(1, pageSize), rest.maxLimit);
  return { start: Math.max((number(raw.page, 1) - 1) * limit, 0), limit };
}

/** Without strict parameters Strapi rejects the same values later, with another message. */
function checkInteger(name: 'start' | 'limit', value: number, strict: boolean): void {
  const [expected, least] = name === 'start' ? ['integer >= 0', 0] : ['integer >= 1 or -1', 1];
  if (Number.isInteger(value) && value >= least) return;
  const lenient = `convert${name === 'start' ? 'Start' : 'Limit'}QueryParams expected a positive integer got ${value}`;
  throw invalid(strict ? `Invalid parameter at '${name}'. Expected ${expected}, received: ${value}` : lenient);
}

/** The cursor alone determines where a page begins. The total is opt-in, since every page would count again. */
function cursorPage(raw: RawQuery, rest: Rest): Page {
  const { after } = raw;
  if (typeof after !== 'string')
    throw invalid("Invalid parameter at 'pagination[after]'. Expected a cursor", {
      source: 'query',
      param: 'pagination',
    });
  const other = ['page', 'pageSize', 'start'].find((name) => isGiven(raw[name]));
  if (other !== undefined)
    throw new ApiError({
      kind: 'pagination',
      message: `Cannot use both after & ${other} pagination in the same query`,
    });
  const limit = cappedLimit(isGiven(raw.limit) ? Number(raw.limit) : rest.defaultLimit, rest.maxLimit);
  checkInteger('limit', limit, rest.strictParams);
  return { start: 0, limit, mode: 'cursor', withCount: has(raw, 'withCount') && parseWithCount(raw, rest), after };
}

/**
 * Reads `pagination`. A value that is no object counts as none.
 * @throws ApiError 400: PaginationError when both modes are used, ValidationError for fractions and text.
 */
export function parsePage(value: RawValue | undefined, rest: Rest): Page {
  const raw = isObject(value) ? value : {};
  if (isGiven(raw.after)) return cursorPage(raw, rest);
  const withCount = parseWithCount(raw, rest);
  const { start, limit } = windowOf(raw, rest);
  checkInteger('start', start, rest.strictParams);
  checkInteger('limit', limit, rest.strictParams);
  const offset = (has(raw, 'start') || has(raw, 'limit')) && !has(raw, 'page') && !has(raw, 'pageSize');
  return { start, limit, mode: offset ? 'offset' : 'page', withCount };
}

/**
 * `?page=2` at the top level: a list refuses it (there it always meets the start and limit of `pagination`), a single
 * document takes no notice of well-formed numbers.
 */
export function refuseRootPagination(raw: RawQuery, scope: 'list' | 'one', strict: boolean): void {
  const filled = (name: string) => isGiven(raw[name]) && raw[name] !== '';
  const paged = filled('page') || filled('pageSize');
  if (!strict && paged && scope === 'list') throw misplacedPage();
  if (!strict) return;
  if (paged && (scope === 'list' || filled('start') || filled('limit')))
    throw invalid(
      'Invalid pagination parameters. Cannot use both page-based (page, pageSize) and offset-based (start, limit) pagination in the same query.',
    );
  if (scope === 'list') return;
  for (const name of ['page', 'pageSize']) if (filled(name)) checkText(name, raw[name], 'integer >= 1', 1);
  if (filled('start')) checkText('start', raw.start, 'integer >= 0', 0);
  if (filled('limit') && Number(raw.limit) !== -1) checkText('limit', raw.limit, 'integer >= 1 or -1', 1);
}

export const misplacedPage = (): ApiError =>
  new ApiError({
    kind: 'pagination',
    message: 'Invalid pagination attributes. The page parameters are incorrect and must be in the pagination object',
  });

function checkText(name: string, value: RawValue | undefined, expected: string, least: number): void {
  const number = Number(value);
  if (Number.isInteger(number) && number >= least) return;
  throw invalid(`Invalid parameter at '${name}'. Expected ${expected}, received: ${String(value)}`);
}
