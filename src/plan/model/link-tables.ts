/**
 * @module Which link tables a content type owns, and which point to it.
 */
import { type ContentType, isOwner, type Registry } from '../../registry/model.ts';
import { linkTable } from '../../registry/names.ts';
import type { Status } from '../../request/query-params.ts';
import type { LinkEnd, LinkTable } from './links.ts';
import { type LinkAttribute, linkAttributes, targetUid } from './links.ts';

function tableFrom(source: ContentType, attribute: LinkAttribute, target: ContentType): LinkTable {
  const mutual = attribute.kind === 'relation' && attribute.inverse !== undefined;
  const oneToOne = mutual && attribute.relation === 'oneToOne';
  const exclusive = { source: oneToOne, target: oneToOne || (mutual && attribute.relation === 'manyToOne') };
  // Behind a single file others may wait.
  const single = attribute.kind === 'relation' && !attribute.multiple;
  return { name: linkTable(source.table, attribute.name), source, target, mutual, single, exclusive };
}

/** The table of a relation or media attribute, whichever side of it the attribute is. */
export function tableOf(attribute: LinkAttribute, type: ContentType, registry: Registry): LinkTable | undefined {
  const other = registry.contentTypes.get(targetUid(attribute));
  if (!other) return undefined;
  if (isOwner(attribute)) return tableFrom(type, attribute, other);
  const inverse = attribute.kind === 'relation' ? other.attributes.get(attribute.inverse ?? '') : undefined;
  return inverse?.kind === 'relation' ? tableFrom(other, inverse, type) : undefined;
}

export const tablesOf = (
  attributes: readonly LinkAttribute[],
  type: ContentType,
  registry: Registry,
): readonly LinkTable[] =>
  attributes.map((attribute) => tableOf(attribute, type, registry)).filter((table) => table !== undefined);

/** Tables whose sources are the rows of the type. */
const ownedTables = (type: ContentType, registry: Registry): readonly LinkTable[] =>
  tablesOf(linkAttributes(type.attributes).filter(isOwner), type, registry);

/** Tables whose targets are the documents of the type. */
const pointingTables = (type: ContentType, registry: Registry): readonly LinkTable[] =>
  [...registry.contentTypes.values()]
    .flatMap((source) => ownedTables(source, registry))
    .filter(({ target }) => target === type);

/** Every table in which rows of the type stand, as its sources and as its targets. */
export const linkEnds = (type: ContentType, registry: Registry): readonly LinkEnd[] => [
  ...ownedTables(type, registry).map((table) => ({ table, owner: true })),
  ...pointingTables(type, registry).map((table) => ({ table, owner: false })),
];

const hasDrafts = ({ source, target }: LinkTable): boolean => source.draftAndPublish || target.draftAndPublish;

/** The version of the links that a reader of this status sees: without drafts at either end there is only one. */
export const linkStatus = (table: LinkTable, status: Status): Status => (hasDrafts(table) ? status : 'published');

/** The versions of links that a write of the type is about: where it has no drafts and the other end has, both. */
export function writtenStatuses({ draftAndPublish }: ContentType, table: LinkTable): readonly Status[] {
  if (draftAndPublish) return ['draft'];
  return hasDrafts(table) ? ['draft', 'published'] : ['published'];
}
