/**
 * @module One entry per scalar attribute type: how a value is accepted, stored, compared and shown. Adding a type is
 * adding an entry.
 */
import { type ApiError, invalid } from '../errors.ts';
import { isoTime } from './iso-time.ts';
import type { ScalarType } from './model.ts';

/** What a column can hold. Numbers bind as REAL on D1; the column's affinity turns them into integers again. */
export type Stored = string | number | null;

/** What each type accepts, once it is cast. */
export interface FieldValues extends Record<ScalarType, unknown> {
  readonly string: string;
  readonly text: string;
  readonly richtext: string;
  readonly email: string;
  readonly uid: string;
  readonly password: string;
  readonly enumeration: string;
  readonly integer: number;
  readonly decimal: number;
  readonly float: number;
  readonly boolean: boolean;
  readonly blocks: readonly unknown[];
}

export interface FieldKind<T> {
  /** SQLite affinity of the column, as Strapi's own columns have it (it shows in text comparisons). */
  readonly affinity: 'text' | 'integer' | 'real' | 'numeric';
  /** How `_q` looks into it; absent: not at all. */
  readonly search?: 'text' | 'number';
  /** The type named by "must be a `…` type"; absent: anything is accepted. */
  readonly typeName?: 'string' | 'number' | 'boolean' | 'array';
  /** Input → value of the right JSON type, where Strapi converts; else the input itself. */
  cast(value: unknown): unknown;
  /** Is the cast value of the type? Null is decided elsewhere. */
  accepts(value: unknown): value is T;
  /** Accepted value → column. @throws ApiError for a date or time in no known format. */
  store(value: unknown): Stored;
  /** Column → JSON value. Null stays null. */
  read(stored: unknown): unknown;
  /** Operand of a filter → what the column is compared with. @throws ApiError naming `parameter`. */
  operand(value: unknown, parameter: string): string | number;
  readonly jsonSchema: Readonly<Record<string, unknown>>;
  readonly tsType: string;
}

const DATE = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])/;
const TIME = /^((?:2[0-3]|[01]\d):[0-5]\d:[0-5]\d)(?:\.(\d{1,3}))?$/;
/** A day, a month, a year, a day of a year (`2026-045`) or a century (`20`), as ISO 8601 writes them. */
const DAY = /^(?:(\d{2}|[+-]\d{4})|(\d{4}|[+-]\d{6})(?:-?(\d{3})|-?(\d{2})(?:-?(\d{2}))?)?)(?=$|[TZ ])/i;
/** The last of hours, minutes and seconds may have a fraction. */
const CLOCK = /^(?:[T ](\d{2})(?::?(\d{2})(?::?(\d{2}))?)?(?:[.,](\d+))?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?$/i;
const INTEGER_TEXT = /^[+-]?\d+$/;
const MAX_INTEGER = 2n ** 63n - 1n;

/** The day of a date or ISO date-time text. */
function parseDate(value: unknown): string {
  const day = typeof value === 'string' ? DATE.exec(value)?.[0] : undefined;
  if (day === undefined) throw invalid('Invalid format, expected yyyy-MM-dd');
  const time = Date.parse(day);
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== day) throw invalid('Invalid date');
  return day;
}

function parseTime(value: unknown): string {
  if (typeof value !== 'string') throw invalid(`Expected a string, got a ${typeof value}`);
  const [, seconds, fraction = ''] = TIME.exec(value) ?? [];
  if (seconds === undefined) throw invalid('Invalid time format, expected HH:mm:ss.SSS');
  return `${seconds}.${fraction.padEnd(3, '0')}`;
}

/** Milliseconds from 1970 to the day that an ISO text begins with; NaN if there is no such day. */
function midnight([, century, year, dayOfYear, month = '01', day = '01']: readonly (string | undefined)[]): number {
  const whole = century === undefined ? Number(year) : Number(century) * 100;
  const date = new Date(0);
  date.setUTCFullYear(whole, Number(month) - 1, Number(dayOfYear ?? day));
  const isThere =
    date.getUTCFullYear() === whole && (dayOfYear !== undefined || date.getUTCMonth() + 1 === Number(month));
  return isThere ? date.getTime() : Number.NaN;
}

