/**
 * @module `populate` → Populate: in every notation, through relations, media, components and zones. What the caller may
 * not find is left out; what does not exist is refused.
 */
import { actionId } from '../auth/grants.ts';
import { type ApiError, invalid } from '../errors.ts';
import type { Attribute, DynamicZoneAttribute } from '../registry/model.ts';
import { parseFilters } from '../request/filters.ts';
import { parseFields, parseSort } from '../request/query-params.ts';
import { isRawObject, type RawQuery, type RawValue } from '../request/query-string.ts';
import { tableOf } from './link-tables.ts';
import { merged } from './merge-populate.ts';
import { planFields, shownScalars } from './plan-fields.ts';
import { planFilters } from './plan-filters.ts';
import { planSort } from './plan-sort.ts';
import type { Populate, Selection, Via } from './read-plan.ts';
import { childPath, invalidKey, isHidden, type Source } from './resolve.ts';
import {
  componentPlace,
  mayFind,
  mayReadDrafts,
  type Place,
  type PlanContext,
  placeOf,
  type Step,
  stepOf,
} from './scope.ts';

const SOURCE: Source = { source: 'query', param: 'populate' };
const TRUE = new Set<unknown>(['true', 't', '1']);
const FALSE = new Set<unknown>(['false', 'f', '0']);
const OPTIONS = new Set(['fields', 'filters', 'sort', 'populate', 'count', 'on']);

interface Walk extends PlanContext {
  readonly nodes: { count: number };
  readonly depth: number;
  /** Relations to many that lead here. */
  readonly lists: number;
}

type Path = string | null;
type Node = Populate | undefined;

function enter(walk: Walk, attribute: Attribute): Walk {
  const { populateNodes, populateDepth, populateLists } = walk.limits;
  walk.nodes.count += 1;
  const refuse = (what: string, most: number, limit: string) =>
    invalid(`Populate ${what}. Expected at most ${most}`, { ...SOURCE, limit });
  if (walk.nodes.count > populateNodes) throw refuse('has too many keys', populateNodes, 'populateNodes');
  if (walk.depth >= populateDepth) throw refuse('is nested too deeply', populateDepth, 'populateDepth');
  const lists = walk.lists + Number(attribute.kind === 'relation' && attribute.multiple);
  if (lists > populateLists) throw refuse('has too many lists inside one another', populateLists, 'populateLists');
  // Below what is left out, names are checked and nothing is read: no version is meant.
  const status = isForbidden(attribute, walk) ? 'published' : walk.status;
  return { ...walk, depth: walk.depth + 1, lists, status };
}

/** Nothing below, everything of its own. */
const plain = (place: Place): Selection => ({ attributes: shownScalars(place), populate: [] });

function nodeOf(name: string, { via }: Step, options: Partial<Populate> & { selection: Selection }): Populate {
  const common = { name, order: [], count: false, ...options };
  return viaNode(via, common as never);
}

function viaNode(via: Via, common: Omit<Extract<Populate, { kind: 'component' }>, 'kind' | 'attribute'>): Populate {
  switch (via.kind) {
    case 'link':
      return { ...common, kind: 'link', link: via.link };
    case 'reference':
      return { ...common, kind: 'reference', attribute: via.attribute, target: via.target, status: via.status };
    case 'component':
      return { ...common, kind: 'component', attribute: via.attribute };
    default:
      return { ...common, kind: 'localizations', type: via.type, status: via.status };
  }
}

const isPopulatable = (attribute: Attribute): boolean =>
  attribute.kind !== 'scalar' && attribute.kind !== 'creator' && !isHidden(attribute);

const isForbidden = (attribute: Attribute, walk: Walk): boolean =>
  attribute.kind === 'relation' && !mayFind(attribute, walk);

/** Every type with media attributes that the caller may list; each is a key of the populate. */
function relatedNode(attribute: Attribute, walk: Walk): Populate {
  const types = [...walk.registry.contentTypes.values()].filter(({ uid }) => walk.grants.allows(actionId(uid, 'find')));
  const uses = types.flatMap((type) => {
    const tables = [...type.attributes.values()]
      .map((own) => (own.kind === 'media' ? tableOf(own, type, walk.registry) : undefined))
      .filter((table) => table !== undefined);
    if (tables.length === 0) return [];
    enter(walk, attribute);
    return [{ type, tables, attributes: shownScalars(placeOf(type)), drafts: mayReadDrafts(type, walk) }];
  });
  return { kind: 'related', name: attribute.name, uses };
}

function zoneNode(attribute: DynamicZoneAttribute, part: (place: Place) => Selection, walk: Walk): Populate {
  const parts = attribute.components.map((uid) => [uid, part(componentPlace(uid, walk))] as const);
  return { kind: 'dynamiczone', name: attribute.name, attribute, parts: new Map(parts) };
}

/** An attribute with all of its own scalars, and `selection` below it. */
function simpleNode(attribute: Attribute, place: Place, walk: Walk, select: (place: Place) => Selection = plain): Node {
  if (attribute.kind === 'dynamiczone') return zoneNode(attribute, select, walk);
  if (attribute.kind === 'related') return relatedNode(attribute, walk);
  const step = stepOf(attribute, place, walk);
  return step && nodeOf(attribute.name, step, { selection: select(step.place) });
}

