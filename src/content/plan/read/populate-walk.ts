/**
 * @module The walk of a populate, and its limits.
 */
import { invalid } from '../../../common/errors.ts';
import { isPolymorphic, isRelation } from '../../../schema/attribute-kinds.ts';
import type { Attribute } from '../../../schema/model.ts';
import type { Populated } from '../model/populated.ts';
import type { Populate } from '../model/read-plan.ts';
import { isForbidden, type PlanContext } from './name-scope.ts';
import { POPULATE_SOURCE } from './populate-rejections.ts';

export interface Walk extends PlanContext {
  /** Keys of the request, and the attributes that they stand for in all components; what `@deep` has left out. */
  readonly nodes: { count: number; planned: number; populated?: Populated };
  /** Are the names of the path counted already, in another component of the zone? */
  readonly isRepeated?: boolean;
  readonly depth: number;
  /** Multiple relations on the way, of any targets. */
  readonly lists: number;
  /** Does a path omit only its end if that is forbidden? Strapi does in a text with commas. */
  readonly isTruncated?: boolean;
  /** Does a star below an attribute select only its scalars? Strapi does on users and files, and rejects it elsewhere. */
  readonly plainStars: boolean;
  /** Keys of the presets of the settings that lead here. */
  readonly presets?: readonly string[];
}

export type PopulatePath = string | null;
/** Undefined: omitted. */
export type Node = Populate | undefined;

const populateRejection = (what: string, max: number, limit: string) =>
  invalid(`Populate ${what}. Expected at most ${max}`, { ...POPULATE_SOURCE, limit });

/** Attributes that a key may stand for, on average. */
const PLANNED_PER_KEY = 20;

function rejectKeys({ nodes: { count, planned }, limits: { populateNodes } }: Walk): void {
  if (count > populateNodes || planned > PLANNED_PER_KEY * populateNodes)
    throw populateRejection('has too many keys', populateNodes, 'populateNodes');
}

/** Counts a key of the request, which a wildcard is, too. @throws ApiError 400 for the limit */
export function countKey(walk: Walk): void {
  if (!walk.isRepeated) walk.nodes.count += 1;
  rejectKeys(walk);
}

/** Returns the walk in a preset. @throws ApiError 400 if it leads back to itself */
export function enterPreset(walk: Walk, key: string): Walk {
  const { presets = [] } = walk;
  if (presets.includes(key)) throw invalid(`The populate ${key} leads back to itself`, POPULATE_SOURCE);
  return { ...walk, presets: [...presets, key] };
}

const listsThrough = (attribute: Attribute): number =>
  Number((isRelation(attribute) || isPolymorphic(attribute)) && attribute.multiple);

/** Is the attribute within the limits, as one more key? */
export const hasRoom = ({ nodes, depth, lists, limits }: Walk, attribute: Attribute): boolean =>
  nodes.count < limits.populateNodes &&
  depth < limits.populateDepth &&
  lists + listsThrough(attribute) <= limits.populateLists;

/** Counts an attribute that the request names, and returns the walk below it. @throws ApiError 400 for the limits */
export function enterAttribute(walk: Walk, attribute: Attribute): Walk {
  countKey(walk);
  return walkBelow(walk, attribute);
}

/** @throws ApiError 400 for the limits */
export function walkBelow(walk: Walk, attribute: Attribute): Walk {
  walk.nodes.planned += 1;
  rejectKeys(walk);
  const { populateDepth, populateLists } = walk.limits;
  if (walk.depth >= populateDepth) throw populateRejection('is nested too deeply', populateDepth, 'populateDepth');
  const lists = walk.lists + listsThrough(attribute);
  if (lists > populateLists)
    throw populateRejection('has too many lists inside one another', populateLists, 'populateLists');
  const below = { ...walk, depth: walk.depth + 1, lists };
  // Below a forbidden attribute names are checked, but nothing is read: drafts need no permission.
  return isForbidden(attribute, walk) ? { ...below, status: 'published', publicationFilter: undefined } : below;
}
