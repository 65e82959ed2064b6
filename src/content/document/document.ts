/**
 * @module A document as responses show it.
 */
import { BoundedCache, memoized } from '../../common/cache.ts';
import { asStored, FIELDS } from '../../schema/fields.ts';
import type { ScalarAttribute } from '../../schema/model.ts';
import type { Selection } from '../plan/model/read-plan.ts';

/** Values by the name of their attribute. */
export type Document = Record<string, unknown>;

interface Field {
  readonly name: string;
  readonly attribute: ScalarAttribute;
  /** Absent for a value that is shown as it is stored. */
  readonly read?: (stored: unknown) => unknown;
}

/** What the documents of a selection have in common. */
interface Shape {
  /**
   * All keys, null, to be copied by `{ ...template }`. V8 keeps the keys of a copied `JSON.parse` result in the object
   * itself: it takes half the time to fill and to serialize of an object that grows key by key. An expression that copies
   * more than four templates is slower, so each caller has its own.
   */
  readonly template: Document;
  /** The scalars, in the order of the selection. */
  readonly fields: readonly Field[];
}

function fieldOf(attribute: ScalarAttribute): Field {
  const { read } = FIELDS[attribute.type];
  return { name: attribute.name, attribute, ...(read !== asStored && { read }) };
}

/** By the attributes, whose list plans share, and by the other keys. */
const shapesOf = memoized((_: Selection['attributes']) => new BoundedCache<string, Shape>(100), new WeakMap());

function makeShape({ attributes, populate }: Selection, identity: readonly string[]): Shape {
  const names = [...identity, ...[...attributes, ...populate].map(({ name }) => name)];
  const text = JSON.stringify(Object.fromEntries(names.map((name) => [name, null])));
  return { template: JSON.parse(text), fields: attributes.map(fieldOf) };
}

/** The keys of a document before those of its selection. */
export const IDENTITY = ['id', 'documentId'];

const shapes = new WeakMap<Selection, Shape>();

/** @param identity the keys before those of the selection */
export function shapeOf(selection: Selection, identity: readonly string[]): Shape {
  const known = shapes.get(selection);
  if (known) return known;
  const alike = shapesOf(selection.attributes);
  const others = [...identity, ...selection.populate.map(({ name }) => name)].join();
  const shape = alike.get(others) ?? makeShape(selection, identity);
  alike.set(others, shape);
  shapes.set(selection, shape);
  return shape;
}
