/**
 * @module Resolves `populate`, through relations, media, components and zones. Omits what the caller may not find; rejects
 * unknown names.
 */
import { invalid, invalidKey } from '../../../common/errors.ts';
import { isMedia, isPolymorphic, isRelated, isScalar, isZone } from '../../../schema/attribute-kinds.ts';
import type { Attribute, DynamicZoneAttribute } from '../../../schema/model.ts';
import {
  isEverything,
  isOptions,
  isPassedOver,
  isStar,
  isSwitch,
  OPTIONS,
  type PopulateEntry,
  type PopulateOptions,
  type PopulatePaths,
  type PopulateTree,
  type PopulateValue,
  pathsIn,
  unwrap,
} from '../../request/populate.ts';
import { isLocalizations } from '../model/node-kinds.ts';
import type { Populate, Selection, TopSelection, ZonePart } from '../model/read-plan.ts';
import { childPath } from '../model/resolve.ts';
import { planFields, shownScalars } from './fields.ts';
import { planFilters } from './filters.ts';
import {
  componentScope,
  isForbidden,
  isListed,
  type NameScope,
  type PlanContext,
  relationStep,
  targetScope,
} from './name-scope.ts';
import { deepNodes, depthOf } from './populate-deep.ts';
import { everything, simpleNode } from './populate-everything.ts';
import { isMixed, type MixedAttribute, type MixedShown, mixedNode, relatedEntry } from './populate-mixed.ts';
import { isPopulatable, merged, nodeOf, present, scalarSelection } from './populate-nodes.ts';
import { namedFields, presetOf } from './populate-presets.ts';
import {
  nestedRejection,
  POPULATE_SOURCE,
  presetRejection,
  rejectFragments,
  rejectLists,
  rejectOption,
  rejectUnknownFragments,
  textRejection,
  zoneRejection,
} from './populate-rejections.ts';
import { isSliceKey, knownOptions, planShownList } from './populate-slice.ts';
import { countKey, enterAttribute, enterPreset, type Node, type PopulatePath, type Walk } from './populate-walk.ts';
import { withSharedTargets } from './shared-targets.ts';
import { endInId, planSort } from './sort.ts';

/** Resolves the rest of a path in every component of a zone that has the name. */
function zonePath(zone: DynamicZoneAttribute, owner: NameScope, rest: readonly string[], at: string, walk: Walk): Node {
  const [name = ''] = rest;
  const has = ({ attributes }: NameScope) => attributes.has(name);
  const first = zone.components.find((uid) => has(componentScope(uid, walk, owner)));
  if (first === undefined) throw invalidKey(name, childPath(at, name), POPULATE_SOURCE);
  const part = (scope: NameScope, uid: string): Selection => {
    const node = has(scope)
      ? pathNode(rest, scope, at, uid === first ? walk : { ...walk, isRepeated: true })
      : undefined;
    return { attributes: shownScalars(scope), populate: present([node]) };
  };
  return mixedNode(zone, owner, part, walk);
}

/** `author.avatar`; null omits the complete path, since the caller may not find a part of it. */
function pathNode(path: readonly string[], scope: NameScope, above: PopulatePath, outer: Walk): Node | null {
  const [name = '', ...rest] = path;
  const at = childPath(above, name);
  const attribute = scope.attributes.get(name);
  const isCut = outer.isTruncated && rest.length === 0 && !isScalar(attribute);
  // A preset is for every caller.
  if (!attribute && outer.presets && scope.rule?.fields) return null;
  if (!attribute || !(isCut || isPopulatable(attribute)))
    throw presetRejection(name, null, outer) ?? invalidKey(name, at, POPULATE_SOURCE);
  const walk = enterAttribute(outer, attribute);
  if (rest.length === 0 && isForbidden(attribute, walk)) return walk.isTruncated ? undefined : null;
  if (rest.length === 0) return simpleNode(attribute, scope, walk);
  const isEnd = isMedia(attribute) || isRelated(attribute) || isPolymorphic(attribute);
  if (isEnd) throw invalidKey(name, at, POPULATE_SOURCE);
  if (isZone(attribute)) return zonePath(attribute, scope, rest, at, walk);
  const lead = relationStep(attribute, scope, walk);
  const below = lead ? pathNode(rest, lead.scope, at, walk) : null;
  if (!lead || below === null || isForbidden(attribute, walk)) return null;
  return nodeOf(name, lead, { attributes: shownScalars(lead.scope), populate: present([below]) }, walk);
}

