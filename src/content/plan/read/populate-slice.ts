/**
 * @module `limit` and `start` below a list of a populate: extensions of Strapi's API.
 */
import { type ApiError, invalid } from '../../../common/errors.ts';
import type { Slice } from '../../../common/slice.ts';
import { isLinkAttribute } from '../../../schema/attribute-kinds.ts';
import type { Attribute } from '../../../schema/model.ts';
import { OPTIONS, type PopulateOptions } from '../../request/populate.ts';
import type { RawValue } from '../../request/query-string.ts';
import { isLocalizations } from '../model/node-kinds.ts';
import type { PlanContext } from './name-scope.ts';
import { POPULATE_SOURCE } from './populate-rejections.ts';

type Key = 'limit' | 'start';

export const isSliceKey = (key: string): key is Key => key === 'limit' || key === 'start';

const EXTENDED: ReadonlySet<string> = new Set([...OPTIONS, 'limit', 'start']);

/** The options below an attribute; others are unknown keys. */
export const knownOptions = ({ extensions }: PlanContext): ReadonlySet<string> => (extensions ? EXTENDED : OPTIONS);

const rejection = (key: Key, path: string, problem: string, more: { readonly limit?: string } = {}): ApiError =>
  invalid(`Invalid ${key} at ${path}. ${problem}`, { key, path, ...POPULATE_SOURCE, ...more });

/** Has the attribute a list of documents or files? */
const isListed = (attribute: Attribute): boolean =>
  isLocalizations(attribute) || (isLinkAttribute(attribute) && attribute.multiple);

const INTEGER = /^\d{1,15}$/;

function parseInteger(key: Key, value: RawValue, path: string, max: number | null): number {
  const number = typeof value === 'string' && INTEGER.test(value) ? Number(value) : undefined;
  if (number !== undefined && (max === null || number <= max)) return number;
  const range = max === null ? 'of at least 0' : `from 0 to ${max}`;
  const received = typeof value === 'string' ? `, received: ${value}` : '';
  throw rejection(key, path, `Expected an integer ${range}${received}`, max === null ? {} : { limit: 'maxLimit' });
}

/**
 * Returns the slice of a list; undefined without `limit` and `start`, and where extensions are off.
 * @throws ApiError 400 for what is no list, for a `count`, which shows none of it, and for what is no integer in range
 */
export function planSlice(
  { limit, start, count }: PopulateOptions,
  attribute: Attribute,
  path: string,
  { extensions }: PlanContext,
): Slice | undefined {
  const key = limit === undefined ? 'start' : 'limit';
  if (!extensions || (limit === undefined && start === undefined)) return undefined;
  if (!isListed(attribute)) throw rejection(key, path, 'Expected a relation to many or a list of files');
  if (count === true) throw rejection(key, path, 'Expected no count beside it');
  return {
    start: start === undefined ? 0 : parseInteger('start', start, path, null),
    ...(limit !== undefined && { limit: parseInteger('limit', limit, path, extensions.maxLimit) }),
  };
}
