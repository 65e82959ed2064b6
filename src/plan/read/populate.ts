/**
 * @module Resolves `populate`, through relations, media, components and zones. Omits what the caller may not find; rejects
 * unknown names.
 */
import { actionId } from '../../auth/grants.ts';
import { invalid } from '../../errors.ts';
import type { Attribute, DynamicZoneAttribute } from '../../registry/model.ts';
import {
  isPassedOver,
  type PopulateEntry,
  type PopulateOptions,
  type PopulatePaths,
  type PopulateTree,
  type PopulateValue,
  pathsIn,
  unwrap,
} from '../../request/populate.ts';
import { tablesOf } from '../model/link-tables.ts';
import type { Populate, Selection, ZonePart } from '../model/read-plan.ts';
import { childPath, invalidKey } from '../model/resolve.ts';
import { planFields, shownScalars } from './fields.ts';
import { planFilters } from './filters.ts';
import {
  canReadDrafts,
  componentScope,
  isForbidden,
  leadOf,
  type NameScope,
  type PlanContext,
  scopeOf,
} from './name-scope.ts';
import { isPopulatable, merged, nodeOf, plain } from './populate-nodes.ts';
import { refuseFragments, refuseLists, refuseOption, SOURCE, textRefusal, zoneRefusal } from './populate-refusals.ts';
import { planSort } from './sort.ts';

interface Walk extends PlanContext {
  readonly nodes: { count: number };
  readonly depth: number;
  /** Multiple relations on the way. */
  readonly lists: number;
  /** Does a path omit only its end if that is forbidden? Strapi does in a text with commas. */
  readonly cuts?: boolean;
  /** Does a star below an attribute select only its scalars? Strapi does on users and files, and rejects it elsewhere. */
  readonly plainStars: boolean;
}

type Path = string | null;
/** Undefined: omitted. */
type Node = Populate | undefined;

function enter(walk: Walk, attribute: Attribute): Walk {
  const { populateNodes, populateDepth, populateLists } = walk.limits;
  walk.nodes.count += 1;
  const refuse = (what: string, max: number, limit: string) =>
    invalid(`Populate ${what}. Expected at most ${max}`, { ...SOURCE, limit });
  if (walk.nodes.count > populateNodes) throw refuse('has too many keys', populateNodes, 'populateNodes');
  if (walk.depth >= populateDepth) throw refuse('is nested too deeply', populateDepth, 'populateDepth');
  const lists = walk.lists + Number(attribute.kind === 'relation' && attribute.multiple);
  if (lists > populateLists) throw refuse('has too many lists inside one another', populateLists, 'populateLists');
  const below = { ...walk, depth: walk.depth + 1, lists };
  // Below a forbidden attribute names are checked, but nothing is read: drafts need no permission.
  return isForbidden(attribute, walk) ? { ...below, status: 'published', publicationFilter: undefined } : below;
}

/** Includes every type with media attributes that the caller may list; each counts as a key. */
function relatedNode(attribute: Attribute, walk: Walk): Populate {
  const types = [...walk.registry.contentTypes.values()].filter(({ uid }) => walk.grants.allows(actionId(uid, 'find')));
  const uses = types.flatMap((type) => {
    const media = [...type.attributes.values()].filter((own) => own.kind === 'media');
    const tables = tablesOf(media, type, walk.registry);
    if (tables.length === 0) return [];
    enter(walk, attribute);
    return [{ type, tables, attributes: shownScalars(scopeOf(type)), drafts: canReadDrafts(type, walk) }];
  });
  return { kind: 'related', name: attribute.name, uses };
}

function zoneNode(
  attribute: DynamicZoneAttribute,
  scope: NameScope,
  part: (scope: NameScope) => Selection,
  walk: Walk,
): Populate {
  const parts = attribute.components.map((uid) => [uid, part(componentScope(uid, walk, scope))] as const);
  return { kind: 'dynamiczone', name: attribute.name, attribute, parts: new Map(parts) };
}

/** Selects an attribute with its scalars. */
function simpleNode(attribute: Attribute, scope: NameScope, walk: Walk): Node {
  if (attribute.kind === 'dynamiczone') return zoneNode(attribute, scope, plain, walk);
  if (attribute.kind === 'related') return relatedNode(attribute, walk);
  const lead = leadOf(attribute, scope, walk);
  return lead && nodeOf(attribute.name, lead, plain(lead.scope), walk);
}

/** `populate=*`: one level of all visible attributes. */
function everything(scope: NameScope, walk: Walk): readonly Populate[] {
  const attributes = [...scope.attributes.values()].filter((item) => isPopulatable(item) && !isForbidden(item, walk));
  const nodes = attributes.map((attribute) => {
    enter(walk, attribute);
    return simpleNode(attribute, scope, walk);
  });
  return present(nodes);
}

