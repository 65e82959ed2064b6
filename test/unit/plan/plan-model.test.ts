/**
 * @module What plans are made of: link tables, versions of documents, conditions, and the nodes of a populate.
 */
import { describe, expect, it } from 'vitest';
import {
  attributesOf,
  attributesWithin,
  componentsOf,
  instancesIn,
  isList,
  zoneUid,
} from '../../../src/content/plan/model/component-attributes.ts';
import { allOf, holdsForNullRow, isGroup, negate } from '../../../src/content/plan/model/condition.ts';
import { typesOf } from '../../../src/content/plan/model/kept-entry.ts';
import {
  endKey,
  endsAfter,
  endsOf,
  linkEndOf,
  linkEnds,
  linkStatus,
  tableOf,
  targetUids,
  writtenStatuses,
} from '../../../src/content/plan/model/link-tables.ts';
import { targetUid } from '../../../src/content/plan/model/links.ts';
import { hasCount, isBlocks, selectionsOf } from '../../../src/content/plan/model/node-kinds.ts';
import type { Condition, Populate } from '../../../src/content/plan/model/read-plan.ts';
import { childPath, identityOf } from '../../../src/content/plan/model/resolve.ts';
import {
  chainVersions,
  cohortCondition,
  effectiveStatus,
  listVersions,
  oneVersion,
  stampsOf,
  writtenLocale,
} from '../../../src/content/plan/model/versions.ts';
import type { QueryParams } from '../../../src/content/request/query-params.ts';
import type { Attribute, ContentType, LinkAttribute, TypedLinkAttribute } from '../../../src/schema/model.ts';
import { stampName } from '../../../src/schema/names.ts';
import { component, contentType, registryOf, relation } from '../../support/schema-files.ts';

const CARD = { type: 'component', component: 'parts.card' };
const registry = registryOf(
  [
    contentType(
      'x',
      {
        one: relation('oneToOne', 'y'),
        oneBoth: relation('oneToOne', 'y', { inversedBy: 'backOne' }),
        many: relation('manyToOne', 'y'),
        manyBoth: relation('manyToOne', 'y', { inversedBy: 'backMany' }),
        list: relation('manyToMany', 'y'),
        listBoth: relation('manyToMany', 'y', { inversedBy: 'backList' }),
        cover: { type: 'media' },
        covers: { type: 'media', multiple: true },
        any: { type: 'relation', relation: 'morphToMany' },
        anyOne: { type: 'relation', relation: 'morphToOne' },
        title: { type: 'string' },
        pin: { type: 'password' },
        card: CARD,
        cards: { ...CARD, repeatable: true },
        zone: { type: 'dynamiczone', components: ['parts.card'] },
      },
      { plural: 'xs' },
    ),
    contentType('y', {
      backOne: relation('oneToOne', 'x', { mappedBy: 'oneBoth' }),
      backMany: relation('oneToMany', 'x', { mappedBy: 'manyBoth' }),
      backList: relation('manyToMany', 'x', { mappedBy: 'listBoth' }),
      marks: relation('morphMany', 'x', { morphBy: 'any' }),
    }),
    contentType('draft', {}, { drafts: true }),
    contentType('place', {}, { localized: true }),
  ],
  [component('parts.card', { label: { type: 'string' } }), component('parts.other', { label: { type: 'string' } })],
);
const typeOf = (name: string) => registry.contentTypes.get(`api::${name}.${name}`) as ContentType;
const [x, y, draft, place] = ['x', 'y', 'draft', 'place'].map(typeOf) as [
  ContentType,
  ContentType,
  ContentType,
  ContentType,
];
const attributeOf = (type: ContentType, name: string) => type.attributes.get(name) as LinkAttribute;

