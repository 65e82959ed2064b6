/**
 * @module What the components of a document link to: it is published with the targets alone that are published.
 */
import { groupsOf } from '../../registry/groups.ts';
import type { Attribute, ContentType, Registry } from '../../registry/model.ts';
import { attributesOf, type ColumnAttribute, inputAttributes } from '../model/component-attributes.ts';
import { type Link, linkAttributes, targetUid } from '../model/links.ts';
import type { Current, WriteRequest } from '../model/write-request.ts';
import { missingDocument } from './plan-relations.ts';
import { indexOf } from './target-index.ts';

/** The rows of a type that stored components may link to. */
export interface InnerLookup {
  readonly type: ContentType;
  readonly columns: readonly ColumnAttribute[];
}

function componentsOf(attribute: Attribute): readonly string[] {
  if (attribute.kind === 'component') return [attribute.component];
  return attribute.kind === 'dynamiczone' ? attribute.components : [];
}

/** uids of the types that an attribute leads to through its components. */
function targetsWithin(attribute: Attribute, registry: Registry, seen: Set<string> = new Set()): ReadonlySet<string> {
  const targets = new Set<string>();
  for (const uid of componentsOf(attribute).filter((name) => !seen.has(name))) {
    seen.add(uid);
    const attributes = attributesOf(uid, registry);
    for (const link of linkAttributes(attributes)) targets.add(targetUid(link));
    for (const inner of attributes.values())
      for (const target of targetsWithin(inner, registry, seen)) targets.add(target);
  }
  return targets;
}

/** D1 takes 32 arguments at most. */
const COLUMNS = 30;

/**
 * What a publication has to know of the components that are stored, and a new locale of those that it takes over;
 * targets without drafts are always published.
 */
export function innerLookups({ type, registry, operation, status }: WriteRequest): readonly InnerLookup[] {
  const isPublication = type.draftAndPublish && status === 'published';
  if (operation === 'create' || !(isPublication || type.localized)) return [];
  const columns = inputAttributes(type.attributes).map((item) => ({ item, targets: targetsWithin(item, registry) }));
  const uids = new Set(columns.flatMap(({ targets }) => [...targets]));
  return [...uids].flatMap((uid) => {
    const target = registry.contentTypes.get(uid);
    const all = isPublication && target?.draftAndPublish === true;
    if (!target || !(all || target.localized)) return [];
    const own = columns
      .filter(({ item, targets }) => targets.has(uid) && (all || !item.localized))
      .map(({ item }) => item);
    return groupsOf(own, COLUMNS).map((group) => ({ type: target, columns: group }));
  });
}

/**
 * A new locale takes over links of components to documents that have it, too, and to those that are gone.
 * @throws ApiError 400 for one that has other locales alone.
 */
export function adoptsLink({ type, registry, documentId, locale }: WriteRequest, { targets }: Current) {
  return (uid: string, link: Link): boolean => {
    const isOther = uid !== type.uid || link.documentId !== documentId;
    const rows = indexOf(targets.get(uid) ?? []);
    const isThere = rows.byDocumentId.has(link.documentId);
    if (isOther && isThere && registry.contentTypes.get(uid)?.localized && !rows.find({ ...link, locale }))
      throw missingDocument(link.documentId, locale);
    return true;
  };
}

/** Does the published version of a document keep a link of its components? As in the reference none to itself. */
export function keepsPublished(
  { type, registry, documentId, locale }: WriteRequest,
  { targets }: Current,
): (uid: string, link: Link) => boolean {
  return (uid, link) => {
    const target = registry.contentTypes.get(uid);
    if (uid === type.uid && link.documentId === documentId) return false;
    if (!target?.draftAndPublish) return true;
    const meant = target.localized && type.localized ? locale : link.locale;
    return indexOf(targets.get(uid) ?? []).isPublished({ documentId: link.documentId, locale: meant });
  };
}
