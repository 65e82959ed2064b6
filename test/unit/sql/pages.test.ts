/**
 * @module What the rows of a page become: its total, where the next page starts, and populates that were read apart.
 */
import type { SQLInputValue } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import type { ReadPlan } from '../../../src/content/plan/model/read-plan.ts';
import { compileRead } from '../../../src/content/sql/read/select.ts';
import type { Row } from '../../../src/content/sql/statement.ts';
import { memoryWorld } from '../../support/memory-app.ts';
import { typeAt } from '../../support/recorded-registry.ts';
import { contentType, registryOf, relation } from '../../support/schema-files.ts';
import { indexedRegistry } from '../../support/story-model.ts';
import { listPlan } from '../plan/support.ts';

const planOf = (search: string): ReadPlan =>
  listPlan(typeAt('topics', indexedRegistry), search, { registry: indexedRegistry });
const row = (name: string | null, about: readonly unknown[]): Row => ({ $row: name, $about: JSON.stringify(about) });

describe('a page', () => {
  const FILTERED = 'filters[name][$ne]=x';
  const AFTER = 'sort=name&pagination[after]=&pagination[limit]=2';

  it.each<[string, readonly (readonly Row[])[], object]>([
    [FILTERED, [[row('a', [5]), row('b', [5])]], { total: 5 }],
    [FILTERED, [[row('a', [null]), row('b', [null])]], { total: 2 }],
    [FILTERED, [[]], { total: 0 }],
    [`${FILTERED}&pagination[start]=2&pagination[limit]=3`, [[row('a', [null]), row('b', [null])]], { total: 4 }],
    [`${FILTERED}&pagination[start]=9&pagination[limit]=3`, [[row(null, [7])]], { total: 7 }],
    ['', [[row('a', [])], [{ total: 9 }]], { total: 9 }],
    ['', [[row('a', [])], []], { total: 0 }],
    ['pagination[withCount]=false', [[row('a', [])]], {}],
    [AFTER, [[row('a', [null, 'a', 1]), row('b', [null, 'b', 2]), row('c', [null, 'c', 3])]], { next: ['b', 2] }],
    [AFTER, [[row('a', [null, 'a', 1]), row('b', [null, 'b', 2])]], {}],
    [
      `${FILTERED}&${AFTER}&pagination[withCount]=true`,
      [[row('a', [8, 'a', 1]), row('b', [8, 'b', 2]), row('c', [8, 'c', 3])]],
      { total: 8, next: ['b', 2] },
    ],
    [`${FILTERED}&${AFTER}&pagination[withCount]=true`, [[row(null, [8, null, null])]], { total: 8 }],
  ])('of %s shows its rows, and what follows from them', (search, results, expected) => {
    const { rows, total, next } = compileRead(planOf(search)).decode(results);
    expect({ ...(total !== undefined && { total }), ...(next && { next }) }).toEqual(expected);
    const shown = results[0]?.filter(({ $row }) => $row !== null).slice(0, search.includes(AFTER) ? 2 : undefined);
    expect(rows).toEqual(shown);
  });
});

describe('a page with many populates', async () => {
  const names = Array.from({ length: 90 }, (_, index) => `r${index}`);
  const leaves = Object.fromEntries(names.map((name) => [name, relation('oneToMany', 'leaf')]));
  const registry = registryOf([
    contentType('hub', { name: { type: 'string' }, ...leaves }),
    contentType('leaf', { name: { type: 'string' } }, { plural: 'leaves' }),
  ]);
  const { sqlite, serve } = await memoryWorld(registry);
  const send = serve();
  const idOf = async (response: Response) =>
    ((await response.json()) as { data: { documentId: string } }).data.documentId;
  const leaf = await idOf(await send('POST', 'leaves', { data: { name: 'Leaf' } }));
  await send('POST', 'hubs', { data: { name: 'Hub', r0: [leaf], r45: [leaf], r89: [leaf] } });
  const populate = names.map((name) => `populate[${name}][fields]=name`).join('&');
  const search = `${populate}&fields=name&pagination[limit]=1&filters[name]=Hub`;
  const plan = listPlan(typeAt('hubs', registry), search, {
    registry,
  });
  const read = (given: ReadPlan) => {
    const { statements, decode } = compileRead(given);
    const run = ({ sql, params }: (typeof statements)[number]) =>
      sqlite.prepare(sql).all(...(params as SQLInputValue[]));
    return { statements, found: decode(statements.map(run)) as ReturnType<typeof decode> & { readonly size: number } };
  };

  it('is several statements, of which one has the values of the row and the total', () => {
    const { statements, found } = read(plan);
    expect(statements.length).toBeGreaterThan(1);
    expect(statements.filter(({ sql }) => sql.includes('"hubs"."name")'))).toHaveLength(1);
    expect(statements.filter(({ sql }) => sql.includes('"$about"'))).toHaveLength(1);
    expect(found.total).toBe(1);
    const [{ $row, $populated } = {}] = found.rows;
    expect(JSON.parse(String($row)).flat().at(-1)).toBe('Hub');
    const [[locale, ...values]] = $populated as [readonly unknown[]];
    const linked = values.map((value) => (typeof value === 'string' ? JSON.parse(value) : value) as unknown[]);
    expect(locale).toBe('');
    expect(linked.map((list, index) => (list.length > 0 ? index : -1)).filter((index) => index >= 0)).toEqual([
      0, 45, 89,
    ]);
  });

  it('is limited in all, and not only in each statement', () => {
    const { size } = read(plan).found;
    const within = (bytes: number) => () => read({ ...plan, ceiling: { ...plan.ceiling, bytes } });
    expect(within(size)().found.rows).toHaveLength(1);
    expect(within(size - 1)).toThrow('too many bytes');
  });
});