describe('a link table', () => {
  it.each<readonly [string, string, boolean, boolean, boolean, boolean]>([
    ['one', 'xs_one_lnk', false, true, false, false],
    ['oneBoth', 'xs_one_both_lnk', true, true, true, true],
    ['many', 'xs_many_lnk', false, true, false, false],
    ['manyBoth', 'xs_many_both_lnk', true, true, false, true],
    ['list', 'xs_list_lnk', false, false, false, false],
    ['listBoth', 'xs_list_both_lnk', true, false, false, false],
    ['cover', 'xs_cover_lnk', false, false, false, false],
    ['covers', 'xs_covers_lnk', false, false, false, false],
    ['any', 'xs_any_mph', false, false, false, false],
    ['anyOne', 'xs_any_one_mph', false, true, false, true],
  ])('of %s is %s: mutual %s, single %s, exclusive %s and %s', (name, table, mutual, single, source, target) => {
    const end = linkEndOf(attributeOf(x, name), x, registry);
    expect(end?.owner).toBe(true);
    expect(end?.tables[0]).toMatchObject({ name: table, source: x, mutual, single, exclusive: { source, target } });
  });

  it.each([
    ['backOne', 'xs_one_both_lnk', undefined],
    ['backMany', 'xs_many_both_lnk', undefined],
    ['backList', 'xs_list_both_lnk', undefined],
    ['marks', 'xs_any_mph', 'api::y.y'],
  ])('of %s is that of the other side: %s', (name, table, targetType) => {
    const end = linkEndOf(attributeOf(y, name), y, registry);
    expect(end).toMatchObject({ owner: false, tables: [{ name: table, source: x, target: y }] });
    expect(end?.tables[0].targetType).toBe(targetType);
  });

  it('is none where a type is missing', () => {
    const rest = { ...registry, contentTypes: new Map([...registry.contentTypes].filter(([, type]) => type !== y)) };
    expect(tableOf(attributeOf(x, 'one') as TypedLinkAttribute, x, rest)).toBeUndefined();
    expect(linkEndOf(attributeOf(x, 'one'), x, rest)).toBeUndefined();
    expect(endsOf([attributeOf(x, 'one'), attributeOf(x, 'cover')], x, rest).map(endKey)).toEqual(['xs_cover_lnk']);
    const inverse = { ...attributeOf(y, 'backOne'), inverse: 'title' } as TypedLinkAttribute;
    expect(tableOf(inverse, y, registry)).toBeUndefined();
  });

  it('leads to one type, or to all that polymorphic relations may name', () => {
    expect(targetUids(attributeOf(x, 'one'), registry)).toEqual(['api::y.y']);
    expect(targetUids(attributeOf(x, 'cover'), registry)).toEqual(['plugin::upload.file']);
    const uids = targetUids(attributeOf(x, 'any'), registry);
    for (const uid of ['api::x.x', 'plugin::upload.file', 'plugin::users-permissions.user'])
      expect(uids).toContain(uid);
    expect(uids).not.toContain('plugin::users-permissions.role');
    expect(linkEndOf(attributeOf(x, 'any'), x, registry)?.tables.map(({ target }) => target.uid)).toEqual(uids);
    expect([targetUid(attributeOf(x, 'any')), targetUid(attributeOf(x, 'any'), 'api::y.y')]).toEqual(['', 'api::y.y']);
  });

  it('is at an end of its source and its target', () => {
    const keys = [
      '-xs_any_mph',
      '-xs_any_one_mph',
      '-xs_list_both_lnk',
      '-xs_list_lnk',
      '-xs_many_both_lnk',
      '-xs_many_lnk',
      '-xs_one_both_lnk',
      '-xs_one_lnk',
    ];
    expect(linkEnds(y, registry).map(endKey).toSorted()).toEqual(keys);
    expect(linkEnds(x, registry).map(endKey)).toContain('xs_one_lnk');
    expect(endsAfter('', y, registry).map(endKey)).toEqual(keys);
    expect(endsAfter('-xs_list_lnk', y, registry).map(endKey)).toEqual(keys.slice(4));
  });

  it.each<readonly [ContentType, ContentType, 'draft' | 'published', readonly string[]]>([
    [x, y, 'published', ['published']],
    [x, draft, 'draft', ['draft', 'published']],
    [draft, y, 'draft', ['draft', 'published']],
  ])('has versions if a side has drafts: %#', (source, target, status, statuses) => {
    const table = { ...(linkEndOf(attributeOf(x, 'one'), x, registry)?.tables[0] as never), source, target } as never;
    expect(linkStatus(table, 'draft')).toBe(status);
    expect(linkStatus(table, 'published')).toBe('published');
    expect(writtenStatuses(x, [table])).toEqual(statuses);
    expect(writtenStatuses(draft, [table])).toEqual(['draft']);
  });
});

