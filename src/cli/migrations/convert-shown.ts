/**
 * @module The conversions of `convert.ts` for values inside components, which are JSON in the form that answers show.
 */
import type { ScalarType } from '../../registry/model.ts';
import { convert, NOT_CONVERTED } from './convert.ts';

/** SQL for the JSON text of a value → SQL for the JSON text of what becomes of it. */
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

/** How a shown value of one type becomes one of another, and what does not survive. */
export function convertShown(from: ScalarType, to: ScalarType): { readonly convert: Convert; readonly loss?: string } {
  const stored = STORED[from] ?? unquoted;
  const shown = SHOWN[to] ?? ((value: string) => `json_quote(${value})`);
  const conversion = convert(from, to, stored('json'));
  if (!conversion) return { convert: () => emptyJson(false), loss: NOT_CONVERTED };
  const converted: Convert = (json) => {
    const { expression = 'NULL' } = convert(from, to, '"stored"') ?? {};
    const result = `(SELECT iif("stored" IS NULL OR "result" IS NULL, 'null', ${shown('"result"')}) FROM (SELECT "stored", ${expression} AS "result" FROM (SELECT ${stored(json)} AS "stored")))`;
    return `iif(json_type(${json}) = 'null', 'null', ${result})`;
  };
  return { convert: converted, ...(conversion.loss && { loss: conversion.loss.reason }) };
}
