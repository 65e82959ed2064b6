/**
 * @module Declared attributes → attributes of the registry, for every type and option.
 */
import { describe, expect, it } from 'vitest';
import { attributeOf, component, contentType, registryOf, typeOf } from '../../support/schema-files.ts';

const SCALARS = [
  'string',
  'text',
  'richtext',
  'blocks',
  'email',
  'password',
  'integer',
  'biginteger',
  'decimal',
] as const;
const MORE_SCALARS = ['float', 'boolean', 'date', 'datetime', 'time', 'json'] as const;

const plain = {
  name: 'it',
  kind: 'scalar',
  column: 'it',
  required: false,
  private: false,
  writable: true,
  localized: false,
  unique: false,
  overflow: false,
};

describe('a scalar attribute', () => {
  it.each([...SCALARS, ...MORE_SCALARS])('of type %s without options has none', (type) => {
    expect(attributeOf({ type })).toStrictEqual({ ...plain, type });
  });

  it.each([
    [
      { type: 'uid', targetField: 'title' },
      { unique: true, targetField: 'title' },
    ],
    [
      { type: 'enumeration', enum: ['a', 'b'], default: 'b' },
      { enum: ['a', 'b'], default: 'b' },
    ],
    [
      { type: 'string', required: true, unique: true },
      { required: true, unique: true },
    ],
    [{ type: 'string', private: true }, { private: true }],
    [
      { type: 'text', minLength: 0, maxLength: 5 },
      { minLength: 0, maxLength: 5 },
    ],
    [{ type: 'string', regex: '^a$' }, { regex: /^a$/ }],
    [
      { type: 'integer', min: 1, max: 9 },
      { min: 1, max: 9 },
    ],
    [
      { type: 'biginteger', min: '-1', max: '9000000000' },
      { min: -1, max: 9_000_000_000 },
    ],
    [
      { type: 'decimal', min: -0.5, max: '0.5' },
      { min: -0.5, max: 0.5 },
    ],
    [{ type: 'boolean', default: false }, { default: false }],
    [{ type: 'json', default: { a: [1] } }, { default: { a: [1] } }],
    [{ type: 'string', default: null }, { default: null }],
    [{ type: 'string', configurable: false, visible: false, someOption: 1 }, {}],
    [{ type: 'string', searchable: false }, { searchable: false }],
    [{ type: 'string', searchable: true, writable: true }, {}],
    [
      { type: 'string', writable: false, required: true, unique: true, default: 'a' },
      { writable: false, default: 'a' },
    ],
    [{ type: 'uid', writable: false }, { writable: false }],
    [{ type: 'string', conditions: { visible: { var: 'open' } } }, { visible: { var: 'open' } }],
    [{ type: 'string', conditions: {} }, {}],
  ])('keeps the options of %o', (json, options) => {
    expect(attributeOf(json)).toEqual({ ...plain, type: json.type, ...options });
  });

  it.each(['enumeration', 'boolean', 'json', 'blocks'])('of type %s is never unique', (type) => {
    expect(attributeOf({ type, enum: ['a'], unique: true })).toMatchObject({ type, unique: false });
  });

  it('has the column of its name in snake case', () => {
    const type = typeOf({ readingTime: { type: 'integer' } });
    expect(type.attributes.get('readingTime')).toMatchObject({ column: 'reading_time' });
  });

  it('is private when privateAttributes of the type names it', () => {
    const type = typeOf({ open: { type: 'string' }, closed: { type: 'string' } }, { privateAttributes: ['closed'] });
    expect(type.attributes.get('open')?.private).toBe(false);
    expect(type.attributes.get('closed')?.private).toBe(true);
    const { attributes } = typeOf({}, { privateAttributes: ['createdAt'] });
    expect([attributes.get('createdAt')?.private, attributes.get('updatedAt')?.private]).toEqual([true, false]);
    const closed = component('shared.a', { open: { type: 'string' }, closed: { type: 'string' } }, ['closed']);
    const inside = registryOf([], [closed]).components.get('shared.a')?.attributes;
    expect([inside?.get('open')?.private, inside?.get('closed')?.private]).toEqual([false, true]);
  });
});

describe('locales', () => {
  const localized = { pluginOptions: { i18n: { localized: true } } };

  it.each([
    ['localized on a localized type', true, { type: 'string', ...localized }, true],
    ['shared on a localized type unless it says otherwise', true, { type: 'string' }, false],
    ['shared on a type without locales, whatever it says', false, { type: 'string', ...localized }, false],
    ['always localized when it is a uid', true, { type: 'uid' }, true],
  ])('an attribute is %s', (_, typeIsLocalized, json, expected) => {
    expect(attributeOf(json, { localized: typeIsLocalized }).localized).toBe(expected);
  });

  it('make a relation localized always', () => {
    const relation = { type: 'relation', relation: 'oneToOne', target: 'api::thing.thing' };
    expect(attributeOf(relation, { localized: true }).localized).toBe(true);
  });
});

