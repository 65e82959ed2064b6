/**
 * @module What a body says about relations → operations on link tables.
 */

import { isOwner } from '../registry/model.ts';
import { difference, replacement } from './link-changes.ts';
import { tableOf, writtenStatuses } from './link-tables.ts';
import { type Link, planLinks, type RelationContext, relationInputs } from './plan-relations.ts';
import type { LinkAttribute, RelationInput } from './relation-input.ts';
import type { LinkTable, WriteOp } from './write-plan.ts';
import { type Current, type WriteRequest, writtenRow } from './write-request.ts';

export type LinkOp = Extract<WriteOp, { kind: 'link' }>;

/** The links of one version that the body asks for. */
interface VersionLinks {
  readonly op: LinkOp;
  readonly links: readonly Link[];
}

export type PlannedLinks = ReadonlyMap<LinkAttribute, readonly Link[]>;

export const relationContext = (request: WriteRequest, { targets }: Current): RelationContext => ({
  ...request,
  targets,
});

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
    const links = planLinks(input, present, context);
    const change = input.set ? replacement(links) : difference(present, links);
    const owner = isOwner(input.attribute);
    return { op: { kind: 'link', row: writtenRow(request), table, owner, status, change, fresh: false }, links };
  });
}

export interface LinkPlan {
  /** The links that the body asks for, by attribute, in the version that it is about in the first place. */
  readonly planned: PlannedLinks;
  /** Of a new document those alone that have anything to do. */
  readonly ops: (fresh: boolean) => readonly LinkOp[];
}

const isEmpty = ({ change }: LinkOp): boolean => change.placed.length === 0;

/** @throws ApiError 400 for a documentId of no document. */
export function planLinkOps(request: WriteRequest, current: Current): LinkPlan {
  const all = relationInputs(request.data, request.type).map((input) => {
    const table = tableOf(input.attribute, request.type, request.registry);
    return [input.attribute, table ? versionsOf(input, table, request, current) : []] as const;
  });
  const ops = all.flatMap(([, versions]) => versions.map(({ op }) => op));
  return {
    planned: new Map(all.map(([attribute, [first]]) => [attribute, first?.links ?? []])),
    ops: (fresh) => (fresh ? ops.filter((op) => !isEmpty(op)).map((op) => ({ ...op, fresh })) : ops),
  };
}