/** Milliseconds since midnight; without an offset: in UTC. */
function sinceMidnight([, hour = '00', minute, second, fraction = '0', zone = 'Z']: readonly (string | undefined)[]) {
  const offset = /^z$/i.test(zone) ? 'Z' : zone.length === 3 ? `${zone}:00` : zone.replace(/^(...)(\d)/, '$1:$2');
  const unit = second !== undefined ? 1000 : minute !== undefined ? 60_000 : 3_600_000;
  const rest = Math.floor((Number(fraction.slice(0, 6).padEnd(6, '0')) * unit) / 1e6);
  // 24:00 is the end of the day, and nothing is after it.
  if (hour === '24' && rest > 0) return Number.NaN;
  return Date.parse(`1970-01-01T${hour}:${minute ?? '00'}:${second ?? '00'}${offset}`) + rest;
}

/** NaN for what is no ISO text. */
function isoMilliseconds(text: string): number {
  const date = DAY.exec(text);
  const clock = date && CLOCK.exec(text.slice(date[0].length));
  return date && clock ? midnight(date) + sinceMidnight(clock) : Number.NaN;
}

/** Milliseconds since 1970 of an ISO text or of a text of milliseconds; NaN if neither. */
function milliseconds(text: string): number {
  const time = isoMilliseconds(text);
  return Number.isNaN(time) && /^-?\d+$/.test(text) ? Number(text) : time;
}

function parseDateTime(given: unknown): number {
  const value = onlyOf(given);
  const time = typeof value === 'string' || typeof value === 'number' ? milliseconds(String(value)) : Number.NaN;
  if (!(Math.abs(time) <= 8.64e15)) throw invalid('Invalid format, expected a timestamp or an ISO date');
  return time;
}

/** The canonical text of a whole number in 64 bits, else undefined. */
function bigInteger(value: unknown): string | undefined {
  const text = typeof value === 'number' ? (Number.isInteger(value) ? BigInt(value).toString() : '') : value;
  if (typeof text !== 'string' || text.length > 64 || !INTEGER_TEXT.test(text.trim())) return undefined;
  const big = BigInt(text.trim().replace(/^\+/, ''));
  return big > MAX_INTEGER || big < -MAX_INTEGER - 1n ? undefined : big.toString();
}

/** A list of one stands for what is in it, where Strapi turns values into text. */
function onlyOf(value: unknown): unknown {
  const [item, ...more] = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  return more.length === 0 && (typeof item !== 'object' || item === null) ? item : value;
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
  // A number beyond 64 bits has its place among the others, though no document has it.
  if (typeof value === 'string' && value.length <= 64 && INTEGER_TEXT.test(value)) return Number(value);
  throw wrongOperand(parameter, 'an integer', value);
}

/** What an import brought from beyond 64 bits is a real number; SQLite writes it with an exponent, Strapi without. */
const bigIntegerText = (stored: unknown): string =>
  String(stored).includes('e') ? String(Number(stored)) : String(stored);

/** How most values are accepted, and shown: as they are. */
export const same = (value: unknown): unknown => value;
const isString = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number' && !Number.isNaN(value);
const anything = (_: unknown): _ is unknown => true;
const asText = (value: unknown): string => (value === null || value === undefined ? '' : String(value));

const text: FieldKind<string> = {
  affinity: 'text',
  search: 'text',
  typeName: 'string',
  cast: same,
  accepts: isString,
  store: asText,
  read: same,
  operand: asText,
  jsonSchema: { type: 'string' },
  tsType: 'string',
};

const number: FieldKind<number> = {
  affinity: 'real',
  search: 'number',
  typeName: 'number',
  cast: numberOf,
  accepts: isNumber,
  store: numberOf,
  read: same,
  operand: numberOperand,
  jsonSchema: { type: 'number' },
  tsType: 'number',
};

