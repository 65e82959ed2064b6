/**
 * @module A document as responses show it.
 */
import { BoundedCache, memoized } from '../cache.ts';
import type { Selection } from '../plan/model/read-plan.ts';

/** Values by the name of their attribute. */
export type Document = Record<string, unknown>;

/** Templates of the same attributes, whose list plans share, by what they populate. */
const templatesOf = memoized((_: Selection['attributes']) => new BoundedCache<string, Document>(100), new WeakMap());

/** By the attributes alone where nothing is populated. */
const templates = new WeakMap<object, Document>();

function makeTemplate({ attributes, populate }: Selection, identity: readonly string[]): Document {
  const names = [...identity, ...[...attributes, ...populate].map(({ name }) => name)];
  const key = JSON.stringify(names);
  const alike = templatesOf(attributes);
  const template = alike.get(key) ?? JSON.parse(JSON.stringify(Object.fromEntries(names.map((name) => [name, null]))));
  alike.set(key, template);
  return template;
}

/**
 * Returns a document with all keys of a selection, null. V8 keeps the keys of a copied `JSON.parse` result in the object
 * itself: it takes half the time to fill and to serialize of an object that grows key by key.
 */
export function emptyDocument(selection: Selection, identity: readonly string[]): Document {
  const key = selection.populate.length > 0 ? selection : selection.attributes;
  let template = templates.get(key);
  if (!template) {
    template = makeTemplate(selection, identity);
    templates.set(key, template);
  }
  return { ...template };
}
