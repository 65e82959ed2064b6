/**
 * @module Documents in the nested form of Strapi 4: `attributes` around every document, `data` around every relation.
 * Components and zones stay flat, with their relations wrapped; targets of several types, and the uses of a file, stay flat.
 */
import { isObject } from '../../common/json.ts';
import type { Populate, PopulatedRows, Selection } from '../plan/model/read-plan.ts';
import type { Document } from './document.ts';

const each = (value: unknown, change: (item: Document) => unknown): unknown => {
  if (Array.isArray(value)) return value.map(change);
  return isObject(value) ? change(value) : value;
};

function wrapped(node: PopulatedRows, value: unknown): unknown {
  if (node.count) return { data: { attributes: value } };
  return { data: each(value, (document) => toV4(document, node.selection)) };
}

function populated(node: Populate, value: unknown): unknown {
  switch (node.kind) {
    case 'component':
      return node.count ? value : each(value, (instance) => wrapRelations(instance, node.selection));
    case 'dynamiczone':
      return each(value, (instance) => wrapRelations(instance, node.parts.get(String(instance.__component))));
    case 'polymorphic':
    case 'related':
      return value;
    default:
      return wrapped(node, value);
  }
}

function wrapRelations(document: Document, selection: Selection | undefined): Document {
  const changed = selection?.populate.map((node) => [node.name, populated(node, document[node.name])]) ?? [];
  return { ...document, ...Object.fromEntries(changed) };
}

export function toV4(document: Document, selection: Selection): Document {
  const { id, documentId, ...attributes } = wrapRelations(document, selection);
  return { id, documentId, attributes };
}
