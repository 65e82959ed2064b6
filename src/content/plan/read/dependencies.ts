/**
 * @module The version stamps that a response depends on: of every type whose rows, links or totals a plan reads.
 */
import type { ContentType } from '../../../schema/model.ts';
import { isComponentNode, isLink, isMixedNode, isReference, isUsage, isZoneNode } from '../model/node-kinds.ts';
import type { Condition, FileUsage, Order, Populate, ReadPlan, Step, ZonePart } from '../model/read-plan.ts';
import { stampsOf } from '../model/versions.ts';

/** Returns the type that a step leads to; undefined within a row. */
export function stepTarget(step: Step): ContentType | undefined {
  if (isLink(step)) return step.link.target;
  if (isReference(step)) return step.target;
  return step.kind === 'localizations' ? step.type : undefined;
}

function ofStep(step: Step): readonly string[] {
  const target = stepTarget(step);
  const visible = isComponentNode(step) || !target ? [] : ofCondition(step.visible, target);
  return [...ofRows(step), ...visible];
}

function ofRows(step: Step): readonly string[] {
  switch (step.kind) {
    case 'link': {
      const { table, target, status, version, bothVersions, ofOwnVersion } = step.link;
      const ends = [table.source, table.target];
      if (bothVersions) return stampsOf(ends);
      return [...stampsOf([target], [status]), ...stampsOf(ends, ofOwnVersion ? undefined : [version])];
    }
    case 'reference':
      return step.bothVersions ? stampsOf([step.target]) : stampsOf([step.target], [step.status]);
    case 'localizations':
      return stampsOf([step.type], [step.status]);
    case 'component':
      return [];
    default:
      return step satisfies never;
  }
}

function ofCondition(condition: Condition | undefined, type: ContentType): readonly string[] {
  if (!condition) return [];
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.conditions.flatMap((each) => ofCondition(each, type));
    case 'not':
      return ofCondition(condition.condition, type);
    case 'related':
      return [...ofStep(condition.step), ...ofCondition(condition.where, stepTarget(condition.step) ?? type)];
    case 'first-locale':
    case 'words':
      return ofCondition(condition.visible, type);
    case 'other-version':
      return [...stampsOf([type]), ...ofCondition(condition.visible, type)];
    case 'caller':
      return [...stampsOf([condition.value.type]), ...(condition.value.step ? ofStep(condition.value.step) : [])];
    case 'compare':
    case 'null':
    case 'search':
    case 'version':
    case 'never':
      return [];
    default:
      return condition satisfies never;
  }
}

const ofOrder = (order: readonly Order[]): readonly string[] => order.flatMap(({ steps }) => steps.flatMap(ofStep));

const ofParts = (parts: Iterable<ZonePart>, type: ContentType): readonly string[] =>
  [...parts].flatMap(({ populate, where }) => [...ofPopulate(populate, type), ...ofCondition(where, type)]);

const ofUse = ({ type, tables, drafts, visible }: FileUsage): readonly string[] => [
  ...stampsOf([type, ...tables.map(({ target }) => target)], drafts ? undefined : ['published']),
  ...ofCondition(visible, type),
];

const ofPopulate = (nodes: readonly Populate[], type: ContentType): readonly string[] =>
  nodes.flatMap((node) => {
    if (isUsage(node)) return node.uses.flatMap(ofUse);
    if (isMixedNode(node)) return ofPopulate(node.parts, type);
    if (isZoneNode(node)) return ofParts(node.parts.values(), type);
    const target = stepTarget(node) ?? type;
    const { selection, where, order } = node;
    const below = [...ofPopulate(selection.populate, target), ...ofCondition(where, target)];
    return [...ofStep(node), ...below, ...ofOrder(order)];
  });

/** Returns the names of the stamps, sorted. */
export function dependenciesOf({
  type,
  versions,
  selection,
  where,
  chain,
  order,
  facets = [],
}: ReadPlan): readonly string[] {
  const rows = [
    ...stampsOf([type], [versions.status]),
    ...ofCondition(where, type),
    ...ofCondition(chain, type),
    ...ofOrder(order),
    ...facets.flatMap(({ step }) => (step ? ofStep(step) : [])),
  ];
  return [...new Set([...rows, ...ofPopulate(selection.populate, type)])].sort();
}
