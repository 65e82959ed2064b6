/**
 * @module Any world as every caller knows it: names of all documents, right and wrong.
 */
import fc from 'fast-check';
import type { ContentType, Registry } from '../../src/schema/model.ts';
import type { Data } from '../generators/bodies.ts';
import { encoded, hostileText } from '../generators/hostile.ts';
import { withHostileValues } from '../generators/hostile-values.ts';
import { filtersOn, populateOn, searchOf } from '../generators/queries.ts';
import { either, type Grammar, type Subject } from '../generators/subject.ts';
import { dataOn } from './bodies.ts';
import { GUESSES } from './invariants.ts';
import { askingOf } from './queries.ts';

const SIZE = { depth: 3, width: 3, list: 20 };

/** Documents that keep their secret are neither deleted nor unpublished. */
function namedDocument({ uid }: ContentType, idsOf: IdsOf, isDeleted: boolean) {
  const known = isDeleted ? fc.constant(`{made:${uid}}`) : fc.constantFrom(...idsOf(uid));
  return either(12, known, hostileText.chain(encoded)).map((documentId) => ({
    documentId,
    row: fc.constantFrom(documentId, '1', '2'),
    locales: ['fr', 'de'],
  }));
}

function grammarOf(type: ContentType, registry: Registry): Grammar {
  const asking = askingOf(registry);
  const name = fc.constantFrom(...type.attributes.keys(), 'id', 'documentId');
  return {
    filter: filtersOn(type, asking, SIZE).map((filters) => searchOf({ filters })),
    sort: fc.tuple(name, fc.constantFrom('asc', 'desc')).map(([field, way]) => `sort=${field}:${way}`),
    populate: populateOn(type, asking, SIZE).map((populate) => searchOf({ populate })),
    fields: name.map((field) => `fields=${field}`),
  };
}

/** Names of documents of a type, as placeholders of `world.ts`. */
export type IdsOf = (uid: string) => readonly string[];

export function hostileSubject(registry: Registry, idsOf: IdsOf): Subject {
  const collections = [...registry.routes.values()].filter(({ kind }) => kind === 'collectionType');
  return {
    registry,
    may: () => true,
    typeFor(_, isFitting = () => true) {
      const fitting = collections.filter(isFitting);
      const any = fc.constantFrom(...collections);
      return fitting.length > 0 ? either(20, fc.constantFrom(...fitting), any) : any;
    },
    documentOf: (type, isDeleted = false) => namedDocument(type, idsOf, isDeleted),
    grammarOf: (type) => grammarOf(type, registry),
    bodyOf: (type) => {
      const fitting = dataOn(type, registry, idsOf);
      return either(
        8,
        fitting,
        fitting.chain((data) => withHostileValues(data) as fc.Arbitrary<Data>),
      );
    },
    fileId: (isDeleted) => fc.constantFrom(...(isDeleted ? ['{=file}'] : ['1', '{=file}', 'file'])),
    hiddenEntry: hostileText.chain(encoded),
    words: ['Secretive', 'Zed', ...GUESSES],
    others: ['full', 'reads', 'partner', ''],
  };
}
