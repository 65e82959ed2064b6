/**
 * @module What a read asks is one statement where that can be, and each part is answered as if it had been asked alone.
 */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { gathered } from '../../../src/content/sql/gather.ts';
import type { Results, Statement } from '../../../src/content/sql/statement.ts';

const credential: Statement = {
  sql: 'select ? as "a", null as "b"',
  params: ['x'],
  kind: 'credential',
  columns: ['a', 'b'],
};
const unknown: Statement = { ...credential, sql: `${credential.sql} where 0` };
const one: Statement = { sql: 'select ? as "e"', params: [3], kind: 'value', columns: ['e'], unguarded: false };
const none: Statement = {
  sql: 'select ? as "c" where 0',
  params: [1],
  kind: 'value',
  columns: ['c'],
  unguarded: false,
};
const limited: Statement = {
  sql: 'select * from (select ? as "d") limit iif(?, -1, 0)',
  params: [2, 0],
  kind: 'value',
  columns: ['d'],
  unguarded: false,
};
const page: Statement = { sql: 'select value from json_each(?)', params: ['[1,2]'] };
/** Of more than one column, in an order of its own; its values are packed, as those of long filters are. */
const documents: Statement = {
  sql: `select key as "id", value as "name" from json_each((?1->>'$[0]')) order by value desc limit ?`,
  params: ['["[4,6,5]"]', 10],
  kind: 'page',
  width: 2,
};

async function run(statements: readonly Statement[]): Promise<Results> {
  const prepared = statements.map(({ sql, params }) => env.DB.prepare(sql).bind(...params));
  return (await env.DB.batch<Record<string, unknown>>(prepared)).map(({ results }) => results);
}

async function gather(given: readonly Statement[]) {
  const { statements, spread } = gathered(given);
  return { count: statements.length, results: spread(await run(statements)) };
}

const rowsOf = async (statement: Statement) => (await run([statement]))[0];

describe('a read without one page of documents', () => {
  it.each([
    ['only single rows', [none, limited]],
    ['a list that is no page', [credential, one, page]],
    ['a page and a list', [credential, documents, page]],
    ['a page alone', [documents]],
    ['two credentials', [credential, unknown, documents]],
  ])('stays as it is: %s', (_, given) => {
    const { statements, spread } = gathered(given);
    const results = given.map((_, index) => [{ index }]);
    expect({ statements, results: spread(results) }).toEqual({ statements: given, results });
  });
});

describe('a page of documents', () => {
  it.each([
    ['a credential', [credential, documents]],
    ['a value', [one, documents]],
    ['a credential and values', [credential, none, one, documents]],
    ['values of the public', [documents, one, limited]],
  ])('is one statement with %s', async (_, given) => {
    const alone = await run(given);
    const { count, results } = await gather(given);
    expect([count, results.map((rows) => rows.length)]).toEqual([1, alone.map((rows) => rows.length)]);
    expect(results).toMatchObject(alone);
  });

  it.each([
    ['a page without rows', { ...documents, params: ['["[]"]', 10] }],
    ['a page that a limit keeps back', { ...documents, params: ['["[4,6,5]"]', 0] }],
  ])('leaves what stands beside it: %s', async (_, empty) => {
    const { count, results } = await gather([credential, empty, one]);
    expect([count, results]).toMatchObject([1, [[{ a: 'x', b: null }], [], [{ e: 3 }]]]);
  });

  it('has no row beside it where nobody knows the credential', async () => {
    const { count, results } = await gather([unknown, one, documents]);
    expect([count, results[0], results[1]]).toEqual([1, [], []]);
    expect(results[2]).toMatchObject((await rowsOf(documents)) ?? []);
  });

  it.each([
    ['as wide as D1 lets a row be', { ...documents, width: 100 }],
    ['too long', { ...documents, sql: `${documents.sql} /*${' '.repeat(80_000)}*/` }],
    ['with as many parameters as a statement has', { ...documents, params: Array.from({ length: 90 }, () => 1) }],
  ])('stays as it is: %s', (_, wide) => {
    expect(gathered([credential, wide, one]).statements).toEqual([credential, wide, one]);
  });
});