/** `[fields]`, `[filters]`, `[sort]`, `[populate]`, `[count]` below a relation, a media attribute or a component. */
function optionsNode(options: PopulateOptions, attribute: Attribute, scope: NameScope, path: string, walk: Walk): Node {
  const lead = relationStep(attribute, scope, walk);
  if (!lead) return undefined;
  rejectOption(options, lead.scope, path, knownOptions(walk));
  rejectFragments(options, attribute, scope, path, walk);
  const list = planShownList(options, attribute, path, walk);
  const order = planSort(unwrap(options.sort), lead.scope, walk);
  const filters = unwrap(options.filters);
  const where = filters && planFilters(filters, lead.scope, walk);
  const fields = planFields(namedFields(options, lead.scope, walk), lead.scope, POPULATE_SOURCE);
  const joined = !isLocalizations(lead.step);
  const sorted = joined ? order.filter(({ steps }) => steps.length === 0).map((term) => term.attribute) : [];
  const extra = sorted.filter((item) => lead.scope.attributes.get(item.name) === item && !fields.includes(item));
  const populate = planTree(options.populate, lead.scope, path, walk);
  const count = options.count === true && !isMedia(attribute) && joined;
  const selection = { attributes: extra.length > 0 ? [...fields, ...extra] : fields, populate };
  const shown = { ...list, count, order: list.slice && order.length > 0 ? endInId(order) : order };
  return nodeOf(attribute.name, lead, selection, walk, { ...shown, ...(where && { where }) });
}

/** Checks `sort`, which has no effect: like in Strapi, the entries of a zone keep their order. */
function fragmentOptions(options: PopulateOptions, scope: NameScope, path: string, at: string, walk: Walk): ZonePart {
  rejectOption(options, scope, path, OPTIONS);
  rejectUnknownFragments(options, at, walk);
  planSort(unwrap(options.sort), scope, walk);
  const filters = unwrap(options.filters);
  const where = filters && planFilters(filters, scope, walk);
  const attributes = planFields(namedFields(options, scope, walk), scope, POPULATE_SOURCE);
  return { attributes, populate: planTree(options.populate, scope, path, walk), ...(where && { where }) };
}

/** @param at the path of the fragment itself */
function fragmentPart(value: PopulateValue, scope: NameScope, path: string, at: string, walk: Walk): ZonePart {
  if (isOptions(value)) return fragmentOptions(value.options, scope, path, at, walk);
  // Strapi shows the entries for `false`, too.
  const rejection = textRejection(value, scope, path, walk);
  if (rejection) throw rejection;
  return scalarSelection(scope);
}

function fragments(
  on: NonNullable<PopulateOptions['on']>,
  attribute: MixedAttribute,
  scope: NameScope,
  path: string,
  shown: MixedShown,
  walk: Walk,
): Node {
  const at = childPath(path, 'on');
  if (on === 'malformed') throw invalidKey('on', at, POPULATE_SOURCE);
  const { components, contentTypes } = walk.registry;
  const isPolymorphic = attribute.kind === 'polymorphic';
  const parts = new Map<string, ZonePart>();
  for (const { name: uid, value } of on === 'empty' ? [] : on) {
    const type = isPolymorphic ? contentTypes.get(uid) : undefined;
    if (!components.has(uid) && !type) throw invalidKey(uid, childPath(at, uid), POPULATE_SOURCE);
    const inner = type ? targetScope(type, walk) : componentScope(uid, walk, scope);
    // Strapi checks no star of a type that the caller may not find.
    const isPlain = type && isStar(value) && !isListed(uid, walk);
    parts.set(uid, isPlain ? scalarSelection(inner) : fragmentPart(value, inner, path, `${at}[${uid}]`, walk));
  }
  if (isPolymorphic && ![...parts.keys()].some((uid) => components.has(uid) || isListed(uid, walk))) return undefined;
  return mixedNode(attribute, scope, (_, uid) => parts.get(uid), walk, shown);
}

const MIXED_OPTIONS = new Set(['populate', 'on', 'count']);