/** Resolves the rest of a path in every component of a zone that has the name. */
function zonePath(zone: DynamicZoneAttribute, owner: NameScope, rest: readonly string[], at: string, walk: Walk): Node {
  const [name = ''] = rest;
  const has = ({ attributes }: NameScope) => attributes.has(name);
  if (!zone.components.some((uid) => has(componentScope(uid, walk, owner))))
    throw invalidKey(name, childPath(at, name), SOURCE);
  const part = (scope: NameScope): Selection => {
    const node = has(scope) ? pathNode(rest, scope, at, walk) : undefined;
    return { attributes: shownScalars(scope), populate: present([node]) };
  };
  return zoneNode(zone, owner, part, walk);
}

/** `author.avatar`; null omits the complete path, since the caller may not find a part of it. */
function pathNode(path: readonly string[], scope: NameScope, above: Path, outer: Walk): Node | null {
  const [name = '', ...rest] = path;
  const at = childPath(above, name);
  const attribute = scope.attributes.get(name);
  const isCut = outer.cuts && rest.length === 0 && attribute?.kind !== 'scalar';
  if (!attribute || !(isCut || isPopulatable(attribute))) throw invalidKey(name, at, SOURCE);
  const walk = enter(outer, attribute);
  if (rest.length === 0 && isForbidden(attribute, walk)) return walk.cuts ? undefined : null;
  if (rest.length === 0) return simpleNode(attribute, scope, walk);
  if (attribute.kind === 'media' || attribute.kind === 'related') throw invalidKey(name, at, SOURCE);
  if (attribute.kind === 'dynamiczone') return zonePath(attribute, scope, rest, at, walk);
  const lead = leadOf(attribute, scope, walk);
  const below = lead ? pathNode(rest, lead.scope, at, walk) : null;
  if (!lead || below === null || isForbidden(attribute, walk)) return null;
  return nodeOf(name, lead, { attributes: shownScalars(lead.scope), populate: present([below]) }, walk);
}

/** `[fields]`, `[filters]`, `[sort]`, `[populate]`, `[count]` below a relation, a media attribute or a component. */
function optionsNode(options: PopulateOptions, attribute: Attribute, scope: NameScope, path: string, walk: Walk): Node {
  const lead = leadOf(attribute, scope, walk);
  if (!lead) return undefined;
  refuseOption(options, lead.scope, path);
  refuseFragments(options, attribute, scope, path, walk);
  const order = planSort(unwrap(options.sort), lead.scope, walk);
  const filters = unwrap(options.filters);
  const where = filters && planFilters(filters, lead.scope, walk);
  const fields = planFields(unwrap(options.fields), lead.scope, SOURCE);
  const joined = attribute.kind !== 'localizations';
  const sorted = joined ? order.filter(({ steps }) => steps.length === 0).map((term) => term.attribute) : [];
  const extra = sorted.filter((item) => lead.scope.attributes.get(item.name) === item && !fields.includes(item));
  const populate = planTree(options.populate, lead.scope, path, walk);
  const count = options.count === true && attribute.kind !== 'media' && joined;
  const selection = { attributes: [...fields, ...extra], populate };
  return nodeOf(attribute.name, lead, selection, walk, { order, count, ...(where && { where }) });
}

/** Checks `sort`, which has no effect: like in Strapi, the entries of a zone keep their order. */
function fragmentOptions(options: PopulateOptions, scope: NameScope, path: string, walk: Walk): ZonePart {
  refuseOption(options, scope, path);
  planSort(unwrap(options.sort), scope, walk);
  const filters = unwrap(options.filters);
  const where = filters && planFilters(filters, scope, walk);
  const attributes = planFields(unwrap(options.fields), scope, SOURCE);
  return { attributes, populate: planTree(options.populate, scope, path, walk), ...(where && { where }) };
}

function fragmentPart(value: PopulateValue, scope: NameScope, path: string, walk: Walk): ZonePart | undefined {
  if (value.kind === 'switch') return value.on ? plain(scope) : undefined;
  if (value.kind === 'options') return fragmentOptions(value.options, scope, path, walk);
  const refusal = textRefusal(value, scope, path);
  if (refusal) throw refusal;
  return plain(scope);
}

function fragments(
  on: NonNullable<PopulateOptions['on']>,
  zone: DynamicZoneAttribute,
  scope: NameScope,
  path: string,
  walk: Walk,
): Populate {
  const at = childPath(path, 'on');
  if (on === 'malformed') throw invalidKey('on', at, SOURCE);
  const parts = new Map<string, ZonePart>();
  for (const { name: uid, value } of on === 'empty' ? [] : on) {
    if (!walk.registry.components.has(uid)) throw invalidKey(uid, childPath(at, uid), SOURCE);
    const part = fragmentPart(value, componentScope(uid, walk, scope), path, walk);
    if (part && zone.components.includes(uid)) parts.set(uid, part);
  }
  return { kind: 'dynamiczone', name: zone.name, attribute: zone, parts };
}

