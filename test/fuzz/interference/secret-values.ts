/**
 * @module The values of everything that is hidden from a caller, and links to it, as SQL: whatever a request finds out about a
 * hidden document then differs between the worlds.
 */
import fc from 'fast-check';
import type { ScalarAttribute } from '../../../src/schema/model.ts';
import { idNamed } from './chance.ts';
import { uidOf } from './model.ts';
import { HIDDEN, LEADS, PATHS, PREVIEWED, VISIBLE } from './names.ts';
import { typeOf } from './queries.ts';
import { grantOf, seesAll } from './rights.ts';
import { TIMES, WORDS } from './values.ts';

interface Written {
  readonly sql: string;
}

const listed = (names: readonly string[] = []): string => names.map((name) => `'${idNamed(name)}'`).join();

const literal = (value: unknown): string => (typeof value === 'number' ? String(value) : `'${value}'`);

/** Values as columns have them. */
const storedFor = ({ type, enum: names }: ScalarAttribute): fc.Arbitrary<unknown> => {
  if (names) return fc.constantFrom(...names);
  return type === 'datetime' ? fc.constantFrom(...TIMES.map(Date.parse)) : fc.constantFrom(...WORDS);
};

/** Of visible documents, they are compared with tags of a write. */
const TIMESTAMPS = ['createdAt', 'updatedAt'];

/** Attributes that conditions compare, and those that tell rows apart. */
const FIXED = ['audience', 'rating', 'due', 'id', 'documentId', 'locale', 'publishedAt'];

/** Those that hide a story with any of these values. */
const OF_HIDDEN = ['"audience" = \'closed\', "rating" = 0', '"audience" = \'team\', "rating" = 3'].map(
  (set): Written => ({ sql: `update stories set ${set} where document_id in (${listed(HIDDEN.story)})` }),
);

/** Attributes that decide nothing about who sees a document. */
const freeIn = (type: string): readonly ScalarAttribute[] =>
  [...typeOf(type).attributes.values()]
    .filter((attribute) => attribute.kind === 'scalar')
    .filter(({ name, unique }) => !unique && !FIXED.includes(name));

const valuesOf = (type: string, attributes: readonly ScalarAttribute[], name: string): fc.Arbitrary<Written> =>
  fc.record(Object.fromEntries(attributes.map((each) => [each.column, storedFor(each)]))).map((values) => {
    const set = Object.entries(values).map(([column, value]) => `"${column}" = ${literal(value)}`);
    return { sql: `update "${PATHS[type]}" set ${set} where document_id = '${idNamed(name)}'` };
  });

/** Attributes that a caller does not read in any document: private ones, and those that its grant does not list. */
function unlistedIn(type: string, caller: string): readonly ScalarAttribute[] {
  const fields = grantOf(caller, 'find', uidOf(type))?.fields;
  const isUnlisted = ({ name, private: isPrivate }: ScalarAttribute) => isPrivate || fields?.includes(name) === false;
  return freeIn(type).filter((attribute) => isUnlisted(attribute) && !TIMESTAMPS.includes(attribute.name));
}

/** Some lists have no links to hidden documents. */
function missingLinks(caller: string): fc.Arbitrary<Written> {
  const lists = LEADS.filter(({ target }) => !seesAll(caller, target));
  return fc.subarray(lists).map((some) => ({
    sql: some
      .map(({ list, target }) => `delete from ${list} where target_document_id in (${listed(HIDDEN[target])})`)
      .join(';'),
  }));
}

/** Every hidden document, in all versions, and what is hidden of the others: each with values of its own. */
export function secretValues(caller: string): fc.Arbitrary<readonly Written[]> {
  const documents = Object.entries(HIDDEN)
    .filter(([type]) => !seesAll(caller, type))
    .flatMap(([type, names]) => names.map((name) => valuesOf(type, freeIn(type), name)));
  const attributes = Object.entries(VISIBLE).flatMap(([type, numbers]) => {
    const unlisted = unlistedIn(type, caller);
    const names = numbers.map((number) => `${type}${number}`).filter((name) => name !== PREVIEWED);
    return unlisted.length > 0 ? names.map((name) => valuesOf(type, unlisted, name)) : [];
  });
  return fc.tuple(...documents, ...attributes, fc.constantFrom(...OF_HIDDEN), missingLinks(caller));
}
