/**
 * @module What plans are made of: conditions, attributes with components, and the nodes of a populate.
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
import { hasCount, isBlocks, selectionsOf } from '../../../src/content/plan/model/node-kinds.ts';
import type { Condition, Populate } from '../../../src/content/plan/model/read-plan.ts';
import { childPath, identityOf } from '../../../src/content/plan/model/resolve.ts';
import type { Attribute } from '../../../src/schema/model.ts';
import { registry, x, y } from './linked-types.ts';

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
