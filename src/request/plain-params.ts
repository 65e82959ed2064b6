/**
 * @module The parameters of lists that are no content types' own: bare lists, of users and of files. What they do not
 * know they ignore, as in the reference.
 */
import type { Limits } from '../config.ts';
import { invalid } from '../errors.ts';
import type { QueryParams } from './query-params.ts';
import type { RawQuery, RawValue } from './query-string.ts';

const PARAMETERS = ['filters', 'sort', 'fields', 'populate', '_q'] as const;

/** What a read asks for that names no parameters. */
export const NO_PARAMS: QueryParams = {
  sort: [],
  page: { start: 0, limit: 1, mode: 'page', withCount: false },
  namesDraft: false,
};

/** The parameters that mean something, and of `more` those that are there. */
export function knownParams(raw: RawQuery, ...more: readonly string[]): RawQuery {
  const names = [...PARAMETERS, ...more].filter((name) => Object.hasOwn(raw, name));
  return Object.fromEntries(names.map((name) => [name, raw[name]])) as RawQuery;
}

function whole(name: string, value: RawValue | undefined, fallback: number): number {
  if (value === undefined || value === null || value === '') return fallback;
  const number = Number(value);
  if (Number.isInteger(number) && number >= 0) return number;
  if (name === 'limit' && number === -1) return fallback;
  throw invalid(`Invalid parameter at '${name}'. Expected a whole number, received: ${String(value)}`, {
    source: 'query',
    param: name,
  });
}

/**
 * `start` and `limit` stand at the top level; without them everything is listed. One more than may be answered is looked
 * for, so that a list which is too long is told from one that just fits.
 */
export const windowOf = ({ start, limit }: RawQuery, { plainList }: Limits): QueryParams['page'] => ({
  start: whole('start', start, 0),
  limit: Math.min(whole('limit', limit, plainList + 1), plainList + 1),
  mode: 'offset',
  withCount: false,
});

/** A list that ends early would pass for the whole one. @throws ApiError 400 that names the limit. */
export function refuseLonger(list: readonly unknown[], { plainList }: Limits): void {
  if (list.length <= plainList) return;
  throw invalid(`Too many entries. Expected at most ${plainList}: use start and limit`, {
    source: 'query',
    limit: 'plainList',
  });
}

/** Numeric ids are the rows' own; anything else names none. */
export const rowId = (id: string): number => (/^\d{1,15}$/.test(id) ? Number(id) : -1);
