/**
 * @module Conversions of stored values when an attribute gets a type that holds all of them, as SQL expressions. Columns hold
 * the stored form; components hold JSON in the form that responses show.
 */
import { sameFor } from '../../src/common/same-for.ts';
import type { ScalarType } from '../../src/schema/fields.ts';

/** SQL for a value → SQL for another value, or for a condition. */
export type ToSql = (x: string) => string;

const keep: ToSql = (x) => x;
const shownTime: ToSql = (x) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${x} / 1000.0, 'unixepoch')`;
const storedTime: ToSql = (x) => `CAST(round(unixepoch(${x}, 'subsec') * 1000) AS INTEGER)`;
const paragraph: ToSql = (x) =>
  `json_array(json_object('type', 'paragraph', 'children', json_array(json_object('type', 'text', 'text', ${x}))))`;

/** Is every whole number in a JSON text one that JavaScript has? */
const isExact: ToSql = (x) =>
  `NOT EXISTS (SELECT 1 FROM json_tree(${x}) WHERE "type" = 'integer' AND "atom" NOT BETWEEN ${Number.MIN_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER})`;

/** A type, or the one that stands for several. */
type Family = ScalarType | 'number';

interface Form {
  readonly family: Family;
  /** The stored form of a value that is not null, from its JSON text in a component, as responses show it. */
  readonly stored: ToSql;
  /** JSON text of a stored value that is not null. */
  readonly shown: ToSql;
}

const plain = (family: Family): Form => ({
  family,
  stored: (json) => `(${json} ->> '$')`,
  shown: (stored) => `json_quote(${stored})`,
});

const FORMS: Readonly<Record<ScalarType, Form>> = {
  ...sameFor(['string', 'text', 'richtext', 'email', 'uid', 'enumeration'], plain('text')),
  password: plain('password'),
  integer: plain('integer'),
  ...sameFor(['decimal', 'float'], plain('number')),
  biginteger: {
    family: 'biginteger',
    stored: (json) => `CAST(${json} ->> '$' AS INTEGER)`,
    shown: (stored) => `json_quote(CAST(${stored} AS TEXT))`,
  },
  boolean: { ...plain('boolean'), shown: (stored) => `iif(${stored}, 'true', 'false')` },
  date: plain('date'),
  time: plain('time'),
  datetime: {
    family: 'datetime',
    stored: (json) => storedTime(`${json} ->> '$'`),
    shown: (stored) => `json_quote(${shownTime(stored)})`,
  },
  json: { ...plain('json'), shown: keep },
  blocks: { family: 'blocks', stored: keep, shown: keep },
};

const wholeText: ToSql = (x) => `CAST(${x} AS TEXT)`;

/** Meant for values that are not NULL. Numbers beyond 2^53 would lose digits as a `number`. */
const RULES: Partial<Readonly<Record<`${Family} to ${Family}`, ToSql>>> = {
  'integer to text': wholeText,
  'biginteger to text': wholeText,
  'number to text': (x) => `CAST(iif(${x} = CAST(${x} AS INTEGER), CAST(${x} AS INTEGER), ${x}) AS TEXT)`,
  'boolean to text': (x) => `iif(${x}, 'true', 'false')`,
  'date to text': keep,
  'datetime to text': shownTime,
  'integer to number': keep,
  'integer to biginteger': keep,
  'biginteger to integer': keep,
  'boolean to integer': keep,
  'boolean to biginteger': keep,
  'date to datetime': (x) => `unixepoch(${x}) * 1000`,
  // A text with a number that responses would round stays a text.
  'text to json': (x) =>
    `CASE WHEN NOT json_valid(${x}) THEN json_quote(${x}) WHEN ${isExact(x)} THEN ${x} ELSE json_quote(${x}) END`,
  'blocks to json': keep,
  'text to blocks': paragraph,
};

const nameOfRule = (from: ScalarType, to: ScalarType) => `${FORMS[from].family} to ${FORMS[to].family}` as const;

/** Converts stored values of one scalar type to another; undefined if the other one does not hold all values. */
export const convert = (from: ScalarType, to: ScalarType): ToSql | undefined =>
  RULES[nameOfRule(from, to)] ?? (FORMS[from].family === FORMS[to].family ? keep : undefined);

/** Are values unchanged, in both directions? */
export const isSameForm = (from: ScalarType, to: ScalarType): boolean =>
  [convert(from, to), convert(to, from)].every((conversion) => conversion === keep);

/** Are values unchanged, but shown, and written again, as the nearest number? */
export const isRounding = (from: ScalarType, to: ScalarType): boolean =>
  nameOfRule(from, to) === 'biginteger to integer';

/** Returns which values of a whole number, stored or as JSON text, have digits that no number of JavaScript has. */
export const isRounded: ToSql = (x) =>
  `CAST(trim(${x}, '"') AS INTEGER) NOT BETWEEN ${Number.MIN_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER}`;

/** The same for the JSON text of values, as responses show them. */
export function convertShown(from: ScalarType, to: ScalarType): ToSql | undefined {
  const conversion = convert(from, to);
  if (!conversion) return undefined;
  const [{ stored }, { shown }] = [FORMS[from], FORMS[to]];
  const result = (json: string) =>
    `(SELECT iif("stored" IS NULL, 'null', ${shown('"result"')}) FROM (SELECT "stored", ${conversion('"stored"')} AS "result" FROM (SELECT ${stored(json)} AS "stored")))`;
  return (json) => `iif(json_type(${json}) = 'null', 'null', ${result(json)})`;
}