const NUMERIC = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i;

/** A text that is a number compares with numbers, as in a column of Strapi, whose affinity is numeric. */
function jsonOperand(value: unknown): string | number {
  const text = asText(value);
  const number = NUMERIC.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : text;
}

const json: FieldKind<unknown> = {
  affinity: 'text',
  cast: same,
  accepts: anything,
  store: (value) => JSON.stringify(value),
  read: (stored) => JSON.parse(String(stored)),
  operand: jsonOperand,
  jsonSchema: {},
  tsType: 'unknown',
};

const BOOLEANS = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
]);

function booleanOf(value: unknown): unknown {
  const only = onlyOf(value);
  return typeof only === 'object' ? value : (BOOLEANS.get(String(only).toLowerCase()) ?? value);
}

const boolean: FieldKind<boolean> = {
  affinity: 'integer',
  typeName: 'boolean',
  cast: booleanOf,
  accepts: (value): value is boolean => typeof value === 'boolean',
  store: (value) => Number(value),
  read: (stored) => stored === 1,
  operand: (value) => Number(!['false', 'f', '0', ''].includes(asText(value))),
  jsonSchema: { type: 'boolean' },
  tsType: 'boolean',
};

/** JSON text is parsed, as Strapi's storage does; other text stays text, JSON of a text with its quotes. */
function parsedJson(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === 'string' ? value : parsed;
  } catch {
    return value;
  }
}

/** yup casts JSON text to an array and anything else that is no array to null. */
function blocksOf(value: unknown): unknown {
  const parsed = parsedJson(value);
  return Array.isArray(parsed) ? parsed : null;
}

export const FIELDS: { readonly [K in ScalarType]: FieldKind<FieldValues[K]> } = {
  string: text,
  text,
  richtext: text,
  email: { ...text, jsonSchema: { type: 'string', format: 'email' } },
  uid: text,
  password: unsearched(text),
  enumeration: {
    ...text,
    cast: (value) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value),
  },
  integer: { ...number, affinity: 'integer', jsonSchema: { type: 'integer' } },
  decimal: { ...number, affinity: 'numeric' },
  float: number,
  biginteger: {
    affinity: 'integer',
    search: 'number',
    cast: (value) => bigInteger(value) ?? (Number.isInteger(value) ? String(value) : value),
    accepts: anything,
    store: (value) => bigInteger(value) ?? null,
    read: bigIntegerText,
    operand: bigIntegerOperand,
    jsonSchema: { type: 'string', pattern: '^-?\\d+$' },
    tsType: 'string',
  },
  boolean,
  date: {
    affinity: 'text',
    cast: same,
    accepts: anything,
    store: parseDate,
    read: same,
    operand: parseDate,
    jsonSchema: { type: 'string', format: 'date' },
    tsType: 'string',
  },
  time: {
    affinity: 'text',
    cast: same,
    accepts: anything,
    store: parseTime,
    read: same,
    operand: parseTime,
    jsonSchema: { type: 'string', pattern: '^\\d{2}:\\d{2}:\\d{2}\\.\\d{3}$' },
    tsType: 'string',
  },
  datetime: {
    affinity: 'integer',
    cast: same,
    accepts: anything,
    store: parseDateTime,
    read: (stored) => isoTime(Number(stored)),
    operand: parseDateTime,
    jsonSchema: { type: 'string', format: 'date-time' },
    tsType: 'string',
  },
  json: { ...json, cast: parsedJson },
  blocks: {
    ...json,
    cast: blocksOf,
    typeName: 'array',
    accepts: Array.isArray,
    jsonSchema: { type: 'array', items: { type: 'object' } },
    tsType: 'BlocksContent',
  },
};

function unsearched<T>({ search: _, ...field }: FieldKind<T>): FieldKind<T> {
  return field;
}

/** A whole number within 64 bits, as number or text? The rule of `biginteger`. */
export const isBigInteger = (value: unknown): boolean => bigInteger(value) !== undefined;
