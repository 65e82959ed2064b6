/**
 * @module The order in which targets are connected: the anchor of a position comes first.
 */
import { invalid } from '../../../common/errors.ts';
import type { Link } from '../model/links.ts';
import type { Placement } from './place-links.ts';
import { type Anchor, namesAnchor } from './relation-input.ts';
import { linkKey } from './target-index.ts';

export interface ConnectContext {
  /** The current links, including those to disconnect. */
  readonly present: readonly Link[];
  /** Rejects an anchor that is neither present nor connected; else it means the end. */
  readonly isStrict: boolean;
  /** Returns the id of a target for an error; in a polymorphic relation with its type, as Strapi prints it. */
  idOf(link: Link): number | string | undefined;
  /** The locale of anchors if the linking type has no locales. */
  readonly locale?: string;
}

const placementKey = ({ position, anchor }: Placement): string => `${position.at} ${anchor ? linkKey(anchor) : ''}`;

/** @throws ApiError 400 for a target that has two positions. */
function byTarget(placements: readonly Placement[], { idOf }: ConnectContext): ReadonlyMap<string, Placement> {
  const named = new Map<string, Placement>();
  for (const placement of placements) {
    const key = linkKey(placement.link);
    const first = named.get(key) ?? placement;
    if (placementKey(first) !== placementKey(placement))
      throw invalid(
        `The relation with id ${idOf(placement.link)} is already connected. You cannot connect the same relation twice.`,
      );
    named.set(key, first);
  }
  return named;
}

/** The error names the locale of the anchor, unless that is the one of the target. */
function notConnected(position: Anchor, { link, anchor }: Placement, { idOf, locale }: ConnectContext) {
  const id = anchor ? idOf(anchor) : position.id;
  const own = position.locale ?? (position.documentId === undefined ? undefined : locale);
  const shown = JSON.stringify({
    [position.at]: id,
    __type: position.isTyped ? position.type : undefined,
    locale: position.isInherited ? undefined : own,
  });
  return invalid(
    `There was a problem connecting relation with id ${idOf(link)} at position ${shown}. The relation with id ${id} needs to be connected first.`,
  );
}

const CIRCLE =
  'A circular reference was found in the connect array. One relation is trying to connect before/after another one that is trying to connect before/after it';

/**
 * Sorts placements so that each follows its anchor.
 * @throws ApiError 400 for an unknown anchor, for anchors in a circle, and for a target with two positions.
 */
export function inConnectOrder(placements: readonly Placement[], context: ConnectContext): readonly Placement[] {
  const present = new Set(context.present.map(linkKey));
  const named = byTarget(placements, context);
  const neededBy = (placement: Placement): Placement | undefined => {
    const { position, anchor } = placement;
    if (!namesAnchor(position)) return undefined;
    if (anchor && present.has(linkKey(anchor))) return undefined;
    const needed = anchor && named.get(linkKey(anchor));
    if (!needed && context.isStrict) throw notConnected(position, placement, context);
    return needed;
  };
  const ordered = new Set<Placement>();
  for (const placement of named.values()) {
    const branch = new Set<Placement>();
    for (let next: Placement | undefined = placement; next && !ordered.has(next); next = neededBy(next)) {
      if (branch.has(next)) throw invalid(CIRCLE);
      branch.add(next);
    }
    for (const item of [...branch].reverse()) ordered.add(item);
  }
  return [...ordered];
}
