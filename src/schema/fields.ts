/**
 * @module One entry per scalar type: how a value is accepted, stored, compared and shown. What other rooms know of a type
 * is in records over all types, which do not compile until they have a new one.
 */
import { type ApiError, invalid } from '../common/errors.ts';
import { isoTime } from './iso-time.ts';
import { milliseconds, parseDate, parseTime } from './parse-time.ts';

/** A value of a column. Numbers bind as REAL on D1; the column's affinity turns them into integers again. */
export type Stored = string | number | null;

export interface FieldKind<T> {
  /** SQLite affinity, as in Strapi's own columns: text comparisons depend on it. */
  readonly affinity: 'text' | 'integer' | 'real' | 'numeric';
  /** Of stored values: a few bytes, a line of text, or without an end. */
  readonly length: 'short' | 'line' | 'any';
  /** Stored as the text of JSON: of any value, or of the nodes of blocks. */
  readonly json?: 'value' | 'nodes';
  /** Stored as milliseconds since 1970, shown as a text. */
  readonly milliseconds?: true;
  /** Whole numbers that may exceed 2^53: SQL selects them as texts. */
  readonly exact?: true;
  /** Stored as a hash, and shown by no response. */
  readonly hashed?: true;
  /** Are values unique, whatever the attribute says, as in Strapi? */
  readonly unique?: 'always' | 'never';
  /** Are values localized, whatever the attribute says, as in Strapi? */
  readonly localized?: 'always';
  /** Can `facets` count its values, of which many rows have the same? */
  readonly facet?: true;
  /** How `_q` searches it; absent: not at all. */
  readonly search?: 'text' | 'number';
  /** In the message "must be a `…` type"; absent: anything is accepted. */
  readonly typeName?: 'string' | 'number' | 'boolean' | 'array';
  /** Converts input where Strapi does; else returns it. */
  cast(value: unknown): unknown;
  /** @param value a cast value, not null */
  accepts(value: unknown): value is T;
  /** Accepted value → column. @throws ApiError for a date or time in no known format. */
  store(value: unknown): Stored;
  /** Column → JSON value. @param stored not null */
  read(stored: unknown): unknown;
  /** Operand of a filter → what the column is compared with. @throws ApiError naming `parameter`. */
  operand(value: unknown, parameter: string): string | number;
}

const INTEGER_TEXT = /^[+-]?\d+$/;
const MAX_INTEGER = 2n ** 63n - 1n;

function parseDateTime(given: unknown): number {
  const value = onlyOf(given);
  const time = typeof value === 'string' || typeof value === 'number' ? milliseconds(String(value)) : Number.NaN;
  if (!(Math.abs(time) <= 8.64e15)) throw invalid('Invalid format, expected a timestamp or an ISO date');
  return time;
}

/** Returns the canonical text of a whole number in 64 bits, else undefined. */
function bigInteger(value: unknown): string | undefined {
  const text = typeof value === 'number' ? (Number.isInteger(value) ? BigInt(value).toString() : '') : value;
  if (typeof text !== 'string' || text.length > 64 || !INTEGER_TEXT.test(text.trim())) return undefined;
  const big = BigInt(text.trim().replace(/^\+/, ''));
  return big > MAX_INTEGER || big < -MAX_INTEGER - 1n ? undefined : big.toString();
}

/** Returns the item of a list of one, as where Strapi turns values into text. No caller accepts an object or list. */
function onlyOf(value: unknown): unknown {
  const [item, ...more] = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  return more.length === 0 ? item : value;
}

const numberOf = (given: unknown): number => {
  const value = onlyOf(given);
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' ? Number(value.replace(/\s/g, '')) : Number.NaN;
};

function wrongOperand(parameter: string, expected: string, value: unknown): ApiError {
  const message = `Invalid parameter at '${parameter}'. Expected ${expected}, received: ${String(value).slice(0, 100)}`;
  return invalid(message, { source: 'query', param: 'filters' });
}

function numberOperand(value: unknown, parameter: string): number {
  const number = numberOf(value);
  if (Number.isFinite(number)) return number;
  throw wrongOperand(parameter, 'a number', value);
}

function bigIntegerOperand(value: unknown, parameter: string): string | number {
  const text = bigInteger(value);
  if (text !== undefined) return text;
  // Larger numbers compare too, though no document has one.
  if (typeof value === 'string' && value.length <= 64 && INTEGER_TEXT.test(value)) return Number(value);
  throw wrongOperand(parameter, 'an integer', value);
}

/** Imported numbers beyond 64 bits are REAL: SQLite writes them with an exponent, Strapi without. */
const bigIntegerText = (stored: unknown): string =>
  String(stored).includes('e') ? String(Number(stored)) : String(stored);

