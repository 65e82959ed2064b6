/**
 * @module The order in which targets are connected: what a position names comes before what is placed beside it.
 */
import { invalid } from '../../errors.ts';
import type { Link } from '../model/links.ts';
import { linkKey, type Placement } from './target-index.ts';

export interface ConnectContext {
  /** The links that are there, those that are taken away included. */
  readonly present: readonly Link[];
  /** Is an anchor that is neither present nor connected an error, and not the end? */
  readonly isStrict: boolean;
  /** The number under which an error tells a target. */
  idOf(link: Link): number | undefined;
  /** The locale in which anchors are looked for where links name one; absent: that of the row that links. */
  readonly locale?: string;
}

const placementKey = ({ position, anchor }: Placement): string => `${position.at} ${anchor ? linkKey(anchor) : ''}`;

/**
 * The placements by their target.
 * @throws ApiError 400 for a target that is named twice, except twice in the same place, which counts once.
 */
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

function notConnected({ link, position, anchor }: Placement, { idOf, locale }: ConnectContext) {
  const id = anchor ? idOf(anchor) : 'id' in position ? position.id : undefined;
  const named = ('locale' in position && position.locale) || locale;
  const shown = JSON.stringify({ [position.at]: id, ...(named && { locale: named }) });
  return invalid(
    `There was a problem connecting relation with id ${idOf(link)} at position ${shown}. The relation with id ${id} needs to be connected first.`,
  );
}

const CIRCLE =
  'A circular reference was found in the connect array. One relation is trying to connect before/after another one that is trying to connect before/after it';

/**
 * The placements so that each anchor is there when it is needed.
 * @throws ApiError 400 for an anchor that is neither there nor connected, for anchors in a circle, and for a target that
 * is named twice.
 */
export function inConnectOrder(placements: readonly Placement[], context: ConnectContext): readonly Placement[] {
  const present = new Set(context.present.map(linkKey));
  const named = byTarget(placements, context);
  const neededBy = (placement: Placement): Placement | undefined => {
    const { position, anchor } = placement;
    if (position.at !== 'before' && position.at !== 'after') return undefined;
    const key = anchor && linkKey(anchor);
    if (key !== undefined && present.has(key)) return undefined;
    const needed = key === undefined ? undefined : named.get(key);
    if (!needed && context.isStrict) throw notConnected(placement, context);
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
