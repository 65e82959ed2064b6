/**
 * @module Rows of a page, with the values of their populate → documents.
 */
import { describe, expect, it } from 'vitest';
import { assemble } from '../../../src/content/document/assemble.ts';
import { toV4 } from '../../../src/content/document/format-v4.ts';
import type { ReadPlan } from '../../../src/content/plan/model/read-plan.ts';
import { scalarOf } from '../../support/recorded-registry.ts';
import { typeOf } from '../../support/schema-files.ts';

const type = typeOf({ title: { type: 'string' }, year: { type: 'integer' }, open: { type: 'boolean' } });
const [title, year, open] = [scalarOf(type, 'title'), scalarOf(type, 'year'), scalarOf(type, 'open')];
const only = { attributes: [title], populate: [] };
const common = { selection: only, order: [], count: false, multiple: true };
const [here, plain] = [
  { uid: 'api::here.here', localized: true },
  { uid: 'api::plain.plain', localized: false },
];

type Nodes = readonly object[];
const selectionOf = (populate: Nodes) => ({ attributes: [title], populate }) as unknown as ReadPlan['selection'];

/** The document of a row in English, whose populate has these values. */
function shown(populate: Nodes, ...values: readonly unknown[]) {
  const plan = { selection: selectionOf(populate), ceiling: { bytes: 1_000 } } as unknown as ReadPlan;
  const row = { $row: '[[1,"d1","en","Title"]]', $populated: JSON.stringify([['en', ...values]]) };
  const [document] = assemble([row], plan);
  return document as Record<string, unknown>;
}

const target = (id: number, text: string | null, locale = 'en') => [[id, `d${id}`, locale, text]];
const link = (name: string, more: object = {}) => ({ ...common, kind: 'link', name, ...more });
const A = { id: 2, documentId: 'd2', title: 'A' };
const B = { id: 3, documentId: 'd3', title: 'B' };
const rows = [target(2, 'A'), target(3, 'B')];

describe('a document', () => {
  it('has its ids first, and null where nothing is stored', () => {
    expect(Object.entries(shown([link('to')], [target(2, null)]))).toEqual([
      ['id', 1],
      ['documentId', 'd1'],
      ['title', 'Title'],
      ['to', [{ ...A, title: null }]],
    ]);
    expect(Object.keys((shown([link('to')], rows).to as object[])[0] ?? {})).toEqual(['id', 'documentId', 'title']);
  });

  it('has the values of all groups of its row, each as its type shows it', () => {
    const selection = { attributes: [title, open, year], populate: [] };
    const targets = [[[2, 'd2', 'en'], ['A', 0], [1999]], [[3, 'd3', 'en', 'B', null, null]]];
    expect(shown([link('to', { selection })], targets).to).toEqual([
      { ...A, open: false, year: 1999 },
      { ...B, open: null, year: null },
    ]);
  });

  it('is also made of columns, and of values that have none of their own', () => {
    const spilled = { ...title, name: 'spilled', overflow: true };
    const plan = { selection: { attributes: [title, spilled], populate: [] }, ceiling: { bytes: 0 } };
    const overflow_attributes = JSON.stringify({ spilled: 'S', title: 'not this' });
    const row = { id: 2, document_id: 'd2', [title.column]: 'A', overflow_attributes };
    expect(assemble([row], plan as unknown as ReadPlan)).toEqual([{ ...A, spilled: 'S' }]);
  });

  it('has the numbers of its lists, if they are asked for', () => {
    const [one, two] = [link('one', { withCount: true }), link('two', { withCount: true })];
    expect(shown([one, link('other'), two], [], 5, rows, [], 6)).toMatchObject({
      ...{ one: [], two: [], other: [A, B], $counts: { one: 5, two: 6 } },
    });
    expect(shown([link('other')], rows)).not.toHaveProperty('$counts');
  });
});

