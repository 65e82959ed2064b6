/**
 * @module Relations of a body with `connect` or `disconnect` beside `set`, wherever they stand in it.
 */
import { expect, it } from 'vitest';
import { rejectMixed } from '../../../src/content/plan/validate/mixed-relations.ts';
import { component, contentType, registryOf, relation } from '../../support/schema-files.ts';
import { refusal } from './support.ts';

const LINKS = { tags: relation('manyToMany', 'tag'), tag: relation('oneToOne', 'tag'), file: { type: 'media' } };
const registry = registryOf(
  [
    contentType('note', {
      ...LINKS,
      items: { type: 'relation', relation: 'morphToMany' },
      extra: { type: 'json' },
      part: { type: 'component', component: 'parts.part' },
      parts: { type: 'component', component: 'parts.part', repeatable: true },
      zone: { type: 'dynamiczone', components: ['parts.part'] },
    }),
    contentType('tag', { title: { type: 'string' } }),
  ],
  [
    component('parts.part', { ...LINKS, leaf: { type: 'component', component: 'parts.leaf' } }),
    component('parts.leaf', LINKS),
  ],
);
const attributes = registry.contentTypes.get('api::note.note')?.attributes ?? new Map();
const check = (data: Readonly<Record<string, unknown>>) => rejectMixed(data, attributes, registry);

const MIXED = { set: [], connect: ['a'] };
const PART = { __component: 'parts.part' };
const messageOf = (path: string) =>
  `${path} has "set" beside "connect" or "disconnect". Expected "set" alone, or the others`;

it.each<readonly [string, Readonly<Record<string, unknown>>]>([
  ['tags', { tags: MIXED }],
  ['tag', { tag: { set: null, disconnect: ['a'] } }],
  ['file', { file: MIXED }],
  ['items', { items: MIXED }],
  ['part.file', { part: { file: MIXED } }],
  ['part.leaf.tag', { part: { leaf: { tag: MIXED } } }],
  ['parts[1].tags', { parts: [{ tags: ['a'] }, { tags: MIXED }] }],
  ['zone[0].tags', { zone: [{ ...PART, tags: MIXED }] }],
  ['zone[1].leaf.file', { zone: [PART, { ...PART, leaf: { file: MIXED } }] }],
])('%s is rejected with its path', (at, data) => {
  const message = messageOf(at);
  expect(refusal(() => check(data))).toMatchObject({
    ...{ status: 400, name: 'ValidationError', message },
    details: { errors: [{ path: at.split(/[.[\]]+/), message, name: 'ValidationError' }] },
  });
});

it('all of a body are told', () => {
  const { message, details } = refusal(() => check({ part: { tags: MIXED }, tags: MIXED, tag: MIXED }));
  expect(message).toBe('3 errors occurred');
  expect(details).toMatchObject({ errors: [{ path: ['tags'] }, { path: ['tag'] }, { path: ['part', 'tags'] }] });
});

it('`set` alone, the others, and the same names in JSON are not', () => {
  const others = { connect: ['a'], disconnect: ['b'] };
  expect(() =>
    check({ tags: { set: ['a'] }, tag: others, extra: MIXED, zone: [{ ...PART, tags: others }] }),
  ).not.toThrow();
});
