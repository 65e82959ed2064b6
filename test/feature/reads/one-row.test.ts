/**
 * @module Statements of one row are asked as one, and each is answered as if it had been asked alone.
 */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { Results } from '../../../src/sql/batch.ts';
import { gathered } from '../../../src/sql/one-row.ts';
import type { Statement } from '../../../src/sql/statement.ts';

const credential: Statement = { sql: 'select ? as "a", null as "b"', params: ['x'], columns: ['a', 'b'] };
const unknown: Statement = { ...credential, sql: `${credential.sql} where 0` };
const one: Statement = { sql: 'select ? as "e"', params: [3], columns: ['e'] };
const none: Statement = { sql: 'select ? as "c" where 0', params: [1], columns: ['c'] };
const limited: Statement = {
  sql: 'select * from (select ? as "d") limit iif(?, -1, 0)',
  params: [2, 0],
  columns: ['d'],
};
const page: Statement = { sql: 'select value from json_each(?)', params: ['[1,2]'] };

async function run(statements: readonly Statement[]): Promise<Results> {
  const prepared = statements.map(({ sql, params }) => env.DB.prepare(sql).bind(...params));
  return (await env.DB.batch<Record<string, unknown>>(prepared)).map(({ results }) => results);
}

async function gather(given: readonly Statement[]) {
  const { statements, spread } = gathered(given);
  return { count: statements.length, results: spread(await run(statements)) };
}

describe('statements of one row', () => {
  it.each([
    ['first', [credential, one, none, limited, page]],
    ['last', [page, limited, none, one, credential]],
    ['between', [page, one, page, credential, none]],
    ['of the public', [none, one, page, limited]],
    ['alone', [none, limited]],
  ])('are one, and answer in their places: %s', async (_, given) => {
    const others = given.filter(({ columns }) => !columns).length;
    expect(await gather(given)).toEqual({ count: 1 + others, results: await run(given) });
  });

  it('tell nothing beside a credential that is not known', async () => {
    expect(await gather([unknown, one, page])).toEqual({
      count: 2,
      results: [[], [], await run([page]).then(([rows]) => rows)],
    });
  });

  it.each([
    ['a single one', [page, one]],
    ['none', [page, page]],
    ['two credentials', [credential, unknown, one]],
    ['a credential', [credential, page]],
    ['too much SQL', [{ ...one, sql: `${one.sql} /*${' '.repeat(80_000)}*/` }, none]],
    ['too many parameters', [{ ...one, params: Array.from({ length: 90 }, () => 1) }, none]],
  ])('stay as they are: %s', (_, given) => {
    const { statements, spread } = gathered(given);
    const results = given.map((_, index) => [{ index }]);
    expect({ statements, results: spread(results) }).toEqual({ statements: given, results });
  });
});
