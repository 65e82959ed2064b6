/**
 * @module Cursors: where a page ends, as a text that only the same list takes. It says what it is of, so that one of
 * another list is refused by the name of the difference, and the values that the last document of the page is sorted by.
 */
import { Buffer } from 'node:buffer';
import { sha256 } from '../../digest.ts';
import { invalid } from '../../errors.ts';
import type { ContentType } from '../../registry/model.ts';
import type { QueryParams } from '../../request/query-params.ts';
import type { Keys, Order, PageCursor, Versions } from '../model/read-plan.ts';

const DIFFERENCES = ['content type', 'locale', 'status', 'sort', 'filters'] as const;

/** Characters of a cursor; a query string has room for several times as many. */
const LONGEST = 8_000;

const PARAMETER = "Invalid parameter at 'pagination[after]'.";
const DETAILS = { source: 'query', param: 'pagination' };

/** Against accidents, not against intent. */
const digest = (text: string): string => sha256(text).slice(0, 12);

function listOf(params: QueryParams, { uid }: ContentType, { status, locales }: Versions): readonly string[] {
  const { sort, filters, search, publicationFilter } = params;
  const terms = sort.map(
    ({ path, direction = '' }) => `${path.join('.')}${direction.trim().toLowerCase() === 'desc' ? ':desc' : ''}`,
  );
  const chosen = JSON.stringify([filters ?? null, search ?? null, publicationFilter ?? null]);
  return [uid, locales?.join() ?? '*', status, terms.join(), digest(chosen)];
}

const encoded = (text: string): string => Buffer.from(text).toString('base64url');

const decoded = (text: string): string => Buffer.from(text, 'base64url').toString();

/** @throws ApiError 400 when the values are too long to be sent back. */
export function writeCursor({ list }: PageCursor, keys: Keys): string {
  const text = encoded(JSON.stringify([...list, keys]));
  if (text.length <= LONGEST) return `${text}.${digest(text)}`;
  throw invalid('A value of sort is too long for a cursor. Expected a sort by shorter values', { ...DETAILS });
}

const isKey = (value: unknown): boolean =>
  value === null || typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));

/** What was written, undefined for what is no cursor. */
function parsed(cursor: string): readonly unknown[] | undefined {
  const [text = '', check] = cursor.split('.');
  if (check !== digest(text)) return undefined;
  try {
    const value: unknown = JSON.parse(decoded(text));
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function readAfter(after: string, list: readonly string[], order: readonly Order[]): Keys {
  const parts = parsed(after);
  const keys = parts?.[list.length];
  const isWhole = Array.isArray(keys) && keys.every(isKey);
  if (!parts || !isWhole) throw invalid(`${PARAMETER} Expected a cursor as it was given`, { ...DETAILS });
  const difference = DIFFERENCES.find((_, index) => parts[index] !== list[index]);
  if (difference !== undefined || keys.length !== order.length)
    throw invalid(`${PARAMETER} Expected a cursor of the same ${difference ?? 'sort'}`, { ...DETAILS });
  return keys;
}

/**
 * The cursor of a list that is read with `pagination[after]`; undefined for other lists.
 * @throws ApiError 400 for a cursor that is cut off, or of another list.
 */
export function planCursor(
  params: QueryParams,
  type: ContentType,
  versions: Versions,
  order: readonly Order[],
): PageCursor | undefined {
  const { after } = params.page;
  if (after === undefined) return undefined;
  const list = listOf(params, type, versions);
  return after === '' ? { list } : { list, after: readAfter(after, list, order) };
}