describe('a relation', () => {
  const typed = (more: object = {}) => ({
    ...{ kind: 'polymorphic', name: 'to', count: false, multiple: true, ...more },
    parts: [here, plain].map((of) => ({ ...common, kind: 'link', link: { target: of } })),
  });
  const entries = [null, [1, target(2, 'A')], [0, target(3, 'B')], [7, target(4, 'C')]];

  it.each<[string, object, unknown, unknown]>([
    ['to many', link('to'), rows, [A, B]],
    ['to one', link('to', { multiple: false }), rows, A],
    ['to none', link('to', { multiple: false }), [], null],
    ['that is counted', link('to', { count: true }), 4, { count: 4 }],
    [
      'to several types',
      typed(),
      entries,
      [
        { ...A, __type: plain.uid },
        { ...B, __type: here.uid },
      ],
    ],
    ['to one of several types', typed({ multiple: false }), entries, { ...A, __type: plain.uid }],
    ['to none of several types', typed({ multiple: false }), [null], null],
    ['to several types that is counted', typed({ count: true }), 4, { count: 4 }],
  ])('%s shows what was read', (_, node, value, expected) => {
    expect(shown([node], value)).toStrictEqual({ id: 1, documentId: 'd1', title: 'Title', to: expected });
  });

  it('of a file has each use, the oldest first, and the lower id of two of one time', () => {
    const use = (of: object) => ({ type: of, tables: [{}, {}], attributes: [title] });
    const used = (since: number, marks: readonly number[], id: number, text: string) => [
      [since, ...marks, id, `d${id}`, 'en', text],
    ];
    const node = { kind: 'related', name: 'uses', uses: [use(here), use(plain)] };
    const first = [used(9, [1, 1], 2, 'A'), used(5, [0, 1], 3, 'B'), used(1, [0, 0], 5, 'none')];
    const { uses } = shown([node], first, [used(5, [1, 0], 2, 'A'), used(7, [1, 0], 8, 'last')]);
    expect(uses).toEqual([
      { ...A, __type: plain.uid },
      { ...B, __type: here.uid },
      { id: 8, documentId: 'd8', title: 'last', __type: plain.uid },
      { ...A, __type: here.uid },
      { ...A, __type: here.uid },
    ]);
  });
});

