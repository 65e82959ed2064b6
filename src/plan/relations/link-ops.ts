/**
 * @module What a body says about relations → operations on link tables.
 */
import type { ApiError } from '../../errors.ts';
import { isOwner } from '../../registry/model.ts';
import { tableOf, writtenStatuses } from '../model/link-tables.ts';
import type { Link, LinkAttribute, LinkTable } from '../model/links.ts';
import type { WriteOp } from '../model/write-plan.ts';
import { type Current, type WriteRequest, writtenRow } from '../model/write-request.ts';
import { difference, replacement } from './link-changes.ts';
import { type PlannedTargets, planLinks, type RelationContext, relationInputs } from './plan-relations.ts';
import type { RelationInput } from './relation-input.ts';

export type LinkOp = Extract<WriteOp, { kind: 'link' }>;

/** The links of one version that the body asks for. */
interface VersionLinks extends PlannedTargets {
  readonly op: LinkOp;
}

export type PlannedLinks = ReadonlyMap<LinkAttribute, readonly Link[]>;

export const relationContext = (request: WriteRequest, { targets }: Current): RelationContext => ({
  ...request,
  targets,
});

/** Does the input say all that the relation is to have? What is connected to a relation to one takes its place. */
const replaces = ({ set, connect, attribute }: RelationInput): boolean =>
  set !== undefined || (attribute.kind === 'relation' && !attribute.multiple && connect.length > 0);

function versionsOf(
  input: RelationInput,
  table: LinkTable,
  request: WriteRequest,
  current: Current,
): readonly VersionLinks[] {
  const context = relationContext(request, current);
  const known = current.links.get(input.attribute) ?? [];
  return writtenStatuses(request.type, table).map((status) => {
    const present = known.filter((link) => link.status === status);
    const targets = planLinks(input, current.row && present, context);
    const change = replaces(input) ? replacement(targets.links) : difference(present, targets.links);
    const owner = isOwner(input.attribute);
    return { ...targets, op: { kind: 'link', row: writtenRow(request), table, owner, status, change, fresh: false } };
  });
}

export interface LinkPlan {
  /** The links that the body asks for, by attribute, in the version that it is about in the first place. */
  readonly planned: PlannedLinks;
  /** Of a new document those alone that have anything to do. */
  readonly ops: (fresh: boolean) => readonly LinkOp[];
  /** Why positions among them cannot be. */
  readonly refusal: ApiError | undefined;
}

const isEmpty = ({ change }: LinkOp): boolean => change.placed.length === 0;

/** @throws ApiError 400 for a documentId of no document. */
export function planLinkOps(request: WriteRequest, current: Current): LinkPlan {
  const all = relationInputs(request.data, request.type.attributes).map((input) => {
    const table = tableOf(input.attribute, request.type, request.registry);
    return [input.attribute, table ? versionsOf(input, table, request, current) : []] as const;
  });
  const versions = all.flatMap(([, each]) => each);
  const ops = versions.map(({ op }) => op);
  return {
    refusal: versions.find(({ refusal }) => refusal)?.refusal,
    planned: new Map(all.map(([attribute, [first]]) => [attribute, first?.links ?? []])),
    ops: (fresh) => (fresh ? ops.filter((op) => !isEmpty(op)).map((op) => ({ ...op, fresh })) : ops),
  };
}