/** `populate=*`: one level of everything the caller may read. */
function everything(place: Place, walk: Walk): readonly Populate[] {
  const attributes = [...place.attributes.values()].filter((item) => isPopulatable(item) && !isForbidden(item, walk));
  return attributes
    .map((attribute) => {
      enter(walk, attribute);
      return simpleNode(attribute, place, walk);
    })
    .filter((node) => node !== undefined);
}

/** The part of a path below a zone: each component that has the name gets it. */
function zonePath(zone: DynamicZoneAttribute, rest: readonly string[], at: string, walk: Walk): Node {
  const [name = ''] = rest;
  const has = (uid: string) => componentPlace(uid, walk).attributes.has(name);
  if (!zone.components.some(has)) throw invalidKey(name, childPath(at, name), SOURCE);
  const parts = zone.components.map((uid) => {
    const place = componentPlace(uid, walk);
    const node = has(uid) ? pathNode(rest, place, at, walk) : undefined;
    return [uid, { attributes: shownScalars(place), populate: node ? [node] : [] }] as const;
  });
  return { kind: 'dynamiczone', name: zone.name, attribute: zone, parts: new Map(parts) };
}

/** `author.avatar`; a path that leads through what the caller may not find is left out as a whole. */
function pathNode(path: readonly string[], place: Place, above: Path, outer: Walk): Node {
  const [name = '', ...rest] = path;
  const at = childPath(above, name);
  const attribute = place.attributes.get(name);
  if (!attribute || !isPopulatable(attribute)) throw invalidKey(name, at, SOURCE);
  const walk = enter(outer, attribute);
  if (rest.length === 0) return isForbidden(attribute, walk) ? undefined : simpleNode(attribute, place, walk);
  if (attribute.kind === 'media') throw invalidKey(name, at, SOURCE);
  if (attribute.kind === 'dynamiczone') return zonePath(attribute, rest, at, walk);
  const step = stepOf(attribute, place, walk);
  const below = step && pathNode(rest, step.place, at, walk);
  if (!step || !below || isForbidden(attribute, walk)) return undefined;
  return nodeOf(name, step, { selection: { attributes: shownScalars(step.place), populate: [below] } });
}

function ofPaths(texts: readonly string[], place: Place, walk: Walk): readonly Populate[] {
  const paths = texts.flatMap((text) => text.split(',')).map((text) => text.trim());
  const nodes = paths.filter((path) => path !== '').map((path) => pathNode(path.split('.'), place, null, walk));
  return merged(nodes.filter((node) => node !== undefined));
}

/** The reference takes `*` for the names of what may be populated, and refuses the first of them. */
function refuseStar(place: Place, path: Path): ApiError | undefined {
  const first = [...place.attributes.values()].find(isPopulatable);
  if (!first) return undefined;
  const at = childPath(path, first.name);
  return invalid(`Invalid key ${first.name} at ${at}`, { key: first.name, path: at });
}

function refuseText(value: string, place: Place, path: string): ApiError | undefined {
  if (value === '*') return refuseStar(place, path);
  return invalidKey(value, value === '' ? path : childPath(path, value), SOURCE);
}

function refuseOption(raw: RawQuery, place: Place, path: string): void {
  const key = Object.keys(raw).find((name) => !OPTIONS.has(name));
  if (key !== undefined) throw invalidKey(key, place.attributes.has(key) ? childPath(path, key) : path, SOURCE);
}

/** Fragments are for zones; elsewhere even a component that exists is refused. */
function refuseFragments(raw: RawQuery, attribute: Attribute, place: Place, path: string, walk: Walk): void {
  if (raw.on === undefined || raw.on === null) return;
  const on = childPath(path, 'on');
  if (!isRawObject(raw.on)) throw invalidKey('on', on, SOURCE);
  const unknown = Object.keys(raw.on).find((uid) => !walk.registry.components.has(uid));
  if (unknown !== undefined) throw invalidKey(unknown, childPath(on, unknown), SOURCE);
  throw invalid(`Using fragments is not permitted to populate "${attribute.name}" in "${place.type?.uid ?? ''}"`);
}

/** `[fields]`, `[filters]`, `[sort]`, `[populate]`, `[count]` below a relation, a media attribute or a component. */
function optionsNode(raw: RawQuery, attribute: Attribute, place: Place, path: string, walk: Walk): Node {
  const step = stepOf(attribute, place, walk);
  if (!step) return undefined;
  refuseOption(raw, step.place, path);
  refuseFragments(raw, attribute, place, path, walk);
  const order = planSort(parseSort(raw.sort), step.place, walk, SOURCE);
  const filters = parseFilters(raw.filters);
  const where = filters && planFilters(filters, step.place, walk, SOURCE);
  const fields = planFields(parseFields(raw.fields), step.place, SOURCE);
  const sorted =
    raw.fields === undefined ? [] : order.filter(({ steps }) => steps.length === 0).map((term) => term.attribute);
  const extra = sorted.filter((item) => step.place.attributes.get(item.name) === item && !fields.includes(item));
  const populate = planTree(raw.populate, step.place, path, walk);
  const count = TRUE.has(raw.count) && attribute.kind !== 'media';
  const selection = { attributes: [...fields, ...extra], populate };
  return nodeOf(attribute.name, step, { selection, order, count, ...(where && { where }) });
}

