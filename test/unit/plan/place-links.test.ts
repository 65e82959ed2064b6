/**
 * @module Links placed among others, against the plain way of doing it.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Link } from '../../../src/content/plan/model/links.ts';
import { applyPlacements, type Placement } from '../../../src/content/plan/relations/place-links.ts';

const linkOf = (documentId: string): Link => ({ documentId, locale: '' });
const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');

function placeOf(names: readonly string[], { position, anchor }: Placement): number {
  if (position.at === 'start') return 0;
  const index = anchor && position.at !== 'end' ? names.indexOf(anchor.documentId) : -1;
  if (index < 0) return names.length;
  return position.at === 'before' ? index : index + 1;
}

/** One after the other: taken out where it is, put in where it goes. */
const plainly = (start: readonly string[], placements: readonly Placement[]): readonly string[] =>
  placements.reduce((names, placement) => {
    const { documentId } = placement.link;
    const others = names.filter((other) => other !== documentId);
    return others.toSpliced(placeOf(others, placement), 0, documentId);
  }, start);

const placement: fc.Arbitrary<Placement> = fc
  .record({
    documentId: name,
    at: fc.constantFrom('start', 'end', 'before', 'after'),
    anchor: fc.option(name, { nil: undefined }),
  })
  .map(({ documentId, at, anchor }) => ({
    link: linkOf(documentId),
    position: { at } as Placement['position'],
    anchor: anchor === undefined ? undefined : linkOf(anchor),
  }));

it('links stand where they were put, each of them once', () => {
  const property = fc.property(fc.uniqueArray(name), fc.array(placement, { maxLength: 12 }), (start, placements) => {
    const names = applyPlacements(start.map(linkOf), placements).map(({ documentId }) => documentId);
    expect(names).toEqual(plainly(start, placements));
  });
  fc.assert(property, { numRuns: 2_000 });
});
