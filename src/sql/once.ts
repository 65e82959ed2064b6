/**
 * @module Pieces of SQL about the attributes of a type, made once: all that show everything share one list of them.
 */
import type { ScalarAttribute } from '../registry/model.ts';

type Attributes = readonly ScalarAttribute[];

/** @param make what is made of a list of attributes of the table, or alias, of that name. */
export function onceFor<T>(make: (attributes: Attributes, table: string) => T): typeof make {
  const known = new WeakMap<Attributes, Map<string, T>>();
  return (attributes, table) => {
    const ofTables = known.get(attributes) ?? new Map<string, T>();
    const made = ofTables.get(table) ?? make(attributes, table);
    known.set(attributes, ofTables.set(table, made));
    return made;
  };
}
