/**
 * @module Conversions of stored values when an attribute changes its type, as SQL expressions. Values without a counterpart
 * become NULL. Columns hold the stored form; components hold JSON in the form that responses show.
 */
import type { ScalarType } from '../../src/registry/model.ts';

/** SQL for a value → SQL for another value, or for a condition. */
export type ToSql = (x: string) => string;

/** Meant for values that are not NULL. `loss` says which do not survive, in words and as a condition; absent: all do. */
type Conversion = Readonly<{ convert: ToSql; loss?: Readonly<{ reason: string; goes: ToSql }> }>;

const NOT_CONVERTED: Conversion = {
  convert: () => 'NULL',
  loss: {
    reason: 'no value is kept; to keep some, move them by SQL (docs/storage.md#changes-of-type)',
    goes: () => '1',
  },
};

/** A type, or the one that stands for several. */
type Family = ScalarType | 'number';

const FAMILY: Partial<Readonly<Record<ScalarType, Family>>> = {
  ...{ string: 'text', richtext: 'text', email: 'text', uid: 'text', enumeration: 'text' },
  ...{ biginteger: 'integer', decimal: 'number', float: 'number' },
};

/** The new value; why some do not survive, absent if all do; which they are, absent: those that become NULL. */
type Rule = readonly [expression: ToSql, reason?: string, where?: ToSql];

const keep: ToSql = (x) => x;
/** The comparison gives `x` numeric affinity: it holds for a text that SQLite itself would take for a number. */
const ifNumeric = (x: string, result: string) => `iif(CAST(${x} AS NUMERIC) = ${x}, ${result}, NULL)`;
const whole: ToSql = (x) => ifNumeric(x, `CAST(CAST(${x} AS NUMERIC) AS INTEGER)`);
const day: ToSql = (x) => `substr(${x}, 1, 10)`;
const shownTime: ToSql = (x) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${x} / 1000.0, 'unixepoch')`;
const storedTime: ToSql = (x) => `CAST(round(unixepoch(${x}, 'subsec') * 1000) AS INTEGER)`;
const paragraph: ToSql = (x) =>
  `json_array(json_object('type', 'paragraph', 'children', json_array(json_object('type', 'text', 'text', ${x}))))`;

const NO_NUMBER = 'texts that are not numbers become empty';
const NO_DATE = 'texts that are not dates become empty';

/** The changes that users make: texts to the type they were meant to have and back, numbers, days and times. */
const RULES: Partial<Readonly<Record<`${Family} to ${Family}`, Rule>>> = {
  'integer to text': [(x) => `CAST(${x} AS TEXT)`],
  'number to text': [(x) => `CAST(iif(${x} = CAST(${x} AS INTEGER), CAST(${x} AS INTEGER), ${x}) AS TEXT)`],
  'boolean to text': [(x) => `iif(${x}, 'true', 'false')`],
  'date to text': [keep],
  'datetime to text': [shownTime],
  'text to integer': [whole, `${NO_NUMBER}, fractions are cut`, (x) => `${whole(x)} IS NOT CAST(${x} AS NUMERIC)`],
  'text to number': [(x) => ifNumeric(x, `CAST(${x} AS NUMERIC)`), NO_NUMBER],
  'number to integer': [(x) => `CAST(${x} AS INTEGER)`, 'fractions are cut', (x) => `CAST(${x} AS INTEGER) <> ${x}`],
  'integer to number': [keep],
  'boolean to integer': [keep],
  'integer to boolean': [(x) => `${x} <> 0`, 'numbers other than 0 become true', (x) => `${x} NOT IN (0, 1)`],
  'text to date': [
    (x) => `iif(date(${day(x)}) = ${day(x)}, ${day(x)}, NULL)`,
    `${NO_DATE}, times of day are cut`,
    (x) => `date(${day(x)}) IS NOT ${x}`,
  ],
  'datetime to date': [
    (x) => `date(${x} / 1000.0, 'unixepoch')`,
    'the time of day is cut',
    (x) => `${x} % 86400000 <> 0`,
  ],
  'text to datetime': [(x) => `iif(${x} LIKE '____-__-__%', ${storedTime(x)}, NULL)`, NO_DATE],
  'date to datetime': [(x) => `unixepoch(${x}) * 1000`],
  'text to json': [(x) => `iif(json_valid(${x}), ${x}, json_quote(${x}))`],
  'blocks to json': [keep],
  'text to blocks': [paragraph],
};

const OF_BIG: Rule = [keep, 'whole numbers beyond 2^53 lose digits', (x) => `abs(${x}) > 9007199254740991`];

/** How stored values of one scalar type become values of another. */
export function convert(from: ScalarType, to: ScalarType): Conversion {
  const [before, after] = [FAMILY[from] ?? from, FAMILY[to] ?? to];
  const rule = from === 'biginteger' && after === 'number' ? OF_BIG : RULES[`${before} to ${after}`];
  if (!rule) return before === after ? { convert: keep } : NOT_CONVERTED;
  const [expression, reason, goes = (x) => `${expression(x)} IS NULL`] = rule;
  return { convert: expression, ...(reason && { loss: { reason, goes } }) };
}

/** Are values unchanged, in both directions? */
export const isSameForm = (from: ScalarType, to: ScalarType): boolean =>
  [convert(from, to), convert(to, from)].every((conversion) => conversion.convert === keep);

type OfTypes = Partial<Readonly<Record<ScalarType, ToSql>>>;

/** The stored form of a value that is not null, from its JSON text in a component, as responses show it. */
const STORED: OfTypes = {
  biginteger: (json) => `CAST(${json} ->> '$' AS INTEGER)`,
  datetime: (json) => storedTime(`${json} ->> '$'`),
  blocks: keep,
};

/** JSON text of a stored value that is not null. */
const SHOWN: OfTypes = {
  biginteger: (stored) => `json_quote(CAST(${stored} AS TEXT))`,
  boolean: (stored) => `iif(${stored}, 'true', 'false')`,
  datetime: (stored) => `json_quote(${shownTime(stored)})`,
  json: keep,
  blocks: keep,
};

export const emptyJson = (repeatable: boolean): string => (repeatable ? `'[]'` : `'null'`);

/** The same for the JSON text of values, as responses show them. */
export function convertShown(from: ScalarType, to: ScalarType): Conversion {
  const conversion = convert(from, to);
  if (conversion === NOT_CONVERTED) return { ...conversion, convert: () => emptyJson(false) };
  const { loss } = conversion;
  const shown = SHOWN[to] ?? ((value) => `json_quote(${value})`);
  const stored = (json: string) => `(SELECT ${STORED[from]?.(json) ?? `(${json} ->> '$')`} AS "stored")`;
  const result = (json: string) =>
    `(SELECT iif("stored" IS NULL OR "result" IS NULL, 'null', ${shown('"result"')}) FROM (SELECT "stored", ${conversion.convert('"stored"')} AS "result" FROM ${stored(json)}))`;
  return {
    convert: (json) => `iif(json_type(${json}) = 'null', 'null', ${result(json)})`,
    ...(loss && { loss: { ...loss, goes: (json) => `(SELECT ${loss.goes('"stored"')} FROM ${stored(json)})` } }),
  };
}
