/**
 * @module What becomes of stored values when an attribute changes its type: SQL expressions from one stored form into
 * another. Values without a counterpart become NULL.
 */
import type { ScalarType } from '../../registry/model.ts';

export interface Conversion {
  /** SQL; meant for values that are not NULL. */
  readonly expression: string;
  /** Which values do not survive, in words and as a condition on `x`; absent: all do. */
  readonly loss?: { readonly reason: string; readonly where: string };
}

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

const isoText = (x: string) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${x} / 1000.0, 'unixepoch')`;
const dayText = (x: string) => `substr(${x}, 1, 10)`;
/** The comparison gives `x` numeric affinity: it holds for a text that SQLite itself would take for a number. */
const ifNumeric = (x: string, result: string) => `iif(CAST(${x} AS NUMERIC) = ${x}, ${result}, NULL)`;
const whole = (x: string) => `CAST(CAST(${x} AS NUMERIC) AS INTEGER)`;
const ifJson = (x: string, types: string, result: string) => `iif(json_type(${x}) IN (${types}), ${result}, NULL)`;
const oneOf = (x: string, values: string) => `lower(trim(${x})) IN (${values})`;
const paragraph = (x: string) =>
  `json_array(json_object('type', 'paragraph', 'children', json_array(json_object('type', 'text', 'text', ${x}))))`;

const notBoolean = (x: string) => `${x} NOT IN (0, 1)`;

const NO_NUMBER = 'texts that are no number become empty';
const NO_DATE = 'texts that are no date become empty';

/** target → source → how. A pair that is not here loses every value. */
const CONVERSIONS: Readonly<Record<Family, Partial<Record<Family, Convert>>>> = {
  password: {},
  text: {
    text: keep,
    integer: all((x) => `CAST(${x} AS TEXT)`),
    number: all((x) => `CAST(iif(${x} = CAST(${x} AS INTEGER), CAST(${x} AS INTEGER), ${x}) AS TEXT)`),
    boolean: all((x) => `iif(${x}, 'true', 'false')`),
    date: keep,
    time: keep,
    datetime: all(isoText),
    json: all((x) => `iif(json_type(${x}) = 'text', ${x} ->> '$', ${x})`),
    blocks: keep,
  },
  integer: {
    text: some(
      `${NO_NUMBER}, fractions are cut`,
      (x) => ifNumeric(x, whole(x)),
      (x) => `${ifNumeric(x, whole(x))} IS NOT CAST(${x} AS NUMERIC)`,
    ),
    integer: keep,
    number: some(
      'fractions are cut',
      (x) => `CAST(${x} AS INTEGER)`,
      (x) => `CAST(${x} AS INTEGER) <> ${x}`,
    ),
    boolean: keep,
    datetime: keep,
    json: some('JSON that is no number becomes empty', (x) => ifJson(x, `'integer', 'real'`, whole(x))),
  },
  number: {
    text: some(NO_NUMBER, (x) => ifNumeric(x, `CAST(${x} AS NUMERIC)`)),
    integer: keep,
    number: keep,
    boolean: keep,
    json: some('JSON that is no number becomes empty', (x) => ifJson(x, `'integer', 'real'`, `CAST(${x} AS NUMERIC)`)),
  },
  boolean: {
    text: some('texts other than true and false become empty', (x) => {
      const no = `iif(${oneOf(x, `'false', '0'`)}, 0, NULL)`;
      return `iif(${oneOf(x, `'true', '1'`)}, 1, ${no})`;
    }),
    integer: some('numbers other than 0 become true', (x) => `${x} <> 0`, notBoolean),
    number: some('numbers other than 0 become true', (x) => `${x} <> 0`, notBoolean),
    boolean: keep,
    json: some('JSON other than true and false becomes empty', (x) => ifJson(x, `'true', 'false'`, `${x} = 'true'`)),
  },
  date: {
    text: some(
      `${NO_DATE}, times of day are cut`,
      (x) => `iif(date(${dayText(x)}) = ${dayText(x)}, ${dayText(x)}, NULL)`,
      (x) => `date(${dayText(x)}) IS NOT ${x}`,
    ),
    date: keep,
    datetime: some(
      'the time of day is cut',
      (x) => `date(${x} / 1000.0, 'unixepoch')`,
      (x) => `${x} % 86400000 <> 0`,
    ),
  },
  time: {
    text: some(
      'texts that are no time become empty',
      (x) => `iif(${x} LIKE '__:__%', strftime('%H:%M:%f', ${x}), NULL)`,
    ),
    time: keep,
    datetime: some(
      'the day is cut',
      (x) => `strftime('%H:%M:%f', ${x} / 1000.0, 'unixepoch')`,
      () => '1',
    ),
  },
  datetime: {
    text: some(NO_DATE, (x) => {
      const milliseconds = `CAST(round(unixepoch(${x}, 'subsec') * 1000) AS INTEGER)`;
      return `iif(${x} LIKE '____-__-__%', ${milliseconds}, NULL)`;
    }),
    integer: some(
      'numbers beyond the range of dates become empty',
      (x) => `iif(abs(${x}) <= 8640000000000000, ${x}, NULL)`,
    ),
    date: all((x) => `unixepoch(${x}) * 1000`),
    datetime: keep,
  },
  json: {
    text: all((x) => `iif(json_valid(${x}), ${x}, json_quote(${x}))`),
    integer: all((x) => `json_quote(${x})`),
    number: all((x) => `json_quote(${x})`),
    boolean: all((x) => `iif(${x}, 'true', 'false')`),
    date: all((x) => `json_quote(${x})`),
    time: all((x) => `json_quote(${x})`),
    datetime: all((x) => `json_quote(${isoText(x)})`),
    json: keep,
    blocks: keep,
  },
  blocks: {
    text: all(paragraph),
    json: some('JSON that is no list becomes empty', (x) => `iif(json_type(${x}) = 'array', ${x}, NULL)`),
    blocks: keep,
  },
};

/** How values of one scalar type become values of another; undefined: not at all. `x` is SQL for the stored value. */
export function convert(from: ScalarType, to: ScalarType, x: string): Conversion | undefined {
  if (from === 'biginteger' && FAMILY[to] === 'number')
    return {
      expression: x,
      loss: { reason: 'whole numbers beyond 2^53 lose digits', where: `abs(${x}) > 9007199254740991` },
    };
  return CONVERSIONS[FAMILY[to]][FAMILY[from]]?.(x);
}
