/**
 * @module Assertions of a write: each aborts the batch unless its condition holds.
 */
import { type SQL, sql } from 'drizzle-orm';
import { memoized } from '../../common/cache.ts';
import type { Gathered } from './gather.ts';
import { assert, commaList } from './pieces.ts';
import { MAX_PARAMETERS, STATEMENT_PART, template, toStatement } from './render.ts';
import { type AssertionStatement, isAssertion, MAX_SQL, type Statement } from './statement.ts';

/** Aborts the batch with `code` unless the condition holds. */
export const assertion = (holds: SQL, code: string): AssertionStatement => ({
  ...toStatement(assert(holds, code)),
  kind: 'assertion',
});

const all = memoized((count: number) =>
  template(sql`select ${commaList(Array.from({ length: count }, () => sql`(${STATEMENT_PART})`))}`),
);

/** Numbers of parameters are those of one statement. */
const NUMBERED = /\?\d/;

/** May they be one statement? */
function areCombinable(group: readonly Statement[]): boolean {
  const text = group.map(({ sql }) => sql).join();
  const isAsserted = group.every((each) => isAssertion(each) && !NUMBERED.test(each.sql));
  return isAsserted && text.length <= MAX_SQL && group.flatMap(({ params }) => params).length <= MAX_PARAMETERS;
}

/** Combines assertions that follow each other: sending a statement to D1 costs more than running it in SQLite. */
export function withAssertionsTogether(given: readonly Statement[]): Gathered {
  const groups: Statement[][] = [];
  for (const statement of given) {
    const last = groups.at(-1);
    if (last && areCombinable([...last, statement])) last.push(statement);
    else groups.push([statement]);
  }
  return {
    statements: groups.flatMap((group) => (group.length > 1 ? [all(group.length)(...group)] : group)),
    spread: (results) => groups.flatMap((group, index) => group.map(() => results[index] ?? [])),
  };
}
