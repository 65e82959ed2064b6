/**
 * @module What an answer depends on: the versions of every content type whose rows, links or totals a plan looks at.
 */
import type { ContentType } from '../../registry/model.ts';
import { stampName } from '../../registry/names.ts';
import type { Status } from '../../request/query-params.ts';
import type { Condition, Order, Populate, ReadPlan, Step, Use, ZonePart } from '../model/read-plan.ts';

type Seen = readonly [type: ContentType, status: Status];

const BOTH = ['draft', 'published'] as const;

/** The type that a step leads to; undefined inside the same row. */
function stepTarget(step: Step): ContentType | undefined {
  if (step.kind === 'link') return step.link.target;
  if (step.kind === 'reference') return step.target;
  return step.kind === 'localizations' ? step.type : undefined;
}

const bothOf = (type: ContentType): readonly Seen[] => BOTH.map((status) => [type, status]);

function ofStep(step: Step): readonly Seen[] {
  switch (step.kind) {
    case 'link': {
      const { table, target, status, version, bothVersions } = step.link;
      if (bothVersions) return [target, table.source, table.target].flatMap(bothOf);
      return [
        [target, status],
        [table.source, version],
        [table.target, version],
      ];
    }
    case 'reference':
      return step.bothVersions ? bothOf(step.target) : [[step.target, step.status]];
    case 'localizations':
      return [[step.type, step.status]];
    case 'component':
      return [];
    default:
      return step satisfies never;
  }
}

function ofCondition(condition: Condition | undefined, type: ContentType): readonly Seen[] {
  switch (condition?.kind) {
    case 'and':
    case 'or':
      return condition.conditions.flatMap((each) => ofCondition(each, type));
    case 'not':
      return ofCondition(condition.condition, type);
    case 'related':
      return [...ofStep(condition.step), ...ofCondition(condition.where, stepTarget(condition.step) ?? type)];
    case 'other-version':
      return bothOf(type);
    default:
      return [];
  }
}

const ofOrder = (order: readonly Order[]): readonly Seen[] => order.flatMap(({ steps }) => steps.flatMap(ofStep));

const ofParts = (parts: Iterable<ZonePart>, type: ContentType): readonly Seen[] =>
  [...parts].flatMap(({ populate, where }) => [...ofPopulate(populate, type), ...ofCondition(where, type)]);

const ofUse = ({ type, tables, drafts }: Use): readonly Seen[] =>
  [type, ...tables.map(({ target }) => target)].flatMap((each) =>
    BOTH.filter((status) => drafts || status === 'published').map((status) => [each, status] as const),
  );

const ofPopulate = (nodes: readonly Populate[], type: ContentType): readonly Seen[] =>
  nodes.flatMap((node) => {
    if (node.kind === 'related') return node.uses.flatMap(ofUse);
    if (node.kind === 'dynamiczone') return ofParts(node.parts.values(), type);
    const target = stepTarget(node) ?? type;
    const { selection, where, order } = node;
    return [
      ...ofStep(node),
      ...ofPopulate(selection.populate, target),
      ...ofCondition(where, target),
      ...ofOrder(order),
    ];
  });

/** Names of stamps, sorted: an answer is the same as long as none of them is new. */
export function dependenciesOf({ type, versions, selection, where, order }: ReadPlan): readonly string[] {
  const seen: readonly Seen[] = [
    [type, versions.status],
    ...ofPopulate(selection.populate, type),
    ...ofCondition(where, type),
    ...ofOrder(order),
  ];
  return [...new Set(seen.map(([{ uid }, status]) => stampName(uid, status)))].sort();
}
