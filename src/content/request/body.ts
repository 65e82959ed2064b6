/**
 * @module Body text → the `data` of a write, in Strapi's formats.
 */

import { ApiError, invalid, isProblem } from '../../common/errors.ts';
import { isObject, type JsonObject } from '../../common/json.ts';
import type { Limits } from '../../schema/settings/config.ts';
import { jsonDepth } from './json-depth.ts';
import { parseForm } from './query-string.ts';

/** Strapi reads no other `+json` types. */
const JSON_TYPE = /^application\/(json|json-patch\+json|vnd\.api\+json|csp-report|reports\+json)\s*(;|$)/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;|$)/i;
/** Only malformed multipart bodies get here as text. */
const MULTIPART_TYPE = /^multipart\//i;

export type InputData = JsonObject;

/** Code that walks a value may run out of stack. @throws ApiError 400 beyond `bodyDepth` */
export function rejectDepth(text: string, { bodyDepth }: Limits, name = 'Body'): void {
  if (jsonDepth(text) <= bodyDepth) return;
  const message = `${name} nested too deeply. Expected at most ${bodyDepth} levels`;
  throw invalid(message, { limit: 'bodyDepth', source: 'body' });
}

/** May match the key `__proto__`, also in escapes. */
const NAMES_PROTOTYPE = /__proto__|\\u00/;

const hasPrototype = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Object.hasOwn(value, '__proto__') || Object.values(value).some(hasPrototype));

function parseJson(text: string, limits: Limits): unknown {
  if (text === '') return {};
  if (!/^[\x20\t\n\r]*[[{]/.test(text))
    throw new ApiError({ kind: 'syntax', message: 'invalid JSON, only supports object and array' });
  const value = parsed(text);
  rejectDepth(text, limits);
  if (NAMES_PROTOTYPE.test(text) && hasPrototype(value))
    throw new ApiError({ kind: 'syntax', message: 'Object contains forbidden prototype property' });
  return value;
}

/** A pair of surrogates, a lone one (captured), or any other escape. */
const ESCAPE = /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(u[dD][89a-fA-F][\da-fA-F]{2})|.)/gs;
const SURROGATE = /\\u[dD][89a-fA-F]/;

/** Replaces lone surrogates: SQLite would store bytes that differ from what it returns. */
export const wellFormed = (json: string): string =>
  SURROGATE.test(json) ? json.replace(ESCAPE, (whole, alone?: string) => (alone ? '\\ufffd' : whole)) : json;

function parsed(text: string): unknown {
  try {
    return JSON.parse(wellFormed(text));
  } catch (error) {
    throw new ApiError({ kind: 'syntax', message: (error as Error).message }, { cause: error });
  }
}

function parseBody(text: string, contentType: string, limits: Limits): unknown {
  if (JSON_TYPE.test(contentType)) return parseJson(text, limits);
  if (FORM_TYPE.test(contentType)) return parseForm(text, limits);
  if (MULTIPART_TYPE.test(contentType)) throw invalid('Malformed multipart body');
  return {};
}

/** Returns a body of a fixed form; a text in a content type that is not parsed as it is. @throws ApiError 400: SyntaxError */
export const parseFixedBody = (text: string, contentType: string, limits: Limits): unknown =>
  text === '' || JSON_TYPE.test(contentType) || FORM_TYPE.test(contentType) || MULTIPART_TYPE.test(contentType)
    ? parseBody(text, contentType, limits)
    : text;

/** The excerpt of the text in V8's message, which may contain a password. */
const EXCERPT = /, (\.\.\.)?".*is not valid JSON$/s;

/**
 * Returns the complete body of an account route; empty if it is not an object.
 * @throws ApiError 400: SyntaxError for malformed JSON, without an excerpt; the limits of `parseForm`
 */
export function parseObject(text: string, contentType: string, limits: Limits): InputData {
  try {
    const body = parseBody(text, contentType, limits);
    return isObject(body) ? body : {};
  } catch (error) {
    if (!isProblem(error, 'syntax')) throw error;
    throw new ApiError({ kind: 'syntax', message: error.message.replace(EXCERPT, ' in JSON') });
  }
}

/** Characters of a printed list; a longer one is cut off. */
const MAX_PRINTED = 2_000;

/** Prints a list like Strapi's validator: strings quoted twice. */
function printList(list: readonly unknown[]): string {
  const short = JSON.stringify(list);
  if (short.length > MAX_PRINTED) return `${short.slice(0, MAX_PRINTED)}…`;
  const quoted = (_: string, value: unknown) => {
    if (typeof value === 'string') return `"${value}"`;
    return typeof value === 'number' || typeof value === 'boolean' || value === null ? String(value) : value;
  };
  return JSON.stringify(list, quoted, 2);
}

function listRejection(list: readonly unknown[]): ApiError {
  const message = `this must be a \`object\` type, but the final value was: \`null\` (cast from the value \`${printList(list)}\`).`;
  return invalid(message, { errors: [{ path: [], message, name: 'ValidationError', value: null }] });
}

/** Ignores keys beside `data`. @throws ApiError 400: SyntaxError for malformed JSON, ValidationError without `data` */
export const parseData = (text: string, contentType: string, limits: Limits): InputData =>
  dataOfBody(parseBody(text, contentType, limits));

/** Returns the `data` of a body that is parsed already. @throws ApiError 400 without one */
export function dataOfBody(body: unknown): InputData {
  const data = isObject(body) ? body.data : undefined;
  if (Array.isArray(data)) throw listRejection(data);
  if (!isObject(data)) throw invalid('Missing "data" payload in the request body');
  return data;
}
