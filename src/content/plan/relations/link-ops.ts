/**
 * @module The relations of a body → operations on link tables.
 */
import type { ApiError } from '../../../common/errors.ts';
import { isMedia } from '../../../schema/attribute-kinds.ts';
import type { LinkAttribute } from '../../../schema/model.ts';
import { linkEndOf, linkStatus, writtenStatuses } from '../model/link-tables.ts';
import type { Link, LinkEnd } from '../model/links.ts';
import type { WriteOp } from '../model/write-plan.ts';
import { type Current, type WriteRequest, writtenRow } from '../model/write-request.ts';
import { difference, replacement } from './link-changes.ts';
import { type PlannedTargets, planLinks, type RelationContext, relationInputs } from './plan-relations.ts';
import type { RelationInput } from './relation-input.ts';

export type LinkOp = Extract<WriteOp, { kind: 'link' }>;

/** The desired links of one version. */
interface VersionLinks extends PlannedTargets {
  readonly op: LinkOp;
}

export type PlannedLinks = ReadonlyMap<LinkAttribute, readonly Link[]>;

export const relationContext = (request: WriteRequest, { targets }: Current): RelationContext => ({
  ...request,
  targets,
});

/** Has the document no row in any locale yet? */
export const isNewDocument = ({ operation }: WriteRequest, { source }: Current): boolean =>
  operation === 'create' && !source;

/** Does the input replace all links? A target connected to a single relation does. */
const replaces = ({ set, connect, attribute }: RelationInput): boolean =>
  set !== undefined || (!isMedia(attribute) && !attribute.multiple && connect.length > 0);

function versionsOf(
  input: RelationInput,
  end: LinkEnd,
  request: WriteRequest,
  current: Current,
): readonly VersionLinks[] {
  const context = relationContext(request, current);
  const isNew = isNewDocument(request, current);
  const links = current.links.get(input.attribute) ?? [];
  const statuses = writtenStatuses(request.type, end.tables);
  return statuses.map((status) => {
    // Links to types without drafts have one version, which belongs to the list of both.
    const tableOf = ({ type }: Link) => end.tables.find(({ targetType }) => targetType === type) ?? end.tables[0];
    const present = links
      .filter((link) => link.status === linkStatus(tableOf(link), status))
      .toSorted((a, b) => a.position - b.position);
    // A draft alone may be linked by its own document: in the other list it is no anchor.
    const isLenient = input.isLenient || status !== statuses[0];
    const asked = planLinks({ ...input, isLenient }, current.row && present, context);
    const hidden = input.set && input.attribute.multiple ? present.filter(({ isHidden }) => isHidden) : [];
    const targets = { ...asked, links: [...asked.links, ...hidden] };
    const change = replaces(input) ? replacement(targets.links) : difference(present, targets.links);
    return { ...targets, op: { kind: 'link', row: writtenRow(request), ...end, status, change, isNew } };
  });
}

interface LinkPlan {
  /** The desired links by attribute, in the version that the write changes. */
  readonly planned: PlannedLinks;
  readonly ops: readonly LinkOp[];
  /** The error for unresolved positions. */
  readonly rejection: ApiError | undefined;
}

/** @throws ApiError 400 for a documentId without a document. */
export function planLinkOps(request: WriteRequest, current: Current): LinkPlan {
  const { data, type, emptySetClears } = request;
  const all = relationInputs(data, type.attributes, emptySetClears).map((input) => {
    const end = linkEndOf(input.attribute, type, request.registry);
    return [input.attribute, end ? versionsOf(input, end, request, current) : []] as const;
  });
  const versions = all.flatMap(([, each]) => each);
  return {
    rejection: versions.find(({ rejection }) => rejection)?.rejection,
    planned: new Map(all.map(([attribute, [first]]) => [attribute, first?.links ?? []])),
    // A new document has no links to remove.
    ops: versions.map(({ op }) => op).filter(({ isNew, change }) => !isNew || change.positioned.length > 0),
  };
}
