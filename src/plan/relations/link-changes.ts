/**
 * @module The links that a row has, as far as they matter, and those it is to have → what changes, and the places of
 * those that are new. Places are whole numbers far apart, so that there is room between them.
 */
import { LINK_STEP } from '../../registry/names.ts';
import type { Link } from '../model/links.ts';
import type { LinkChange, PlacedLink } from '../model/write-plan.ts';
import type { PresentLink } from '../model/write-request.ts';
import { linkKey } from './target-index.ts';

/** All other links go. */
export const replacement = (links: readonly Link[]): LinkChange => ({
  removed: 'others',
  placed: links.map((link, index) => ({ ...link, position: LINK_STEP * (index + 1) })),
  shifts: [],
});

/** Links that come one after the other between two that stay; without the one or the other at an end of the list. */
interface Run {
  readonly after: number | undefined;
  readonly before: number | undefined;
  readonly links: readonly Link[];
}

function runsOf(links: readonly Link[], places: ReadonlyMap<Link, number>): readonly Run[] {
  const runs: Run[] = [];
  let after: number | undefined;
  let run: Link[] = [];
  const close = (before: number | undefined) => {
    if (run.length > 0) runs.push({ after, before, links: run });
    run = [];
    after = before;
  };
  for (const link of links) {
    const place = places.get(link);
    if (place === undefined) run.push(link);
    else close(place);
  }
  close(undefined);
  return runs;
}

/** The first place of a run, and the distance from each of its places to the next. */
function gridOf({ after, before, links }: Run): { readonly start: number; readonly step: number } {
  if (after === undefined && before !== undefined) return { start: before - LINK_STEP * links.length, step: LINK_STEP };
  const start = after ?? 0;
  if (before === undefined) return { start: start + LINK_STEP, step: LINK_STEP };
  const step = Math.floor((before - start) / (links.length + 1));
  return step > 0 ? { start: start + step, step } : { start: start + LINK_STEP, step: LINK_STEP };
}

const isFull = ({ after, before, links }: Run): boolean =>
  after !== undefined && before !== undefined && before - after <= links.length;

/**
 * @param present links of the row in order: at least those that are moved or taken away, their neighbours, the first
 * and the last.
 * @param links what is to be in their place; those that stay where they are, are the same objects.
 */
export function difference(present: readonly PresentLink[], links: readonly Link[]): LinkChange {
  const places = new Map<Link, number>(present.map((link) => [link, link.position]));
  const kept = new Set(links.map(linkKey));
  const placed: PlacedLink[] = [];
  const shifts: { from: number; by: number }[] = [];
  let moved = 0;
  for (const run of runsOf(links, places)) {
    const { start, step } = gridOf(run);
    placed.push(...run.links.map((link, index) => ({ ...link, position: moved + start + step * index })));
    if (!isFull(run) || run.before === undefined) continue;
    const by = LINK_STEP * (run.links.length + 1);
    shifts.push({ from: moved + run.before, by });
    moved += by;
  }
  return { removed: present.filter((link) => !kept.has(linkKey(link))), placed, shifts };
}