const params = (more: object = {}) => ({ sort: [], ...more }) as unknown as QueryParams;
const byLocale = { filters: [{ kind: 'key', key: 'locale' }] };
const byTitle = { filters: [{ kind: 'key', key: 'title' }] };

describe('the versions of a read', () => {
  it.each<readonly [ContentType, object, object]>([
    [x, {}, { status: 'published', locales: [''] }],
    [x, { locale: 'fr', status: 'draft', ...byLocale }, { status: 'published', locales: [''] }],
    [draft, { status: 'draft' }, { status: 'draft', locales: [''] }],
    [place, {}, { status: 'published', locales: ['en'] }],
    [place, byTitle, { status: 'published', locales: ['en'] }],
    [place, { locale: 'fr' }, { status: 'published', locales: ['fr'] }],
    [place, { locale: ['fr', 'de'] }, { status: 'published', locales: ['fr', 'de'] }],
    [place, { locale: '*' }, { status: 'published' }],
    [place, { locale: 'fr', ...byLocale }, { status: 'published' }],
  ])('of a list: %#: %j is %j', (type, query, versions) => {
    expect(listVersions(type, params(query), 'en')).toStrictEqual(versions);
  });

  it.each<readonly [ContentType, object, object]>([
    [x, { locale: ['fr'], ...byLocale }, { status: 'published', locales: [''] }],
    [place, {}, { status: 'published', locales: ['en'] }],
    [place, { locale: 'fr' }, { status: 'published', locales: ['fr'] }],
    [place, { locale: 'fr', ...byLocale }, { status: 'published' }],
  ])('of one document: %#: %j is %j', (type, query, versions) => {
    expect(oneVersion(type, params(query), 'en')).toStrictEqual(versions);
  });

  it('of one document, or of a write, are in one locale', () => {
    const message = 'Invalid locale param fr,de provided. Document locales must be strings.';
    expect(() => oneVersion(place, params({ locale: ['fr', 'de'] }), 'en')).toThrow(message);
    expect(() => writtenLocale(place, params({ locale: ['fr', 'de'] }), 'en')).toThrow(message);
    expect(() => writtenLocale(place, params({ locale: '*' }), 'en')).toThrow('Invalid locale param * provided');
    expect([x, place].map((type) => writtenLocale(type, params({}), 'en'))).toEqual(['', 'en']);
    expect(writtenLocale(place, params({ locale: 'fr' }), 'en')).toBe('fr');
    expect(writtenLocale(x, params({ locale: '*' }), 'en')).toBe('');
  });

  it('with a fallback are in a chain of locales', () => {
    const chain = (type: ContentType, locales?: readonly string[]) =>
      chainVersions(type, { status: 'published', ...(locales && { locales }) }, (locale) => [locale, 'other']);
    expect(chain(x, [''])).toEqual({ status: 'published', locales: [''] });
    expect(chain(place, ['fr'])).toEqual({ status: 'published', locales: ['fr', 'other'] });
    for (const wrong of [undefined, [], ['*'], ['fr', 'de']])
      expect(() => chain(place, wrong)).toThrow("Invalid parameter at 'fallback'");
  });

  it('have a status only where there are drafts', () => {
    expect([effectiveStatus(x, 'draft'), effectiveStatus(draft, 'draft'), effectiveStatus(draft, undefined)]).toEqual([
      'published',
      'draft',
      'published',
    ]);
    expect(stampsOf([x, y])).toEqual(
      ['api::x.x', 'api::y.y'].flatMap((uid) => [stampName(uid, 'draft'), stampName(uid, 'published')]),
    );
  });

  it('are filtered by the other version, as far as the caller sees that', () => {
    const asked: unknown[] = [];
    const condition = (
      type: ContentType,
      status: 'draft' | 'published',
      filter: 'never-published' | 'modified',
      visible?: Condition,
    ) =>
      cohortCondition(type, status, filter, (_, other) => {
        asked.push(other);
        return visible;
      });
    expect(condition(x, 'published', 'modified')).toBeUndefined();
    expect(condition(draft, 'published', 'never-published')).toEqual({ kind: 'never' });
    const rule = { kind: 'other-version', scope: 'version' };
    expect(condition(draft, 'draft', 'never-published')).toStrictEqual({ ...rule, status: 'draft', exists: false });
    expect(condition(draft, 'published', 'modified', { kind: 'never' })).toStrictEqual({
      ...rule,
      status: 'published',
      exists: true,
      modified: true,
      visible: { kind: 'never' },
    });
    expect(asked).toEqual(['published', 'draft']);
  });
});

