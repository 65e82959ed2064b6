/**
 * @module Checked values as columns: components with their ids, links in them, and copies of them.
 */
import { describe, expect, it } from 'vitest';
import type { StoredValues } from '../../../src/content/plan/model/write-plan.ts';
import type { KeepsLink } from '../../../src/content/plan/relations/inner-targets.ts';
import { copyComponents, storeValues } from '../../../src/content/plan/write/stored-values.ts';
import type { Stored } from '../../../src/schema/fields.ts';
import type { ColumnAttribute, ContentType } from '../../../src/schema/model.ts';
import { component, contentType, registryOf, relation } from '../../support/schema-files.ts';
import { refusal } from './support.ts';

const CARD = { type: 'component', component: 'parts.card' };
const LEAF = { type: 'component', component: 'parts.leaf' };
const TAG = 'api::tag.tag';
const registry = registryOf(
  [
    contentType('thing', {
      title: { type: 'string' },
      pin: { type: 'password' },
      card: CARD,
      cards: { ...CARD, repeatable: true },
      zone: { type: 'dynamiczone', components: ['parts.card', 'parts.leaf'] },
    }),
    contentType('tag', {}),
  ],
  [
    component('parts.card', {
      title: { type: 'string', default: 'none' },
      size: { type: 'integer' },
      pin: { type: 'password' },
      leaf: LEAF,
      leaves: { ...LEAF, repeatable: true },
      tags: relation('manyToMany', 'tag'),
      tag: relation('oneToOne', 'tag'),
      any: { type: 'relation', relation: 'morphToMany' },
    }),
    component('parts.leaf', { label: { type: 'string' }, to: relation('oneToOne', 'tag') }),
    component('parts.other', { label: { type: 'string' } }),
  ],
);
const type = registry.contentTypes.get('api::thing.thing') as ContentType;
const columnOf = (name: string) => type.attributes.get(name) as ColumnAttribute;

const link = (documentId: string, more: object = {}) => ({ documentId, locale: '', ...more });
const rows = ['a', 'b', 'c', 'h'].map((documentId, id) => ({ id, documentId, locale: '', published: true }));
const relations = {
  ...{ type, registry, locale: '', defaultLocale: 'en' },
  targets: new Map([[TAG, rows]]),
};