const ZONE_OPTIONS = new Set(['populate', 'on', 'count']);

function zoneOptions(
  entry: PopulateEntry,
  zone: DynamicZoneAttribute,
  scope: NameScope,
  path: string,
  walk: Walk,
): Populate {
  if (entry.value.kind !== 'options') throw zoneRefusal(zone, scope, entry.written);
  const { keys, populate, on } = entry.value.options;
  const isEverything = populate?.kind === 'everything';
  if (keys.includes('populate') && !isEverything) throw invalidKey('populate', path, SOURCE);
  // Strapi ignores other options beside fragments.
  if (on !== undefined && on !== null) return fragments(on, zone, scope, path, walk);
  if (keys.some((key) => !ZONE_OPTIONS.has(key))) throw zoneRefusal(zone, scope, entry.written);
  if (!isEverything) return zoneNode(zone, scope, plain, walk);
  return zoneNode(zone, scope, (part) => ({ attributes: shownScalars(part), populate: everything(part, walk) }), walk);
}

/** Like Strapi, shows nothing for texts and options: only a switch shows what uses a file. Rejects `on` and `count`. */
function relatedEntry(
  { value, written }: PopulateEntry,
  attribute: Attribute,
  scope: NameScope,
  path: string,
): undefined {
  if (value.kind === 'star' || (value.kind === 'text' && value.text !== '')) return undefined;
  if (value.kind !== 'options') throw zoneRefusal(attribute, scope, written);
  const { keys, populate, on, count } = value.options;
  if (keys.includes('populate') && populate?.kind !== 'everything') throw invalidKey('populate', path, SOURCE);
  if (Array.isArray(on) || count !== false) throw zoneRefusal(attribute, scope, written);
}

function entryNode(entry: PopulateEntry, scope: NameScope, above: Path, outer: Walk): Node {
  const { name, value } = entry;
  const attribute = scope.attributes.get(name);
  if (!attribute && isPassedOver(name)) return undefined;
  // Strapi reads the name of an option as a part of the path.
  if (!attribute && name === 'on') throw invalidKey(name, above === null ? name : `${above}.populate.${name}`, SOURCE);
  if (!attribute) throw invalidKey(name, above, SOURCE);
  const path = childPath(above, name);
  if (!isPopulatable(attribute)) throw invalidKey(name, path, SOURCE);
  const walk = enter(outer, attribute);
  const allowed = (node: Node) => (isForbidden(attribute, walk) ? undefined : node);
  if (value.kind === 'switch') return value.on ? allowed(simpleNode(attribute, scope, walk)) : undefined;
  if (attribute.kind === 'dynamiczone') return zoneOptions(entry, attribute, scope, path, walk);
  if (attribute.kind === 'related') return relatedEntry(entry, attribute, scope, path);
  if (value.kind === 'star' && walk.plainStars) return allowed(simpleNode(attribute, scope, walk));
  if (value.kind === 'options') return allowed(optionsNode(value.options, attribute, scope, path, walk));
  const target = leadOf(attribute, scope, walk)?.scope ?? scope;
  throw textRefusal(value, target, path) ?? invalid("Invalid nested populate. Expected '*' or an object");
}

const present = (nodes: readonly (Node | null)[]): readonly Populate[] =>
  nodes.filter((node) => node !== undefined && node !== null);

function pathNodes({ texts }: PopulatePaths, scope: NameScope, above: Path, walk: Walk): readonly Populate[] {
  const nodes = texts.flatMap((text) => {
    const within = { ...walk, cuts: text.includes(',') };
    return pathsIn(text).map((names) => pathNode(names, scope, null, within));
  });
  if (above !== null) refuseLists(texts, above);
  return merged(present(nodes));
}

function planTree(tree: PopulateTree | undefined, scope: NameScope, path: Path, walk: Walk): readonly Populate[] {
  switch (tree?.kind) {
    case undefined:
      return [];
    case 'everything':
      return everything(scope, walk);
    case 'paths':
      return pathNodes(tree, scope, path, walk);
    case 'entries':
      return present(tree.entries.map((entry) => entryNode(entry, scope, path, walk)));
    default:
      throw invalid('Invalid populate parameter. Expected a string, an array of strings, a populate object');
  }
}

/** @throws ApiError 400 "Invalid key", and for the limits; 403 for drafts that the caller may not read. */
export const planPopulate = (
  tree: PopulateTree | undefined,
  scope: NameScope,
  context: PlanContext,
): readonly Populate[] =>
  planTree(tree, scope, null, {
    ...context,
    nodes: { count: 0 },
    depth: 0,
    lists: 0,
    plainStars: scope.type?.system === true,
  });
