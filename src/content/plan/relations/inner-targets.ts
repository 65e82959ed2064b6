/**
 * @module The links of components: a document is published with the published targets only.
 */
import { groupsOf } from '../../../common/groups.ts';
import type { Attribute, ColumnAttribute, ContentType, Registry } from '../../../schema/model.ts';
import { attributesOf, componentsOf, inputAttributes } from '../model/component-attributes.ts';
import { targetUids } from '../model/link-tables.ts';
import { type Link, linkAttributes } from '../model/links.ts';
import type { Condition } from '../model/read-plan.ts';
import type { Current, WriteRequest } from '../model/write-request.ts';
import { missingDocument } from './plan-relations.ts';
import { indexOf, visibleIndexOf } from './target-index.ts';

/** Reads the rows of a type that the components in these columns link to. */
export interface InnerLookup {
  readonly type: ContentType;
  readonly columns: readonly ColumnAttribute[];
  /** The rows that the caller may find; absent: all. Others are marked as hidden. */
  readonly visible?: Condition | undefined;
}

/** Returns the uids of the types that the components of an attribute link to. */
function targetsWithin(attribute: Attribute, registry: Registry, seen: Set<string> = new Set()): ReadonlySet<string> {
  const targets = new Set<string>();
  for (const uid of componentsOf(attribute).filter((name) => !seen.has(name))) {
    seen.add(uid);
    const attributes = attributesOf(uid, registry);
    for (const link of linkAttributes(attributes)) for (const target of targetUids(link, registry)) targets.add(target);
    for (const inner of attributes.values())
      for (const target of targetsWithin(inner, registry, seen)) targets.add(target);
  }
  return targets;
}

/** D1 takes 32 arguments at most. */
const MAX_COLUMNS = 30;

/**
 * Returns the lookups of a publication, for stored components; of a new locale, for inherited ones; and of types that the
 * caller sees in part, for components that the body changes.
 */
export function innerLookups(request: WriteRequest): readonly InnerLookup[] {
  const { type, registry, operation, status, data } = request;
  const isPublication = type.draftAndPublish && status === 'published';
  if (operation === 'create') return [];
  const columns = inputAttributes(type.attributes).map((item) => ({ item, targets: targetsWithin(item, registry) }));
  const uids = new Set(columns.flatMap(({ targets }) => [...targets]));
  return [...uids].flatMap((uid) => {
    const target = registry.contentTypes.get(uid);
    if (!target) return [];
    const visible = request.visible?.(target);
    const all = isPublication && (target.draftAndPublish || visible !== undefined);
    const isChanged = ({ name }: ColumnAttribute) => visible !== undefined && data[name] !== undefined;
    const isInherited = ({ localized }: ColumnAttribute) => type.localized && target.localized && !localized;
    const own = columns
      .filter(({ item, targets }) => targets.has(uid) && (all || isInherited(item) || isChanged(item)))
      .map(({ item }) => item);
    return groupsOf(own, MAX_COLUMNS).map((group) => ({ type: target, columns: group, visible }));
  });
}

/** Is a document that a stored component links to hidden from the caller? */
export const isHiddenTarget = ({ innerTargets }: Current, uid: string, { documentId }: Link): boolean => {
  const rows = innerTargets.get(uid) ?? [];
  return indexOf(rows).byDocumentId.has(documentId) && !visibleIndexOf(rows).byDocumentId.has(documentId);
};

/** Does a copy of components keep a link to a document of this type? */
export type KeepsLink = (uid: string, link: Link) => boolean;

/**
 * Keeps every link that a new locale inherits, also a hidden one.
 * @throws ApiError 400 for a document that the caller sees in other locales only
 */
export function inheritsLink(
  { type, registry, documentId, locale }: WriteRequest,
  { innerTargets }: Current,
): KeepsLink {
  return (uid, link) => {
    const isOther = uid !== type.uid || link.documentId !== documentId;
    const rows = visibleIndexOf(innerTargets.get(uid) ?? []);
    const exists = rows.byDocumentId.has(link.documentId);
    if (isOther && exists && registry.contentTypes.get(uid)?.localized && !rows.find({ ...link, locale }))
      throw missingDocument(link.documentId, locale);
    return true;
  };
}

/** Keeps the links of a published version: to published documents and, like in Strapi, none to itself. */
export function keepsPublished(
  { type, registry, documentId, locale }: WriteRequest,
  { innerTargets }: Current,
): KeepsLink {
  return (uid, link) => {
    const target = registry.contentTypes.get(uid);
    if (uid === type.uid && link.documentId === documentId) return false;
    if (!target?.draftAndPublish) return true;
    const meant = target.localized && type.localized ? locale : link.locale;
    return indexOf(innerTargets.get(uid) ?? []).isPublished({ documentId: link.documentId, locale: meant });
  };
}
