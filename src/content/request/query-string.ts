/**
 * @module Parses query strings and forms like Strapi, within limits.
 */
/// <reference path="./qs-parse.d.ts" />
import parse from 'qs/lib/parse.js';
import { type ApiError, invalid } from '../../common/errors.ts';
import type { Limits } from '../../schema/settings/config.ts';

/** A query string with brackets, as a nested value. */
export interface RawQuery {
  readonly [name: string]: RawValue;
}
export type RawValue = string | null | RawQuery | readonly RawValue[];

const ON = new Set<unknown>(['t', '1', 'true']);
const OFF = new Set<unknown>(['f', '0', 'false']);

/** Reads a boolean; undefined for any other value. */
export function switchOf(raw: RawValue | undefined): boolean | undefined {
  if (ON.has(raw)) return true;
  return OFF.has(raw) ? false : undefined;
}

export const isEmpty = (value: RawValue | undefined): value is undefined | null | '' =>
  value === undefined || value === null || value === '';

/** Levels of brackets in a query string. */
export const QUERY_DEPTH = 20;

/** Brackets deeper than `depth` stay one key; with `strictNullHandling` `a` without `=` is null, not an empty text. */
const QUERY = { source: 'query', depth: QUERY_DEPTH, strictNullHandling: true };
const FORM = { source: 'body', depth: 5, strictNullHandling: false };

function tooMany({ message }: RangeError, limits: Limits, source: string): ApiError {
  const limit = message.startsWith('Parameter') ? 'parameters' : 'listItems';
  const what = limit === 'parameters' ? 'parameters' : 'values in a list';
  return invalid(`Too many ${what}. Expected at most ${limits[limit]}`, { limit, source });
}

/** Makes the library throw beyond its limits: by default it drops parameters, or turns a list into an object. */
function parseBracketed(text: string, limits: Limits, { source, ...grammar }: typeof QUERY): RawQuery {
  const counts = { parameterLimit: limits.parameters, arrayLimit: limits.listItems, throwOnLimitExceeded: true };
  try {
    return parse(text, { ...grammar, ...counts }) as RawQuery;
  } catch (error) {
    throw error instanceof RangeError ? tooMany(error, limits, source) : error;
  }
}

/**
 * Parses the percent-encoded part of a URL after `?`. Drops names of `Object.prototype`.
 * @throws ApiError 400 beyond `queryLength`, `parameters` or `listItems` (also as an index)
 */
export function parseQueryString(search: string, limits: Limits): RawQuery {
  const message = `Query string too long. Expected at most ${limits.queryLength} characters`;
  if (search.length > limits.queryLength) throw invalid(message, { limit: 'queryLength', source: 'query' });
  return parseBracketed(search, limits, QUERY);
}

/** Parses `application/x-www-form-urlencoded`. @throws ApiError 400 beyond `parameters` or `listItems` */
export const parseForm = (text: string, limits: Limits): RawQuery => parseBracketed(text, limits, FORM);