describe('a component', () => {
  const instance = (id: number, more: object = {}) => ({ id, title: `t${id}`, hidden: 'h', ...more });
  const component = (more: object = {}) => ({
    ...common,
    selection: { ...only },
    kind: 'component',
    name: 'part',
    ...more,
  });
  const part = (node: object, ...values: readonly unknown[]) => shown([node], ...values).part;
  const list = [instance(4), instance(5), instance(6)];

  it.each<[string, object, readonly unknown[], unknown]>([
    ['of a list', {}, [JSON.stringify(list)], [4, 5, 6]],
    ['that is sorted or filtered', { order: [{}] }, [list, '[6,4]'], [6, 4]],
    ['that is filtered', { where: {} }, [list, '[5]'], [5]],
    ['that is counted', { where: {}, count: true }, [list, '[5]'], { count: 1 }],
    ['that is one', { multiple: false }, [instance(4)], 4],
    ['that is not there', { multiple: false }, [null], null],
  ])('%s shows its instances', (_, more, values, expected) => {
    const found = part(component(more), ...values);
    const idOf = (each: unknown) => (each as { id?: number } | null)?.id ?? each;
    expect(Array.isArray(found) ? found.map(idOf) : idOf(found)).toEqual(expected);
  });

  it('has its id first, then what is selected, null where nothing is stored', () => {
    const selection = { attributes: [title, year], populate: [] };
    expect(Object.entries(part(component({ multiple: false, selection }), { title: 'x', id: 4 }) as object)).toEqual([
      ['id', 4],
      ['title', 'x'],
      ['year', null],
    ]);
  });

  it('of a zone is shown if its component is, and if its filter shows it', () => {
    const parts = new Map<string, object>([
      ['kit.a', { attributes: [title], populate: [] }],
      ['kit.b', { attributes: [year], populate: [component({ name: 'inner', where: {} })], where: {} }],
    ]);
    const entry = (uid: string, id: number) => ({ __component: uid, ...instance(id), year: id, inner: list });
    const zone = [entry('kit.b', 1), entry('kit.c', 2), entry('kit.a', 3), entry('kit.b', 4)];
    expect(shown([{ kind: 'dynamiczone', name: 'zone', parts }], zone, '[4]', '[6]').zone).toEqual([
      { id: 3, title: 't3', __component: 'kit.a' },
      { id: 4, year: 4, inner: [{ id: 6, title: 't6' }], __component: 'kit.b' },
    ]);
  });

  describe('with references', () => {
    const reference = (of: object, more: object = {}) => ({
      ...{ ...common, kind: 'reference', name: 'to', target: of, ...more },
    });
    const all = { attributes: [title, year], populate: [] };
    /** What the instance shows of its references, of which one subquery reads the targets. */
    const to = (node: object, references: Nodes, links: unknown, targets: readonly unknown[], selection = only) => {
      const shared = [{ references, selection }];
      const outer = component({ multiple: false, selection: { attributes: [], populate: [node] }, shared });
      return part(outer, { id: 4, to: links }, targets);
    };
    const linksTo = (...ids: readonly number[]) => ids.map((id) => ({ documentId: `d${id}` }));
    const three = [target(2, 'A', ''), target(3, 'B', ''), target(6, 'C', '')];
    const C = { id: 6, documentId: 'd6', title: 'C' };

    it.each<[string, object, unknown, unknown]>([
      ['in their order, as often as they are there', {}, linksTo(6, 2, 6, 9), [C, A, C]],
      ['in that of the query, once', { order: [{}] }, linksTo(6, 2, 6), [A, C]],
      ['in part', { slice: { start: 1, limit: 1 } }, linksTo(6, 2, 3), [A]],
      ['as one', { multiple: false }, linksTo(6, 2), C],
      ['as none', { multiple: false }, null, null],
      ['as a number', { count: true, slice: { start: 0, limit: 1 } }, linksTo(6, 2), { count: 2 }],
    ])('shows them %s', (_, more, links, expected) => {
      const node = reference(plain, more);
      expect(to(node, [node], links, three)).toEqual({ id: 4, to: expected });
    });

    it('shows those of the locale of a link, and without one of the row', () => {
      const node = reference(here);
      const [english, german] = [target(2, 'A', 'en'), [[9, 'd2', 'de', 'Das A']]];
      const links = [{ documentId: 'd2', locale: 'de' }, { documentId: 'd2' }, { documentId: 'd2', locale: 'fr' }];
      expect(to(node, [node], links, [english, german])).toEqual({
        id: 4,
        to: [{ id: 9, documentId: 'd2', title: 'Das A' }, A],
      });
    });

    it('shows of each what it selects, with the numbers of its lists', () => {
      const selection = { attributes: [title], populate: [link('list', { withCount: true })] };
      const wide = { attributes: [title, year], populate: selection.populate };
      const [narrow, other] = [reference(plain, { selection }), reference(plain, { selection: wide, name: 'other' })];
      const targets = [[[2, 'd2', '', 'A', 1999, [], 7]]];
      const expected = { ...A, list: [], $counts: { list: 7 } };
      expect(to(narrow, [narrow, other], linksTo(2), targets, wide as never)).toEqual({ id: 4, to: [expected] });
      const whole = { ...other, name: 'to' };
      expect(to(whole, [narrow, whole], linksTo(2), targets, wide as never)).toEqual({
        ...{ id: 4, to: [{ ...expected, year: 1999 }] },
      });
    });

    it('shows of each nothing but what it selects', () => {
      const node = reference(plain);
      const targets = [[[2, 'd2', '', 'A', 1999]]];
      expect(to(node, [node, reference(plain)], linksTo(2), targets, all as never)).toStrictEqual({ id: 4, to: [A] });
    });

    it('is weighed as often as it is there', () => {
      const node = reference(plain);
      expect(() => to(node, [node], Array(200).fill(linksTo(2)[0]), three)).toThrow('too many bytes');
    });

    it('has the number of all of them, if it is asked for', () => {
      const node = reference(plain, { withCount: true, slice: { start: 0, limit: 1 } });
      expect(to(node, [node], linksTo(6, 2), three)).toEqual({ id: 4, to: [C], $counts: { to: 2 } });
      expect(to(reference(plain), [], [], [])).not.toHaveProperty('$counts');
    });

    it('to several types shows each by its type, in their order', () => {
      const [own, other] = [reference(plain), reference({ ...plain, uid: 'api::other.other' }, { selection: all })];
      const links = [
        { documentId: 'd6', type: 'api::other.other' },
        { documentId: 'd2', type: plain.uid },
        { documentId: 'd3', type: 'api::gone.gone' },
      ];
      const polymorphic = (more: object) => {
        const node = { kind: 'polymorphic', name: 'to', parts: [own, other], count: false, multiple: true, ...more };
        const shared = [
          { references: [own], selection: only },
          { references: [other], selection: all },
        ];
        const outer = component({ multiple: false, selection: { attributes: [], populate: [node] }, shared });
        return part(outer, { id: 4, to: links }, three, [[[6, 'd6', '', 'O', 7]]]);
      };
      const O = { id: 6, documentId: 'd6', title: 'O', year: 7, __type: 'api::other.other' };
      const both = [O, { ...A, __type: plain.uid }];
      expect(polymorphic({})).toEqual({ id: 4, to: both });
      expect(polymorphic({ slice: { start: 1 }, withCount: true })).toEqual({
        id: 4,
        to: [both[1]],
        $counts: { to: 2 },
      });
      expect(polymorphic({ multiple: false })).toEqual({ id: 4, to: O });
      expect(polymorphic({ count: true })).toEqual({ id: 4, to: { count: 2 } });
    });
  });

  it('is counted flat in the older format, where relations are wrapped', () => {
    const selection = selectionOf([link('to')]);
    const populate = [link('to', { count: true, selection }), component({ count: true, selection })];
    expect(toV4(shown(populate, 3, list), selectionOf(populate))).toStrictEqual({
      ...{ id: 1, documentId: 'd1' },
      attributes: { title: 'Title', to: { data: { attributes: { count: 3 } } }, part: { count: 3 } },
    });
  });

  it('is flat in the older format, with its relations wrapped', () => {
    const inner = component({ name: 'inner', selection: selectionOf([link('to', { multiple: false })]) });
    const parts = new Map([['kit.a', selectionOf([link('to')])]]);
    const uses = { kind: 'related', name: 'uses' };
    const types = { kind: 'polymorphic', name: 'types' };
    const document = {
      ...{ id: 1, documentId: 'd1', title: 'x', uses: [B], types: [B] },
      inner: [
        { id: 4, to: A },
        { id: 5, to: null },
      ],
      zone: [
        { __component: 'kit.a', id: 6, to: [B] },
        { __component: 'kit.b', id: 7 },
      ],
    };
    const wrapped = ({ id, documentId, ...attributes }: typeof A) => ({ id, documentId, attributes });
    const selection = selectionOf([inner, { kind: 'dynamiczone', name: 'zone', parts }, uses, types]);
    expect(toV4(document, selection)).toStrictEqual({
      ...{ id: 1, documentId: 'd1' },
      attributes: {
        ...{ title: 'x', uses: [B], types: [B] },
        inner: [
          { id: 4, to: { data: wrapped(A) } },
          { id: 5, to: { data: null } },
        ],
        zone: [
          { __component: 'kit.a', id: 6, to: { data: [wrapped(B)] } },
          { __component: 'kit.b', id: 7 },
        ],
      },
    });
  });
});