describe('a relation', () => {
  const target = 'api::thing.thing';
  it.each([
    ['oneToOne', false],
    ['manyToOne', false],
    ['oneToMany', true],
    ['manyToMany', true],
  ])('%s leads to many: %s', (relation, multiple) => {
    expect(attributeOf({ type: 'relation', relation, target })).toMatchObject({
      kind: 'relation',
      relation,
      target,
      multiple,
      owner: true,
    });
  });

  it.each([
    [{ relation: 'morphToOne' }, { kind: 'polymorphic', multiple: false }],
    [{ relation: 'morphToMany' }, { kind: 'polymorphic', multiple: true }],
    [
      { relation: 'morphOne', target, morphBy: 'it' },
      { kind: 'relation', multiple: false, owner: false, inverse: 'it' },
    ],
    [
      { relation: 'morphMany', target, morphBy: 'it' },
      { kind: 'relation', multiple: true, owner: false, inverse: 'it' },
    ],
  ])('that is polymorphic is read from %o', (json, expected) => {
    const { attributes } = typeOf({
      it: { type: 'relation', relation: 'morphToOne' },
      that: { type: 'relation', ...json },
    });
    expect(attributes.get('that')).toMatchObject(expected);
  });

  it('belongs to the side that has inversedBy, not to the one that has mappedBy', () => {
    const type = typeOf({
      next: { type: 'relation', relation: 'oneToOne', target, inversedBy: 'previous' },
      previous: { type: 'relation', relation: 'oneToOne', target, mappedBy: 'next' },
    });
    expect(type.attributes.get('next')).toMatchObject({ owner: true, inverse: 'previous' });
    expect(type.attributes.get('previous')).toMatchObject({ owner: false, inverse: 'next' });
  });
});

describe('media, components and zones', () => {
  it.each([
    [{ type: 'media' }, { kind: 'media', multiple: false, allowedTypes: [] }],
    [
      { type: 'media', multiple: true, allowedTypes: ['images', 'videos', 'files', 'audios'] },
      { multiple: true, allowedTypes: ['images', 'videos', 'files', 'audios'] },
    ],
  ])('read %o', (json, expected) => {
    expect(attributeOf(json)).toMatchObject(expected);
  });

  it('keep how many there may be', () => {
    const registry = registryOf(
      [
        contentType('thing', {
          one: { type: 'component', component: 'shared.a' },
          some: { type: 'component', component: 'shared.a', repeatable: true, min: 1, max: 4 },
          zone: { type: 'dynamiczone', components: ['shared.a'], max: 5 },
        }),
      ],
      [component('shared.a', {})],
    );
    const { attributes } = registry.contentTypes.get('api::thing.thing') ?? {};
    expect(attributes?.get('one')).toMatchObject({ kind: 'component', component: 'shared.a', repeatable: false });
    expect(attributes?.get('some')).toMatchObject({ repeatable: true, min: 1, max: 4 });
    expect(attributes?.get('zone')).toMatchObject({ kind: 'dynamiczone', components: ['shared.a'], max: 5 });
  });
});

describe('the attributes that every type has', () => {
  const SYSTEM = ['createdAt', 'updatedAt', 'publishedAt', 'createdBy', 'updatedBy', 'locale', 'localizations'];

  it('follow the declared ones', () => {
    const type = typeOf({ title: { type: 'string' } });
    expect([...type.attributes.keys()]).toEqual(['title', ...SYSTEM]);
  });

  it.each([true, false])('show the locale only where there are locales (localized: %s)', (localized) => {
    const { attributes } = typeOf({}, { localized });
    expect(attributes.get('locale')?.private).toBe(!localized);
    expect(attributes.get('localizations')?.private).toBe(!localized);
  });

  it('let a body name publishedAt and locale, and nothing else of them', () => {
    const { attributes } = typeOf({});
    expect(SYSTEM.filter((name) => attributes.get(name)?.writable)).toEqual(['publishedAt', 'locale']);
  });
});

describe('overflow', () => {
  it('takes the attributes that the layout names out of the columns', () => {
    const file = contentType('thing', { kept: { type: 'string' }, spilled: { type: 'integer' } });
    const registry = registryOf([file], [], { 'api::thing.thing': ['spilled'] });
    const { attributes } = registry.contentTypes.get('api::thing.thing') ?? {};
    expect(attributes?.get('kept')).toMatchObject({ overflow: false });
    expect(attributes?.get('spilled')).toMatchObject({ overflow: true });
  });
});
