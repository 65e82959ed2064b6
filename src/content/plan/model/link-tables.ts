/**
 * @module The link tables that a content type owns, and those that point to it.
 */

import { isOwner, isPolymorphic, isRelation } from '../../../schema/attribute-kinds.ts';
import type {
  ContentType,
  LinkAttribute,
  PolymorphicAttribute,
  Registry,
  TypedLinkAttribute,
} from '../../../schema/model.ts';
import { linkTable, typedLinkTable } from '../../../schema/names.ts';
import { isPolymorphicTarget } from '../../../schema/system-types.ts';
import type { Status } from '../../request/query-params.ts';
import { type LinkEnd, type LinkTable, linkAttributes, targetUid } from './links.ts';

function tableFrom(source: ContentType, attribute: TypedLinkAttribute, target: ContentType): LinkTable {
  const mutual = attribute.kind === 'relation' && attribute.inverse !== undefined;
  const oneToOne = mutual && attribute.relation === 'oneToOne';
  const exclusive = { source: oneToOne, target: oneToOne || (mutual && attribute.relation === 'manyToOne') };
  // Strapi keeps the files that were connected behind a single one.
  const single = attribute.kind === 'relation' && !attribute.multiple;
  return { name: linkTable(source.table, attribute.name), source, target, mutual, single, exclusive };
}

function polymorphicTable(source: ContentType, attribute: PolymorphicAttribute, target: ContentType): LinkTable {
  const { multiple } = attribute;
  const exclusive = { source: false, target: !multiple };
  const name = typedLinkTable(source.table, attribute.name);
  return { name, source, target, targetType: target.uid, mutual: false, single: !multiple, exclusive };
}

const polymorphicTargets = ({ contentTypes }: Registry): readonly ContentType[] =>
  [...contentTypes.values()].filter(isPolymorphicTarget);

/** Returns the uids of the types that an attribute may link to. */
export const targetUids = (attribute: LinkAttribute, registry: Registry): readonly string[] =>
  isPolymorphic(attribute) ? polymorphicTargets(registry).map(({ uid }) => uid) : [targetUid(attribute)];

/** Returns the table of a relation or media attribute, for either side; undefined if its type is missing. */
export function tableOf(attribute: TypedLinkAttribute, type: ContentType, registry: Registry): LinkTable | undefined {
  const other = registry.contentTypes.get(targetUid(attribute));
  if (!other) return undefined;
  if (isOwner(attribute)) return tableFrom(type, attribute, other);
  const inverse = attribute.kind === 'relation' ? other.attributes.get(attribute.inverse ?? '') : undefined;
  if (isPolymorphic(inverse)) return polymorphicTable(other, inverse, type);
  return isRelation(inverse) ? tableFrom(other, inverse, type) : undefined;
}

/** Returns the side of an attribute's links; undefined if its type is missing. */
export function linkEndOf(attribute: LinkAttribute, type: ContentType, registry: Registry): LinkEnd | undefined {
  const tables = isPolymorphic(attribute)
    ? polymorphicTargets(registry).map((target) => polymorphicTable(type, attribute, target))
    : [tableOf(attribute, type, registry)].filter((table) => table !== undefined);
  const [first, ...rest] = tables;
  return first && { tables: [first, ...rest], owner: isOwner(attribute) };
}

export const endsOf = (
  attributes: readonly LinkAttribute[],
  type: ContentType,
  registry: Registry,
): readonly LinkEnd[] =>
  attributes.map((attribute) => linkEndOf(attribute, type, registry)).filter((end) => end !== undefined);

/** Returns the links of attributes, to each type. */
export const tablesOf = (...owner: Parameters<typeof endsOf>): readonly LinkTable[] =>
  endsOf(...owner).flatMap(({ tables }) => tables);

const ownedEnds = (type: ContentType, registry: Registry): readonly LinkEnd[] =>
  endsOf(linkAttributes(type.attributes).filter(isOwner), type, registry);

/** Returns every table that links rows of the type, as sources and as targets. */
export function linkEnds(type: ContentType, registry: Registry): readonly LinkEnd[] {
  const all = [...registry.contentTypes.values()].flatMap((source) => ownedEnds(source, registry));
  const pointing = all.flatMap(({ tables }) => tables).filter(({ target }) => target === type);
  return [...ownedEnds(type, registry), ...pointing.map((table): LinkEnd => ({ tables: [table], owner: false }))];
}

/** Names a side of a link table. */
export const endKey = ({ tables: [{ name }], owner }: LinkEnd): string => `${owner ? '' : '-'}${name}`;

/** Returns the ends that follow one, in the order of their keys. */
export function endsAfter(key: string, type: ContentType, registry: Registry): readonly LinkEnd[] {
  const sorted = linkEnds(type, registry).toSorted((one, other) => (endKey(one) < endKey(other) ? -1 : 1));
  return sorted.filter((end) => endKey(end) > key);
}

const hasDrafts = ({ source, target }: LinkTable): boolean => source.draftAndPublish || target.draftAndPublish;

/** Returns the version of the links that a reader of this status sees. */
export const linkStatus = (table: LinkTable, status: Status): Status => (hasDrafts(table) ? status : 'published');

/** Returns the versions of links that a write of the type changes: both if only the other side has drafts. */
export function writtenStatuses({ draftAndPublish }: ContentType, tables: readonly LinkTable[]): readonly Status[] {
  if (draftAndPublish) return ['draft'];
  return tables.some(hasDrafts) ? ['draft', 'published'] : ['published'];
}