const equal = (...operands: readonly unknown[]) =>
  ({ kind: 'compare', operator: '$eq', operands }) as unknown as Condition;
const isNull = (is: boolean) => ({ kind: 'null', is }) as unknown as Condition;
const group = (kind: 'and' | 'or', ...conditions: readonly Condition[]): Condition => ({ kind, conditions });
const not = (condition: Condition): Condition => ({ kind: 'not', condition });
const step = (where: Condition) => ({ kind: 'related', name: 's', where }) as unknown as Condition;

describe('a condition', () => {
  const [a, b] = [equal('a'), equal('b')];

  it('is joined with others', () => {
    expect([allOf([]), allOf([a]), allOf([a, b])]).toEqual([undefined, a, group('and', a, b)]);
    expect([undefined, a, group('and'), group('or')].map(isGroup)).toEqual([false, false, true, true]);
  });

  it.each<readonly [Condition, Condition]>([
    [a, not(a)],
    [not(a), a],
    [group('and', a, not(b)), group('or', not(a), b)],
    [group('or', a, b), group('and', not(a), not(b))],
    [step(a), step(not(a))],
  ])('is negated: %j: %j', (condition, negated) => {
    expect(negate(condition)).toEqual(negated);
  });

  it.each<readonly [Condition, boolean]>([
    [equal('a'), false],
    [equal('a', null), true],
    [{ ...equal(null), operator: '$ne' } as Condition, false],
    [isNull(true), true],
    [isNull(false), false],
    [not(isNull(false)), true],
    [not(isNull(true)), false],
    [not(equal('a')), false],
    [group('and', isNull(true), isNull(true)), true],
    [group('and', isNull(true), isNull(false)), false],
    [group('or', isNull(true), isNull(false)), true],
    [group('or', isNull(false)), false],
    [step(isNull(true)), true],
    [step(isNull(false)), false],
    ...['search', 'words', 'other-version', 'first-locale', 'version', 'caller', 'never'].map(
      (kind) => [{ kind } as unknown as Condition, false] as const,
    ),
  ])('holds for a row of nulls: %j: %s', (condition, holds) => {
    expect(holdsForNullRow(condition)).toBe(holds);
  });
});

