/**
 * @module Values and files that all locales of a document share: which a new locale inherits, and when the others follow.
 */
import { describe, expect, it } from 'vitest';
import type { StoredValues, WriteOp } from '../../../src/content/plan/model/write-plan.ts';
import {
  type Current,
  type ResolvedWrite,
  type Version,
  writtenRow,
} from '../../../src/content/plan/model/write-request.ts';
import {
  inheritedValues,
  inheritOps,
  shareCopyOps,
  shareOps,
} from '../../../src/content/plan/write/non-localized-values.ts';
import type { Stored } from '../../../src/schema/fields.ts';
import type { ColumnAttribute, ContentType, LinkAttribute } from '../../../src/schema/model.ts';
import { component, contentType, registryOf, relation } from '../../support/schema-files.ts';
import { currentOf, present, requestOf, target } from './write-support.ts';

const own = { pluginOptions: { i18n: { localized: true } } };
const TEXT = { type: 'string' };
const registry = registryOf(
  [
    contentType(
      'place',
      {
        title: { ...TEXT, ...own },
        code: TEXT,
        need: { ...TEXT, required: true },
        card: { type: 'component', component: 'parts.card' },
        cover: { type: 'media' },
        photos: { type: 'media', multiple: true, ...own },
        regions: relation('manyToMany', 'region'),
      },
      { localized: true },
    ),
    contentType('region', { title: { ...TEXT, ...own }, code: TEXT }, { localized: true }),
    contentType('word', { title: { ...TEXT, ...own } }, { localized: true }),
    contentType('note', { title: TEXT, cover: { type: 'media' } }),
  ],
  [component('parts.card', { label: TEXT, region: relation('oneToOne', 'region') })],
);
const typeOf = (name: string) => registry.contentTypes.get(`api::${name}.${name}`) as ContentType;
const valuesOf = (values: Readonly<Record<string, Stored>>, name = 'place'): StoredValues =>
  new Map(Object.entries(values).map(([key, value]) => [typeOf(name).attributes.get(key) as ColumnAttribute, value]));
const versionOf = (values: Readonly<Record<string, Stored>>, name = 'place'): Version => ({
  ...{ documentId: 'd', locale: 'en', updatedAt: 1, isPublished: false },
  status: 'published',
  values: valuesOf(values, name),
});
const COVER = typeOf('place').attributes.get('cover') as LinkAttribute;
const covers = (...ids: readonly string[]) =>
  new Map([[COVER, ids.map((documentId, index) => present(documentId, index))]]);

const writeOf = (current: Partial<Current>, data: object = {}, name = 'place', planned = new Map()): ResolvedWrite => ({
  ...requestOf('place', data, { registry, type: typeOf(name) }),
  current: currentOf(current),
  planned,
});

describe('a new locale inherits', () => {
  const CARD = JSON.stringify({ id: 1, label: 'l' });
  const inherited = (data: object, current: Partial<Current>) => {
    const write = writeOf(current, data);
    const values = inheritedValues(write, write.current, { time: 5, nextId: () => 100, hashPassword: String });
    return Object.fromEntries([...values].map(([{ name }, value]) => [name, value]));
  };
  const source = versionOf({ title: 't', code: 'c', need: 'n', card: CARD });
  const card = JSON.stringify({ id: 100, label: 'l' });

  it.each<readonly [object, Partial<Current>, object]>([
    [{}, { source }, { code: 'c', need: 'n', card }],
    [{ code: undefined }, { source }, { code: 'c', need: 'n', card }],
    [{ code: null, card: null }, { source }, { code: 'c', need: 'n', card }],
    [{ code: 'sent', need: 'sent' }, { source }, { card }],
    [{ card: {} }, { source }, { code: 'c', need: 'n' }],
    [{}, { source: versionOf({ title: 't' }) }, { code: null, card: null }],
    [{}, { source, row: source }, {}],
    [{}, {}, {}],
  ])('what the body %j leaves out: %#', (data, current, expected) => {
    const shown = JSON.parse(JSON.stringify(inherited(data, current)));
    expect({
      ...shown,
      ...(shown.card && { card: JSON.stringify({ id: 100, label: JSON.parse(shown.card).label }) }),
    }).toEqual(expected);
  });

  it('no link to a document that is in other locales alone', () => {
    const region = { documentId: 'r', locale: '' };
    const linked = versionOf({ card: JSON.stringify({ id: 1, region: [region] }) });
    const innerTargets = new Map([['api::region.region', [target('r', 1, { locale: 'en' })]]]);
    expect(() => inherited({}, { source: linked, innerTargets })).toThrow(
      'Document with id "r", locale "fr" not found',
    );
    expect(JSON.parse(String(inherited({}, { source: linked }).card))).toMatchObject({ region: [region] });
  });
});

const print = (ops: readonly WriteOp[]): readonly string[] =>
  ops.map((op) => {
    const names = 'attributes' in op ? op.attributes.map(({ name }) => name) : [];
    const tables = 'tables' in op ? op.tables.map(({ name }) => name) : [];
    return [op.kind, ...names, ...tables].join(' ');
  });
