/**
 * @module Rows that a write reads before it, in SQLite: a guard aborts the batch after each change that the write would not
 * have known of.
 */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Condition } from '../../../src/content/plan/model/read-plan.ts';
import type { Compiled } from '../../../src/content/sql/compiled.ts';
import { literal } from '../../../src/content/sql/pieces.ts';
import { toStatement } from '../../../src/content/sql/render.ts';
import type { Rendered } from '../../../src/content/sql/statement.ts';
import {
  allGranted,
  assertLocale,
  assertMatches,
  assertVisible,
  compileGranted,
  type RowOwner,
} from '../../../src/content/sql/write/granted.ts';
import { assertUnchangedRow, compileChosen, compileRevisions } from '../../../src/content/sql/write/preconditions.ts';
import { namedDocument, single } from '../../../src/schema/document-ref.ts';
import { scalarOf, typeAt } from '../../support/recorded-registry.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';

const STRING = { type: 'string', pluginOptions: { i18n: { localized: true } } };
const registry = registryOf([
  contentType('page', { title: STRING, owner: STRING }, { drafts: true, localized: true }),
  contentType('front', { title: STRING, owner: STRING }, { single: true, localized: true }),
]);
const page = typeAt('pages', registry);
const front = typeAt('front', registry);
const is = (name: string, value: string, type = page): Condition => ({
  ...{ kind: 'compare', attribute: scalarOf(type, name), operator: '$eq', operands: [value] },
});
const document = namedDocument('one');

let sqlite = new DatabaseSync(':memory:');
const run = ({ sql, params }: Rendered) => sqlite.prepare(sql).all(...(params as SQLInputValue[]));
const read = <T>({ statements, decode }: Compiled<T>): T => decode(statements.map(run));
const holds = (statement: Rendered): boolean => {
  try {
    run(statement);
    return true;
  } catch (error) {
    expect(String(error)).toContain('bad JSON path');
    return false;
  }
};
const COLUMNS = 'document_id, locale, published_at, updated_at, title, owner';

beforeEach(() => {
  sqlite = new DatabaseSync(':memory:');
  for (const table of [page.table, front.table])
    sqlite.exec(
      `create table ${table} (id integer primary key, document_id text, locale text, created_at integer, updated_at integer, published_at integer, title text, owner text)`,
    );
  sqlite.exec(`
    insert into ${page.table} (id, ${COLUMNS}) values
      (1, 'one', 'en', null, 10, 'open', 'ann'), (2, 'one', 'en', 5, 10, 'open', 'ann'),
      (3, 'one', 'fr', null, 10, 'shut', null), (4, 'two', 'en', null, 10, 'open', 'ben');
    insert into ${front.table} (id, ${COLUMNS}) values (1, 'front', 'en', 5, 10, 'open', 'ann');
    create table edgewise_stamps (id integer primary key, stamps text);
    insert into edgewise_stamps values (1, '{"every":"0"}');
  `);
});

describe('the rows of a document', () => {
  const conditions = { type: page, allowed: is('title', 'open'), visible: is('owner', 'ann') };
  const ROWS = [
    { id: 1, locale: 'en', published: 0, allowed: 1, visible: 1 },
    { id: 2, locale: 'en', published: 1, allowed: 1, visible: 1 },
    { id: 3, locale: 'fr', published: 0, allowed: 0, visible: 0 },
  ];

  it.each<[string, RowOwner]>([
    ['by its id', { kind: 'document', document }],
    ['by a row', { kind: 'row', row: 3 }],
  ])('are read with what they meet: %s', (_, owner) => {
    const { rows, unchanged } = read(compileGranted({ ...conditions, ...owner }));
    expect(rows).toEqual(ROWS);
    expect(unchanged.map(holds)).toEqual([true]);
  });

  it.each([
    ['another row', 'id = 9', false],
    ['another locale', `locale = 'de'`, false],
    ['a publication', 'published_at = 7', false],
    ['what is allowed', `title = 'shut'`, false],
    ['what is visible', `owner = 'ben'`, false],
    ['nothing that they meet', 'updated_at = 20', true],
  ])('are guarded against a change of %s', (_, change, isSame) => {
    const { unchanged } = read(compileGranted({ ...conditions, kind: 'document', document }));
    sqlite.exec(`update ${page.table} set ${change} where id = 1`);
    expect(unchanged.map(holds)).toEqual([isSame]);
  });

  it('all meet the conditions in a locale, or not', () => {
    const granted = (documentId: string, locale: string, type = page, allowed = 'open') => {
      const each = { type, allowed: is('title', allowed, type), visible: is('owner', 'ann', type) };
      const { sql, params } = toStatement(allGranted(each, literal(documentId), literal(locale)));
      return run({ sql: `select ${sql} as "all"`, params })[0]?.all;
    };
    expect([granted('one', 'en'), granted('one', 'fr'), granted('two', 'en')]).toEqual([1, 0, 0]);
    expect([granted('one', 'de'), granted('front', 'en', front), granted('any', 'en', front)]).toEqual([null, 1, 1]);
    sqlite.exec(`update ${page.table} set owner = null where id = 2`);
    expect(granted('one', 'en')).toBe(0);
  });
});