const same = (value: unknown): unknown => value;
/** The `read` of a value that is shown as it is stored. */
export const asStored = (stored: unknown): unknown => stored;
const isString = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number' && !Number.isNaN(value);
const anything = (_: unknown): _ is unknown => true;
const asText = (value: unknown): string => (value === null || value === undefined ? '' : String(value));

const text: FieldKind<string> = {
  affinity: 'text',
  length: 'line',
  search: 'text',
  typeName: 'string',
  cast: same,
  accepts: isString,
  store: asText,
  read: asStored,
  operand: asText,
};

const number: FieldKind<number> = {
  affinity: 'real',
  length: 'short',
  search: 'number',
  typeName: 'number',
  cast: numberOf,
  accepts: isNumber,
  store: numberOf,
  read: asStored,
  operand: numberOperand,
};

const NUMERIC = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i;

/** Numeric texts compare as numbers, since Strapi's column has numeric affinity. */
function jsonOperand(value: unknown): string | number {
  const text = asText(value);
  const number = NUMERIC.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : text;
}

/** Parses JSON text as Strapi's storage does; other text, and JSON of a text, stays as it is. */
function parsedJson(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === 'string' ? value : parsed;
  } catch {
    return value;
  }
}

const json: FieldKind<unknown> = {
  affinity: 'text',
  length: 'any',
  json: 'value',
  unique: 'never',
  cast: parsedJson,
  accepts: anything,
  store: (value) => JSON.stringify(value),
  read: (stored) => JSON.parse(String(stored)),
  operand: jsonOperand,
};

function booleanOf(value: unknown): unknown {
  const only = onlyOf(value);
  const text = typeof only === 'object' ? '' : String(only).toLowerCase();
  if (text === 'true' || text === '1') return true;
  return text === 'false' || text === '0' ? false : value;
}

const boolean: FieldKind<boolean> = {
  affinity: 'integer',
  length: 'short',
  unique: 'never',
  facet: true,
  typeName: 'boolean',
  cast: booleanOf,
  accepts: (value): value is boolean => typeof value === 'boolean',
  store: (value) => Number(value),
  read: (stored) => stored === 1,
  operand: (value) => Number(!['false', 'f', '0', ''].includes(asText(value))),
};

/** yup casts JSON text to an array and anything else that is no array to null. */
function blocksOf(value: unknown): unknown {
  const parsed = parsedJson(value);
  return Array.isArray(parsed) ? parsed : null;
}

/** @param parse returns the stored form of values and operands */
const moment = (parse: (value: unknown) => string | number): FieldKind<unknown> => ({
  affinity: 'text',
  length: 'short',
  cast: same,
  accepts: anything,
  store: parse,
  read: asStored,
  operand: parse,
});

const blocks: FieldKind<readonly unknown[]> = {
  ...json,
  json: 'nodes',
  typeName: 'array',
  cast: blocksOf,
  accepts: Array.isArray,
};

const { search: _, ...unsearched } = text;

const ENTRIES = {
  string: { ...text, facet: true },
  text: { ...text, length: 'any' },
  richtext: { ...text, length: 'any' },
  email: text,
  uid: { ...text, unique: 'always', localized: 'always' },
  password: { ...unsearched, hashed: true },
  enumeration: {
    ...text,
    length: 'short',
    unique: 'never',
    facet: true,
    cast: (value) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value),
  },
  integer: { ...number, affinity: 'integer', facet: true },
  decimal: { ...number, affinity: 'numeric' },
  float: number,
  biginteger: {
    affinity: 'integer',
    length: 'short',
    exact: true,
    search: 'number',
    cast: (value) => bigInteger(value) ?? (Number.isInteger(value) ? String(value) : value),
    accepts: anything,
    store: (value) => bigInteger(value) ?? null,
    read: bigIntegerText,
    operand: bigIntegerOperand,
  },
  boolean,
  date: moment(parseDate),
  time: moment(parseTime),
  datetime: {
    ...moment(parseDateTime),
    affinity: 'integer',
    milliseconds: true,
    read: (stored) => isoTime(Number(stored)),
  },
  json,
  blocks,
} satisfies Readonly<Record<string, FieldKind<unknown>>>;

export type ScalarType = keyof typeof ENTRIES;

/** The values that each type accepts once they are cast. */
export type FieldValues = {
  readonly [K in ScalarType]: (typeof ENTRIES)[K] extends FieldKind<infer T> ? T : never;
};

export const FIELDS: { readonly [K in ScalarType]: FieldKind<FieldValues[K]> } = ENTRIES;

/** Is it a whole number within 64 bits, as number or text? */
export const isBigInteger = (value: unknown): boolean => bigInteger(value) !== undefined;
