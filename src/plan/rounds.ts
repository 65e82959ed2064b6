/**
 * @module How many rounds the reference takes to check what stands in a component, zone or `blocks`: all that stands side by
 * side is checked at once, each level inside it later.
 */
import type { Attribute, Registry } from '../registry/model.ts';
import { type InputData, isObject } from '../request/body.ts';
import { type Attributes, attributesWithin, zoneUid } from './component-attributes.ts';

interface RoundsContext {
  readonly draft: boolean;
  readonly registry: Registry;
}

const LEVEL = 2;
/** Whether a value is taken is asked of the database, which outlasts every level of a body. */
const QUESTION = 1_000_000;

const longest = <Item>(items: readonly Item[], roundsOf: (item: Item) => number): number =>
  items.reduce((most, item) => Math.max(most, roundsOf(item)), 0);

function attributeRounds(attribute: Attribute, value: unknown, context: RoundsContext): number {
  if (value === undefined || value === null) return 0;
  if (attribute.kind === 'scalar') return attribute.unique && !context.draft ? QUESTION : 0;
  if (attribute.kind !== 'component' && attribute.kind !== 'dynamiczone') return 0;
  if (!Array.isArray(value)) return itemRounds(attribute, value, context);
  return value.length === 0 ? 0 : LEVEL + longest(value, (item) => itemRounds(attribute, item, context));
}

function instanceRounds(data: InputData, attributes: Attributes, context: RoundsContext): number {
  const given = [...attributes.values()].filter(({ name }) => Object.hasOwn(data, name));
  return LEVEL + longest(given, (attribute) => attributeRounds(attribute, data[attribute.name], context));
}

/** Of an item of a component or zone. */
export function itemRounds(attribute: Attribute, item: unknown, context: RoundsContext): number {
  if (!isObject(item)) return 0;
  const attributes = attributesWithin(attribute, item, context.registry);
  const isUnlisted = attribute.kind === 'dynamiczone' && attributes.size === 0 && zoneUid(item) !== undefined;
  return isUnlisted ? 1 : instanceRounds(item, attributes, context);
}

/** Of a node of `blocks`. */
export function nodeRounds(node: unknown): number {
  const children = isObject(node) && Array.isArray(node.children) ? node.children : [];
  return children.length === 0 ? 0 : LEVEL + longest(children, nodeRounds);
}
