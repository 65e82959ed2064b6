/**
 * @module `limit`, `start` and `withCount` below a list of a populate: extensions of Strapi's API.
 */
import { type ApiError, invalid } from '../../../common/errors.ts';
import { isDocumentList } from '../../../schema/attribute-kinds.ts';
import type { Attribute } from '../../../schema/model.ts';
import { OPTIONS, type PopulateOptions } from '../../request/populate.ts';
import { type RawValue, switchOf } from '../../request/query-string.ts';
import type { PopulateCommon } from '../model/read-plan.ts';
import type { PlanContext } from './name-scope.ts';
import { POPULATE_SOURCE } from './populate-rejections.ts';

const KEYS = ['limit', 'start', 'withCount'] as const;
type Key = (typeof KEYS)[number];

export const isSliceKey = (key: string): boolean => KEYS.some((name) => name === key);

const EXTENDED: ReadonlySet<string> = new Set([...OPTIONS, ...KEYS]);

/** The options below an attribute; others are unknown keys. */
export const knownOptions = ({ extensions }: PlanContext): ReadonlySet<string> => (extensions ? EXTENDED : OPTIONS);

const rejection = (key: Key, path: string, problem: string, more: { readonly limit?: string } = {}): ApiError =>
  invalid(`Invalid ${key} at ${path}. ${problem}`, { key, path, ...POPULATE_SOURCE, ...more });

const received = (value: RawValue): string => (typeof value === 'string' ? `, received: ${value}` : '');

const INTEGER = /^\d{1,15}$/;

function parseInteger(key: Key, value: RawValue, path: string, max: number | null): number {
  const number = typeof value === 'string' && INTEGER.test(value) ? Number(value) : undefined;
  if (number !== undefined && (max === null || number <= max)) return number;
  const range = max === null ? 'of at least 0' : `from 0 to ${max}`;
  throw rejection(
    key,
    path,
    `Expected an integer ${range}${received(value)}`,
    max === null ? {} : { limit: 'maxLimit' },
  );
}

function parseWithCount(value: RawValue, path: string): boolean {
  const isOn = switchOf(value);
  if (isOn === undefined) throw rejection('withCount', path, `Expected true or false${received(value)}`);
  return isOn;
}

/** What a response shows of a list. */
export type ShownList = Pick<PopulateCommon, 'slice' | 'withCount'>;

/**
 * Returns nothing without the options, and where extensions are off.
 * @throws ApiError 400 for what is no list, for a `count`, which takes its place, and for malformed values
 */
export function planShownList(
  options: PopulateOptions,
  attribute: Attribute,
  path: string,
  { extensions }: PlanContext,
): ShownList {
  const key = KEYS.find((name) => options[name] !== undefined);
  if (!extensions || key === undefined) return {};
  if (!isDocumentList(attribute)) throw rejection(key, path, 'Expected a relation to many or a list of files');
  if (options.count === true) throw rejection(key, path, 'Expected no count beside it');
  const { limit, start, withCount } = options;
  const slice = {
    start: start === undefined ? 0 : parseInteger('start', start, path, null),
    ...(limit !== undefined && { limit: parseInteger('limit', limit, path, extensions.maxLimit) }),
  };
  const isCounted = withCount !== undefined && parseWithCount(withCount, path);
  return { ...((limit ?? start) !== undefined && { slice }), ...(isCounted && { withCount: true }) };
}
