/**
 * @module Unique values: which a write asks for, which it asserts, and how a violation is told.
 */
import { describe, expect, it } from 'vitest';
import type { Current, WriteRequest } from '../../../src/content/plan/model/write-request.ts';
import {
  inheritedIssues,
  takenPaths,
  uniquePathLookups,
  uniquePathOps,
  valuesInComponents,
} from '../../../src/content/plan/validate/unique-paths.ts';
import {
  duplicateValue,
  TAKEN,
  uniqueLookups,
  uniqueOps,
  uniqueViolation,
} from '../../../src/content/plan/validate/unique-values.ts';
import { component, contentType, registryOf } from '../../support/schema-files.ts';
import { refusal } from './support.ts';

const unique = (type: string, more: object = {}) => ({ type, unique: true, ...more });
const CARD = { type: 'component', component: 'page.card' };
const ATTRIBUTES = {
  code: unique('string'),
  size: unique('integer', { default: 5 }),
  title: { type: 'string' },
  day: unique('date', { conditions: { visible: { '==': [{ var: 'title' }, 'dated'] } } }),
  card: CARD,
  cards: { ...CARD, repeatable: true },
  dated: { ...CARD, conditions: { visible: { '==': [{ var: 'title' }, 'dated'] } } },
  zone: { type: 'dynamiczone', components: ['page.card', 'page.leaf'] },
};
const localized = { pluginOptions: { i18n: { localized: true } } };
const registry = registryOf(
  [
    contentType('thing', ATTRIBUTES),
    contentType('home', ATTRIBUTES, { single: true }),
    contentType('story', ATTRIBUTES, { drafts: true }),
    contentType(
      'place',
      { code: unique('string'), name: unique('string', localized), card: CARD },
      { localized: true },
    ),
    contentType('wide', Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`card${index}`, CARD]))),
  ],
  [
    component('page.card', {
      code: unique('string', { default: 'none' }),
      secret: unique('password'),
      label: { type: 'string' },
      leaf: { type: 'component', component: 'page.leaf' },
      leaves: { type: 'component', component: 'page.leaf', repeatable: true },
    }),
    component('page.leaf', { serial: unique('biginteger'), inner: CARD }),
  ],
);

const requestOf = (name: string, data: object, more: Partial<WriteRequest> = {}): WriteRequest => {
  const type = registry.contentTypes.get(`api::${name}.${name}`);
  if (!type) throw new Error('no type');
  const options = { strictRelations: true, allIssues: false, emptySetClears: false };
  const place = {
    document: { kind: 'named', documentId: 'a' },
    documentId: 'a',
    locale: 'en',
    defaultLocale: 'en',
  } as const;
  return {
    ...options,
    registry,
    type,
    ...place,
    status: 'published',
    operation: 'create',
    data: data as never,
    ...more,
  };
};
const UPDATE = { operation: 'update' } as const;
const DRAFT = { status: 'draft' } as const;

describe('the unique values that a write asks for', () => {
  it.each<readonly [string, object, Partial<WriteRequest>, readonly string[]]>([
    ['thing', {}, {}, ['size=5']],
    ['thing', { code: 'a', size: 7 }, {}, ['code=a', 'size=7']],
    ['thing', { code: '', size: null }, {}, []],
    ['thing', { code: 5, size: 'x', day: 'soon' }, {}, []],
    ['thing', {}, UPDATE, []],
    ['thing', { code: 'b' }, UPDATE, ['code=b']],
    ['story', { code: 'a' }, DRAFT, []],
    ['story', { code: 'a' }, {}, ['code=a', 'size=5']],
    ['story', { code: 'a' }, UPDATE, ['code=a', 'size=its own', 'day=its own']],
    ['place', {}, UPDATE, ['code=its own']],
    ['place', { code: null, name: null }, UPDATE, ['code=its own']],
    ['place', { code: null, name: 'n' }, {}, ['name=n']],
  ])('to %s with %j and %j are %j', (name, data, more, values) => {
    const lookups = uniqueLookups(requestOf(name, data, more));
    expect(lookups.map(({ attribute, value = 'its own' }) => `${attribute.name}=${value}`)).toEqual(values);
  });
});

