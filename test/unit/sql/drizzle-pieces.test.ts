/**
 * @module The pieces of SQL of the installed drizzle-orm are those that `sql/drizzle-pieces.ts` reads.
 */
import { Column, entityKind, fillPlaceholders, getTableName, sql, Table } from 'drizzle-orm';
import { integer, sqliteTable } from 'drizzle-orm/sqlite-core';
import { expect, it, vi } from 'vitest';
import { nameList } from '../../../src/content/sql/drizzle-pieces.ts';
import { rendered, toStatement } from '../../../src/content/sql/render.ts';

const table = sqliteTable('notes', { id: integer('id') });

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
