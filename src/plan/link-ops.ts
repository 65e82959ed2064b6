/**
 * @module What a body says about relations → operations on link tables.
 */
import { isOwner, tableOf } from './link-tables.ts';
import { type Link, planLinks, type RelationContext, relationInputs } from './plan-relations.ts';
import type { LinkAttribute } from './relation-input.ts';
import type { WriteOp } from './write-plan.ts';
import { type Current, type WriteRequest, writtenRow } from './write-request.ts';

export type LinkOp = Extract<WriteOp, { kind: 'link' }>;
export type PlannedLinks = ReadonlyMap<LinkAttribute, readonly Link[]>;

export const relationContext = (request: WriteRequest, { targets }: Current): RelationContext => ({
  ...request,
  targets,
});

/** One-to-one takes its target from whoever had it; so does a side that many may not share. */
function isExclusive(attribute: LinkAttribute): boolean {
  if (attribute.kind === 'media' || attribute.inverse === undefined) return false;
  return attribute.relation === 'oneToOne' || (!attribute.owner && attribute.relation === 'oneToMany');
}

/**
 * The links that the body asks for, by attribute.
 * @throws ApiError 400 for a documentId of no document.
 */
export function plannedLinks(request: WriteRequest, current: Current): PlannedLinks {
  const context = relationContext(request, current);
  const planned = relationInputs(request.data, request.type).map((input) => {
    return [input.attribute, planLinks(input, current.links.get(input.attribute) ?? [], context)] as const;
  });
  return new Map(planned);
}

/** Operations on the tables the type owns, and on those of others that link back to it; `fresh`: the document is new. */
export function linkOps(request: WriteRequest, planned: PlannedLinks, fresh: boolean) {
  const row = writtenRow(request);
  const ops = [...planned].flatMap(([attribute, links]): WriteOp[] => {
    const table = tableOf(attribute, request.type, request.registry);
    const kind = isOwner(attribute) ? 'link' : 'link-back';
    if (!table || (fresh && links.length === 0)) return [];
    return [{ kind, row, table, links, exclusive: isExclusive(attribute), fresh }];
  });
  return { own: ops.filter((op) => op.kind === 'link'), back: ops.filter((op) => op.kind === 'link-back') };
}
