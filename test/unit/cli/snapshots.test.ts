/**
 * @module What two snapshots of tables have in common, and both together.
 */
import { describe, expect, it } from 'vitest';
import type { Snapshot } from '../../../cli/migrations/drizzle-kit.ts';
import { commonOf, indexedColumns, linkTableSnapshot, snapshotOf, unionOf } from '../../../cli/migrations/snapshot.ts';
import { MAX_COLUMNS } from '../../../src/common/d1-limits.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';

const STRING = { type: 'string' };
const [BASE] = Object.values<Snapshot['tables'][string]>(snapshotOf(registryOf([])).tables);

interface Declared {
  readonly columns?: readonly string[];
  /** Names of indexes, with their columns. */
  readonly indexes?: Readonly<Record<string, readonly string[]>>;
}

/** @param type of all columns. */
function snapshot(tables: Readonly<Record<string, Declared>>, type = 'text'): Snapshot {
  const all = Object.entries(tables).map(([name, { columns = [], indexes = {} }]) => {
    const own = columns.map((column) => [column, { name: column, type }]);
    const over = Object.entries(indexes).map(([index, of]) => [index, { name: index, columns: of, isUnique: false }]);
    return [name, { ...BASE, name, columns: Object.fromEntries(own), indexes: Object.fromEntries(over) }];
  });
  return { ...snapshotOf(registryOf([])), tables: Object.fromEntries(all) } as Snapshot;
}
/** Table → columns with their types, and indexes with their columns. */
const shapeOf = (state: Snapshot | undefined) =>
  state &&
  Object.fromEntries(
    Object.entries<Snapshot['tables'][string]>(state.tables).map(([name, { columns, indexes }]) => [
      name,
      [
        ...Object.values<{ name: string; type: string }>(columns).map((column) => `${column.name} ${column.type}`),
        ...Object.values<{ name: string; columns: string[] }>(indexes).map(
          (index) => `${index.name}(${index.columns})`,
        ),
      ].sort(),
    ]),
  );

const BEFORE = snapshot({
  gone: { columns: ['a'] },
  both: { columns: ['a', 'old'], indexes: { same: ['a'], other: ['a'], old_index: ['a'] } },
});
const NEXT = snapshot(
  {
    both: { columns: ['a', 'fresh'], indexes: { same: ['a'], other: ['fresh'], fresh_index: ['a'] } },
    fresh: { columns: ['a'] },
  },
  'integer',
);

describe('two snapshots', () => {
  it('have in common what is in both, as it was before, and indexes that are the same', () => {
    expect(shapeOf(commonOf(BEFORE, NEXT))).toEqual({ both: ['a text', 'same(a)'] });
    expect(commonOf(BEFORE, NEXT)).toMatchObject({ version: BEFORE.version, dialect: BEFORE.dialect });
    expect(commonOf(BEFORE, NEXT).tables.both).toMatchObject({ name: 'both', compositePrimaryKeys: {} });
  });

  it('have together what is in either, and what is in both as it is afterwards', () => {
    const indexes = ['fresh_index(a)', 'old_index(a)', 'other(fresh)', 'same(a)'];
    expect(shapeOf(unionOf(BEFORE, NEXT))).toEqual({
      gone: ['a text'],
      both: ['a integer', 'fresh integer', ...indexes.slice(0, 1), 'old text', ...indexes.slice(1)].sort(),
      fresh: ['a integer'],
    });
    expect(unionOf(BEFORE, NEXT)).toMatchObject({ version: NEXT.version, internal: NEXT.internal });
  });

  const many = (count: number, prefix: string) => Array.from({ length: count }, (_, at) => `${prefix}${at}`);
  it.each<readonly [what: string, before: Declared, next: Declared, hasRoom: boolean]>([
    ['as many columns as D1 takes', { columns: many(1, 'a') }, { columns: many(MAX_COLUMNS - 1, 'b') }, true],
    ['one column more', { columns: many(1, 'a') }, { columns: many(MAX_COLUMNS, 'b') }, false],
    ['an index called as the table', { indexes: { Both: ['a'] } }, {}, false],
    ['two indexes of one name', { indexes: { by_a: ['a'] } }, { indexes: { BY_A: ['a'] } }, false],
    ['two indexes', { indexes: { by_a: ['a'] } }, { indexes: { by_b: ['a'] } }, true],
  ])('that would have %s together have room for both, or not', (_, before, next, hasRoom) => {
    expect(unionOf(snapshot({ both: before }), snapshot({ both: next })) !== undefined).toBe(hasRoom);
  });
});

