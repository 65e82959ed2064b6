/**
 * @module Current and desired links of a row → changes, and the positions of new links: integers far apart, so that others
 * fit between them.
 */
import { LINK_STEP } from '../../../schema/names.ts';
import type { Link } from '../model/links.ts';
import type { LinkChange, PositionedLink } from '../model/write-plan.ts';
import type { PresentLink } from '../model/write-request.ts';
import { linkKey } from './target-index.ts';

/** Replaces all links. */
export const replacement = (links: readonly Link[]): LinkChange => ({
  removed: 'others',
  positioned: links.map((link, index) => ({ ...link, position: LINK_STEP * (index + 1) })),
  shifts: [],
});

/** Consecutive new links, between the positions of two that stay; undefined at an end of the list. */
interface Run {
  readonly after: number | undefined;
  readonly before: number | undefined;
  readonly links: readonly Link[];
}

function runsOf(links: readonly Link[], positions: ReadonlyMap<Link, number>): readonly Run[] {
  const runs: Run[] = [];
  let after: number | undefined;
  let run: Link[] = [];
  const close = (before: number | undefined) => {
    if (run.length > 0) runs.push({ after, before, links: run });
    run = [];
    after = before;
  };
  for (const link of links) {
    const position = positions.get(link);
    if (position === undefined) run.push(link);
    else close(position);
  }
  close(undefined);
  return runs;
}

/** Returns the first position of a run, the distance to the next, and how far the links after it must shift. */
function gridOf({ after, before, links: { length } }: Run) {
  if (before === undefined) return { start: (after ?? 0) + LINK_STEP, step: LINK_STEP, shift: 0 };
  if (after === undefined) return { start: before - LINK_STEP * length, step: LINK_STEP, shift: 0 };
  const step = Math.floor((before - after) / (length + 1));
  if (step > 0) return { start: after + step, step, shift: 0 };
  return { start: after + LINK_STEP, step: LINK_STEP, shift: LINK_STEP * (length + 1) };
}

/**
 * @param present links of the row in order: at least the moved and removed ones, their neighbours, the first and the last
 * @param links the desired ones; those that stay are the same objects
 */
export function difference(present: readonly PresentLink[], links: readonly Link[]): LinkChange {
  const positions = new Map<Link, number>(present.map((link) => [link, link.position]));
  const kept = new Set(links.map(linkKey));
  const positioned: PositionedLink[] = [];
  const shifts: { from: number; by: number }[] = [];
  let moved = 0;
  for (const run of runsOf(links, positions)) {
    const { start, step, shift } = gridOf(run);
    positioned.push(...run.links.map((link, index) => ({ ...link, position: moved + start + step * index })));
    if (run.before !== undefined && shift > 0) shifts.push({ from: moved + run.before, by: shift });
    moved += shift;
  }
  return { removed: present.filter((link) => !kept.has(linkKey(link))), positioned, shifts };
}