describe('an assertion', () => {
  const row = { type: page, document, locale: 'en', status: 'draft' } as const;

  it('of a row that meets a condition', () => {
    expect(holds(assertMatches(row, is('title', 'open'), 'NO'))).toBe(true);
    expect(holds(assertMatches({ ...row, locale: 'fr' }, is('title', 'open'), 'NO'))).toBe(false);
    expect(holds(assertMatches({ ...row, locale: 'fr', status: 'published' }, is('title', 'shut'), 'NO'))).toBe(false);
  });

  it('of a document with a row that meets a condition', () => {
    expect(holds(assertVisible(page, 'one', is('title', 'shut'), 'NO'))).toBe(true);
    expect(holds(assertVisible(page, 'two', is('title', 'shut'), 'NO'))).toBe(false);
  });

  it('of a document with a row in a locale', () => {
    expect(holds(assertLocale(row, 'NO'))).toBe(true);
    expect(holds(assertLocale({ ...row, locale: 'de' }, 'NO'))).toBe(false);
    expect(holds(assertLocale({ type: front, document: single(front), locale: 'en' }, 'NO'))).toBe(true);
  });

  it('of a row that nobody has written since, of which another server may have set no time', () => {
    expect(holds(assertUnchangedRow(page, 1, 10))).toBe(true);
    expect([holds(assertUnchangedRow(page, 1, 11)), holds(assertUnchangedRow(page, 9, 10))]).toEqual([false, false]);
    sqlite.exec(`update ${page.table} set updated_at = null where id = 1`);
    expect([holds(assertUnchangedRow(page, 1, 0)), holds(assertUnchangedRow(page, 1, 10))]).toEqual([true, false]);
  });
});

describe('the versions of a document in a locale', () => {
  it.each([
    ['another row', `update ${page.table} set id = 9 where id = 2`, false],
    ['a write', `update ${page.table} set updated_at = 11 where id = 1`, false],
    ['a deletion', `delete from ${page.table} where id = 2`, false],
    ['a change past the API', `update edgewise_stamps set stamps = '{"every":"1"}'`, false],
    ['another document', `update ${page.table} set updated_at = 11 where id = 4`, true],
    ['another locale', `update ${page.table} set updated_at = 11 where id = 3`, true],
  ])('are guarded against %s', (_, change, isSame) => {
    const { rows, unchanged } = read(compileRevisions({ type: page, document, locale: 'en' }));
    expect(rows.map(({ id, updated_at, published }) => [id, updated_at, published])).toEqual([
      [1, '10', 0],
      [2, '10', 1],
    ]);
    expect(unchanged.map(holds)).toEqual([true]);
    sqlite.exec(change);
    expect(unchanged.map(holds)).toEqual([isSame]);
  });
});

describe('the rows that a filter chooses', () => {
  const rows = { kind: 'document', type: page, document, locale: undefined, status: undefined } as const;

  it('are guarded against another choice', () => {
    const chosen = read(compileChosen({ rows, where: is('title', 'open') } as never));
    expect(chosen.ids).toEqual([1, 2]);
    sqlite.exec(`update ${page.table} set owner = 'ben' where id = 2`);
    expect(chosen.unchanged.map(holds)).toEqual([true]);
    sqlite.exec(`update ${page.table} set title = 'shut' where id = 2`);
    expect(chosen.unchanged.map(holds)).toEqual([false]);
  });

  it.each([
    [{ locale: 'fr' }, [3]],
    [{ locale: ['en', 'de'] }, [1, 2]],
    [{ status: 'draft' }, [1, 3]],
    [{ status: 'published', locale: 'en' }, [2]],
    [{ kind: 'ids', ids: [1, 4] }, [1, 4]],
    [{ kind: 'idsOfDocument', ids: [1, 4] }, [1]],
  ] as const)('are those of %j', (more, ids) => {
    const where: Condition = { kind: 'not', condition: { kind: 'never' } };
    expect(read(compileChosen({ rows: { ...rows, ...more }, where } as never)).ids).toEqual(ids);
  });
});
