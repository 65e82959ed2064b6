/**
 * @module The limits of a body: its entries, the depth of JSON in texts, and the bytes of a row.
 */
import { describe, expect, it } from 'vitest';
import { MAX_ROW_BYTES } from '../../../src/common/d1-limits.ts';
import { rejectExcess } from '../../../src/content/plan/validate/body-size.ts';
import { rejectLargeRow } from '../../../src/content/plan/validate/row-size.ts';
import type { ColumnAttribute } from '../../../src/schema/model.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { attributeOf, component, contentType, registryOf, relation } from '../../support/schema-files.ts';

const card = component('page.card', { title: { type: 'string' }, things: relation('oneToMany', 'thing') });
const registry = registryOf(
  [
    contentType('thing', {
      title: { type: 'string' },
      data: { type: 'json' },
      text: { type: 'blocks' },
      picture: { type: 'media', multiple: true },
      things: relation('manyToMany', 'thing'),
      card: { type: 'component', component: 'page.card' },
      cards: { type: 'component', component: 'page.card', repeatable: true },
      zone: { type: 'dynamiczone', components: ['page.card'] },
    }),
  ],
  [card],
);
const thing = registry.contentTypes.get('api::thing.thing');
if (!thing) throw new Error('no type');
const PARAGRAPH = {
  type: 'paragraph',
  children: [
    { type: 'text', text: 'a' },
    { type: 'text', text: 'b' },
  ],
};

const entriesIn = (data: object, limits: object = {}): number =>
  rejectExcess(data as never, thing, registry, parseSettings({ api: { rest: { limits } } }).api.rest.limits);

describe('the entries of a body', () => {
  it.each<readonly [object, number]>([
    [{}, 0],
    [{ title: 'a', unknown: [1, 2] }, 0],
    [{ title: ['a', 'b'] }, 0],
    [{ data: [1, [2, 3]] }, 0],
    [{ things: 'a' }, 0],
    [{ things: ['a', 'b', 'c'] }, 3],
    [{ things: { set: ['a'], connect: ['a', 'b'], disconnect: ['a', 'b', 'c', 'd'] } }, 7],
    [{ things: { connect: 'a', options: [1] } }, 0],
    [{ picture: [1, 2] }, 2],
    [{ card: { title: 'a' } }, 1],
    [{ card: { things: ['a', 'b'] } }, 3],
    [{ cards: [{ things: ['a'] }, { title: 'a' }] }, 3],
    [
      {
        zone: [
          { __component: 'page.card', things: { set: ['a', 'b'] } },
          { __component: 'page.nope', things: ['a'] },
        ],
      },
      4,
    ],
    [{ text: [PARAGRAPH, PARAGRAPH] }, 6],
    [{ text: JSON.stringify([PARAGRAPH]) }, 3],
    [{ text: [null, 'a', [1]] }, 4],
    [{ text: 'a' }, 0],
  ])('of %j are %i', (data, entries) => {
    expect(entriesIn(data)).toBe(entries);
    expect(entriesIn(data, { bodyEntries: Math.max(entries, 1) })).toBe(entries);
    if (entries > 1)
      expect(() => entriesIn(data, { bodyEntries: entries - 1 })).toThrow(`Expected at most ${entries - 1}`);
  });

  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  it.each(['data', 'text'])('of %s as a text are no deeper than a body', (name) => {
    expect(() => entriesIn({ [name]: nested(11) }, { bodyDepth: 10 })).toThrow(`${name} nested too deeply`);
    expect(() => entriesIn({ [name]: nested(10) }, { bodyDepth: 10 })).not.toThrow();
    expect(() => entriesIn({ [name]: `"${nested(11)}` }, { bodyDepth: 10 })).not.toThrow();
    expect(() => entriesIn({ title: nested(11) }, { bodyDepth: 10 })).not.toThrow();
  });
});

describe('the bytes of a row', () => {
  const MAX = MAX_ROW_BYTES - 10_000;
  const [a, b] = ['a', 'b'].map((name) => ({ ...attributeOf({ type: 'text' }), name }) as ColumnAttribute);
  const overflow = { ...attributeOf({ type: 'text' }), name: 'c', overflow: true } as ColumnAttribute;
  const rowOf = (...values: readonly (readonly [ColumnAttribute | undefined, string | number | null])[]) =>
    new Map(values as readonly [ColumnAttribute, string | number | null][]);
  const EMPTY = '{}'.length;
  const OVERFLOW = '{"c":""}'.length;

  it.each([
    ['a text', rowOf([a, 'x'.repeat(MAX - EMPTY)]), rowOf([a, 'x'.repeat(MAX - EMPTY + 1)])],
    ['two-byte letters', rowOf([a, 'ä'.repeat(MAX / 2 - 1)]), rowOf([a, 'ä'.repeat(MAX / 2)])],
    [
      'several values',
      rowOf([a, 'x'.repeat(MAX - EMPTY - 6)], [b, null], [b, 12]),
      rowOf([a, 'x'.repeat(MAX - EMPTY - 1)], [b, 12]),
    ],
    ['overflow', rowOf([overflow, 'x'.repeat(MAX - OVERFLOW)]), rowOf([overflow, 'x'.repeat(MAX - OVERFLOW + 1)])],
    ['escaped overflow', rowOf([overflow, '"'.repeat(MAX / 2 - OVERFLOW / 2)]), rowOf([overflow, '"'.repeat(MAX / 2)])],
  ])('are limited: %s', (_, largest, larger) => {
    expect(() => rejectLargeRow(largest)).not.toThrow();
    expect(() => rejectLargeRow(larger)).toThrow(`The document is too large. Expected at most ${MAX} bytes`);
  });
});
