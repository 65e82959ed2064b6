/**
 * @module The values of a body as a response returns them.
 */
import { isHidden, isScalar } from '../src/schema/attribute-kinds.ts';
import { FIELDS } from '../src/schema/fields.ts';
import type { Attribute, ScalarAttribute } from '../src/schema/model.ts';
import type { Client } from './client.ts';
import type { Data, TestDocuments } from './documents.ts';

/** What a test works with. */
export type Running = Pick<Client & TestDocuments, 'fetch' | 'json' | 'data' | 'bodyOf'>;

/** What a value is read back as: a time with its milliseconds, a date-time in UTC. */
function readBack({ type }: ScalarAttribute, value: unknown): unknown {
  const { cast, store, read } = FIELDS[type];
  const stored = store(cast(value));
  return stored === null ? null : JSON.parse(JSON.stringify(read(stored)));
}

/** Names of private attributes that a document shows all the same. */
export const leakedIn = (document: Data, attributes: readonly Attribute[]): readonly string[] =>
  attributes.filter((item) => isHidden(item) && Object.hasOwn(document, item.name)).map(({ name }) => name);

/** JSON is compared as text, which has more than one form. */
export const isFilterable = (attribute: Attribute): attribute is ScalarAttribute =>
  isScalar(attribute) && !isHidden(attribute) && FIELDS[attribute.type].json === undefined;

/** What of a body stands in a document without `populate`. */
export function shownOf(body: Data, attributes: readonly Attribute[]): Data {
  const shown = attributes.filter(isScalar).filter((item) => !isHidden(item) && Object.hasOwn(body, item.name));
  return Object.fromEntries(shown.map((item) => [item.name, readBack(item, body[item.name])]));
}
