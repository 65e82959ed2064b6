/**
 * @module The values of rows in SQLite: as conditions compare them, and as they are kept as JSON.
 */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { type SQL, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { ID } from '../../../src/content/plan/model/resolve.ts';
import { isOverflow, selectedColumns } from '../../../src/content/sql/columns.ts';
import { toStatement } from '../../../src/content/sql/render.ts';
import { columnsOfRow, isBig, valuesOfRow } from '../../../src/content/sql/row-values.ts';
import { comparable, type InstanceScope, instanceScope, isColumn, rowScope } from '../../../src/content/sql/scope.ts';
import { fitting, longestForm, type PageStatement, rewritten } from '../../../src/content/sql/statement.ts';
import type { ColumnAttribute, ScalarAttribute } from '../../../src/schema/model.ts';
import { scalarOf, typeAt } from '../../support/recorded-registry.ts';
import { component, contentType, registryOf } from '../../support/schema-files.ts';

const registry = registryOf(
  [
    contentType('thing', {
      name: { type: 'string' },
      big: { type: 'biginteger' },
      data: { type: 'json' },
      level: { type: 'json' },
      card: { type: 'component', component: 'kit.card' },
      count: { type: 'integer' },
      spilled: { type: 'string' },
      spilledBig: { type: 'biginteger' },
      spilledData: { type: 'json' },
      other: { type: 'string' },
    }),
  ],
  [component('kit.card', { text: { type: 'string' } })],
  { 'api::thing.thing': ['spilled', 'spilledBig', 'spilledData', 'other'] },
);
const type = typeAt('things', registry);
const scalar = (name: string): ScalarAttribute => scalarOf(type, name);
const SYSTEM = ['createdAt', 'updatedAt', 'publishedAt', 'locale'];
const columns = [...type.attributes.values()].filter(
  (each) => 'column' in each && !SYSTEM.includes(each.name),
) as readonly ColumnAttribute[];

const sqlite = new DatabaseSync(':memory:');
sqlite.exec(
  'create table things (id integer primary key, document_id text, name text, big integer, data text, level text, card text, count integer, overflow_attributes text)',
);
sqlite
  .prepare('insert into things values (1, ?, ?, ?, ?, ?, ?, 3, ?)')
  .run(
    'one',
    'Ann',
    9_007_199_254_740_993n,
    '"word"',
    '-1.5',
    '{"text":"t"}',
    '{"spilled":"s","spilledBig":9007199254740993,"spilledData":{"a":1},"other":"o"}',
  );
const selected = (value: SQL): unknown => {
  const { sql: text, params } = toStatement(sql`select ${value} as "value", typeof(${value}) as "type" from "things"`);
  const row = sqlite.prepare(text).get(...(params as SQLInputValue[]));
  return [typeof row?.value === 'bigint' ? String(row.value) : row?.value, row?.type];
};

describe('a value that conditions compare', () => {
  const row = rowScope(type);
  it.each([
    ['name', ['Ann', 'text'], true],
    ['count', [3, 'integer'], true],
    ['data', ['word', 'text'], false],
    ['level', [-1.5, 'real'], false],
    ['spilled', ['s', 'text'], false],
    ['spilledData', ['{"a":1}', 'text'], false],
  ])('is that of the row: %s', (name, value, isStored) => {
    expect(selected(comparable(scalar(name), row))).toEqual(value);
    expect(isColumn(scalar(name), row)).toBe(isStored);
  });

  it('is a number where an overflow column has it', () => {
    sqlite.exec(`update things set overflow_attributes = json_set(overflow_attributes, '$.spilledBig', '12')`);
    expect(selected(comparable(scalar('spilledBig'), row))).toEqual([12, 'integer']);
    sqlite.exec(`update things set overflow_attributes = json_set(overflow_attributes, '$.spilledBig', 5)`);
  });

  it.each([
    [ID, { id: 7 }, [7, 'integer']],
    [scalar('name'), { name: 'x' }, ['x', 'text']],
    [scalar('big'), { big: '12' }, [12, 'integer']],
    [scalarOf(type, 'createdAt'), { createdAt: '1970-01-01T00:00:01.500Z' }, [1_500, 'integer']],
  ])('is that of an instance, which has the form of responses', (attribute, instance, value) => {
    const scope = instanceScope(sql`${JSON.stringify(instance)}`, row);
    expect(selected(comparable(attribute, scope))).toEqual(value);
    expect(isColumn(attribute, scope)).toBe(false);
  });

  it('of an instance has the locale and the row of its row, however deep it is', () => {
    const outer = instanceScope(sql`1`, { ...row, alias: 'a' }) as InstanceScope;
    const inner = instanceScope(sql`2`, outer) as InstanceScope;
    expect([outer.row, inner.row, outer.localized, inner.localized]).toEqual(['a', 'a', false, false]);
    expect(toStatement(inner.locale).sql).toBe('"a"."locale"');
    const localized = rowScope({ ...type, localized: true });
    expect(instanceScope(sql`2`, instanceScope(sql`1`, localized))).toMatchObject({ localized: true });
  });
});

describe('the values of a row that are kept', () => {
  it('are all its columns, with big integers as texts, and of the overflow column those of the attributes', () => {
    const some = columns.filter(({ name }) => name !== 'other');
    const { sql: text, params } = toStatement(sql`select ${valuesOfRow(some, 'things')} as "values" from "things"`);
    const kept: readonly object[] = JSON.parse(
      String(sqlite.prepare(text).get(...(params as SQLInputValue[]))?.values),
    );
    const { overflow_attributes: overflow, ...values } = Object.assign({}, ...kept);
    expect(values).toMatchObject({ id: 1, document_id: 'one', name: 'Ann', big: '9007199254740993', count: 3 });
    expect(values).toMatchObject({ data: '"word"', card: '{"text":"t"}' });
    expect(JSON.parse(overflow)).toEqual({ spilled: 's', spilledBig: 5, spilledData: { a: 1 } });
    expect(columnsOfRow(some)).toEqual([...Object.keys(values), 'overflow_attributes']);
  });

  it('have no overflow column without an attribute in it', () => {
    const plain = columns.filter(({ name }) => name === 'name' || name === 'card');
    expect(columnsOfRow(plain)).toEqual(['id', 'document_id', 'name', 'card']);
    expect(toStatement(sql.join([...selectedColumns(plain, 't')], sql`, `)).sql).toBe('"t"."name", "t"."card"');
  });

  it('are selected once each', () => {
    const all = columns.filter(({ name }) => ['big', 'card', 'spilled', 'other'].includes(name));
    expect(toStatement(sql.join([...selectedColumns(all, 't')], sql`, `)).sql).toBe(
      'cast("t"."big" as text) as "big", "t"."card", "t"."overflow_attributes"',
    );
  });

  it.each([
    ['name', false, false],
    ['big', true, false],
    ['spilled', false, true],
    ['spilledBig', false, true],
    ['card', false, false],
  ])('%s: is it big (%s), does it overflow (%s)', (name, big, overflow) => {
    const attribute = type.attributes.get(name) as ColumnAttribute;
    expect([isBig(attribute), isOverflow(attribute)]).toEqual([big, overflow]);
  });
});

describe('a statement', () => {
  const page = (more: Partial<PageStatement> = {}): PageStatement => ({
    ...{ sql: '12345', params: [], kind: 'page', width: 1, ...more },
  });
  const measured = () => [{ sql: 'measure', params: [] }, page({ sql: 'measured' })] as const;

  it('that may be measured is counted as twice as long', () => {
    expect(longestForm(page({ measured }))).toBe(10);
    expect(longestForm(page())).toBe(5);
    expect(longestForm({ sql: '12345', params: [], measured } as never)).toBe(5);
  });

  it('that is rewritten keeps what else it has, and rewrites its measured page', () => {
    const rewrite = ({ sql: text }: { readonly sql: string }) => ({ sql: `${text}!`, params: [1] });
    const advice = () => 'index';
    const own = rewritten(page({ measured, advice }), rewrite);
    expect(own).toMatchObject({ sql: '12345!', params: [1], kind: 'page', width: 1, advice });
    expect(own.measured?.()).toEqual([
      { sql: 'measure!', params: [1] },
      { sql: 'measured!', params: [1], kind: 'page', width: 1 },
    ]);
    expect(rewritten(page(), rewrite)).toEqual({ sql: '12345!', params: [1], kind: 'page', width: 1 });
    expect(rewritten({ sql: 'a', params: [] }, rewrite)).toEqual({ sql: 'a!', params: [1] });
  });

  it.each([
    [0, 10, [[]]],
    [3, 3, [[0, 1, 2]]],
    [3, 2, [[0, 1], [2]]],
    [4, 1, [[0], [1], [2], [3]]],
    [5, 2, [[0, 1], [2, 3], [4]]],
  ])('of %i items within %i characters is as many as its length requires', (count, max, parts) => {
    const items = Array.from({ length: count }, (_, index) => index);
    const made = fitting(items, (some) => ({ sql: 'x'.repeat(some.length), params: [...some] }), max);
    expect(made.map(({ params }) => params)).toEqual(parts);
  });

  it('of one item stays one, however long it is', () => {
    expect(fitting(['a'], () => ({ sql: 'xxxx', params: [] }), 1)).toHaveLength(1);
  });
});