describe('the assertions of a write', () => {
  it.each<readonly [object, readonly string[]]>([
    [{ code: 'a', size: null }, ['UNIQUE.code']],
    [{ code: 'a', day: '2026-01-01' }, ['UNIQUE.code', 'UNIQUE.size']],
    [{ title: 'dated', day: '2026-01-01' }, ['UNIQUE.size', 'UNIQUE.day']],
  ])('are about what it publishes, and is visible: %j', (data, codes) => {
    const ops = uniqueOps(requestOf('story', {}), data as never);
    expect(ops.map((op) => ('code' in op ? op.code : ''))).toEqual(codes);
    for (const op of ops)
      expect(op).toMatchObject({ kind: 'assert-unique', row: { status: 'published', locale: 'en' } });
  });

  it('leave out values that only the document has', () => {
    expect(uniqueOps(requestOf('story', {}, UPDATE), {})).toEqual([]);
  });

  it.each([
    ['story', ['card.code', 'cards.code']],
    ['home', []],
  ])('of %s are about values of components: %j', (name, keys) => {
    const request = requestOf(name, {});
    const data = { card: { code: 'a' }, cards: [{ code: 'b' }, { code: 'c' }] };
    const ops = uniquePathOps(request, valuesInComponents(request, data, false)) as unknown as {
      values: readonly { path: { key: string }; values: readonly unknown[]; withOwn: boolean }[];
    }[];
    expect(ops.flatMap(({ values }) => values.map(({ path }) => path.key))).toEqual(keys);
    for (const op of ops) {
      expect(op).toMatchObject({ kind: 'assert-free', code: TAKEN, row: { status: 'published' } });
      expect(op.values.map(({ values, withOwn }) => [values, withOwn])).toEqual([
        [['a'], false],
        [['b', 'c'], false],
      ]);
    }
  });
});

describe('a violation', () => {
  const MESSAGE = 'This attribute must be unique';
  const errorsOf = (error: Error | undefined) => {
    const { message, details = {} } = refusal(() => {
      throw error;
    });
    return [message, (details.errors as { path: string[]; value?: unknown }[]).map(({ path, value }) => [path, value])];
  };
  const request = requestOf('thing', { code: 'a' });

  it.each([
    [TAKEN, [[[], undefined]]],
    ['UNIQUE.code', [[['code'], 'a']]],
    ['UNIQUE.size', [[['size'], null]]],
  ])('of %s names what the code names', (code, errors) => {
    expect(errorsOf(uniqueViolation(code, request))).toEqual([MESSAGE, errors]);
  });

  it('is none of another assertion', () => {
    expect(uniqueViolation('OTHER', request)).toBeUndefined();
  });

  it.each([
    ['things.code', [[['code'], 'a']]],
    [
      'things.code, things.size',
      [
        [['code'], 'a'],
        [['size'], null],
      ],
    ],
    ['by_hand', [[['by_hand'], null]]],
  ])('of the index %s names its attributes', (index, errors) => {
    expect(errorsOf(duplicateValue(index, request)).at(1)).toEqual(errors);
    expect(duplicateValue(index, request).message).toBe(
      errors.length === 1 ? `${MESSAGE}: ${index}` : '2 errors occurred',
    );
  });
});

