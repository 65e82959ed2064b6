/**
 * @module References of a batch: `$ref:0` in a relation is the documentId that request 0 creates.
 */
import { isObject } from '../../../common/json.ts';
import { hasComponents, isLinkAttribute } from '../../../schema/attribute-kinds.ts';
import type { Registry } from '../../../schema/model.ts';
import type { InputData } from '../../request/body.ts';
import { type Attributes, attributesWithin } from '../model/component-attributes.ts';

const PREFIX = '$ref:';

/** Returns the documentId of a reference. @throws ApiError 400 for one that leads nowhere */
export type ResolveReference = (reference: string) => string;

const mappedValues = (value: InputData, change: (item: unknown, name: string) => unknown): InputData =>
  Object.fromEntries(Object.entries(value).map(([name, item]) => [name, change(item, name)]));

function inRelation(value: unknown, resolve: ResolveReference): unknown {
  if (typeof value === 'string') return value.startsWith(PREFIX) ? resolve(value) : value;
  if (Array.isArray(value)) return value.map((item) => inRelation(item, resolve));
  return isObject(value) ? mappedValues(value, (item) => inRelation(item, resolve)) : value;
}

/** Replaces references in the relations of a body, also in components and zones; other texts stay as they are. */
export function withoutReferences(
  data: InputData,
  attributes: Attributes,
  registry: Registry,
  resolve: ResolveReference,
): InputData {
  return mappedValues(data, (value, name) => {
    const attribute = attributes.get(name);
    if (isLinkAttribute(attribute)) return inRelation(value, resolve);
    if (!hasComponents(attribute)) return value;
    const inner = (item: unknown): unknown =>
      isObject(item) ? withoutReferences(item, attributesWithin(attribute, item, registry), registry, resolve) : item;
    return Array.isArray(value) ? value.map(inner) : inner(value);
  });
}
