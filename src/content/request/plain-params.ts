/**
 * @module The parameters of the bare lists of users and files. Like in Strapi, they ignore unknown ones.
 */

import { ApiError, invalid } from '../../common/errors.ts';
import type { Limits, Settings } from '../../schema/settings/config.ts';
import { misplacedPage } from './pagination.ts';
import { parsePublicationFilter, type QueryParams } from './query-params.ts';
import { isEmpty, type RawQuery, type RawValue } from './query-string.ts';

const PARAMETERS = ['filters', 'sort', 'fields', 'populate', '_q'] as const;

export const NO_PARAMS: QueryParams = {
  sort: [],
  page: { start: 0, limit: 1, mode: 'page', withCount: false },
  namesDraft: false,
};

/**
 * Returns the supported parameters of the query, and those of `more`.
 * @throws ApiError 400 for an invalid `publicationFilter`; valid ones have no effect, since these lists have no drafts.
 */
export function knownParams(raw: RawQuery, ...more: readonly string[]): RawQuery {
  parsePublicationFilter(raw.publicationFilter);
  const names: ReadonlySet<string> = new Set([...PARAMETERS, ...more]);
  return Object.fromEntries(Object.entries(raw).filter(([name]) => names.has(name)));
}

function integerOf(name: 'start' | 'limit', value: RawValue | undefined, fallback: number): number {
  if (isEmpty(value)) return fallback;
  const number = Number(value);
  if (name === 'limit' && (number === 0 || number === -1)) return fallback;
  if (Number.isInteger(number) && number >= 0) return number;
  const verb = name === 'start' ? 'convertStartQueryParams' : 'convertLimitQueryParams';
  throw invalid(`${verb} expected a positive integer got ${number}`);
}

/** Rejects invalid pages, as Strapi does, though pages have no effect on a bare list. */
function rejectPages(raw: RawQuery): void {
  const given = ['page', 'pageSize'].filter((name) => Object.hasOwn(raw, name));
  if (given.length > 0 && (Object.hasOwn(raw, 'start') || Object.hasOwn(raw, 'limit'))) throw misplacedPage();
  for (const name of given) {
    const number = Number(raw[name]);
    if (Number.isInteger(number) && number > 0) continue;
    const message = `Invalid '${name}' parameter. Expected an integer > 0, received: ${String(raw[name] ?? '')}`;
    throw new ApiError({ kind: 'pagination', message });
  }
}

/** Reads `start` and `limit` from the top level. One row more than the maximum shows that a list is too long. */
export function windowOf(raw: RawQuery, { plainList }: Limits): QueryParams['page'] {
  rejectPages(raw);
  return {
    start: integerOf('start', raw.start, 0),
    limit: Math.min(integerOf('limit', raw.limit, plainList + 1), plainList + 1),
    mode: 'offset',
    withCount: false,
  };
}

/** Rejects a list instead of cutting it off. @throws ApiError 400 that names the limit */
export function rejectLonger(list: readonly unknown[], { plainList }: Limits): void {
  const message = `Too many entries. Expected at most ${plainList}: use start and limit`;
  if (list.length > plainList) throw invalid(message, { source: 'query', limit: 'plainList' });
}

/** A row of users or files: its numeric id, or its documentId. */
export type RowName = number | string;

/** Reads what a path names. All digits are a numeric id; other text is a documentId, or -1 without `api.rest.extensions`. */
export function rowNamed(text: string, { api }: Settings): RowName {
  const id = rowId(text);
  return id < 0 && api.rest.extensions ? text : id;
}

/** Reads the id of a row; -1 for any other text. */
export const rowId = (id: string): number => (/^\d{1,15}$/.test(id) ? Number(id) : -1);
