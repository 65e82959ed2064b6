/**
 * @module Stored values in the form of a body, and those that a write keeps.
 */
import { describe, expect, it } from 'vitest';
import { isUpdate } from '../../../src/content/plan/model/op-kinds.ts';
import { planWrite } from '../../../src/content/plan/write/plan-write.ts';
import { dataOfValues } from '../../../src/content/plan/write/publication.ts';
import type { Stored } from '../../../src/schema/fields.ts';
import type { ColumnAttribute, ContentType } from '../../../src/schema/model.ts';
import { component, contentType, registryOf, relation } from '../../support/schema-files.ts';
import { currentOf, requestOf, versionOf, writeContext } from './write-support.ts';

const INSIDE = { type: 'component', component: 'parts.inside' };
const SHOWN = { type: 'component', component: 'parts.shown' };
const shownRegistry = registryOf(
  [
    contentType('shown', {
      title: { type: 'string' },
      card: SHOWN,
      cards: { ...SHOWN, repeatable: true },
      zone: { type: 'dynamiczone', components: ['parts.shown'] },
    }),
    contentType('topic', {}),
  ],
  [
    component('parts.shown', {
      label: { type: 'json' },
      topic: relation('oneToOne', 'topic'),
      topics: relation('manyToMany', 'topic'),
      inner: INSIDE,
      inners: { ...INSIDE, repeatable: true },
    }),
    component('parts.inside', { topic: relation('oneToOne', 'topic') }),
  ],
);

describe('the values of a write', () => {
  const CARD = JSON.stringify({ id: 1, label: 'l', code: null, topic: [] });
  const valuesAfter = (name: string, data: object, version: ReturnType<typeof versionOf>) => {
    const current = currentOf({ row: version, source: version });
    const [op] = planWrite(requestOf(name, data), current, writeContext).filter(isUpdate);
    return [...(op?.values ?? [])].map(([, value]) => JSON.parse(String(value)));
  };

  it('keep those of a stored component that is named', () => {
    const version = versionOf('note', { card: CARD });
    expect(valuesAfter('note', { card: { id: 1, code: 'c' } }, version)).toEqual([
      { id: 1, label: 'l', code: 'c', topic: [] },
    ]);
  });

  it.each<readonly [string, Stored, unknown]>([
    ['title', 'a', 'a'],
    ['title', null, null],
    ['card', null, null],
    ['cards', null, []],
    ['zone', null, []],
    ['card', JSON.stringify({ id: 1, topic: [{ documentId: 't' }] }), { id: 1, topic: { documentId: 't' } }],
    ['card', JSON.stringify({ id: 1, topic: [] }), { id: 1, topic: null }],
    ['card', JSON.stringify({ id: 1, topic: null, topics: [] }), { id: 1, topic: null, topics: [] }],
    ['card', JSON.stringify({ id: 1, label: [1] }), { id: 1, label: [1] }],
    [
      'card',
      JSON.stringify({ inner: { topic: [] }, inners: [{ topic: [] }], gone: [] }),
      { inner: { topic: null }, inners: [{ topic: null }], gone: [] },
    ],
    ['card', JSON.stringify({ inner: null }), { inner: null }],
    ['cards', JSON.stringify([{ topic: [] }]), [{ topic: null }]],
    [
      'zone',
      JSON.stringify([{ __component: 'parts.shown', topic: [] }, { __component: 'parts.inside' }]),
      [{ __component: 'parts.shown', topic: null }],
    ],
  ])('have the form of a body when they are checked again: %s: %j: %j', (name, stored, expected) => {
    const type = shownRegistry.contentTypes.get('api::shown.shown') as ContentType;
    const attribute = type.attributes.get(name) as ColumnAttribute;
    expect(dataOfValues(new Map([[attribute, stored]]), shownRegistry)).toEqual({ [name]: expected });
  });
});