describe('unique values of components', () => {
  const valuesOf = (data: object, withDefaults = false) =>
    valuesInComponents(requestOf('thing', data), data as never, withDefaults);

  it.each<readonly [object, readonly string[]]>([
    [{}, []],
    [{ card: { code: 'a', secret: 'hush', label: 'b' } }, ['card.code=a']],
    [{ dated: { code: 'a' } }, []],
    [{ title: 'dated', dated: { code: 'a' } }, ['dated.code=a']],
    [{ card: { code: '' }, cards: [{ code: null }, { code: 5 }, {}] }, []],
    [{ card: { leaf: { serial: '7' } } }, ['card.leaf.serial=7']],
    [{ card: { leaf: { serial: '7', inner: { code: 'a' } } } }, ['card.leaf.serial=7']],
    [{ cards: [{ code: 'a' }, 'b', { code: 'c' }] }, ['cards.0.code=a', 'cards.2.code=c']],
    [{ cards: { code: 'a' }, card: [{ code: 'a' }] }, []],
    [
      {
        zone: [
          { __component: 'page.leaf', serial: '1', code: 'no' },
          { __component: 'page.card', code: 'a', leaf: { serial: '2' } },
        ],
      },
      ['zone.1.code=a', 'zone.0.serial=1'],
    ],
  ])('in %j are %j', (data, values) => {
    expect(valuesOf(data).map(({ at, value }) => `${at}=${value}`)).toEqual(values);
  });

  it('of an entry of a zone are compared among those of its component', () => {
    const [value] = valuesOf({ zone: [{ __component: 'page.card', code: 'a' }] });
    expect(value?.path.key).toBe('zone(page.card).code');
  });

  it('have defaults where a create asks for them', () => {
    expect(valuesOf({ card: {} }, true).map(({ at, value }) => `${at}=${value}`)).toEqual(['card.code=none']);
  });

  it.each<readonly [object, readonly string[]]>([
    [{ cards: [{ code: 'a' }, { code: 'b' }, { code: 'a' }] }, ['cards.0.code', 'cards.2.code']],
    [{ cards: [{ code: 'a' }], card: { code: 'a' } }, []],
    [
      {
        zone: [
          { __component: 'page.card', code: '1' },
          { __component: 'page.leaf', serial: '1' },
          { __component: 'page.card', code: '1' },
        ],
      },
      ['zone.0.code', 'zone.2.code'],
    ],
    [{ card: { leaves: [{ serial: '1' }, { serial: '1' }] } }, []],
    [{ cards: [{ leaves: [{ serial: '1' }, { serial: '1' }] }] }, []],
    [{ cards: [{ leaf: { serial: '1' } }, { leaf: { serial: '1' } }] }, ['cards.0.leaf.serial', 'cards.1.leaf.serial']],
    [{ card: { code: 'taken' }, cards: [{ code: 'taken' }] }, ['card.code']],
  ])('are taken by others, and by entries of one list: %j', (data, paths) => {
    const takenAt = new Map([['card.code', new Set(['taken'])]]);
    const taken = takenPaths(valuesOf(data), { taken: new Set(['code']), takenAt } as unknown as Current);
    expect([...taken]).toEqual(['code', ...paths]);
  });

  it('that a new locale inherits are issues if they are taken', () => {
    const values = valuesOf({ card: { code: 'a' }, cards: [{ code: 'b' }] });
    const inherited = { code: 'c', title: 'd', card: { code: 'a' } };
    const taken = new Set(['code', 'size', 'card.code', 'cards.0.code']);
    expect(inheritedIssues(inherited, values, taken).map(({ path, value }) => [path.join('.'), value])).toEqual([
      ['code', 'c'],
      ['card.code', 'a'],
    ]);
  });
});

describe('the lookups of values of components', () => {
  const DATA = { card: { code: 'a' } };
  const lookupsOf = (name: string, data: object, more: Partial<WriteRequest> = {}) =>
    uniquePathLookups(requestOf(name, data, more)).map((group) =>
      group.map(({ path, values, withOwn }) => `${path.key}=${values.join('|')}${withOwn ? '+' : ''}`),
    );

  it.each<readonly [string, Partial<WriteRequest>, readonly (readonly string[])[]]>([
    ['thing', {}, [['card.code=a']]],
    ['thing', UPDATE, [['card.code=a']]],
    ['home', {}, []],
    ['story', DRAFT, []],
    ['story', {}, [['card.code=a']]],
    ['place', {}, [['card.code=a']]],
    ['place', UPDATE, [['card.code=a+', 'card.leaf.serial=+', 'card.leaves.serial=+']]],
  ])('of %s with %j are %j', (name, more, lookups) => {
    expect(lookupsOf(name, DATA, more)).toEqual(lookups);
  });

  it('of an update that publishes have what the document has', () => {
    const [group = []] = lookupsOf('story', DATA, UPDATE);
    expect(group).toContain('card.code=a+');
    expect(group).toContain('cards.code=+');
  });

  it('are eight in one statement', () => {
    const data = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`card${index}`, { code: `${index}` }]));
    expect(lookupsOf('wide', data).map(({ length }) => length)).toEqual([8, 1]);
  });
});