it('the columns of an index are named without their direction', () => {
  expect(indexedColumns(['a', '"b" desc', '"c d" desc'])).toEqual(['a', 'b', 'c d']);
});

it('a link table has a key over both ends and the version', () => {
  const { tables } = linkTableSnapshot('articles_tags_lnk');
  const ends = ['source_document_id', 'source_locale', 'status', 'target_document_id', 'target_locale'];
  expect(Object.values(tables.articles_tags_lnk?.compositePrimaryKeys ?? {})).toEqual([
    { name: `articles_tags_lnk_${ends.join('_')}_pk`, columns: ends },
  ]);
});

describe('two tables of one name', () => {
  const unique = { published: { ...STRING, unique: true } };
  it.each<readonly [name: string, types: Parameters<typeof registryOf>[0]]>([
    ['articles_published', [contentType('article', unique)]],
    [
      'articles_draft',
      [contentType('article', {}, { drafts: true }), contentType('slug', {}, { table: 'articles_draft' })],
    ],
  ])('or index are rejected: %s', (name, types) => {
    expect(() => snapshotOf(registryOf(types))).toThrow(`both need the name ${name}; give an attribute`);
  });
});

describe('the snapshot of a type', () => {
  const table = (drafts: boolean) => {
    const files = [contentType('article', { title: { ...STRING, unique: true }, text: STRING }, { drafts })];
    const declared = { indexes: { 'api::article.article': [['title:desc'], ['publishedAt']] } };
    const { tables, internal } = snapshotOf(registryOf(files, [], {}, declared));
    const { columns, indexes, compositePrimaryKeys } = tables.articles ?? (BASE as Snapshot['tables'][string]);
    return { columns, indexes, compositePrimaryKeys, internal };
  };
  const indexesOf = (drafts: boolean) =>
    Object.values<{ name: string; columns: string[]; isUnique: boolean; where?: string }>(table(drafts).indexes).map(
      ({ name, columns, isUnique, where }) =>
        `${name}(${columns})${isUnique ? ' unique' : ''}${where?.replace(/^.* is /, ' is ') ?? ''}`,
    );
  const PUBLISHED = [
    'articles_published(document_id,locale) unique is not null',
    'articles_published_id(locale) is not null',
  ];
  const UNIQUE = 'articles_title(title)';
  const byDate = (name: string) => `articles_by_${name}_desc(locale,"${name}" desc) is not null`;
  const BY = [byDate('title'), 'articles_by_published_at(locale,published_at) is not null'];
  /** The index of the drafts beside that of published rows. */
  const withDrafts = (index: string) => [index, index.replace('(', '_draft(').replace('not ', '')];

  it('has its versions in indexes of their own, and drafts in no index over the date of publication', () => {
    const dates = ['created_at', 'published_at'].map(byDate);
    expect(indexesOf(false)).toEqual([...PUBLISHED, ...dates, ...BY, UNIQUE]);
    expect(indexesOf(true)).toEqual([
      ...PUBLISHED,
      'articles_draft(document_id,locale) unique is null',
      'articles_draft_id(locale) is null',
      ...withDrafts(byDate('created_at')),
      byDate('published_at'),
      ...withDrafts(byDate('title')),
      BY[1],
      UNIQUE,
    ]);
  });

  it('has what drizzle-kit needs of columns and descending indexes, and no key of several columns', () => {
    const { columns, compositePrimaryKeys, internal } = table(false);
    const plain = { primaryKey: false, notNull: false, autoincrement: false };
    expect(columns.title).toEqual({ name: 'title', type: 'text', ...plain });
    expect(columns.id).toEqual({ name: 'id', type: 'integer', primaryKey: true, notNull: true, autoincrement: true });
    expect(columns.locale).toEqual({ name: 'locale', type: 'text', ...plain, notNull: true, default: `''` });
    expect(compositePrimaryKeys).toEqual({});
    const expressions = ['created_at', 'published_at', 'title'].map((name) => [
      `articles_by_${name}_desc`,
      { columns: { [`"${name}" desc`]: { isExpression: true } } },
    ]);
    expect(internal).toEqual({ indexes: Object.fromEntries(expressions) });
  });
});
