/**
 * @module The pieces of SQL of the installed drizzle-orm are those that `sql/drizzle-pieces.ts` reads.
 */
import { Column, entityKind, fillPlaceholders, getTableName, StringChunk, sql, Table } from 'drizzle-orm';
import { integer, sqliteTable } from 'drizzle-orm/sqlite-core';
import { describe, expect, it, vi } from 'vitest';
import { joined, nameList, withValue } from '../../../src/content/sql/drizzle-pieces.ts';
import { filled, rendered, toStatement } from '../../../src/content/sql/render.ts';

const table = sqliteTable('notes', { id: integer('id'), at: integer('at', { mode: 'timestamp_ms' }) });

/** The kind of a piece, and the keys of an object. */
function shapeOf(piece: unknown): unknown {
  if (typeof piece !== 'object' || piece === null) return piece;
  if (Array.isArray(piece)) return piece.map(shapeOf);
  const kind = (piece.constructor as { readonly [entityKind]?: string })[entityKind];
  return [kind, Object.keys(piece).sort().join(' ')];
}

const NAME = ['Name', 'brand value'];
const TEXT = ['StringChunk', 'value'];

it.each([
  ['a name', sql.identifier('a'), NAME],
  ['a placeholder', sql.placeholder('a'), ['Placeholder', 'name']],
  ['a parameter', sql.param(new Uint8Array([1])), ['Param', 'brand encoder value']],
  ['SQL', sql`1`, ['SQL', 'decoder queryChunks shouldInlineParams usedTables']],
])('%s is of the kind that is read', (_, piece, shape) => {
  expect(shapeOf(piece)).toEqual(shape);
});

it('a template is a list of its texts and of what stands between them', () => {
  const inner = sql`b`;
  const template = sql`a ${inner} ${1} ${undefined} ${[2]} ${sql.identifier('c')}`;
  const between = [...[TEXT, shapeOf(inner)], ...[TEXT, 1], ...[TEXT, undefined], ...[TEXT, [2]], ...[TEXT, NAME]];
  expect(shapeOf(template.queryChunks)).toEqual([...between, TEXT]);
  expect(template.queryChunks[0]).toEqual({ value: ['a '] });
  expect(sql.identifier('c')).toMatchObject({ value: 'c' });
});

it('a column has its table and its name, and encodes its parameters', () => {
  expect(table.id).toBeInstanceOf(Column);
  expect(table).toBeInstanceOf(Table);
  expect([table.id.name, getTableName(table.id.table)]).toEqual(['id', 'notes']);
  expect(sql.param(1, table.id)).toMatchObject({ value: 1, encoder: { mapToDriverValue: expect.any(Function) } });
});

it('placeholders are replaced by name, and encoded for their column', () => {
  const params = [sql.placeholder('a'), 'x', sql.param(sql.placeholder('b'), table.id)];
  expect(fillPlaceholders(params, { a: 1, b: 2 })).toEqual([1, 'x', 2]);
  expect(() => fillPlaceholders(params, { a: 1 })).toThrow();
});

it('keeps no text of a piece, which may be that of any query', () => {
  const set = vi.spyOn(Map.prototype, 'set');
  const piece = rendered(sql`select 1 as ${sql.identifier('of_this_query')}`);
  toStatement(sql`select * from (${piece}), ${nameList(['of_this_query', 'of_another'])}`);
  const kept = set.mock.calls.map(([key]) => String(key));
  set.mockRestore();
  expect(kept.filter((key) => key.includes('of_this_query'))).toEqual(['of_this_query']);
});

describe('the text of a query', () => {
  it('has the quoted names of tables and columns', () => {
    expect(toStatement(sql`select ${table.id} from ${table}`).sql).toBe('select "notes"."id" from "notes"');
  });

  it('has all texts of a piece with several', () => {
    const piece = sql.join([new StringChunk(['select ', '1']), new StringChunk(''), sql`, 2`]);
    expect(toStatement(piece).sql).toBe('select 1, 2');
  });

  it('encodes a parameter for its column, and one that is filled later then', () => {
    expect(toStatement(sql`${sql.param(new Date(5), table.at)}`).params).toEqual([5]);
    const later = toStatement(sql`${sql.param(sql.placeholder('when'), table.id)}`);
    expect(filled(later, { when: 7 }).params).toEqual([7]);
    expect(() => filled(later, {})).toThrow();
  });

  it('has a separator between pieces alone', () => {
    const pieces = [sql`1`, sql`2`, sql`3`];
    expect(toStatement(joined(pieces, sql` + `)).sql).toBe('1 + 2 + 3');
    expect(toStatement(joined(pieces)).sql).toBe('123');
    expect(toStatement(joined(pieces.slice(0, 1), sql` + `)).sql).toBe('1');
    expect(toStatement(joined([], sql` + `)).sql).toBe('');
  });

  it('has a value in the place of each placeholder of a piece, and keeps its other values', () => {
    const piece = rendered(sql`${sql.placeholder('x')} < ${3} and ${4} < ${sql.placeholder('x')}`);
    expect(toStatement(withValue(piece, 9))).toEqual({ sql: '? < ? and ? < ?', params: [9, 3, 4, 9] });
  });

  it('doubles quotes in lists of names', () => {
    expect(toStatement(nameList(['a', 'b"c'])).sql).toBe('"a", "b""c"');
  });
});