describe('an attribute', () => {
  const own = (name: string) => x.attributes.get(name) as Attribute;
  const card = registry.components.get('parts.card')?.attributes;

  it('has components', () => {
    expect(['card', 'cards', 'zone', 'title'].map((name) => componentsOf(own(name)))).toEqual([
      ['parts.card'],
      ['parts.card'],
      ['parts.card'],
      [],
    ]);
    expect(['card', 'cards', 'zone', 'title'].map((name) => isList(own(name)))).toEqual([false, true, true, false]);
    expect(['parts.card', 'parts.nope', 5].map((uid) => attributesOf(uid, registry).size)).toEqual([card?.size, 0, 0]);
    expect([
      attributesWithin(own('card'), {}, registry),
      attributesWithin(own('zone'), { __component: 'parts.card' }, registry),
    ]).toEqual([card, card]);
    expect(attributesWithin(own('title'), { __component: 'parts.card' }, registry).size).toBe(0);
    expect([5, true, 'a', null].map((uid) => zoneUid({ __component: uid }))).toEqual(['5', 'true', 'a', null]);
  });

  it.each<readonly [string, unknown, readonly (readonly unknown[])[]]>([
    ['title', { a: 1 }, []],
    ['card', { a: 1 }, [[{ a: 1 }, []]]],
    ['card', [{ a: 1 }], [[{ a: 1 }, ['0']]]],
    ['card', 5, []],
    ['cards', [5, { a: 1 }], [[{ a: 1 }, ['1']]]],
    ['zone', [{ __component: 'parts.nope' }, { __component: 'parts.card' }], [[{ __component: 'parts.card' }, ['1']]]],
    ['zone', { __component: 'parts.card' }, [[{ __component: 'parts.card' }, []]]],
  ])('has instances in a body: %s: %j: %j', (name, value, expected) => {
    expect(
      instancesIn(own(name), value, registry).map(([item, attributes, at]) => {
        expect(attributes).toBe(card);
        return [item, at];
      }),
    ).toEqual(expected);
  });

  it('has a type in the history, unless it is secret or belongs to another type', () => {
    expect(typesOf(x)).toMatchObject({
      title: 'string',
      card: 'parts.card',
      cards: 'list of parts.card',
      zone: 'dynamiczone',
      one: 'relation',
      any: 'polymorphic',
      cover: 'media',
    });
    expect(typesOf(x)).not.toHaveProperty('pin');
    expect(Object.keys(typesOf(y))).not.toContain('backOne');
  });

  it('is named by its path', () => {
    expect([childPath(null, 'a'), childPath('a', 'b')]).toEqual(['a', 'a.b']);
    expect(['id', 'documentId', 'title'].map((name) => identityOf(name)?.name)).toEqual([
      'id',
      'documentId',
      undefined,
    ]);
  });
});

describe('a node of a populate', () => {
  const selection = { attributes: [], populate: [] };
  const other = { attributes: [], populate: [], count: 1 };

  it.each<readonly [object, readonly unknown[], boolean, boolean]>([
    [{ kind: 'link', selection, withCount: true }, [selection], true, false],
    [{ kind: 'link', selection, withCount: false }, [selection], false, false],
    [{ kind: 'reference', selection }, [selection], false, false],
    [{ kind: 'localizations', selection }, [selection], false, false],
    [{ kind: 'component', selection, withCount: true }, [selection], true, true],
    [
      {
        kind: 'dynamiczone',
        parts: new Map([
          ['a', selection],
          ['b', other],
        ]),
        withCount: true,
      },
      [selection, other],
      false,
      true,
    ],
    [
      { kind: 'polymorphic', parts: [{ selection }, { selection: other }], withCount: true },
      [selection, other],
      true,
      false,
    ],
    [{ kind: 'related', withCount: true }, [], false, false],
  ])('has selections, and perhaps a count: %j', (node, selections, counted, blocks) => {
    expect(selectionsOf(node as Populate)).toEqual(selections);
    expect([hasCount(node as Populate), isBlocks(node as Populate)]).toEqual([counted, blocks]);
  });
});
