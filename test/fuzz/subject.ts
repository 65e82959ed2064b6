/**
 * @module The world of the requests as every caller knows it: names of all documents, right and wrong.
 */
import fc from 'fast-check';
import type { ContentType } from '../../src/schema/model.ts';
import { either, type Grammar, type Subject } from '../generators/subject.ts';
import { dataOn } from './bodies.ts';
import { types } from './generators.ts';
import { encoded, hostileText } from './hostile.ts';
import { GUESSES } from './invariants.ts';
import { registry } from './model.ts';
import { filtersOn, populateOn, searchOf } from './queries.ts';

const SIZE = { depth: 3, width: 3, list: 20 };
const collections = types.filter(({ kind }) => kind === 'collectionType');

/** Documents that keep their secret are neither deleted nor unpublished. */
function namedDocument({ uid }: ContentType, isDeleted = false) {
  const made = fc.constant(`{made:${uid}}`);
  const known = isDeleted ? made : fc.constantFrom(`{${uid}}`, `{${uid}}`, `{made:${uid}}`);
  return either(12, known, hostileText.chain(encoded)).map((documentId) => ({
    documentId,
    row: fc.constantFrom(documentId, '1', '2'),
    locales: ['fr', 'de'],
  }));
}

function grammarOf({ attributes }: ContentType): Grammar {
  const name = fc.constantFrom(...attributes.keys(), 'id', 'documentId');
  return {
    filter: filtersOn(attributes, registry, SIZE).map((filters) => searchOf({ filters })),
    sort: fc.tuple(name, fc.constantFrom('asc', 'desc')).map(([field, way]) => `sort=${field}:${way}`),
    populate: populateOn(attributes, registry, SIZE).map((populate) => searchOf({ populate })),
    fields: name.map((field) => `fields=${field}`),
  };
}

export const subject: Subject = {
  registry,
  typeFor(_, isFitting = () => true) {
    const fitting = collections.filter(isFitting);
    return either(
      20,
      fc.constantFrom(...(fitting.length > 0 ? fitting : collections)),
      fc.constantFrom(...collections),
    );
  },
  documentOf: namedDocument,
  grammarOf,
  bodyOf: dataOn,
  fileId: (isDeleted) => fc.constantFrom(...(isDeleted ? ['{=file}'] : ['1', '{=file}', 'file'])),
  hiddenEntry: hostileText.chain(encoded),
  words: ['Secretive', 'Zed', ...GUESSES],
  others: ['fuzz', 'reads', 'custom', ''],
};
