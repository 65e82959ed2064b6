/**
 * @module The rows that comparisons with several operands select, of which one may be the time of the request.
 */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { Operand } from '../../../src/content/plan/model/read-plan.ts';
import type { Comparison } from '../../../src/content/request/operators.ts';
import { valuesOfTime } from '../../../src/content/sql/pieces.ts';
import { compileCondition } from '../../../src/content/sql/read/conditions.ts';
import { filled, toStatement } from '../../../src/content/sql/render.ts';
import { rowScope } from '../../../src/content/sql/scope.ts';
import { thingRegistry } from '../../support/condition-cases.ts';
import { scalarOf, typeAt } from '../../support/recorded-registry.ts';

const type = typeAt('things', thingRegistry);
const attribute = scalarOf(type, 'name');
const NOW = Date.UTC(2026, 0, 1);
const TIME = { time: 'string' } as const;
const NAMES = [null, '', 'a', 'b', '2026-01-01T00:00:00.000Z'];

const sqlite = new DatabaseSync(':memory:');
sqlite.exec('create table things (id integer primary key, name text)');
for (const name of NAMES) sqlite.prepare('insert into things (name) values (?)').run(name);

function statementOf(operator: Comparison, operands: readonly Operand[], isNegated = false) {
  const compared = { kind: 'compare', attribute, operator, operands } as const;
  const where = compileCondition(isNegated ? { kind: 'not', condition: compared } : compared, rowScope(type));
  return filled(toStatement(sql`select "name" from "things" where ${where}`), valuesOfTime(NOW));
}

const NULL = null;
const NONE = ['x', 'y', 'z'];

describe('a comparison', () => {
  it.each<[Comparison, readonly Operand[], readonly number[], readonly number[]]>([
    ['$in', [TIME], [4], [1, 2, 3]],
    ['$in', [TIME, 'a'], [2, 4], [1, 3]],
    ['$in', ['a', NULL], [2], []],
    ['$notIn', [TIME], [1, 2, 3], [4]],
    ['$notIn', ['a', TIME], [1, 3], [2, 4]],
    ['$notIn', ['a', NULL], [], [2]],
    ['$between', [TIME, 'a'], [2, 4], [1, 3]],
    ['$between', ['', TIME], [1, 4], [2, 3]],
    ['$eq', [TIME, ...NONE], [4], [1, 2, 3]],
    ['$eq', [TIME, 'a', ...NONE], [2, 4], [1, 3]],
    ['$eq', ['', 'a', ...NONE], [1, 2], [3, 4]],
    ['$eq', [NULL, 'a', ...NONE], [0, 2], [1, 3, 4]],
    ['$ne', ['a', 'a', 'a', 'a', 'b'], [1, 2, 3, 4], []],
    ['$startsWith', [TIME, ...NONE, 'q'], [4], [1, 2, 3]],
    ['$startsWith', ['', ...NONE, 'q'], [1, 2, 3, 4], []],
    ['$startsWith', ['a', 'b', ...NONE], [2, 3], [1, 4]],
  ])('%s %j selects the rows %j, and its negation %j', (operator, operands, selected, others) => {
    const namesOf = (isNegated: boolean) => {
      const { sql: text, params } = statementOf(operator, operands, isNegated);
      return sqlite
        .prepare(text)
        .all(...(params as SQLInputValue[]))
        .map(({ name }) => NAMES.indexOf(name as string));
    };
    expect(namesOf(false)).toEqual(selected);
    expect(namesOf(true)).toEqual(others);
  });

  it.each([
    ['$startsWith', 4, 4],
    ['$startsWith', 5, 1],
    ['$in', 3, 1],
    ['$eq', 5, 1],
  ] as const)('%s with %i operands binds %i parameters', (operator, count, bound) => {
    const operands = Array.from({ length: count }, (_, index) => `value ${index}`);
    expect(statementOf(operator, operands).params).toHaveLength(bound);
  });

  it('with many equal values is one that an index finds', () => {
    const { sql: text } = statementOf('$eq', ['a', 'b', ...NONE]);
    expect(text).toBe('select "name" from "things" where "things"."name" in (select value from json_each(?))');
  });
});
