/**
 * @module The link tables that a content type owns, and those that point to it.
 */
import { type ContentType, isOwner, type Registry } from '../../registry/model.ts';
import { linkTable } from '../../registry/names.ts';
import type { Status } from '../../request/query-params.ts';
import { type LinkAttribute, type LinkEnd, type LinkTable, linkAttributes, targetUid } from './links.ts';

function tableFrom(source: ContentType, attribute: LinkAttribute, target: ContentType): LinkTable {
  const mutual = attribute.kind === 'relation' && attribute.inverse !== undefined;
  const oneToOne = mutual && attribute.relation === 'oneToOne';
  const exclusive = { source: oneToOne, target: oneToOne || (mutual && attribute.relation === 'manyToOne') };
  // Strapi keeps the files that were connected behind a single one.
  const single = attribute.kind === 'relation' && !attribute.multiple;
  return { name: linkTable(source.table, attribute.name), source, target, mutual, single, exclusive };
}

/** Returns the table of a relation or media attribute, for either side; undefined if its type is missing. */
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

const ownedTables = (type: ContentType, registry: Registry): readonly LinkTable[] =>
  tablesOf(linkAttributes(type.attributes).filter(isOwner), type, registry);

/** Returns every table that links rows of the type, as sources and as targets. */
export function linkEnds(type: ContentType, registry: Registry): readonly LinkEnd[] {
  const all = [...registry.contentTypes.values()].flatMap((source) => ownedTables(source, registry));
  const pointing = all.filter(({ target }) => target === type);
  return [
    ...ownedTables(type, registry).map((table) => ({ table, owner: true })),
    ...pointing.map((table) => ({ table, owner: false })),
  ];
}

const hasDrafts = ({ source, target }: LinkTable): boolean => source.draftAndPublish || target.draftAndPublish;

/** Returns the version of the links that a reader of this status sees. */
export const linkStatus = (table: LinkTable, status: Status): Status => (hasDrafts(table) ? status : 'published');

/** Returns the versions of links that a write of the type changes: both if only the other side has drafts. */
export function writtenStatuses({ draftAndPublish }: ContentType, table: LinkTable): readonly Status[] {
  if (draftAndPublish) return ['draft'];
  return hasDrafts(table) ? ['draft', 'published'] : ['published'];
}
