/**
 * @module Builds the links of an archive: from the owning side, with the positions that their kind of relation has.
 */
import { readList } from '../../src/common/json.ts';
import { type Link, linkAttributes, targetUid } from '../../src/content/plan/model/links.ts';
import type { Status } from '../../src/content/request/query-params.ts';
import type { Row } from '../../src/content/sql/statement.ts';
import { isMedia, isOwner, isPolymorphic, isRelation, ownedTable } from '../../src/schema/attribute-kinds.ts';
import type { Attribute, ContentType, LinkAttribute } from '../../src/schema/model.ts';
import { LINK_STEP } from '../../src/schema/names.ts';
import { ROLE_UID } from '../../src/schema/system-types.ts';
import type { Content } from './content.ts';

interface Side {
  readonly type: string;
  readonly field: string;
  readonly ref: number;
  readonly pos: number;
}

/**
 * Returns the attribute of the target by which Strapi finds a link of a `morphToMany` from there. In Strapi, a target with
 * drafts that has such a link cannot be published.
 */
function fieldOf({ draftAndPublish, attributes }: ContentType, { type, field }: Side): string | null {
  if (draftAndPublish) return null;
  const isOther = (attribute: Attribute) =>
    isRelation(attribute) && attribute.target === type && attribute.inverse === field;
  return [...attributes.values()].find(isOther)?.name ?? null;
}

const ORDERED_SOURCES: ReadonlySet<string> = new Set(['manyToMany', 'oneToMany']);
const ORDERED_TARGETS: ReadonlySet<string> = new Set(['manyToMany', 'manyToOne']);

function linkLine(attribute: LinkAttribute, source: Side, target: ContentType, end: Pick<Side, 'ref' | 'pos'>): object {
  const right = { type: target.uid, ref: end.ref };
  const morph = { kind: 'relation.morph', relation: 'morphToMany' };
  // Strapi stores these links from the file to its uses.
  if (isMedia(attribute)) return { ...morph, left: { ...right, field: 'related' }, right: source };
  const { pos, ...left } = source;
  if (attribute.kind === 'polymorphic')
    return attribute.multiple
      ? { ...morph, left, right: { ...right, pos, field: fieldOf(target, source) } }
      : { ...morph, relation: 'morphToOne', left, right };
  const { relation, inverse } = attribute;
  return {
    kind: left.type === right.type ? 'relation.circular' : 'relation.basic',
    relation,
    left: { ...left, ...(ORDERED_SOURCES.has(relation) && { pos }) },
    right: {
      ...right,
      ...(inverse !== undefined && { field: inverse }),
      ...(inverse !== undefined && ORDERED_TARGETS.has(relation) && { pos: end.pos }),
    },
  };
}

/** Builds the link of a `morphOne` or `morphMany` of a component, which Strapi stores at the other side. */
function pointedLine(attribute: LinkAttribute, { pos, field, ...right }: Side, target: ContentType, ref: number) {
  const stored = isRelation(attribute) ? target.attributes.get(attribute.inverse ?? '') : undefined;
  if (!isPolymorphic(stored)) return undefined;
  const line = { kind: 'relation.morph', left: { type: target.uid, ref, field: stored.name } };
  return stored.multiple
    ? { ...line, relation: 'morphToMany', right: { ...right, pos, field } }
    : { ...line, relation: 'morphToOne', right };
}

/**
 * The versions of a target with drafts to which a type without drafts links. A `morphToOne` is a column in Strapi, for one
 * row: that of the draft, since a publication replaces the published one.
 */
const bothVersions = (attribute: LinkAttribute): readonly Status[] =>
  isPolymorphic(attribute) && !attribute.multiple ? ['draft'] : ['draft', 'published'];

/** Why an archive lacks a link: those of Strapi join rows. */
const NO_VERSION = 'to or from a version that does not exist';
const ONE_ROW = 'to the other version of a linked document, which has one link in Strapi';

/** The version that contains a component. */
export interface Owner {
  readonly locale: string;
  readonly status: Status;
  readonly draftAndPublish: boolean;
}

function versionsOf({ draftAndPublish }: ContentType, owner: Owner, attribute: LinkAttribute): readonly Status[] {
  if (!draftAndPublish) return ['published'];
  return owner.draftAndPublish ? [owner.status] : bothVersions(attribute);
}

/** Keeps the links of a component for the links of the archive. @param source the component */
export function keepInnerLinks(
  source: Pick<Side, 'type' | 'ref'>,
  attribute: LinkAttribute,
  links: unknown,
  owner: Owner,
  { registry, idOf, keep, leftOut }: Content,
): void {
  for (const [place, { documentId, locale, type }] of (readList(links) as readonly Link[]).entries()) {
    const target = registry.contentTypes.get(targetUid(attribute, type));
    const pos = place + 1;
    const side = { ...source, field: attribute.name, pos };
    const lines = (target ? versionsOf(target, owner, attribute) : []).flatMap((status) => {
      const ref = target && idOf(target, documentId, target.localized ? locale || owner.locale : '', status);
      if (!target || ref === undefined) return [];
      return isOwner(attribute)
        ? linkLine(attribute, side, target, { ref, pos })
        : (pointedLine(attribute, side, target, ref) ?? []);
    });
    lines.forEach(keep);
    if (lines.length === 0) leftOut.add(`${source.type}.${attribute.name}: ${NO_VERSION}`, { links: 1 });
  }
}

/** @returns the link, or why the archive lacks it. */
function rowLink(row: Row, source: ContentType, attribute: LinkAttribute, content: Content): object | string {
  const target = content.registry.contentTypes.get(targetUid(attribute, String(row.target_type)));
  if (!target) return NO_VERSION;
  const status = row.status as Status;
  if (!source.draftAndPublish && target.draftAndPublish && !bothVersions(attribute).includes(status)) return ONE_ROW;
  const rowAt = (type: ContentType, side: 'source' | 'target') => {
    const version = type.draftAndPublish ? status : 'published';
    return content.idOf(type, String(row[`${side}_document_id`]), String(row[`${side}_locale`]), version);
  };
  const [sourceRow, targetRow] = [rowAt(source, 'source'), rowAt(target, 'target')];
  if (sourceRow === undefined || targetRow === undefined) return NO_VERSION;
  const side = { type: source.uid, field: attribute.name, ref: sourceRow, pos: Number(row.position) / LINK_STEP };
  // In Strapi, the relation of users to their role has two sides.
  const declared = target.uid === ROLE_UID ? { ...attribute, inverse: 'users' } : attribute;
  return linkLine(declared, side, target, { ref: targetRow, pos: Number(row.inverse_position) / LINK_STEP });
}

export function* linkLines(source: ContentType, content: Content): Generator<object> {
  for (const attribute of linkAttributes(source.attributes).filter(isOwner))
    for (const row of content.linksOf(ownedTable(source.table, attribute))) {
      const link = rowLink(row, source, attribute, content);
      if (typeof link === 'object') yield link;
      else content.leftOut.add(`${source.uid}.${attribute.name}: ${link}`, { links: 1 });
    }
}
