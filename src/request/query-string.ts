/**
 * @module Query string → nested plain value, as Strapi's parser reads it (`qs`, nesting of 20), within limits.
 */
import qs from 'qs';
import type { Limits } from '../config.ts';
import { type ApiError, invalid } from '../errors.ts';

/** What a bracketed query string says before anybody asked what it means. */
export interface RawQuery {
  readonly [name: string]: RawValue;
}
export type RawValue = string | null | RawQuery | readonly RawValue[];

const ON = new Set<unknown>(['t', '1', 'true']);
const OFF = new Set<unknown>(['f', '0', 'false']);

/** Undefined for what says neither on nor off. */
export function switchOf(raw: RawValue | undefined): boolean | undefined {
  if (ON.has(raw)) return true;
  return OFF.has(raw) ? false : undefined;
}

/** Where bracketed text came from: it is named in errors. */
type Origin = 'query' | 'body';

interface Grammar {
  readonly source: Origin;
  /** Levels of brackets; what is nested deeper stays one key. */
  readonly depth: number;
  /** Is `a` without `=` null, and not an empty text? */
  readonly strictNullHandling: boolean;
}

const QUERY: Grammar = { source: 'query', depth: 20, strictNullHandling: true };
const FORM: Grammar = { source: 'body', depth: 5, strictNullHandling: false };

function refuse({ message }: RangeError, limits: Limits, source: Origin): ApiError {
  const [limit, what] = message.startsWith('Parameter')
    ? (['parameters', 'parameters'] as const)
    : (['listItems', 'values in a list'] as const);
  return invalid(`Too many ${what}. Expected at most ${limits[limit]}`, { limit, source });
}

/** Makes the library throw beyond its limits, where by default it drops parameters or turns a list into an object. */
function parseBracketed(text: string, limits: Limits, { source, ...grammar }: Grammar): RawQuery {
  const counts = { parameterLimit: limits.parameters, arrayLimit: limits.listItems, throwOnLimitExceeded: true };
  try {
    return qs.parse(text, { ...grammar, ...counts }) as RawQuery;
  } catch (error) {
    throw error instanceof RangeError ? refuse(error, limits, source) : error;
  }
}

/**
 * Parses the part of a URL behind `?` (percent-encoded). Names of `Object.prototype` are dropped, `a` without `=` is
 * null, nesting deeper than 20 stays one key in brackets.
 * @throws ApiError 400 that names the limit, beyond `queryLength`, `parameters` or `listItems` (also as an index).
 */
export function parseQueryString(search: string, limits: Limits): RawQuery {
  if (search.length > limits.queryLength)
    throw invalid(`Query string too long. Expected at most ${limits.queryLength} characters`, {
      limit: 'queryLength',
      source: 'query',
    });
  return parseBracketed(search, limits, QUERY);
}

/**
 * Parses a form (`application/x-www-form-urlencoded`); everything in it is text.
 * @throws ApiError 400 that names the limit, beyond `parameters` or `listItems`.
 */
export const parseForm = (text: string, limits: Limits): RawQuery => parseBracketed(text, limits, FORM);
