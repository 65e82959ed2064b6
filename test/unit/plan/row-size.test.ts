/**
 * @module The size of a row, at both sides of its limit.
 */
import { describe, expect, it } from 'vitest';
import { MAX_ROW_BYTES } from '../../../src/common/d1-limits.ts';
import { rejectLargeRow } from '../../../src/content/plan/validate/row-size.ts';
import type { Stored } from '../../../src/schema/fields.ts';
import { scalarOf } from '../../support/recorded-registry.ts';
import { component, contentType, registryOf, typeOf } from '../../support/schema-files.ts';

const type = typeOf({ a: { type: 'text' }, b: { type: 'integer' } });
const [a, b] = [scalarOf(type, 'a'), scalarOf(type, 'b')];
const spilled = { ...scalarOf(type, 'a'), name: 'ab', overflow: true };
const card = registryOf(
  [contentType('thing', { card: { type: 'component', component: 'parts.card' } })],
  [component('parts.card', {})],
)
  .contentTypes.get('api::thing.thing')
  ?.attributes.get('card');

const rejects = (entries: readonly (readonly [unknown, Stored])[]): boolean => {
  try {
    rejectLargeRow(new Map(entries as readonly (readonly [typeof a, Stored])[]));
    return false;
  } catch {
    return true;
  }
};

/** Without the empty object of spilled values. */
const FREE = MAX_ROW_BYTES - 10_000 - 2;

describe('a row is too large', () => {
  it.each<readonly [string, readonly (readonly [unknown, Stored])[], readonly (readonly [unknown, Stored])[]]>([
    ['by its bytes', [[a, 'x'.repeat(FREE)]], [[a, 'x'.repeat(FREE + 1)]]],
    ['by bytes, not characters', [[a, 'é'.repeat(FREE / 2)]], [[a, 'é'.repeat(FREE / 2 + 1)]]],
    [
      'by all its values',
      [
        [a, 'x'.repeat(FREE - 2)],
        [b, 12],
      ],
      [
        [a, 'x'.repeat(FREE - 2)],
        [b, 123],
      ],
    ],
    [
      'by those without text',
      [
        [a, 'x'.repeat(FREE - 4)],
        [b, null],
      ],
      [
        [a, 'x'.repeat(FREE - 3)],
        [b, null],
      ],
    ],
    ['by components', [[card, 'x'.repeat(FREE)]], [[card, 'x'.repeat(FREE + 1)]]],
    ['by quotes as what they are', [[a, '"'.repeat(FREE)]], [[a, '"'.repeat(FREE + 1)]]],
    ['by the JSON of spilled values', [[spilled, '"'.repeat(FREE / 2 - 4)]], [[spilled, '"'.repeat(FREE / 2 - 3)]]],
    [
      'by both',
      [
        [a, 'x'],
        [spilled, 'x'.repeat(FREE - 8)],
      ],
      [
        [a, 'x'],
        [spilled, 'x'.repeat(FREE - 7)],
      ],
    ],
  ])('%s', (_, accepted, rejected) => {
    expect([rejects(accepted), rejects(rejected)]).toEqual([false, true]);
  });
});
