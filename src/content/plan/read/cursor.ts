/**
 * @module Cursors: the sort values of the last document of a page, with what the list reads, so that an error for a cursor
 * of another list can name the difference.
 */
import { Buffer } from 'node:buffer';
import { sha256 } from '../../../common/digest.ts';
import { invalid } from '../../../common/errors.ts';
import type { ContentType } from '../../../schema/model.ts';
import type { QueryParams } from '../../request/query-params.ts';
import type { Keys, PageCursor } from '../model/page-cursor.ts';
import type { Order, Versions } from '../model/read-plan.ts';

const DIFFERENCES = ['content type', 'locale', 'status', 'sort', 'filters'] as const;

/** Characters of a cursor; a query string may be several times as long. */
const MAX_LENGTH = 8_000;

const PARAMETER = "Invalid parameter at 'pagination[after]'.";
const DETAILS = { source: 'query', param: 'pagination' };

/** Detects accidents, not forgery. */
const digest = (text: string): string => sha256(text).slice(0, 12);

function listOf(params: QueryParams, { uid }: ContentType, { status, locales }: Versions): readonly string[] {
  const { sort, filters, search, words, publicationFilter, fallback } = params;
  const terms = sort.map(
    ({ path, direction = '' }) => `${path.join('.')}${direction.trim().toLowerCase() === 'desc' ? ':desc' : ''}`,
  );
  const chosen = JSON.stringify([
    ...[filters ?? null, search ?? null, publicationFilter ?? null],
    ...(words ? [words] : []),
  ]);
  return [uid, locales?.join(fallback ? '>' : ',') ?? '*', status, terms.join(), digest(chosen)];
}

/** @throws ApiError 400 for values that are too long. */
export function writeCursor({ list }: PageCursor, keys: Keys): string {
  const text = Buffer.from(JSON.stringify([...list, keys])).toString('base64url');
  if (text.length <= MAX_LENGTH) return `${text}.${digest(text)}`;
  throw invalid('A value of sort is too long for a cursor. Expected a sort by shorter values', DETAILS);
}

const isKey = (value: unknown): boolean =>
  value === null || typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));

/** Returns the content of a cursor; undefined for any other text. */
function parsed(cursor: string): readonly unknown[] | undefined {
  const [text = '', check] = cursor.split('.');
  if (check !== digest(text)) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function readAfter(after: string, list: readonly string[], order: readonly Order[]): Keys {
  const parts = parsed(after);
  const keys = parts?.[list.length];
  const isWhole = Array.isArray(keys) && keys.every(isKey);
  if (!parts || !isWhole) throw invalid(`${PARAMETER} Expected a cursor as it was given`, DETAILS);
  const difference = DIFFERENCES.find((_, index) => parts[index] !== list[index]);
  if (difference !== undefined || keys.length !== order.length)
    throw invalid(`${PARAMETER} Expected a cursor of the same ${difference ?? 'sort'}`, DETAILS);
  return keys;
}

/** Returns undefined without `pagination[after]`. @throws ApiError 400 for an incomplete cursor, or one of another list */
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
