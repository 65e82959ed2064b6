/**
 * @module Rows of the preconditions of a write → the current document.
 */
import { expect, it } from 'vitest';
import { readCurrent } from '../../../src/content/document/current.ts';
import type { Preconditions } from '../../../src/content/plan/write/preconditions.ts';
import type { PreconditionRows } from '../../../src/content/sql/write/preconditions.ts';
import { scalarOf } from '../../support/recorded-registry.ts';
import { typeOf } from '../../support/schema-files.ts';

const title = scalarOf(typeOf({ title: { type: 'string' } }), 'title');
const spilled = { ...title, name: 'spilled', overflow: true };
const NONE = {
  versions: [],
  unique: [],
  uniquePaths: [],
  targets: [],
  inner: [],
  links: [],
  sharedLinks: [],
  copied: [],
};

const read = (rows: object, row: object = { locale: 'en', status: 'draft' }, seen?: ReadonlySet<unknown>) =>
  readCurrent(
    { row, columns: [title, spilled] } as unknown as Preconditions,
    { ...NONE, unchanged: [], ...rows } as unknown as PreconditionRows,
    seen,
  );

let ids = 0;
const version = (locale: string, status: 'draft' | 'published', more: object = {}) => ({
  ...{ id: ++ids, document_id: 'd', locale, published_at: status === 'draft' ? null : 1, updated_at: 5 },
  ...{ is_published: 0, [title.column]: `${locale} ${status}`, overflow_attributes: null, ...more },
});

it('has of a version what is stored, and null for what is not', () => {
  const overflow_attributes = JSON.stringify({ spilled: 7, [title.column]: 'not this' });
  const { row } = read({ versions: [version('en', 'draft', { is_published: 1, overflow_attributes })] });
  expect(row).toEqual({
    ...{ documentId: 'd', locale: 'en', status: 'draft', updatedAt: 5, isPublished: true },
    values: new Map<object, unknown>([
      [title, 'en draft'],
      [spilled, 7],
    ]),
  });
  const empty = read({ versions: [version('en', 'draft', { [title.column]: undefined })] }).row;
  expect([...(empty?.values.values() ?? [])]).toEqual([null, null]);
  expect(empty?.isPublished).toBe(false);
});

it('has the row to change, the published version of its locale, the first locale, and one that the caller sees', () => {
  const versions = [
    version('fr', 'published'),
    version('en', 'published'),
    version('fr', 'draft'),
    version('en', 'draft'),
    version('de', 'draft'),
    version('ar', 'published'),
  ];
  const named = (found: ReturnType<typeof read>) =>
    [found.row, found.published, found.original, found.source].map((each) => each && `${each.locale} ${each.status}`);
  expect(named(read({ versions }))).toEqual(['en draft', 'en published', 'de draft', 'fr published']);
  expect(named(read({ versions: versions.toReversed() }, undefined, new Set([versions[2]?.id])))).toEqual([
    ...['en draft', 'en published', 'de draft', 'fr draft'],
  ]);
  expect(named(read({ versions: versions.slice(0, 1) }))).toEqual([undefined, undefined, undefined, 'fr published']);
  expect(Object.keys(read({ versions }, { locale: 'es', status: 'published' }, new Set()))).not.toContain('row');
  expect(read({ versions }, { locale: 'es', status: 'published' }, new Set())).not.toHaveProperty('source');
});

it('has the targets of all lookups of a type, also those that stored components link to', () => {
  const [a, b] = [{ uid: 'api::a.a' }, { uid: 'api::b.b' }];
  const found = (type: object, id: number, more: object = {}) => ({
    lookup: { type },
    rows: [{ id, document_id: `d${id}`, locale: 'en', published: 0, hidden: 0, ...more }],
  });
  const target = (id: number, more: object = {}) => ({
    id,
    documentId: `d${id}`,
    locale: 'en',
    published: false,
    ...more,
  });
  const targets = [found(a, 1, { published: 1 }), found(b, 2), found(a, 3)];
  const current = read({ targets, inner: [found(b, 4, { hidden: 1 })] });
  const own = [target(1, { published: true }), target(3)];
  expect(current.targets).toStrictEqual(
    new Map([
      ['api::a.a', own],
      ['api::b.b', [target(2)]],
    ]),
  );
  expect(current.innerTargets).toStrictEqual(
    new Map([
      ['api::a.a', own],
      ['api::b.b', [target(2), target(4, { isHidden: true })]],
    ]),
  );
});

it('has the links of all lookups of an attribute, and of non-localized ones those of one version', () => {
  const attribute = { name: 'to' };
  const links = (position: number, more: object = {}) => ({
    lookup: { attribute, status: 'draft' },
    rows: [{ document_id: 'x', locale: '', published: 1, hidden: 0, position, ...more }],
  });
  const link = (position: number, more: object = {}) => ({
    ...{ documentId: 'x', locale: '', published: true, status: 'draft', position, ...more },
  });
  const own = (own_locale: string, own_status: string) => ({ own_locale, own_status });
  const current = read({
    versions: [version('fr', 'published'), version('en', 'draft'), version('de', 'draft')],
    links: [links(1), links(2, { type: 'api::a.a' })],
    sharedLinks: [
      ...[links(3, own('de', 'draft')), links(4, own('de', 'published'))],
      ...[links(5, own('fr', 'draft')), links(6, own('fr', 'published'))],
    ],
  });
  expect(current.links).toStrictEqual(new Map([[attribute, [link(1), link(2, { type: 'api::a.a' })]]]));
  expect(current.originalLinks).toStrictEqual(new Map([[attribute, [link(3)]]]));
  expect(current.sourceLinks).toStrictEqual(new Map([[attribute, [link(6)]]]));
});

it('has what other documents have taken, and which ends are equal in both versions', () => {
  const lookup = (...names: readonly string[]) => names.map((name) => ({ attribute: { name } }));
  const path = (key: string) => ({ path: { key } });
  const current = read({
    unique: [
      { lookup: lookup('slug', 'code'), rows: [{ 0: 0, 1: 1 }] },
      { lookup: lookup('name'), rows: [] },
    ],
    uniquePaths: [
      {
        lookup: [path('seo.a'), path('seo.b')],
        rows: [
          { place: 1, value: 'x' },
          { place: 1, value: 2 },
        ],
      },
    ],
    copied: [
      {
        lookup: {
          ends: new Map([
            ['one', {}],
            ['two', {}],
            ['three', {}],
          ]),
        },
        rows: [{ equal: '[[0,1],[1]]' }],
      },
      { lookup: { ends: new Map([['four', {}]]) }, rows: [] },
    ],
  });
  expect(current.taken).toEqual(new Set(['code']));
  expect(current.takenAt).toEqual(
    new Map([
      ['seo.a', new Set()],
      ['seo.b', new Set(['x', 2])],
    ]),
  );
  expect(current.equalEnds).toEqual(new Set(['two', 'three']));
});
