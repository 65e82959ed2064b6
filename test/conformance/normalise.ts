/**
 * @module Replaces in a body what two honest servers never have in common (ids, stamps, hashes, tokens) by
 * placeholders. What the client sent itself stays literal.
 */
import { type Captures, JWT } from './captures.ts';
import { mapped } from './payloads.ts';
import { isObject, type Json, type JsonObject } from './recording.ts';

/** Where a value stands: under which key of which object, and whether inside of `error`. */
interface Place {
  readonly key?: string;
  readonly owner?: JsonObject;
  readonly inError: boolean;
}

const DOCUMENT_ID = /^[a-z0-9]{24}$/;
const DOCUMENT_ID_IN_TEXT = /\b(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{24}\b/g;
const STAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const STAMP_KEYS: ReadonlySet<string> = new Set(['createdAt', 'updatedAt', 'publishedAt']);
const SIZE_KEYS: ReadonlySet<string> = new Set(['size', 'sizeInBytes']);

const isPicture = (owner: JsonObject | undefined): boolean => String(owner?.mime ?? '').startsWith('image/');

/** The placeholder of a text whose key says what it is. */
function byKey(text: string, { key = '', owner }: Place, captures: Captures): string | undefined {
  if (key === 'documentId' && DOCUMENT_ID.test(text)) return '<documentId>';
  if (STAMP_KEYS.has(key) && STAMP.test(text) && !captures.wasSentAsTime(text)) return '<timestamp>';
  if ((key === 'url' || key === 'hash') && !captures.wasSent(text)) return `<${key}>`;
  if (key === 'provider' && owner && 'mime' in owner) return '<provider>';
  return undefined;
}

/** Row numbers and documentIds in the wording of an error. */
const withoutIds = (message: string): string =>
  message
    .replace(DOCUMENT_ID_IN_TEXT, '<documentId>')
    .replace(/\bid \d+/g, 'id <id>')
    .replace(/"(before|after)":\d+/g, '"$1":<id>');

/** Captured texts by their placeholders. */
type Names = ReadonlyMap<string, string>;

function ofText(text: string, place: Place, captures: Captures, names: Names): string {
  const map = mapped(text);
  if (map) {
    const source = ofText(map.source, { inError: true }, captures, names);
    return `${ofText(map.text, place, captures, names)}⟦${source}⟧`;
  }
  if (JWT.test(text)) return '<jwt>';
  const known = names.get(text) ?? byKey(text, place, captures);
  if (known !== undefined) return known;
  let result = text;
  for (const [value, name] of names) result = result.replaceAll(value, () => name);
  return place.inError ? withoutIds(result) : result;
}

function ofNumber(value: number, { key = '', owner }: Place): Json {
  if (key === 'id') return '<id>';
  return SIZE_KEYS.has(key) && isPicture(owner) ? '<number>' : value;
}

/** A body as the recordings have it, e.g. `{"data":{"id":"<id>","documentId":"{{t1}}","name":"Alpha",…}}`. */
export function normalise(body: Json, captures: Captures): Json {
  const names = captures.placeholders();
  const walk = (value: Json, place: Place): Json => {
    if (typeof value === 'string') return ofText(value, place, captures, names);
    if (typeof value === 'number') return ofNumber(value, place);
    if (Array.isArray(value)) return value.map((item: Json) => walk(item, { inError: place.inError }));
    if (!isObject(value)) return value;
    const inside = (key: string): Place => ({ key, owner: value, inError: place.inError || key === 'error' });
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item, inside(key))]));
  };
  return walk(body, { inError: false });
}
