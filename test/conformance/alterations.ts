/**
 * @module Ways to spoil a recorded answer. The runner must notice each of them, at every step that has such a thing.
 */
import { type Wire, withValueAt } from './fake-server.ts';
import { isObject, type Json, type JsonObject, type Step } from './recording.ts';

/** Undefined: there is nothing in this answer to alter. */
export type Alteration = (wire: Wire, step: Step) => Wire | undefined;
type Change = (value: Json, key: string) => Json | undefined;

/** The body with the first value changed for which `change` has something else. */
function changeFirst(body: Json, change: Change, key = ''): Json | undefined {
  const changed = change(body, key);
  if (changed !== undefined) return changed;
  if (body === null || typeof body !== 'object') return undefined;
  for (const [name, item] of Object.entries(body)) {
    const inner = changeFirst(item as Json, change, Array.isArray(body) ? key : name);
    if (inner !== undefined) return withValueAt(body, [name], inner);
  }
  return undefined;
}

const inBody =
  (change: Change): Alteration =>
  (wire) => {
    const body = changeFirst(wire.body, change);
    return body === undefined ? undefined : { ...wire, body };
  };

const inObject = (change: (value: JsonObject, key: string) => JsonObject | undefined): Alteration =>
  inBody((value, key) => (isObject(value) ? change(value, key) : undefined));

const inFilledList = (change: (list: readonly [Json, ...Json[]]) => Json): Alteration =>
  inBody((value) => (Array.isArray(value) && value.length > 0 ? change(value as [Json, ...Json[]]) : undefined));

const without = (value: JsonObject, drop: (item: Json, at: number) => boolean): JsonObject | undefined => {
  const kept = Object.entries(value).filter(([, item], at) => !drop(item, at));
  return kept.length === Object.keys(value).length ? undefined : Object.fromEntries(kept);
};

const isFirst = (_: Json, at: number): boolean => at === 0;

/** Attributes whose values are compared as they are. */
const LITERAL = /^(title|name|label|total|weight|color|rating)$/;

const listOf = (body: Json): readonly Json[] | undefined => {
  const list = isObject(body) ? body.data : body;
  return Array.isArray(list) ? list : undefined;
};

/** Exchanges the first two items, where they can be told apart and their order counts. */
const swapped: Alteration = (wire, { response, unordered }) => {
  const [first, second] = listOf(response.body)?.map((item) => JSON.stringify(item)) ?? [];
  const [a, b, ...rest] = listOf(wire.body) ?? [];
  if (unordered === true || a === undefined || b === undefined || first === second) return undefined;
  const list = [b, a, ...rest];
  return { ...wire, body: isObject(wire.body) ? { ...wire.body, data: list } : list };
};

const otherCharset: Alteration = (wire) => {
  const contentType = wire.contentType?.replace('utf-8', 'latin1');
  return contentType === undefined || contentType === wire.contentType ? undefined : { ...wire, contentType };
};

const otherHeader: Alteration = (wire) => {
  const [name] = Object.keys(wire.headers);
  return name === undefined ? undefined : { ...wire, headers: { ...wire.headers, [name]: 'other' } };
};

export const ALTERATIONS: Readonly<Record<string, Alteration>> = {
  'another status': (wire) => ({ ...wire, status: wire.status === 404 ? 400 : 404 }),
  'another content type': (wire) => ({ ...wire, contentType: 'text/html; charset=utf-8' }),
  'another charset': otherCharset,
  'a header with another value': otherHeader,
  'a missing header': (wire) => (Object.keys(wire.headers).length > 0 ? { ...wire, headers: {} } : undefined),
  'no body': (wire) => (wire.body === null ? undefined : { ...wire, body: null }),
  'a body where there is none': (wire) => (wire.body === null ? { ...wire, body: {} } : undefined),
  'an added key': inObject((value) => ({ ...value, surplus: null })),
  'a removed key': inObject((value) => without(value, isFirst)),
  'a removed key of a document': inObject((value, key) => (key === 'data' ? without(value, isFirst) : undefined)),
  'null left out': inObject((value) => without(value, (item) => item === null)),
  'another text': inBody((value, key) => (typeof value === 'string' && LITERAL.test(key) ? `${value}.` : undefined)),
  'another number': inBody((value, key) => (typeof value === 'number' && LITERAL.test(key) ? value + 1 : undefined)),
  'another boolean': inBody((value) => (typeof value === 'boolean' ? !value : undefined)),
  'another error message': inBody((value, key) => (key === 'message' ? `${String(value)}.` : undefined)),
  'another error name': inObject((value, key) => (key === 'error' ? { ...value, name: 'Error!' } : undefined)),
  'a number as text': inBody((value) => (typeof value === 'number' ? `${value}` : undefined)),
  'null for an empty list': inBody((value) => (Array.isArray(value) && value.length === 0 ? null : undefined)),
  'an item less': inFilledList(([, ...rest]) => rest),
  'an item more': inFilledList((list) => [...list, list[0]]),
  'two items in the other order': swapped,
  'a documentId that is none': inBody((value, key) => (key === 'documentId' && value !== null ? '42' : undefined)),
  'a stamp that is none': inBody((value, key) => (/^\w+edAt$/.test(key) && value !== null ? 'now' : undefined)),
};