const SHARE = ['share code need card places_cover_lnk'];

describe('other locales follow a write', () => {
  const VALUES = { title: 't', code: 'c', need: 'n', card: JSON.stringify({ id: 1, label: 'l' }) };
  const original = versionOf(VALUES);
  const row = original;

  it.each<
    readonly [string, Readonly<Record<string, Stored>>, Partial<Current>, readonly string[] | undefined, boolean]
  >([
    ['no other version', { code: 'x' }, {}, undefined, false],
    ['no first locale', VALUES, { source: row }, undefined, true],
    ['the same values', VALUES, { source: row, original }, undefined, false],
    ['another title, which each has', { ...VALUES, title: 'x' }, { source: row, original }, undefined, false],
    ['another value', { ...VALUES, code: 'x' }, { source: row, original }, undefined, true],
    [
      'another component',
      { ...VALUES, card: JSON.stringify({ id: 1, label: 'x' }) },
      { source: row, original },
      undefined,
      true,
    ],
    [
      'the same component under another id',
      { ...VALUES, card: JSON.stringify({ id: 9, label: 'l' }) },
      { source: row, original },
      undefined,
      false,
    ],
    ['other files in the body', VALUES, { source: row, row, original, originalLinks: covers('f') }, ['g'], true],
    [
      'the same files in the body',
      VALUES,
      { source: row, row, original, originalLinks: covers('f'), links: covers('g') },
      ['f'],
      false,
    ],
    [
      'other files',
      VALUES,
      { source: row, row, original, originalLinks: covers('f'), links: covers('g') },
      undefined,
      true,
    ],
    [
      'the same files',
      VALUES,
      { source: row, row, original, originalLinks: covers('f'), links: covers('f') },
      undefined,
      false,
    ],
    [
      'files of the first locale in a new one',
      VALUES,
      { source: row, original, originalLinks: covers('f'), sourceLinks: covers('f') },
      undefined,
      false,
    ],
    [
      'other files in a new one',
      VALUES,
      { source: row, original, originalLinks: covers('f'), sourceLinks: covers('g'), links: covers('f') },
      undefined,
      true,
    ],
  ])('with %s', (_, values, current, planned, isShared) => {
    const links = new Map(planned && [[COVER, planned.map((documentId) => ({ documentId, locale: '' }))]]);
    const write = writeOf(current, {}, 'place', links);
    expect(print(shareOps(write, writtenRow(write), valuesOf(values), 5))).toEqual(isShared ? SHARE : []);
  });

  it('only if they share anything', () => {
    const write = writeOf({ source: versionOf({}, 'word') }, {}, 'word');
    expect(shareOps(write, writtenRow(write), valuesOf({ title: 'a' }, 'word'), 5)).toEqual([]);
    const note = writeOf({ source: versionOf({}, 'note') }, {}, 'note');
    expect(shareOps(note, writtenRow(note), valuesOf({ title: 'a' }, 'note'), 5)).toEqual([]);
  });

  it.each<
    readonly [string, Readonly<Record<string, Stored>>, Readonly<Record<string, Stored>> | undefined, readonly string[]]
  >([
    ['place', VALUES, undefined, []],
    ['place', VALUES, VALUES, SHARE],
    ['region', { code: 'a' }, undefined, []],
    ['region', { code: 'a' }, { code: 'a' }, []],
    ['region', { code: 'a' }, { code: 'b' }, ['share code']],
    ['region', { title: 'a' }, { title: 'b' }, []],
  ])('of a %s that copies a version: %j over %j', (name, values, before, expected) => {
    const write = writeOf({}, {}, name);
    const ops = shareCopyOps(write, writtenRow(write), valuesOf(values, name), before && valuesOf(before, name), 5);
    expect(print(ops)).toEqual(expected);
  });
});

describe('a new locale has the files of another', () => {
  const source = versionOf({});
  const link = { kind: 'link', tables: [{ name: 'places_cover_lnk' }] } as unknown as WriteOp;

  it.each<readonly [string, Partial<Current>, readonly WriteOp[], readonly string[]]>([
    ['place', { source }, [], ['inherit places_cover_lnk']],
    ['place', { source }, [{ ...link, tables: [{ name: 'other' }] } as never], ['inherit places_cover_lnk']],
    ['place', { source }, [link], []],
    ['place', { source, row: source }, [], []],
    ['place', {}, [], []],
    ['region', { source }, [], []],
    ['note', { source }, [], []],
  ])('of a %s, unless it has its own: %#', (name, current, ops, expected) => {
    const write = writeOf(current, {}, name);
    const inherited = inheritOps(write, writtenRow(write), ops);
    expect(print(inherited)).toEqual(expected);
    for (const op of inherited)
      expect(op).toMatchObject({
        from: { locale: 'en', status: 'published', document: { documentId: 'd' } },
        row: { locale: 'fr' },
      });
  });
});