function partOf(value: RawValue, uid: string, path: string, walk: Walk): Selection | undefined {
  const place = componentPlace(uid, walk);
  if (TRUE.has(value)) return plain(place);
  if (FALSE.has(value)) return undefined;
  if (!isRawObject(value)) {
    const refusal = typeof value === 'string' ? refuseText(value, place, path) : undefined;
    if (refusal) throw refusal;
    return plain(place);
  }
  refuseOption(value, place, path);
  const attributes = planFields(parseFields(value.fields), place, SOURCE);
  return { attributes, populate: planTree(value.populate, place, path, walk) };
}

function fragments(on: RawValue, zone: DynamicZoneAttribute, path: string, walk: Walk): Populate {
  const at = childPath(path, 'on');
  if (!isRawObject(on)) throw invalidKey('on', at, SOURCE);
  const parts = new Map<string, Selection>();
  for (const [uid, value] of Object.entries(on)) {
    if (!walk.registry.components.has(uid)) throw invalidKey(uid, childPath(at, uid), SOURCE);
    const part = partOf(value, uid, path, walk);
    if (part && zone.components.includes(uid)) parts.set(uid, part);
  }
  return { kind: 'dynamiczone', name: zone.name, attribute: zone, parts };
}

function refuseZone(zone: Attribute, place: Place, found: RawValue): ApiError {
  const { type } = place;
  return invalid(
    `Invalid nested populate for ${type?.singularName ?? ''}.${zone.name} (${type?.uid ?? ''}). Expected a fragment ("on") or "count" but found ${JSON.stringify(found)}`,
  );
}

function zoneOptions(value: RawValue, zone: DynamicZoneAttribute, place: Place, path: string, walk: Walk): Populate {
  if (!isRawObject(value)) throw refuseZone(zone, place, value);
  const keys = Object.keys(value);
  const unknown = keys.find((key) => !OPTIONS.has(key));
  if (unknown !== undefined) throw invalidKey(unknown, path, SOURCE);
  if (value.populate !== undefined && value.populate !== '*') throw invalidKey('populate', path, SOURCE);
  if (keys.some((key) => key !== 'populate' && key !== 'on' && key !== 'count')) throw refuseZone(zone, place, value);
  if (value.on !== undefined) return fragments(value.on, zone, path, walk);
  if (value.populate === undefined) return zoneNode(zone, plain, walk);
  return zoneNode(zone, (part) => ({ attributes: shownScalars(part), populate: everything(part, walk) }), walk);
}

function entryNode(name: string, value: RawValue, place: Place, above: Path, outer: Walk): Node {
  const attribute = place.attributes.get(name);
  if (!attribute) throw invalidKey(name, above, SOURCE);
  const path = childPath(above, name);
  if (!isPopulatable(attribute)) throw invalidKey(name, path, SOURCE);
  const walk = enter(outer, attribute);
  if (FALSE.has(value)) return undefined;
  const allowed = (node: Node) => (isForbidden(attribute, walk) ? undefined : node);
  if (TRUE.has(value)) return allowed(simpleNode(attribute, place, walk));
  if (attribute.kind === 'dynamiczone') return zoneOptions(value, attribute, place, path, walk);
  if (attribute.kind === 'related') throw refuseZone(attribute, place, value);
  if (isRawObject(value)) return allowed(optionsNode(value, attribute, place, path, walk));
  const refusal =
    typeof value === 'string' ? refuseText(value, stepOf(attribute, place, walk)?.place ?? place, path) : undefined;
  throw refusal ?? invalid("Invalid nested populate. Expected '*' or an object");
}

function planTree(raw: RawValue | undefined, place: Place, path: Path, walk: Walk): readonly Populate[] {
  if (raw === undefined || raw === null) return [];
  if (raw === '*') return everything(place, walk);
  if (typeof raw === 'string') return ofPaths([raw], place, walk);
  if (isRawObject(raw)) {
    const nodes = Object.entries(raw).map(([name, value]) => entryNode(name, value, place, path, walk));
    return nodes.filter((node) => node !== undefined);
  }
  if (raw.every((item) => typeof item === 'string')) return ofPaths(raw as readonly string[], place, walk);
  throw invalid('Invalid populate parameter. Expected a string, an array of strings, a populate object');
}

/**
 * Resolves `populate`. Relations to what the caller may not find are left out without a word, as in the reference.
 * @throws ApiError 400 "Invalid key" for names that do not exist or cannot be populated, and for the named limits; 403
 * for drafts that the caller may not read.
 */
export const planPopulate = (raw: RawValue | undefined, place: Place, context: PlanContext): readonly Populate[] =>
  planTree(raw, place, null, { ...context, nodes: { count: 0 }, depth: 0, lists: 0 });
