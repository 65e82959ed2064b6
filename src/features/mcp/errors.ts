/**
 * @module Errors of tools: where the mistake is, what is allowed, and what to do next. They are results, so a model reads them.
 */
import { isObject, type JsonObject } from '../../common/json.ts';
import { nearest } from '../../common/near-words.ts';

export class ToolError extends Error {
  readonly path: string;
  readonly details: JsonObject;

  constructor(message: string, path: string, details: JsonObject = {}) {
    super(message);
    this.path = path;
    this.details = details;
  }
}

/** Names, and errors, that an error lists at most. */
const MAX_LISTED = 40;

/** Returns the error of an argument that is not one of the allowed names. */
export const unknownName = (message: string, path: string, name: string, allowed: readonly string[], next?: string) =>
  new ToolError(message, path, { nearest: nearest(name, allowed), allowed: allowed.slice(0, MAX_LISTED), next });

const MISSING_RIGHT = 'The caller may not do this. tools/list and describe show what it may do';
const ASK_PERSON =
  'Ask a person to do it, in Studio or with a token that may. What the public sees stays as it is until then';
const LATER = 'call again later';
const DESCRIBE = 'describe shows the attributes of the type and what they take';
const NEXT: Readonly<Record<number, string>> = {
  403: MISSING_RIGHT,
  405: 'get returns the documentId',
  404: 'find lists the documents that you may see',
  409: LATER,
  412: 'get returns the document as it is now, with its revision: apply your change to it',
  429: LATER,
  503: LATER,
};

/** Actions that change what the public sees. */
const DECISIONS: readonly string[] = ['publish', 'unpublish', 'delete'];

/** The error of an action that the caller may not take, as the API has it. */
export const notGranted = (action: string, type: string, path = 'type'): ToolError =>
  new ToolError(`Forbidden: ${action} of ${type}`, path, {
    status: 403,
    next: DECISIONS.includes(action) ? ASK_PERSON : MISSING_RIGHT,
  });

/** Adds to the error of a confirmed action that the caller may not take it, but a person may. */
export function leftToPerson(error: unknown): unknown {
  const isLeft = error instanceof ToolError && error.details.status === 403;
  return isLeft ? new ToolError(error.message, error.path, { ...error.details, next: ASK_PERSON }) : error;
}

/** The error of a document that is no longer as it was when the call was confirmed. */
export const changedSince = (): ToolError =>
  new ToolError('The document has changed since', 'revision', { status: 412, next: NEXT[412] });

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Returns the place of the argument that the details of an error are about; empty if they name none. */
function placeIn({ header, source, param, path, key }: JsonObject): readonly string[] {
  if (String(header).endsWith('-Match')) return ['revision'];
  return [source === 'body' ? 'data' : param, path, key === param ? '' : key].filter(isText);
}

/** Adds to the error of a confirmed action that it cannot be repeated with the same confirmation. */
export function usedUp(error: unknown, next: string): unknown {
  if (!(error instanceof ToolError)) return error;
  const { message, path, details } = error;
  return new ToolError(message, path, { ...details, next: `${details.next}. The confirmation is used up: ${next}` });
}

/**
 * Returns the error of a request to the API.
 * @param fallback the path if the API names none @param names those that the caller may use
 */
export function apiError(
  { status, body }: { readonly status: number; readonly body: unknown },
  fallback: string,
  names: readonly string[],
): ToolError {
  const error: JsonObject = isObject(body) && isObject(body.error) ? body.error : {};
  const details: JsonObject = isObject(error.details) ? error.details : {};
  const step = details.request === undefined ? [] : ['requests', details.request];
  const errors = (Array.isArray(details.errors) ? details.errors : [])
    .filter((each) => isObject(each) && Array.isArray(each.path))
    .slice(0, MAX_LISTED)
    .map(({ path, message }) => ({ path: [...step, 'data', ...path].join('.'), message }));
  const path: string = errors[0]?.path ?? ([...step, ...placeIn(details)].join('.') || fallback);
  const name = path.replace(/^.*\./s, '');
  const near = nearest(name, names);
  return new ToolError(String(error.message ?? 'The request failed'), path, {
    status,
    errors: errors.length > 1 ? errors : undefined,
    nearest: near === name ? undefined : near,
    next: NEXT[status] ?? DESCRIBE,
  });
}
