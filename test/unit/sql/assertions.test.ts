/**
 * @module Assertions that follow each other are one statement, within the limits of D1.
 */
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { assertion, withAssertionsTogether } from '../../../src/content/sql/assertions.ts';
import { toStatement } from '../../../src/content/sql/render.ts';
import type { Statement } from '../../../src/content/sql/statement.ts';

const holds = (code: string) => assertion(sql`${code} = ${code}`, code);
const fails = (code: string) => assertion(sql`${code} = ''`, code);
const change = toStatement(sql`select ${'changed'}`);
const sent = (given: readonly Statement[]) => withAssertionsTogether(given).statements;

const run = ({ sql: text, params }: Statement) =>
  new DatabaseSync(':memory:').prepare(text).all(...(params as readonly string[]));

describe('assertions', () => {
  it('that follow each other are one statement, which holds if all hold', () => {
    const [first, second, ...others] = sent([holds('A'), holds('B'), change, holds('C')]);
    expect(others).toHaveLength(1);
    expect(second).toBe(change);
    expect(first && run(first)).toHaveLength(1);
  });

  it.each([
    ['A', [fails('A'), holds('B'), holds('C')]],
    ['B', [holds('A'), fails('B'), fails('C')]],
    ['C', [holds('A'), holds('B'), fails('C')]],
  ])('report the code of the first one that fails: %s', (code, given) => {
    const [only] = sent(given);
    expect(() => only && run(only)).toThrow(`'${code}'`);
  });

  it('have a result each, in the order of the statements', () => {
    const { spread } = withAssertionsTogether([holds('A'), holds('B'), change, holds('C')]);
    const [together, changed, alone] = [[{ a: 1 }], [{ b: 2 }], [{ c: 3 }]];
    expect(spread([together, changed, alone])).toEqual([together, together, changed, alone]);
  });

  it('stay within the parameters and the text of a statement', () => {
    const many = Array.from({ length: 100 }, (_, index) => holds(`CODE${index}`));
    const long = Array.from({ length: 4 }, () => assertion(sql`${sql.raw(`'${'x'.repeat(30_000)}'`)} <> ''`, 'LONG'));
    for (const statement of sent([...many, ...long])) {
      expect(statement.params.length).toBeLessThanOrEqual(90);
      expect(statement.sql.length).toBeLessThanOrEqual(90_000);
      expect(run(statement)).toHaveLength(1);
    }
    expect(sent(many)).toHaveLength(4);
  });

  it('with more parameters than a statement has stay alone, since their numbers are their own', () => {
    const values = Array.from({ length: 120 }, (_, index) => sql`${index} = ${index}`);
    const packed = assertion(sql.join(values, sql` and `), 'PACKED');
    const statements = sent([holds('A'), packed, holds('B')]);
    expect(statements).toHaveLength(3);
    for (const statement of statements) expect(run(statement)).toHaveLength(1);
  });
});
