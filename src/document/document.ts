/**
 * @module A document as responses show it.
 */
import type { Selection } from '../plan/model/read-plan.ts';

/** Values by the name of their attribute. */
export type Document = Record<string, unknown>;

/** By the attributes alone where nothing is populated: plans share their lists. */
const templates = new WeakMap<object, Document>();

/**
 * Returns a document with all keys of a selection, null. V8 keeps the keys of a copied `JSON.parse` result in the object
 * itself: it takes half the time to fill and to serialize of an object that grows key by key.
 */
export function emptyDocument(selection: Selection, identity: readonly string[]): Document {
  const key = selection.populate.length > 0 ? selection : selection.attributes;
  let template = templates.get(key);
  if (!template) {
    const names = [...identity, ...[...selection.attributes, ...selection.populate].map(({ name }) => name)];
    const parsed: Document = JSON.parse(JSON.stringify(Object.fromEntries(names.map((name) => [name, null]))));
    templates.set(key, parsed);
    template = parsed;
  }
  return { ...template };
}