/** Returns the column of a value; new instances are numbered from 100. @param stored of the row to update */
function column(name: string, value: unknown, stored?: unknown, emptySetClears = false): unknown {
  let id = 100;
  const context = {
    ...{
      registry,
      relations: { ...relations, emptySetClears },
      time: 5,
      nextId: () => id++,
      hashPassword: (password: string) => `hash of ${password}`,
    },
    isHidden: (uid: string, { documentId }: { documentId: string }) => uid === TAG && documentId === 'h',
  };
  const attribute = columnOf(name);
  const current: StoredValues | undefined =
    stored === undefined ? undefined : new Map([[attribute, JSON.stringify(stored)]]);
  const result = storeValues(new Map([[attribute, value]]), current, context).get(attribute);
  return typeof result === 'string' && /^[[{]/.test(result) ? JSON.parse(result) : result;
}

const NEW = { title: 'none', size: null, pin: null, leaf: null, leaves: [], tags: [], tag: [], any: [] };
const OLD = { ...NEW, id: 7, title: 'old', size: 3, pin: 'hashed', leaf: { id: 3, label: 'l', to: [] } };

describe('a column', () => {
  it.each<readonly [string, unknown, unknown]>([
    ['title', 'a', 'a'],
    ['title', null, null],
    ['pin', 'a', 'hash of a'],
    ['pin', null, null],
    ['card', null, null],
    ['cards', [], []],
    ['card', {}, { id: 100, ...NEW }],
    ['card', { id: 7, pin: 'a', size: 5 }, { id: 100, ...NEW, pin: 'hash of a', size: 5 }],
    [
      'cards',
      [{ title: 'a' }, { title: 'b' }],
      [
        { id: 100, ...NEW, title: 'a' },
        { id: 101, ...NEW, title: 'b' },
      ],
    ],
    ['card', { leaf: { id: 3 } }, { id: 101, ...NEW, leaf: { id: 100, label: null, to: [] } }],
    [
      'zone',
      [{ __component: 'parts.leaf', label: 'a' }, { __component: 'parts.other' }],
      [{ __component: 'parts.leaf', id: 100, label: 'a', to: [] }],
    ],
  ])('%s of a new row has %j as %j', (name, value, expected) => {
    expect(column(name, value)).toEqual(expected);
  });

  it.each<readonly [string, unknown, unknown, unknown]>([
    ['card', { size: 5 }, OLD, { id: 100, ...NEW, size: 5 }],
    ['card', { id: 7, size: 5 }, OLD, { ...OLD, size: 5 }],
    ['card', { id: '7' }, OLD, OLD],
    ['card', { id: 7, pin: 'b' }, OLD, { ...OLD, pin: 'hash of b' }],
    ['card', { id: 7, leaf: { id: 3, label: 'm' } }, OLD, { ...OLD, leaf: { id: 3, label: 'm', to: [] } }],
    ['card', { id: 7, leaf: { label: 'm' } }, OLD, { ...OLD, leaf: { id: 100, label: 'm', to: [] } }],
    ['card', { id: 7 }, { id: 7 }, { ...NEW, id: 7, title: null, leaves: null }],
    ['cards', [{ id: 7 }, { title: 'b' }], [OLD], [OLD, { id: 100, ...NEW, title: 'b' }]],
    [
      'cards',
      [{ id: 7, size: 9 }, {}, { id: 7, title: 'c' }],
      [OLD],
      [
        { ...OLD, size: 9, title: 'c' },
        { id: 100, ...NEW },
      ],
    ],
    [
      'zone',
      [{ __component: 'parts.card', id: 7 }],
      [{ ...OLD, __component: 'parts.card' }],
      [{ ...OLD, __component: 'parts.card' }],
    ],
  ])('%s with %j, where %j was, has %j', (name, value, stored, expected) => {
    expect(column(name, value, stored)).toEqual(expected);
  });

  it.each<readonly [string, unknown, unknown, string]>([
    ['card', { id: 8 }, OLD, 'card'],
    ['card', { id: '7x' }, OLD, 'card'],
    ['card', { id: ' 7' }, OLD, 'card'],
    ['card', { id: 'x' }, OLD, 'card'],
    ['cards', [{ id: 7 }, { id: 8 }], [OLD], 'cards'],
    ['card', { id: 7, leaf: { id: 4 } }, OLD, 'leaf'],
    ['cards', [{ id: 8, leaf: { id: 3 } }], [OLD, { ...OLD, id: 8, leaf: { ...OLD.leaf, id: 4 } }], 'leaf'],
    ['zone', [{ __component: 'parts.card', id: 8 }], [{ ...OLD, __component: 'parts.card' }], 'zone'],
    ['zone', [{ __component: 'parts.leaf', id: 7 }], [{ ...OLD, __component: 'parts.card' }], 'zone'],
  ])('%s with %j is rejected, where %j was, for ids in %s', (name, value, stored, named) => {
    expect(refusal(() => column(name, value, stored))).toMatchObject({
      message: `Some of the provided components in ${named} are not related to the entity`,
      ...{ status: 400, name: name === 'zone' ? 'Error' : 'ApplicationError' },
    });
  });
});

describe('the links of a component', () => {
  const ids = (name: 'tags' | 'tag', value: object, stored?: readonly string[], emptySetClears = false) => {
    const old = stored && { ...OLD, [name]: stored.map((documentId) => link(documentId)) };
    const card = column('card', { ...(old && { id: 7 }), ...value }, old, emptySetClears) as Record<
      string,
      readonly { documentId: string }[]
    >;
    return card[name]?.map(({ documentId }) => documentId);
  };

  it.each<readonly ['tags' | 'tag', object, readonly string[] | undefined, readonly string[]]>([
    ['tags', { tags: ['a', 'b'] }, undefined, ['a', 'b']],
    ['tags', {}, ['a'], ['a']],
    ['tags', { tags: { connect: 'b' } }, ['a'], ['a', 'b']],
    ['tags', { tags: { disconnect: 'a' } }, ['a', 'b'], ['b']],
    ['tags', { tags: ['b'] }, ['a', 'h'], ['b', 'h']],
    ['tags', { tags: ['h', 'b'] }, ['a', 'h'], ['h', 'b']],
    ['tags', { tags: [] }, ['a', 'h'], ['h']],
    ['tags', { tags: { connect: 'b' } }, ['h', 'a'], ['h', 'a', 'b']],
    ['tags', { tags: { disconnect: 'h' } }, ['h', 'a'], ['a']],
    ['tag', { tag: 'b' }, ['h'], ['b']],
    ['tag', { tag: null }, ['h'], []],
  ])(
    '%s with %j, where %j were, are %j: with set, those that the caller may not find stay',
    (name, value, stored, expected) => {
      expect(ids(name, value, stored)).toEqual(expected);
    },
  );

  it('are removed by `{set: null}` only where an empty `set` clears', () => {
    const tags = { tags: { set: null } };
    expect([ids('tags', tags, ['a', 'h'], true), ids('tags', tags, ['a', 'h'])]).toEqual([['h'], ['a', 'h']]);
    const tag = { tag: { set: null } };
    expect([ids('tag', tag, ['a'], true), ids('tag', tag, ['a'])]).toEqual([[], ['a']]);
  });

  it('stay as they are stored, with locale and type', () => {
    const any = [{ documentId: 'a', locale: 'fr', type: TAG }, { documentId: 'b' }, { documentId: 'c', type: 5 }];
    const stored = { ...OLD, any };
    expect(column('card', { id: 7 }, stored)).toMatchObject({
      any: [{ documentId: 'a', locale: 'fr', type: TAG }, link('b'), link('c')],
    });
  });

  it('are rejected beside what is not connected: in a new component always', () => {
    const connect = [{ documentId: 'a', position: { after: 'b' } }];
    const MESSAGE = 'There was a problem connecting relation';
    const lenient = { tags: { connect, options: { strict: false } } };
    expect(() => column('card', { tags: { connect } })).toThrow(MESSAGE);
    expect(() => column('card', lenient)).toThrow(MESSAGE);
    expect(() => column('card', { id: 7, tags: { connect } }, OLD)).toThrow(MESSAGE);
    expect(() => column('card', { id: 7, ...lenient }, OLD)).not.toThrow();
  });
});

describe('a copy of components', () => {
  const LINKS = { tags: [{ documentId: 'a' }, { documentId: 'b' }], any: [{ documentId: 'a', type: 'api::x.x' }] };
  const copied = (values: Readonly<Record<string, Stored>>, keeps?: KeepsLink) => {
    let id = 100;
    const stored: StoredValues = new Map(Object.entries(values).map(([name, value]) => [columnOf(name), value]));
    const copies = copyComponents(stored, { registry, nextId: () => id++, ...(keeps && { keeps }) });
    return Object.fromEntries([...copies].map(([{ name }, value]) => [name, JSON.parse(String(value))]));
  };

  it('has ids of its own, also below', () => {
    const card = { ...OLD, leaves: [{ id: 4 }, { id: 5 }], gone: 1 };
    expect(copied({ title: 'a', pin: null, card: JSON.stringify(card), cards: null })).toEqual({
      card: { ...card, id: 103, leaf: { ...OLD.leaf, id: 100 }, leaves: [{ id: 101 }, { id: 102 }] },
    });
  });

  it('has the entries that the zone still allows', () => {
    const zone = [
      { id: 1, __component: 'parts.other' },
      { id: 2, __component: 'parts.leaf', label: 'a' },
    ];
    expect(copied({ zone: JSON.stringify(zone) })).toEqual({
      zone: [{ id: 100, __component: 'parts.leaf', label: 'a' }],
    });
  });

  it('has all links, or those to keep', () => {
    const card = JSON.stringify({ id: 1, ...LINKS });
    expect(copied({ card })).toEqual({ card: { id: 100, ...LINKS } });
    const kept = copied({ card }, (uid, { documentId }: { documentId: string }) => uid === TAG && documentId === 'b');
    expect(kept).toEqual({ card: { id: 100, tags: [link('b')], any: [] } });
    const typed = copied({ card }, (uid) => uid === 'api::x.x');
    expect(typed).toEqual({ card: { id: 100, tags: [], any: [link('a', { type: 'api::x.x' })] } });
  });

  it("asks for a component's own links before those below", () => {
    const asked: string[] = [];
    const card = { id: 1, leaf: { id: 2, to: [{ documentId: 'below' }] }, tag: [{ documentId: 'own' }] };
    copied({ card: JSON.stringify(card) }, (_, { documentId }: { documentId: string }) => asked.push(documentId) > 0);
    expect(asked).toEqual(['own', 'below']);
  });
});
