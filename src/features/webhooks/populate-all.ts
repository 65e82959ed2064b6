/**
 * @module The `populate` of a message: one level of relations and media, and components with theirs.
 */

import type { RawQuery } from '../../content/request/query-string.ts';
import { isComponent, isHidden, isLinkAttribute, isZone } from '../../schema/attribute-kinds.ts';
import type { Attribute, Registry } from '../../schema/model.ts';

/** Levels of components in components, of which one may contain itself, and what is populated at all of them. */
const MAX_LEVELS = 10;
const MAX_KEYS = 2_000;

interface Part {
  readonly populate: RawQuery | 'true';
  readonly keys: number;
}

function populateTo(levels: number, attributes: ReadonlyMap<string, Attribute>, registry: Registry): Part {
  let keys = 0;
  const nested = (uid: string): RawQuery | 'true' => {
    if (levels === 0) return 'true';
    const below = populateTo(levels - 1, registry.components.get(uid)?.attributes ?? new Map(), registry);
    keys += below.keys;
    return below.populate === 'true' ? 'true' : { populate: below.populate };
  };
  const populateOf = (attribute: Attribute): RawQuery | 'true' | undefined => {
    if (isComponent(attribute)) return nested(attribute.component);
    if (isZone(attribute)) return { on: Object.fromEntries(attribute.components.map((uid) => [uid, nested(uid)])) };
    return isLinkAttribute(attribute) ? 'true' : undefined;
  };
  const entries = [...attributes.values()].flatMap((attribute): [string, RawQuery | 'true'][] => {
    const value = isHidden(attribute) ? undefined : populateOf(attribute);
    return value === undefined ? [] : [[attribute.name, value]];
  });
  return { populate: entries.length > 0 ? Object.fromEntries(entries) : 'true', keys: keys + entries.length };
}

/** Returns as many levels of components as a message may have: all, unless components contain themselves. */
export function populateAll(attributes: ReadonlyMap<string, Attribute>, registry: Registry): RawQuery | 'true' {
  let all = populateTo(1, attributes, registry);
  for (let levels = 2; levels <= MAX_LEVELS; levels++) {
    const deeper = populateTo(levels, attributes, registry);
    if (deeper.keys === all.keys || deeper.keys > MAX_KEYS) break;
    all = deeper;
  }
  return all.populate;
}
