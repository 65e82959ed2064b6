/**
 * @module The parameters of lists of former versions.
 */
import { invalid } from '../../common/errors.ts';
import { parsePage } from '../../content/request/pagination.ts';
import { rejectUnknownParams } from '../../content/request/query-params.ts';
import { isEmpty, type RawQuery, type RawValue } from '../../content/request/query-string.ts';
import type { Settings } from '../../schema/settings/config.ts';
import { HISTORY_ACTORS, HISTORY_OPERATIONS } from './filters.ts';

/** Where a version stands in a list, the newest first. */
export interface VersionPlace {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly id: string;
}

/** Absent parts allow all. Times are milliseconds since 1970. */
export interface HistoryParams {
  readonly limit: number;
  /** Of the page before. */
  readonly cursor?: string | undefined;
  /** The place of the last version that the page before has read. */
  readonly after?: VersionPlace | undefined;
  /** uids */
  readonly types?: readonly string[] | undefined;
  readonly operations?: readonly string[] | undefined;
  readonly by?: readonly string[] | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Versions of a page. */
const MAX_PAGE = 100;

const wrong = (name: string, expected: string) =>
  invalid(`Invalid parameter at '${name}'. Expected ${expected}`, { source: 'query', param: name });

/** `a,b`, or repeated. @param known absent: any */
function listOf(name: string, value: RawValue | undefined, known?: readonly string[]): readonly string[] | undefined {
  if (isEmpty(value)) return undefined;
  const list = String(value).split(',');
  if (list.some((each) => !/^[\w:.-]+$/.test(each) || known?.includes(each) === false))
    throw wrong(name, known ? `one of ${known.join(', ')}` : 'the uid of a content type');
  return list;
}

function timeOf(name: string, value: RawValue | undefined): number | undefined {
  if (isEmpty(value)) return undefined;
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(time)) throw wrong(name, 'a time such as 2027-01-01T09:00:00Z');
  return time;
}

export const historyCursor = ({ at, id }: VersionPlace): string => `${at}-${id}`;

/** @throws ApiError 400 */
export function placeOfCursor(cursor: string): VersionPlace {
  const [, at, id = ''] = /^(\d{1,15})-(rev_[0-9a-f]{24})$/.exec(cursor) ?? [];
  if (at === undefined) throw wrong('pagination[after]', 'a cursor of this list');
  return { at: Number(at), id };
}

/** What was there before is no change: it is listed if it is named. */
const CHANGES: readonly string[] = HISTORY_OPERATIONS.filter((operation) => operation !== 'before');

/** Of the list of all documents. */
const FILTERS = ['type', 'operation', 'by', 'from', 'to'];

/** @param ofOne is it the list of one document? @throws ApiError 400 */
export function parseHistoryParams(raw: RawQuery, ofOne: boolean, { api: { rest } }: Settings): HistoryParams {
  const known = ['pagination', ...(ofOne ? [] : FILTERS)];
  if (rest.strictParams) rejectUnknownParams(raw, (name) => known.includes(name));
  // As in every other list.
  if (raw.lookup !== undefined) throw invalid("Invalid params: 'lookup'");
  const { start, limit, after } = parsePage(raw.pagination, rest);
  if (start > 0) throw wrong('pagination', 'pagination[after]');
  const page = { limit: Math.min(limit, MAX_PAGE), ...(after && { cursor: after }) };
  if (ofOne) return page;
  return {
    ...page,
    types: listOf('type', raw.type),
    operations: listOf('operation', raw.operation, HISTORY_OPERATIONS) ?? CHANGES,
    by: listOf('by', raw.by, HISTORY_ACTORS),
    from: timeOf('from', raw.from),
    to: timeOf('to', raw.to),
  };
}
