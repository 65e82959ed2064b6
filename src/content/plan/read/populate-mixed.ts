/**
 * @module Populated values of several types: those of zones and polymorphic relations, and the uses of a file.
 */

import { actionId } from '../../../access/grants.ts';
import { invalidKey } from '../../../common/errors.ts';
import { groupsOf } from '../../../common/groups.ts';
import { isMedia, isPolymorphic, isZone } from '../../../schema/attribute-kinds.ts';
import type { Attribute, DynamicZoneAttribute, PolymorphicAttribute } from '../../../schema/model.ts';
import { isEverything, isOptions, isStar, isText, type PopulateEntry } from '../../request/populate.ts';
import { tablesOf } from '../model/link-tables.ts';
import { isLink, isReference } from '../model/node-kinds.ts';
import type { Populate, PopulatedTypes, ZonePart } from '../model/read-plan.ts';
import { shownScalars } from './fields.ts';
import {
  canReadDrafts,
  componentScope,
  type NameScope,
  type PlanContext,
  targetScope,
  typedSteps,
} from './name-scope.ts';
import { nodeOf } from './populate-nodes.ts';
import { POPULATE_SOURCE, zoneRejection } from './populate-rejections.ts';
import { planShownList, type ShownList } from './populate-slice.ts';
import { enterAttribute, type Walk } from './populate-walk.ts';

/** Media attributes of a type that one subquery reads; a statement takes 100 KB. */
const MAX_TABLES = 40;

/** Includes every type with media attributes that the caller may list; each counts as a key. */
export function relatedNode(attribute: Attribute, walk: Walk): Populate {
  const types = [...walk.registry.contentTypes.values()].filter(({ uid }) => walk.grants.allows(actionId(uid, 'find')));
  const uses = types.flatMap((type) => {
    const media = [...targetScope(type, walk).attributes.values()].filter(isMedia);
    const tables = tablesOf(media, type, walk.registry);
    if (tables.length === 0) return [];
    enterAttribute(walk, attribute);
    const attributes = shownScalars(targetScope(type, walk));
    const visible = walk.visible(type, 'both');
    const own = { type, attributes, drafts: canReadDrafts(type, walk), ...(visible && { visible }) };
    return groupsOf(tables, MAX_TABLES).map((some) => ({ ...own, tables: some }));
  });
  return { kind: 'related', name: attribute.name, uses };
}

/** Like Strapi, shows nothing for texts and options: only a switch shows what uses a file. Rejects what only lists of documents take. */
export function relatedEntry(
  { value, written }: PopulateEntry,
  attribute: Attribute,
  scope: NameScope,
  path: string,
  context: PlanContext,
): undefined {
  if (isStar(value) || (isText(value) && value.text !== '')) return undefined;
  if (!isOptions(value)) throw zoneRejection(attribute, scope, written);
  const { keys, populate, on, count } = value.options;
  planShownList(value.options, attribute, path, context);
  if (keys.includes('populate') && !isEverything(populate)) throw invalidKey('populate', path, POPULATE_SOURCE);
  if (Array.isArray(on) || count !== false) throw zoneRejection(attribute, scope, written);
}

/** An attribute whose values are of several types or components, of which `on` selects some. */
export type MixedAttribute = DynamicZoneAttribute | PolymorphicAttribute;

export const isMixed = (attribute: Attribute): attribute is MixedAttribute =>
  isZone(attribute) || isPolymorphic(attribute);

/** What a response shows of the entries of a polymorphic relation. */
export type MixedShown = Pick<PopulatedTypes, 'count'> & ShownList;

/** @param part undefined for a type or component to omit */
export function mixedNode(
  attribute: MixedAttribute,
  scope: NameScope,
  part: (scope: NameScope, uid: string) => ZonePart | undefined,
  walk: Walk,
  shown: MixedShown = { count: false },
): Populate {
  const { name } = attribute;
  if (attribute.kind === 'dynamiczone') {
    const parts = attribute.components.map((uid) => [uid, part(componentScope(uid, walk, scope), uid)] as const);
    const shown = parts.filter((each): each is [string, ZonePart] => each[1] !== undefined);
    return { kind: 'dynamiczone', name, attribute, parts: new Map(shown) };
  }
  const parts = typedSteps(attribute, scope, walk).flatMap((lead) => {
    const own = part(lead.scope, lead.scope.type?.uid ?? '');
    if (!own) return [];
    const { where, ...selection } = own;
    const node = nodeOf(name, lead, selection, walk, { count: shown.count, ...(where && { where }) });
    return isLink(node) || isReference(node) ? [node] : [];
  });
  return { kind: 'polymorphic', name, multiple: attribute.multiple, ...shown, parts };
}
