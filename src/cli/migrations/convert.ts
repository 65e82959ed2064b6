/**
 * @module Conversions of stored values when an attribute changes its type, as SQL expressions. Values without a counterpart
 * become NULL.
 */
import type { ScalarType } from '../../registry/model.ts';

export interface Conversion {
  /** SQL; meant for values that are not NULL. */
  readonly expression: string;
  /** Which values do not survive, in words and as a condition on `x`; absent: all do. */
  readonly loss?: { readonly reason: string; readonly where: string };
}

/** The reason of a loss for a change of type without a conversion. */
export const NOT_CONVERTED = 'no value is kept; to keep some, move them by SQL (docs/storage.md#changes-of-type)';

type Family = 'text' | 'password' | 'integer' | 'number' | 'boolean' | 'date' | 'time' | 'datetime' | 'json' | 'blocks';

const FAMILY: Readonly<Record<ScalarType, Family>> = {
  string: 'text',
  text: 'text',
  richtext: 'text',
  email: 'text',
  uid: 'text',
  enumeration: 'text',
  password: 'password',
  integer: 'integer',
  biginteger: 'integer',
  decimal: 'number',
  float: 'number',
  boolean: 'boolean',
  date: 'date',
  time: 'time',
  datetime: 'datetime',
  json: 'json',
  blocks: 'blocks',
};

type Convert = (x: string) => Conversion;

const all =
  (expression: (x: string) => string): Convert =>
  (x) => ({ expression: expression(x) });
/** @param where which values do not survive; those that become NULL if it is not given. */
const some =
  (reason: string, expression: (x: string) => string, where?: (x: string) => string): Convert =>
  (x) => ({ expression: expression(x), loss: { reason, where: where?.(x) ?? `${expression(x)} IS NULL` } });
const keep = all((x) => x);

/** The comparison gives `x` numeric affinity: it holds for a text that SQLite itself would take for a number. */
const ifNumeric = (x: string, result: string) => `iif(CAST(${x} AS NUMERIC) = ${x}, ${result}, NULL)`;
const whole = (x: string) => ifNumeric(x, `CAST(CAST(${x} AS NUMERIC) AS INTEGER)`);
const day = (x: string) => `substr(${x}, 1, 10)`;
const paragraph = (x: string) =>
  `json_array(json_object('type', 'paragraph', 'children', json_array(json_object('type', 'text', 'text', ${x}))))`;

const NO_NUMBER = 'texts that are not numbers become empty';
const NO_DATE = 'texts that are not dates become empty';

/** The changes that users make: texts to the type they were meant to have and back, numbers, days and times. */
const CONVERSIONS: Partial<Readonly<Record<`${Family} to ${Family}`, Convert>>> = {
  'integer to text': all((x) => `CAST(${x} AS TEXT)`),
  'number to text': all((x) => `CAST(iif(${x} = CAST(${x} AS INTEGER), CAST(${x} AS INTEGER), ${x}) AS TEXT)`),
  'boolean to text': all((x) => `iif(${x}, 'true', 'false')`),
  'date to text': keep,
  'datetime to text': all((x) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${x} / 1000.0, 'unixepoch')`),
  'text to integer': some(`${NO_NUMBER}, fractions are cut`, whole, (x) => `${whole(x)} IS NOT CAST(${x} AS NUMERIC)`),
  'text to number': some(NO_NUMBER, (x) => ifNumeric(x, `CAST(${x} AS NUMERIC)`)),
  'number to integer': some(
    'fractions are cut',
    (x) => `CAST(${x} AS INTEGER)`,
    (x) => `CAST(${x} AS INTEGER) <> ${x}`,
  ),
  'integer to number': keep,
  'boolean to integer': keep,
  'integer to boolean': some(
    'numbers other than 0 become true',
    (x) => `${x} <> 0`,
    (x) => `${x} NOT IN (0, 1)`,
  ),
  'text to date': some(
    `${NO_DATE}, times of day are cut`,
    (x) => `iif(date(${day(x)}) = ${day(x)}, ${day(x)}, NULL)`,
    (x) => `date(${day(x)}) IS NOT ${x}`,
  ),
  'datetime to date': some(
    'the time of day is cut',
    (x) => `date(${x} / 1000.0, 'unixepoch')`,
    (x) => `${x} % 86400000 <> 0`,
  ),
  'text to datetime': some(
    NO_DATE,
    (x) => `iif(${x} LIKE '____-__-__%', CAST(round(unixepoch(${x}, 'subsec') * 1000) AS INTEGER), NULL)`,
  ),
  'date to datetime': all((x) => `unixepoch(${x}) * 1000`),
  'text to json': all((x) => `iif(json_valid(${x}), ${x}, json_quote(${x}))`),
  'blocks to json': keep,
  'text to blocks': all(paragraph),
};

const beyondDoubles = (x: string): Conversion => ({
  expression: x,
  loss: { reason: 'whole numbers beyond 2^53 lose digits', where: `abs(${x}) > 9007199254740991` },
});

/**
 * How values of one scalar type become values of another; undefined: not at all, which is for a migration by hand. `x` is
 * SQL for the stored value.
 */
export function convert(from: ScalarType, to: ScalarType, x: string): Conversion | undefined {
  const [before, after] = [FAMILY[from], FAMILY[to]];
  if (from === 'biginteger' && after === 'number') return beyondDoubles(x);
  return before === after ? keep(x) : CONVERSIONS[`${before} to ${after}`]?.(x);
}

/** Are values unchanged, in both directions? */
export const isSameForm = (from: ScalarType, to: ScalarType): boolean =>
  from === to || [convert(from, to, 'x'), convert(to, from, 'x')].every((each) => each?.expression === 'x');
