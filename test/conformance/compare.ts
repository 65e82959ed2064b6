/**
 * @module A recorded answer against an observed one: every difference, with its path.
 */
import { isObject, type Json, type RecordedResponse } from './recording.ts';

/** `strict` is everything; `core` leaves out headers, the wording of errors and the formats of pictures. */
export type Level = 'strict' | 'core';

/** An answer in the form of a recording: normalised body, the headers that are compared, outcomes of `same`. */
export interface Observed {
  readonly status: number;
  readonly contentType: string | null;
  readonly headers: Readonly<Record<string, string | null>>;
  readonly body: Json;
  /** Path → does the value there equal the capture that the rule names? */
  readonly same: Readonly<Record<string, boolean>>;
}

/** Undefined stands for a key that is absent. */
export interface Difference {
  readonly path: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

type Skip = (path: string) => boolean;

const NOTHING_SKIPPED: Skip = () => false;
const PICTURE_FORMATS: Skip = (path) => path.endsWith('.formats');
const ABSENT = undefined;

function* listDifferences(expected: readonly Json[], actual: readonly Json[], path: string, skip: Skip) {
  if (expected.length !== actual.length)
    yield { path: `${path}.length`, expected: expected.length, actual: actual.length };
  const both = Math.min(expected.length, actual.length);
  for (let at = 0; at < both; at += 1) yield* bodyDifferences(expected[at], actual[at], `${path}[${at}]`, skip);
}

function* bodyDifferences(
  expected: Json | undefined,
  actual: Json | undefined,
  path: string,
  skip: Skip,
): Generator<Difference> {
  if (skip(path)) return;
  if (Array.isArray(expected) && Array.isArray(actual)) {
    yield* listDifferences(expected, actual, path, skip);
  } else if (isObject(expected) && isObject(actual)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      const side = (object: typeof expected) => (Object.hasOwn(object, key) ? object[key] : ABSENT);
      yield* bodyDifferences(side(expected), side(actual), `${path}.${key}`, skip);
    }
  } else if (expected !== actual) {
    yield { path, expected, actual };
  }
}

/** JSON with keys in one order, to sort by. */
const canonical = (value: Json): string =>
  JSON.stringify(value, (_, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );

/** The list of a body (bare, or `data`) in an order that depends on nothing but its items. */
function sorted(body: Json): Json {
  if (Array.isArray(body)) {
    const keyed = body.map((item: Json) => [canonical(item), item] as const);
    return keyed.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
  }
  return isObject(body) && Array.isArray(body.data) ? { ...body, data: sorted(body.data) } : body;
}

const mediaType = (value: string | null): string | undefined => value?.replace(/\s+/g, '').toLowerCase();

const LIST_HEADER = /^(allow|access-control-allow-.*|access-control-expose-headers)$/;

/** A header whose value is a set of words, in one order and case. */
function headerValue(name: string, value: string | null): string | null {
  if (value === null || !LIST_HEADER.test(name)) return value;
  const words = value.split(',').map((word) => word.trim().toLowerCase());
  return words.sort().join(',');
}

function* headDifferences(expected: RecordedResponse, actual: Observed): Generator<Difference> {
  if (mediaType(expected.contentType) !== mediaType(actual.contentType))
    yield { path: 'contentType', expected: expected.contentType, actual: actual.contentType };
  for (const [name, value] of Object.entries(expected.headers ?? {})) {
    const got = actual.headers[name] ?? null;
    if (headerValue(name, value) !== headerValue(name, got))
      yield { path: `headers.${name}`, expected: value, actual: got };
  }
}

const errorName = (body: Json): Json | undefined => {
  const error = isObject(body) ? body.error : undefined;
  return isObject(error) ? error.name : undefined;
};

function* coreDifferences(status: number, expected: Json, actual: Json): Generator<Difference> {
  if (status < 400) yield* bodyDifferences(expected, actual, 'body', PICTURE_FORMATS);
  else yield* bodyDifferences(errorName(expected), errorName(actual), 'body.error.name', NOTHING_SKIPPED);
}

function* differences(expected: RecordedResponse, actual: Observed, level: Level, unordered: boolean) {
  if (expected.status !== actual.status) yield { path: 'status', expected: expected.status, actual: actual.status };
  const arranged = unordered ? sorted : (body: Json) => body;
  const bodies = [arranged(expected.body), arranged(actual.body)] as const;
  if (level === 'core') yield* coreDifferences(expected.status, ...bodies);
  else {
    yield* headDifferences(expected, actual);
    yield* bodyDifferences(...bodies, 'body', NOTHING_SKIPPED);
  }
  for (const [path, rule] of Object.entries(expected.same ?? {})) {
    const equal = actual.same[path];
    if (equal !== rule.equal) yield { path: `same(${path}, ${rule.as})`, expected: rule.equal, actual: equal };
  }
}

/** All differences, empty when the answers are alike. `unordered`: the order of the list does not count. */
export function compare(expected: RecordedResponse, actual: Observed, level: Level, unordered = false): Difference[] {
  return [...differences(expected, actual, level, unordered)];
}
