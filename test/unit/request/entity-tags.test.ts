/**
 * @module The tags of `If-Match` and `If-None-Match`.
 */
import { describe, expect, it } from 'vitest';
import { heldTags, parseTags } from '../../../src/content/request/entity-tags.ts';

const listOf = (count: number) => Array.from({ length: count }, (_, index) => `"${index}"`).join(', ');

describe('the tags of a write', () => {
  it.each([
    ['*', '*'],
    [' * ', '*'],
    ['"a"', ['a']],
    ['""', ['']],
    ['"a,b" , "c"', ['a,b', 'c']],
    [',"a",,"b",', ['a', 'b']],
    ['W/"a", "b"', ['b']],
    ['W/"a"', []],
  ])('%j are %j', (header, tags) => {
    expect(parseTags(header, 'If-Match')).toEqual(tags);
  });

  it.each([
    ...['', ',', 'bare', '"a" "b"', '"a", b', '"a', '*, "a"', '**', '"a";"b"', 'w/"a"', 'W/ "a"', '"a b"', '"a\tb"'],
    ...[listOf(51), `"${'a'.repeat(9000)}`, '","'.repeat(5000)],
  ])('are rejected: %s', (header) => {
    expect(() => parseTags(header, 'If-None-Match')).toThrow(
      'Malformed header If-None-Match. Expected * or at most 50 quoted tags',
    );
  });

  it('are 50 at most', () => {
    expect(parseTags(listOf(50), 'If-Match')).toHaveLength(50);
  });
});

describe('the tags that a reader holds', () => {
  it.each([
    [undefined, []],
    ['', []],
    ['bare', []],
    [' * ', ['*']],
    ['"a", W/"b"', ['"a"', '"b"']],
    ['"a" nonsense "b"', ['"a"', '"b"']],
  ])('in %j are %j', (header, tags) => {
    expect(heldTags(header)).toEqual(tags);
  });

  it('are the first 50', () => {
    expect(heldTags(listOf(51))).toEqual(heldTags(listOf(50)));
    expect(heldTags(listOf(50))).toHaveLength(50);
  });
});
