/**
 * @module The SQL of filters, and the rows that it selects.
 */
import type { SQLInputValue } from 'node:sqlite';
import { beforeAll, describe, expect, it } from 'vitest';
import { compileRead } from '../../../src/content/sql/read/select.ts';
import { CONDITION_CASES, thingRegistry, things } from '../../support/condition-cases.ts';
import { memoryWorld } from '../../support/memory-app.ts';
import { typeAt } from '../../support/recorded-registry.ts';
import { listPlan } from '../plan/support.ts';

const type = typeAt('things', thingRegistry);
const read = (search: string) => compileRead(listPlan(type, search, { registry: thingRegistry }));
const compiled = (search: string) => read(search).statements;
/** `"things"."name"` → `"name"`: which table is meant is not what these tests are about. */
const withoutTables = (sql: string) => sql.replaceAll(/"\w+"\.(?=")/g, '');

const { sqlite, serve } = await memoryWorld(thingRegistry);
beforeAll(async () => {
  const send = serve();
  for (const data of things) expect((await send('POST', 'things', { data })).status).toBe(200);
});

/** The names of the things on a page, and how many there are. */
function found(search: string) {
  const { statements, decode } = read(`${search}&fields=name`);
  const { rows, total } = decode(
    statements.map(({ sql, params }) => sqlite.prepare(sql).all(...(params as SQLInputValue[]))),
  );
  return { names: rows.map(({ $row }) => JSON.parse(String($row)).flat().at(-1)), total };
}

describe('a filter', () => {
  it.each(CONDITION_CASES.filter(({ sql }) => sql !== undefined))('$search is $sql', ({ search, sql, params = [] }) => {
    const [page] = compiled(search);
    expect(withoutTables(page?.sql ?? '')).toContain(sql);
    expect(page?.params).toEqual(expect.arrayContaining([...params]));
  });

  it.each(CONDITION_CASES)('$search finds $names', ({ search, names }) => {
    expect(found(search)).toEqual({ names, total: names.length });
  });

  it.each(CONDITION_CASES)('$search has no value in its SQL', ({ search }) => {
    expect(compiled(search).length).toBeGreaterThan(0);
    for (const { sql } of compiled(search)) expect(sql).not.toMatch(/apple|alpha|word|milE|2024|900719/i);
  });
});

describe('values', () => {
  const HOSTILE = [`'; drop table things; --`, `" or 1=1 --`, '\\', '%', '?', '?1', '\0', '$1'];

  it.each(HOSTILE)('are bound, whatever they are: %j', (value) => {
    const [page] = compiled(`filters[name]=${encodeURIComponent(value)}`);
    const [other] = compiled('filters[name]=other');
    expect(page?.sql).toBe(other?.sql);
    expect(page?.params).toContain(value);
  });
});

describe('sort', () => {
  it.each([
    ['sort=name', 'order by "name", "id"'],
    ['sort=name:desc', 'order by "name" desc, "id"'],
    ['sort=name:desc,count', 'order by "name" desc, "count", "id"'],
    ['sort=id:desc', 'order by "id" desc'],
    ['sort=spilledCount', 'order by cast(("overflow_attributes" ->> ?) as numeric), "id"'],
    ['', 'order by "id"'],
  ])('%s is %s', (search, sql) => {
    const [page] = compiled(search);
    expect(withoutTables(page?.sql ?? '')).toContain(sql);
  });
});

describe('the total', () => {
  it('is a second statement, which reads the counters where nothing filters', () => {
    const [, total] = compiled('');
    expect(total?.sql).toContain('"edgewise_counters"');
    expect(total?.params).toEqual(expect.arrayContaining(['api::thing.thing', 'published']));
  });

  it('counts rows where something filters, with the condition of the page, which is written once', () => {
    const [page, ...more] = compiled('filters[name]=a');
    expect(more).toEqual([]);
    expect(page?.sql).toContain('(select count(*) from "$match")');
    expect(page?.sql.split('"name" = ?')).toHaveLength(2);
  });

  it('is no statement at all where nobody asks', () => {
    expect(compiled('pagination[withCount]=false')).toHaveLength(1);
  });
});
