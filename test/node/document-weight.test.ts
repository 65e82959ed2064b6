/**
 * @module What passes the scale is not much larger than the answer may be, whatever the documents consist of. In a process of
 * its own: a library of the commands adds a name to all lists.
 */
import { describe, expect, it } from 'vitest';
import { restAfter, scaleOf } from '../../src/content/document/weight.ts';
import type { ReadPlan } from '../../src/content/plan/model/read-plan.ts';

const named = { kind: 'reference', name: 'articles' };
const component = { kind: 'component', name: 'cards', selection: { attributes: [], populate: [named] } };
const planOf = (bytes: number) =>
  ({ selection: { attributes: [], populate: [component] }, ceiling: { bytes } }) as unknown as ReadPlan;

const keyed = (count: number, value: unknown): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`attributeNumber${index}`, value]));

describe('a document that components name a hundred times', () => {
  it.each([
    ['without values', keyed(50, null)],
    ['of texts', keyed(5, 'x'.repeat(50))],
    ['of lists', { list: Array.from({ length: 50 }, () => keyed(3, false)) }],
  ])('%s', (_, article) => {
    const document = { cards: Array.from({ length: 10 }, () => ({ articles: Array(10).fill(article) })) };
    const { length } = JSON.stringify(document);
    expect(() => scaleOf(planOf(Math.floor(length / 3)))(document)).toThrow('too many bytes');
    expect(() => scaleOf(planOf(length))(document)).not.toThrow();
  });
});

describe('what remains', () => {
  it.each([
    ['a text', 'abc', 97],
    ['null', null, 100],
    ['a number', 12345, 100],
    ['a key and its text', { ab: 'c' }, 97],
    ['a list', ['ab', 'c'], 95],
    ['keys of keys', { a: { b: { c: null } } }, 97],
  ])('after %s is the maximum without its keys and texts', (_, value, rest) => {
    expect(restAfter(value, 100)).toBe(rest);
  });

  it('is not looked for once it is negative, and is at zero', () => {
    const read: string[] = [];
    const value = Object.defineProperties(
      {},
      Object.fromEntries(
        ['ab', 'cd', 'ef'].map((key) => [key, { enumerable: true, get: () => void read.push(key) }] as const),
      ),
    );
    expect([restAfter(value, 3), read]).toEqual([-1, ['ab', 'cd']]);
    expect(restAfter(value, 4)).toBe(-2);
    expect(restAfter(value, 6)).toBe(0);
  });
});

describe('a reference is weighed', () => {
  const leaf = { attributes: [], populate: [] };
  const below = { attributes: [], populate: [named] };
  const LONG = 'x'.repeat(50);
  const part = (kind: string, uid: string, selection: object) =>
    kind === 'link' ? { kind, link: { target: { uid } }, selection } : { kind, target: { uid }, selection };
  const polymorphic = (kind: string, selection: object = leaf) => ({
    ...{ kind: 'polymorphic', name: 'to' },
    parts: [part('link', 'api::a.a', leaf), part(kind, 'api::b.b', selection)],
  });
  const inner = { kind: 'component', name: 'inner', selection: below };
  const articles = [LONG];
  const cards = [{ articles }];
  const nested = { attributes: [], populate: [component] };

  it.each<[string, object, object]>([
    ['in a component', component, { cards }],
    ['in one component', component, { cards: cards[0] }],
    [
      'in a component of a component',
      { ...component, selection: { attributes: [], populate: [inner] } },
      { cards: [{ inner: cards }] },
    ],
    [
      'in a zone',
      {
        kind: 'dynamiczone',
        name: 'zone',
        parts: new Map([
          ['kit.a', leaf],
          ['kit.b', below],
          ['kit.d', below],
        ]),
      },
      { zone: [{ __component: 'kit.a', text: LONG }, { __component: 'kit.c' }, { __component: 'kit.b', articles }] },
    ],
    ['in a component of a target', { kind: 'link', name: 'to', selection: nested }, { to: [{ cards }] }],
    [
      'in a component of a target of one of several types',
      polymorphic('link', nested),
      {
        to: [
          { __type: 'api::c.c', cards },
          { __type: 'api::b.b', cards },
        ],
      },
    ],
    [
      'to one of several types',
      { ...component, selection: { attributes: [], populate: [polymorphic('reference')] } },
      { cards: [{ to: articles }] },
    ],
  ])('%s', (_, node, document) => {
    const plan = (bytes: number) =>
      ({ selection: { attributes: [], populate: [node] }, ceiling: { bytes } }) as unknown as ReadPlan;
    const weigh = (bytes: number) => () => scaleOf(plan(bytes))(document as never);
    // The text, and its place in the list.
    expect(weigh(51)).not.toThrow();
    expect(weigh(50)).toThrow('too many bytes');
  });

  it('with those beside it, until they are too large', () => {
    const nodes = ['one', 'two', 'three'].map((name) => ({ ...named, name }));
    const weigh = (bytes: number, document: object) =>
      scaleOf({ selection: { attributes: [], populate: nodes }, ceiling: { bytes } } as unknown as ReadPlan)(
        document as never,
      );
    const document = { one: 'ab', two: 'c', three: null };
    expect(() => weigh(3, document)).not.toThrow();
    expect(() => weigh(2, document)).toThrow('too many bytes');
    const unread = Object.defineProperty({ ...document }, 'three', { get: () => expect.unreachable() });
    expect(() => weigh(2, unread)).toThrow('too many bytes');
  });
});
