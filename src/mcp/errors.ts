/**
 * @module Errors of tools: where the mistake is, what is allowed, and what to do next. They are results, so a model reads them.
 */
import { isObject, type JsonObject } from '../common/json.ts';
import { nearest } from '../common/near-words.ts';

export class ToolError extends Error {
  readonly path: string;
  readonly details: JsonObject;

  constructor(message: string, path: string, details: JsonObject = {}) {
    super(message);
    this.path = path;
    this.details = details;
  }
}

/** Names that an error lists at most. */
const MAX_ALLOWED = 40;

/** Returns the error of an argument that is not one of the allowed names. */
export function unknownName(
  message: string,
  path: string,
  name: string,
  allowed: readonly string[],
  next?: string,
): ToolError {
  const close = nearest(name, allowed);
  return new ToolError(message, path, {
    ...(close !== undefined && { nearest: close }),
    allowed: allowed.slice(0, MAX_ALLOWED),
    ...(next !== undefined && { next }),
  });
}

const NEXT: Readonly<Record<number, string>> = {
  400: 'describe shows the attributes of the type and what they take',
  404: 'find lists the documents that you may see',
  409: 'call again in a moment',
  412: 'get returns the document as it is now, with its revision: apply your change to it',
  429: 'call again in a moment',
  503: 'call again in a moment',
};

const MISSING_RIGHT = 'The API token may not do this. tools/list and describe show what it may do';

/** The error of an action that the caller may not take, as the API has it. */
export const notGranted = (action: string, type: string): ToolError =>
  new ToolError(`Forbidden: ${action} of ${type}`, 'type', { status: 403, next: MISSING_RIGHT });

/** The place of an error of the API, as a tool's caller knows it. */
function placeOf({ details }: JsonObject, fallback: string): string {
  if (!isObject(details)) return fallback;
  const [first] = Array.isArray(details.errors) ? details.errors : [];
  if (isObject(first) && Array.isArray(first.path)) return ['data', ...first.path].join('.');
  const { header, param, key, path, request } = details;
  if (String(header).endsWith('-Match')) return request === undefined ? 'revision' : `requests.${request}.revision`;
  if (typeof param === 'string') return param;
  return typeof key === 'string' ? [...(path ? [path] : []), key].join('.') : fallback;
}

/** The part of a response that has its error. */
interface Failed {
  readonly status: number;
  readonly body: unknown;
}

/** Returns the error of a request to the API. @param names those that the caller may use @param fallback the path without another */
export function apiError({ status, body }: Failed, fallback: string, names: readonly string[] = []): ToolError {
  const error: JsonObject = isObject(body) && isObject(body.error) ? body.error : {};
  const path = placeOf(error, fallback);
  const named = isObject(error.details) && typeof error.details.key === 'string' ? error.details.key : path;
  const close = status === 400 ? nearest(named.split('.').at(-1) ?? '', names) : undefined;
  const errors = isObject(error.details) && Array.isArray(error.details.errors) ? error.details.errors : [];
  const all = errors
    .filter((each) => isObject(each) && Array.isArray(each.path))
    .slice(0, MAX_ALLOWED)
    .map((each) => ({ path: ['data', ...each.path].join('.'), message: each.message }));
  return new ToolError(String(error.message ?? 'The request failed'), path, {
    status,
    ...(all.length > 1 && { errors: all }),
    ...(close !== undefined && !named.endsWith(close) && { nearest: close }),
    next: status === 403 || status === 401 ? MISSING_RIGHT : (NEXT[status] ?? NEXT[400]),
  });
}
