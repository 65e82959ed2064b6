/**
 * @module A page and what else a read needs are one statement, whose last row has the values of the others.
 */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { MAX_COLUMNS } from '../../../src/common/d1-limits.ts';
import { gathered, pageOf } from '../../../src/content/sql/gather.ts';
import { MAX_PARAMETERS } from '../../../src/content/sql/render.ts';
import {
  type CredentialStatement,
  MAX_SQL,
  type PageStatement,
  type Row,
  type Statement,
  type ValueStatement,
} from '../../../src/content/sql/statement.ts';

const page = (more: Partial<PageStatement> = {}): PageStatement => ({
  ...{ sql: 'select ? as "a", 2 as "b"', params: [1], kind: 'page', width: 2, ...more },
});
const value = (
  column: string,
  sql = `select ? as "${column}"`,
  params: readonly unknown[] = ['v'],
): ValueStatement => ({
  ...{ sql, params, kind: 'value', columns: [column], unguarded: false },
});
const credential = (found: boolean): CredentialStatement => ({
  ...{ sql: `select ? as "type", null as "until" where ${found ? 1 : 0}`, params: ['full'], kind: 'credential' },
  columns: ['type', 'until'],
});
const plain: Statement = { sql: 'select 3 as "c"', params: [] };

const sqlite = new DatabaseSync(':memory:');
const rowsOf = ({ sql, params }: Statement): readonly Row[] => sqlite.prepare(sql).all(...(params as SQLInputValue[]));
const spread = (given: readonly Statement[]) => {
  const { statements, spread } = gathered(given);
  return { count: statements.length, rows: spread(statements.map(rowsOf)) };
};

describe('a read of a page', () => {
  const PAGE = [{ a: 1, b: 2, $beside: null }];

  it('and of values is one statement, and each receives the row of all values', () => {
    const extra = { x: 'v', y: 'w' };
    const others = [value('x'), value('y', 'select ? as "y"', ['w'])];
    expect(spread([others[0] as Statement, page(), others[1] as Statement])).toEqual({
      count: 1,
      rows: [[extra], PAGE, [extra]],
    });
  });

  it('and of a credential has its columns', () => {
    const extra = { x: 'v', type: 'full', until: null };
    expect(spread([credential(true), value('x'), page()])).toEqual({ count: 1, rows: [[extra], [extra], PAGE] });
    expect(spread([credential(true), page()])).toEqual({ count: 1, rows: [[{ type: 'full', until: null }], PAGE] });
  });

  it('has no values without the credential', () => {
    expect(spread([credential(false), value('x'), page()])).toEqual({ count: 1, rows: [[], [], PAGE] });
  });

  it('has no row for a value that is null', () => {
    expect(spread([page(), value('x', 'select null as "x"', [])]).rows).toEqual([PAGE, []]);
  });

  it.each<[string, readonly Statement[]]>([
    ['alone', [page()]],
    ['beside a plain statement', [page(), value('x'), plain]],
    ['beside another page', [page(), value('x'), page()]],
    ['beside two credentials', [page(), credential(true), credential(true)]],
    ['of all columns that a statement has', [page({ width: MAX_COLUMNS }), value('x')]],
    ['beside too many parameters', [page(), value('x', 'select 1 as "x"', Array.from({ length: MAX_PARAMETERS }))]],
    ['that is long', [page({ sql: `select 1 as "a", 2 as "b" -- ${'x'.repeat(80_000)}\n` }), value('x')]],
    ['that is none', [plain, value('x')]],
  ])('is left as it is: one %s', (_, given) => {
    expect(gathered(given).statements).toBe(given);
  });

  it('may have as many columns and parameters as fit', () => {
    const most = Array.from({ length: MAX_PARAMETERS - 1 }, () => 1);
    expect(gathered([page({ width: MAX_COLUMNS - 1 }), value('x')]).statements).toHaveLength(1);
    expect(gathered([page(), value('x', 'select 1 as "x"', most)]).statements).toHaveLength(1);
  });

  it('may be as long as a statement', () => {
    const padded = (length: number) => page({ sql: `select 1 as "a", 2 as "b" /*${'x'.repeat(length)}*/` });
    const room = MAX_SQL - (gathered([padded(0), value('x')]).statements[0]?.sql.length ?? 0);
    expect(gathered([padded(room), value('x')]).statements).toHaveLength(1);
    expect(gathered([padded(room + 1), value('x')]).statements).toHaveLength(2);
  });

  it('keeps its kind and its advice, and counts the column of values', () => {
    const advice = () => 'an index';
    expect(gathered([page({ advice }), value('x')]).statements).toMatchObject([{ kind: 'page', width: 3, advice }]);
    expect(gathered([page(), value('x')]).statements[0]).not.toHaveProperty('advice');
  });

  it('has its own rows without the row of values', () => {
    expect(pageOf([{ a: 1 }, { a: null, $beside: '[]' }])).toEqual([{ a: 1 }]);
    expect(pageOf([{ a: 1, $beside: null }])).toHaveLength(1);
    expect(pageOf([])).toEqual([]);
  });
});
