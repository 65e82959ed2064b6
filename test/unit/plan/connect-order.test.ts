/**
 * @module Targets in the order in which they are connected, by rule.
 */
import { describe, expect, it } from 'vitest';
import type { Link } from '../../../src/content/plan/model/links.ts';
import { inConnectOrder } from '../../../src/content/plan/relations/connect-order.ts';
import { applyPlacements, type Placement } from '../../../src/content/plan/relations/place-links.ts';
import type { Position } from '../../../src/content/plan/relations/relation-input.ts';

const linkOf = (documentId: string): Link => ({ documentId, locale: '' });
const idOf = ({ documentId }: Link): number => documentId.charCodeAt(0) - 96;

/** `b>a`: b after a; `b<a`: before; `b^`: at the start; `b$`: at the end; `b`: nothing is said. */
function placementOf(text: string): Placement {
  const [name = '', sign = '', anchor] = text;
  const at = { '>': 'after', '<': 'before', '^': 'start', $: 'end' }[sign] ?? 'none';
  return {
    link: linkOf(name),
    position: { at } as Position,
    anchor: anchor === undefined ? undefined : linkOf(anchor),
  };
}

function connected(present: string, texts: string, isStrict = true): string {
  const links = [...present].map(linkOf);
  const placements = texts.split(' ').map(placementOf);
  const ordered = inConnectOrder(placements, { present: links, isStrict, idOf });
  return applyPlacements(links, ordered)
    .map(({ documentId }) => documentId)
    .join('');
}

const CIRCLE = /^A circular reference was found in the connect array/;
const NOT_CONNECTED =
  'There was a problem connecting relation with id 1 at position {"after":2}. The relation with id 2';
const TWICE = 'The relation with id 1 is already connected. You cannot connect the same relation twice.';

describe('a list is refused', () => {
  it.each([
    ['whose anchor is nowhere', '', 'a>b', NOT_CONNECTED],
    ['whose anchors go in a circle', '', 'a>b b>a', CIRCLE],
    ['whose anchors go in a larger circle', 'x', 'a>b b<c c>a', CIRCLE],
    ['that leads into a circle', '', 'd>a a>b b>a', CIRCLE],
    ['that places something beside itself', '', 'a>a', CIRCLE],
    ['with the same twice, the first with a position', '', 'a$ a', TWICE],
    ['with the same twice, the second with a position', '', 'a a^', TWICE],
    ['with a connected one twice, in two places', 'ab', 'a$ b a^', TWICE],
    ['with the same twice, beside two others', 'xy', 'a<x a<y', TWICE],
  ])('%s', (_, present, texts, message) => {
    expect(() => connected(present, texts)).toThrow(message);
  });
});

describe('a list is connected', () => {
  it.each([
    ['with an anchor that comes later', '', 'a>b b', 'ba'],
    ['with a chain of them', '', 'c>b b>a a', 'abc'],
    ['with one that has a place itself', 'xyz', 'd<e e<x', 'dexyz'],
    ['behind the same anchor, the later first', 'xyz', 'a>x b>x', 'xbayz'],
    ['before the same anchor, in its order', 'xyz', 'a<y b<y', 'xabyz'],
    ['at the start, the last first', '', 'a^ b^ c^', 'cba'],
    ['with what is there, one after the other', 'abc', 'a>c c>a', 'bac'],
    ['with one that is there beside itself, at the end', 'abc', 'a>a', 'bca'],
    ['with the same twice and no position, at the place of the first', '', 'a b a', 'ab'],
    ['with a connected one twice, moved once', 'ac', 'a b a', 'cab'],
    ['with the same twice at the start, as if once', '', 'b^ a^ b^', 'ab'],
    ['with the same twice beside the same, as if once', 'xy', 'a<y b<y a<y', 'xaby'],
  ])('%s', (_, present, texts, expected) => {
    expect(connected(present, texts)).toBe(expected);
  });

  it('of thousands that all wait for the next, in linear time', () => {
    const name = (index: number): Link => linkOf(`n${index}`);
    const placements = Array.from({ length: 20_000 }, (_, index): Placement => {
      return { link: name(index), position: { at: 'after' } as Position, anchor: name(index + 1) };
    });
    const last: Placement = { link: name(20_000), position: { at: 'none' }, anchor: undefined };
    const ordered = inConnectOrder([...placements, last], { present: [], isStrict: true, idOf });
    expect(ordered.slice(0, 2).map(({ link }) => link)).toEqual([name(20_000), name(19_999)]);
  });
});

describe('a list that is not strict', () => {
  it.each([
    ['places at the end what stands beside something that is nowhere', 'xy', 'a<b', 'xya'],
    ['moves to the end what is connected already', 'xyz', 'x>b', 'yzx'],
    ['connects a chain from it', '', 'c>b b>a d<c', 'bdc'],
    ['keeps anchors that are connected', 'xy', 'a<x b>c', 'axyb'],
  ])('%s', (_, present, texts, expected) => {
    expect(connected(present, texts, false)).toBe(expected);
  });

  it.each([
    ['in a circle', '', 'a>b b>a', CIRCLE],
    ['with the same twice', '', 'a<x a>x', TWICE],
  ])('is rejected %s', (_, present, texts, message) => {
    expect(() => connected(present, texts, false)).toThrow(message);
  });
});
