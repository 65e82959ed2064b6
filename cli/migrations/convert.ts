/**
 * @module Conversions of stored values when an attribute gets a type that holds all of them, as SQL expressions. Columns hold
 * the stored form; components hold JSON in the form that responses show.
 */
import type { ScalarType } from '../../src/schema/model.ts';

/** SQL for a value → SQL for another value, or for a condition. */
export type ToSql = (x: string) => string;

/** A type, or the one that stands for several. */
type Family = ScalarType | 'number';

const FAMILY: Partial<Readonly<Record<ScalarType, Family>>> = {
  ...{ string: 'text', richtext: 'text', email: 'text', uid: 'text', enumeration: 'text' },
  ...{ biginteger: 'integer', decimal: 'number', float: 'number' },
};

const keep: ToSql = (x) => x;
const shownTime: ToSql = (x) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${x} / 1000.0, 'unixepoch')`;
const storedTime: ToSql = (x) => `CAST(round(unixepoch(${x}, 'subsec') * 1000) AS INTEGER)`;
const paragraph: ToSql = (x) =>
  `json_array(json_object('type', 'paragraph', 'children', json_array(json_object('type', 'text', 'text', ${x}))))`;

/** Is every whole number in a JSON text one that JavaScript has? */
const isExact: ToSql = (x) =>
  `NOT EXISTS (SELECT 1 FROM json_tree(${x}) WHERE "type" = 'integer' AND "atom" NOT BETWEEN ${Number.MIN_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER})`;

/** Meant for values that are not NULL. */
const RULES: Partial<Readonly<Record<`${Family} to ${Family}`, ToSql>>> = {
  'integer to text': (x) => `CAST(${x} AS TEXT)`,
  'number to text': (x) => `CAST(iif(${x} = CAST(${x} AS INTEGER), CAST(${x} AS INTEGER), ${x}) AS TEXT)`,
  'boolean to text': (x) => `iif(${x}, 'true', 'false')`,
  'date to text': keep,
  'datetime to text': shownTime,
  'integer to number': keep,
  'boolean to integer': keep,
  'date to datetime': (x) => `unixepoch(${x}) * 1000`,
  // A text with a number that responses would round stays a text.
  'text to json': (x) =>
    `CASE WHEN NOT json_valid(${x}) THEN json_quote(${x}) WHEN ${isExact(x)} THEN ${x} ELSE json_quote(${x}) END`,
  'blocks to json': keep,
  'text to blocks': paragraph,
};

/** Converts stored values of one scalar type to another; undefined if the other one does not hold all values. */
export function convert(from: ScalarType, to: ScalarType): ToSql | undefined {
  const [before, after] = [FAMILY[from] ?? from, FAMILY[to] ?? to];
  // Numbers beyond 2^53 would lose digits.
  if (from === 'biginteger' && after === 'number') return undefined;
  return RULES[`${before} to ${after}`] ?? (before === after ? keep : undefined);
}

/** Are values unchanged, in both directions? */
export const isSameForm = (from: ScalarType, to: ScalarType): boolean =>
  [convert(from, to), convert(to, from)].every((conversion) => conversion === keep);

/** Returns which values of a whole number, stored or as JSON text, have digits that no number of JavaScript has. */
export const isRounded: ToSql = (x) =>
  `CAST(trim(${x}, '"') AS INTEGER) NOT BETWEEN ${Number.MIN_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER}`;

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

/** The same for the JSON text of values, as responses show them. */
export function convertShown(from: ScalarType, to: ScalarType): ToSql | undefined {
  const conversion = convert(from, to);
  if (!conversion) return undefined;
  const shown = SHOWN[to] ?? ((value) => `json_quote(${value})`);
  const stored = (json: string) => STORED[from]?.(json) ?? `(${json} ->> '$')`;
  const result = (json: string) =>
    `(SELECT iif("stored" IS NULL, 'null', ${shown('"result"')}) FROM (SELECT "stored", ${conversion('"stored"')} AS "result" FROM (SELECT ${stored(json)} AS "stored")))`;
  return (json) => `iif(json_type(${json}) = 'null', 'null', ${result(json)})`;
}
