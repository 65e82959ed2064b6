/**
 * @module The rows behind a cursor: as one condition, and as ranges of an index, they are those that come later in the
 * order of the list.
 */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { type SQL, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { commaList } from '../../../src/content/sql/pieces.ts';
import { compileOrder } from '../../../src/content/sql/read/conditions.ts';
import { orderKey, rangesBehind, rowsBehind } from '../../../src/content/sql/read/keyset.ts';
import { toStatement } from '../../../src/content/sql/render.ts';
import { rowScope } from '../../../src/content/sql/scope.ts';
import { thingRegistry } from '../../support/condition-cases.ts';
import { typeAt } from '../../support/recorded-registry.ts';
import { listPlan } from '../plan/support.ts';

const type = typeAt('things', thingRegistry);
const scope = rowScope(type);
const orderOf = (sort: string) => listPlan(type, `sort=${sort}`, { registry: thingRegistry }).order;

const sqlite = new DatabaseSync(':memory:');
sqlite.exec('create table things (id integer primary key, name text, count integer, big integer)');
const insert = sqlite.prepare('insert into things (name, count, big) values (?, ?, cast(? as integer))');
for (const name of [null, 'a', 'b'])
  for (const count of [null, 1, 2])
    for (const big of [null, '9007199254740992', '9007199254740993']) insert.run(name, count, big);

function select(query: SQL): readonly Record<string, unknown>[] {
  const { sql: text, params } = toStatement(query);
  return sqlite.prepare(text).all(...(params as SQLInputValue[]));
}

describe('the rows behind a cursor', () => {
  it.each([
    'id',
    'id:desc',
    'name',
    'name:desc',
    'big',
    'big:desc',
    'name,count:desc',
    'count:desc,name',
    'name,big:desc,id:desc',
    'name,count,big',
  ])('in the order of %s are those that come later', (sort) => {
    const order = orderOf(sort);
    const keys = commaList(order.map((term, index) => sql`${orderKey(term, scope)} as ${sql.identifier(`k${index}`)}`));
    const all = select(sql`select "id", ${keys} from "things" order by ${compileOrder(order, scope)}`);
    expect(all).toHaveLength(27);
    for (const [index, { id: _, ...found }] of all.entries()) {
      const after = Object.values(found) as (string | number | null)[];
      const later = all.slice(index + 1).map(({ id }) => id);
      const where = rowsBehind(order, after, scope);
      const behind = select(sql`select "id" from "things" where ${where} order by ${compileOrder(order, scope)}`);
      expect(behind.map(({ id }) => id)).toEqual(later);
      const ranges = rangesBehind(order, after, scope).map((range) =>
        select(sql`select "id" from "things" where ${range} order by ${compileOrder(order, scope)}`),
      );
      expect(ranges.flat().map(({ id }) => id)).toEqual(later);
    }
  });

  it.each([
    ['id', 1],
    ['name', 2],
    ['name:desc', 3],
    ['id:desc', 1],
    ['count:desc,name:desc', 5],
  ])('in the order of %s are %i ranges', (sort, count) => {
    const order = orderOf(sort);
    expect(
      rangesBehind(
        order,
        order.map(() => 1),
        scope,
      ),
    ).toHaveLength(count);
  });

  it('behind a null that comes last are those that are tied with it alone', () => {
    const order = orderOf('name:desc');
    expect(rangesBehind(order, [null, 1], scope)).toHaveLength(1);
  });

  it('are as many ranges as a statement may have, or the tied ones and the others', () => {
    const [term] = orderOf('name');
    const many = (count: number) => Array.from({ length: count }, () => term as never);
    const keys = (count: number) => Array.from({ length: count }, () => 'a');
    expect(rangesBehind(many(5), keys(5), scope)).toHaveLength(5);
    expect(rangesBehind(many(6), keys(6), scope)).toHaveLength(2);
  });

  it('keep integers beyond those of JavaScript as texts', () => {
    const [big] = orderOf('big');
    const [{ key } = {}] = select(sql`select ${big && orderKey(big, scope)} as "key" from "things" where "id" = 3`);
    expect(key).toBe('9007199254740993');
    expect(toStatement(rangesBehind(orderOf('big'), ['9007199254740993', 1], scope).at(-1) as SQL).sql).toContain(
      'cast(? as integer)',
    );
  });
});