function mixedOptions(
  entry: PopulateEntry,
  attribute: MixedAttribute,
  scope: NameScope,
  path: string,
  walk: Walk,
): Node {
  const isZone = attribute.kind === 'dynamiczone';
  if (!isOptions(entry.value)) {
    if (isZone) throw zoneRejection(attribute, scope, entry.written);
    return undefined;
  }
  const { keys, populate, on, isCountTrue } = entry.value.options;
  const list = planShownList(entry.value.options, attribute, path, walk);
  const isExtended = list.slice !== undefined || list.withCount === true;
  const isAll = isEverything(populate);
  if (keys.includes('populate') && !isAll)
    throw invalidKey('populate', path.replaceAll('.', '.populate.'), POPULATE_SOURCE);
  const hasOthers = keys.some((key) => !MIXED_OPTIONS.has(key) && !(isExtended && isSliceKey(key)));
  const isCounted = !isZone && isCountTrue;
  const shown: MixedShown = { count: isCounted, ...list };
  if (Array.isArray(on) || (isZone && on !== undefined && on !== null)) {
    const node = fragments(on, attribute, scope, path, shown, walk);
    // Strapi ignores other options beside the fragments of a zone.
    if (!isZone && node && hasOthers) throw zoneRejection(attribute, scope, entry.written);
    return node;
  }
  // Without fragments Strapi shows nothing of a polymorphic relation but its count.
  if (!isZone && !isCounted && !isExtended) return undefined;
  if (hasOthers) throw zoneRejection(attribute, scope, entry.written);
  if (isCounted || !isAll) return mixedNode(attribute, scope, scalarSelection, walk, shown);
  countKey(walk);
  const all = (part: NameScope) => ({ attributes: shownScalars(part), populate: everything(part, walk) });
  return mixedNode(attribute, scope, all, walk, shown);
}

function entryNode(entry: PopulateEntry, scope: NameScope, above: PopulatePath, outer: Walk): Node {
  const { name, value } = entry;
  const attribute = scope.attributes.get(name);
  if (!attribute && isPassedOver(name)) return undefined;
  // A preset is for every caller.
  if (!attribute && outer.presets && scope.rule?.fields) return undefined;
  // Strapi reads the name of an option as a part of the path.
  if (!attribute && name === 'on')
    throw invalidKey(name, above === null ? name : `${above}.populate.${name}`, POPULATE_SOURCE);
  if (!attribute) throw invalidKey(name, above, POPULATE_SOURCE);
  const path = childPath(above, name);
  if (!isPopulatable(attribute)) throw invalidKey(name, path, POPULATE_SOURCE);
  const walk = enterAttribute(outer, attribute);
  const allowed = (node: Node) => (isForbidden(attribute, walk) ? undefined : node);
  const isOn = isSwitch(value) && value.on && (!isPolymorphic(attribute) || entry.written === 'true');
  if (isSwitch(value)) return isOn ? allowed(simpleNode(attribute, scope, walk)) : undefined;
  if (isMixed(attribute)) return mixedOptions(entry, attribute, scope, path, walk);
  if (isRelated(attribute)) return relatedEntry(entry, attribute, scope, path, walk);
  if (isStar(value) && walk.plainStars) return allowed(simpleNode(attribute, scope, walk));
  if (isOptions(value)) return allowed(optionsNode(value.options, attribute, scope, path, walk));
  const target = relationStep(attribute, scope, walk)?.scope ?? scope;
  throw textRejection(value, target, path, walk) ?? nestedRejection();
}

function pathNodes({ texts }: PopulatePaths, scope: NameScope, above: PopulatePath, walk: Walk): readonly Populate[] {
  const nodes = texts.flatMap((text) => {
    const within = { ...walk, isTruncated: text.includes(',') };
    return pathsIn(text).map((names) => pathNode(names, scope, null, within));
  });
  if (above !== null) rejectLists(texts, above);
  return merged(present(nodes));
}

function planTree(
  tree: PopulateTree | undefined,
  scope: NameScope,
  path: PopulatePath,
  walk: Walk,
): readonly Populate[] {
  if (!tree) return [];
  const depth = depthOf(tree, scope, path, walk);
  if (depth !== undefined) return deepNodes(depth, scope, walk);
  const preset = presetOf(tree, scope, walk);
  if (preset) return planTree(preset.populate, scope, path, enterPreset(walk, preset.key));
  switch (tree.kind) {
    case 'everything':
      countKey(walk);
      return everything(scope, walk);
    case 'paths':
      return pathNodes(tree, scope, path, walk);
    case 'entries':
      return present(tree.entries.map((entry) => entryNode(entry, scope, path, walk)));
    case 'malformed':
      throw invalid('Invalid populate parameter. Expected a string, an array of strings, a populate object');
    default:
      return tree satisfies never;
  }
}

/** @throws ApiError 400 "Invalid key", and for the limits; 403 for drafts that the caller may not read. */
export function planPopulate(
  tree: PopulateTree | undefined,
  scope: NameScope,
  context: PlanContext,
): Pick<TopSelection, 'populate' | 'populated'> {
  const nodes: Walk['nodes'] = { count: 0, planned: 0 };
  const plainStars = scope.type?.system === true;
  const populate = planTree(tree, scope, null, { ...context, nodes, depth: 0, lists: 0, plainStars });
  return { populate: withSharedTargets(populate), ...(nodes.populated && { populated: nodes.populated }) };
}
