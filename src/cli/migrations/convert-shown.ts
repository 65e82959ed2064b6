/**
 * @module The conversions of `convert.ts` for values inside components, which are JSON in the form that responses show.
 */
import type { ScalarType } from '../../registry/model.ts';
import { convert, NOT_CONVERTED } from './convert.ts';

/** SQL for the JSON text of a value → SQL for that of the converted value. */
export type Convert = (json: string) => string;

type ToSql = (text: string) => string;

const unquoted: ToSql = (json) => `(${json} ->> '$')`;

/** The stored form of a shown value that is not null. */
const STORED: Partial<Readonly<Record<ScalarType, ToSql>>> = {
  biginteger: (json) => `CAST(${json} ->> '$' AS INTEGER)`,
  datetime: (json) => `CAST(round(unixepoch(${json} ->> '$', 'subsec') * 1000) AS INTEGER)`,
  blocks: (json) => json,
};

/** JSON text of a stored value that is not null. */
const SHOWN: Partial<Readonly<Record<ScalarType, ToSql>>> = {
  biginteger: (stored) => `json_quote(CAST(${stored} AS TEXT))`,
  boolean: (stored) => `iif(${stored}, 'true', 'false')`,
  datetime: (stored) => `json_quote(strftime('%Y-%m-%dT%H:%M:%fZ', ${stored} / 1000.0, 'unixepoch'))`,
  json: (stored) => stored,
  blocks: (stored) => stored,
};

export const emptyJson = (repeatable: boolean): string => (repeatable ? `'[]'` : `'null'`);

interface Shown {
  readonly convert: Convert;
  /** What does not survive, in words and as a condition on a value that is not null; absent: all do. */
  readonly loss?: { readonly reason: string; readonly goes: Convert };
}

/** How a shown value of one type becomes one of another. */
export function convertShown(from: ScalarType, to: ScalarType): Shown {
  const stored = STORED[from] ?? unquoted;
  const shown = SHOWN[to] ?? ((value: string) => `json_quote(${value})`);
  const conversion = convert(from, to, '"stored"');
  if (!conversion) return { convert: () => emptyJson(false), loss: { reason: NOT_CONVERTED, goes: () => '1' } };
  const { expression, loss } = conversion;
  const converted: Convert = (json) => {
    const result = `(SELECT iif("stored" IS NULL OR "result" IS NULL, 'null', ${shown('"result"')}) FROM (SELECT "stored", ${expression} AS "result" FROM (SELECT ${stored(json)} AS "stored")))`;
    return `iif(json_type(${json}) = 'null', 'null', ${result})`;
  };
  if (!loss) return { convert: converted };
  const goes: Convert = (json) => `(SELECT ${loss.where} FROM (SELECT ${stored(json)} AS "stored"))`;
  return { convert: converted, loss: { reason: loss.reason, goes } };
}
