/**
 * @module `populate=@deep:3`: all levels that the caller may find, breadth first, as far as the limits of a populate go.
 */
import { invalid } from '../../../common/errors.ts';
import { hasComponents, isLocales, isMedia, isPolymorphic, isRelation } from '../../../schema/attribute-kinds.ts';
import type { Attribute, ContentType } from '../../../schema/model.ts';
import { depthNamedBy, MAX_DEPTH, type PopulateTree } from '../../request/populate.ts';
import { isMixedNode } from '../model/node-kinds.ts';
import type { Populate, Selection } from '../model/read-plan.ts';
import { childPath } from '../model/resolve.ts';
import { shownScalars } from './fields.ts';
import {
  canReadDrafts,
  isForbidden,
  type NameScope,
  type PlanContext,
  relationStep,
  typedSteps,
} from './name-scope.ts';
import { isMixed, mixedNode } from './populate-mixed.ts';
import { nodeOf, present } from './populate-nodes.ts';
import { POPULATE_SOURCE } from './populate-rejections.ts';
import { countKey, enterAttribute, hasRoom, type Node, type PopulatePath, type Walk } from './populate-walk.ts';

/** Paths of `leftOut`. */
const MAX_NAMED = 100;

/**
 * Returns the depth of `@deep:3`; undefined for any other populate, and where extensions are off.
 * @throws ApiError 400 where it is off, anywhere but at the top of a populate of a content type, and for another depth
 */
export function depthOf(
  tree: PopulateTree,
  { type }: NameScope,
  path: PopulatePath,
  { extensions }: PlanContext,
): number | undefined {
  const named = extensions && depthNamedBy(tree);
  if (named === undefined) return undefined;
  const rejection = (problem: string) =>
    invalid(`Invalid populate @deep:${named}. ${problem}`, { key: `@deep:${named}`, path, ...POPULATE_SOURCE });
  if (!extensions?.deepPopulate) throw rejection('The setting api.rest.deepPopulate is off');
  if (path !== null || type?.system) throw rejection('Expected it at the top of the populate of a content type');
  const depth = Number(/^\d$/.exec(named)?.[0]);
  if (depth >= 1 && depth <= MAX_DEPTH) return depth;
  throw rejection(`Expected a depth from 1 to ${MAX_DEPTH}`);
}

/** Something whose attributes are populated into a list of nodes. */
interface Place {
  readonly scope: NameScope;
  readonly populate: Populate[];
  readonly path: PopulatePath;
  /** The content types on the way, none of which is reached again. */
  readonly types: readonly string[];
  readonly walk: Walk;
}

interface Descent {
  readonly depth: number;
  /** Those of a level stand before those of the next. */
  readonly places: Place[];
  readonly leftOut: Set<string>;
}

/** May the caller read the version of the type that the request is about? */
const isReadable = (type: ContentType | undefined, walk: Walk): boolean =>
  !type?.draftAndPublish ||
  (walk.status === 'published' && walk.publicationFilter === undefined) ||
  canReadDrafts(type, walk);

/** Undefined for attributes that lead to none, or to several. */
function targetOf(attribute: Attribute, { type }: NameScope, { registry }: Walk): ContentType | undefined {
  if (isRelation(attribute)) return registry.contentTypes.get(attribute.target);
  return isLocales(attribute) ? type : undefined;
}

/** Does the attribute lead to something that the caller may find? */
function canFollow(attribute: Attribute, scope: NameScope, walk: Walk): boolean {
  if (isPolymorphic(attribute)) return typedSteps(attribute, scope, walk).length > 0;
  const target = targetOf(attribute, scope, walk);
  return target ? isReadable(target, walk) : isMedia(attribute) || hasComponents(attribute);
}

function deepNode(attribute: Attribute, place: Place, { depth, places, leftOut }: Descent): Node {
  const { scope, types, walk: above } = place;
  const path = childPath(place.path, attribute.name);
  const isReached = (type: ContentType | undefined) => type !== undefined && types.includes(type.uid);
  if (!canFollow(attribute, scope, above)) return undefined;
  if (isReached(targetOf(attribute, scope, above)) || !hasRoom(above, attribute)) {
    leftOut.add(path);
    return undefined;
  }
  const walk = enterAttribute(above, attribute);
  const below = (inner: NameScope): Selection => {
    const populate: Populate[] = [];
    const inside = inner.type ? [...types, inner.type.uid] : types;
    if (walk.depth < depth) places.push({ scope: inner, populate, path, types: inside, walk });
    return { attributes: shownScalars(inner), populate };
  };
  const typed = (inner: NameScope, uid: string): Selection | undefined => {
    if (!inner.type) return below(inner);
    if (!isReadable(inner.type, walk)) return undefined;
    if (isReached(inner.type) || !hasRoom(above, attribute)) {
      leftOut.add(`${path}.on[${uid}]`);
      return undefined;
    }
    countKey(walk);
    return below(inner);
  };
  if (isMixed(attribute)) {
    const node = mixedNode(attribute, scope, typed, walk);
    return isMixedNode(node) && node.parts.length === 0 ? undefined : node;
  }
  const lead = relationStep(attribute, scope, walk);
  return lead && nodeOf(attribute.name, lead, below(lead.scope), walk);
}

/** Returns the nodes of the first level, and notes what it leaves out. */
export function deepNodes(depth: number, scope: NameScope, walk: Walk): readonly Populate[] {
  const populate: Populate[] = [];
  const types = scope.type ? [scope.type.uid] : [];
  const descent: Descent = { depth, places: [{ scope, populate, path: null, types, walk }], leftOut: new Set() };
  for (const place of descent.places) {
    const shown = [...place.scope.attributes.values()].filter((each) => !isForbidden(each, walk));
    place.populate.push(...present(shown.map((attribute) => deepNode(attribute, place, descent))));
  }
  const leftOut = [...descent.leftOut];
  walk.nodes.populated = { depth, leftOut: leftOut.slice(0, MAX_NAMED), leftOutCount: leftOut.length };
  return populate;
}
