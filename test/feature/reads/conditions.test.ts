/**
 * @module The rows that filters select. Their SQL is in test/unit/sql/conditions.test.ts.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { documentOf, totalOf, valuesOf } from '../../support/client.ts';
import { CONDITION_CASES, thingRegistry, things } from '../../support/condition-cases.ts';
import { openWorld } from '../../support/world.ts';

const { client } = openWorld(thingRegistry);

beforeAll(async () => {
  for (const thing of things) await documentOf(client.create('/api/things', thing));
});

describe('a filter', () => {
  it.each(CONDITION_CASES)('$search finds $names', async ({ search, names }) => {
    expect(await valuesOf(client.get(`/api/things?${search}`), 'name')).toEqual(names);
    expect(await totalOf(client.get(`/api/things?${search}`))).toBe(names.length);
  });

  it.each(['$eq', '$ne', '$lt', '$contains', '$notContains', '$startsWith', '$endsWith', '$eqi'])(
    'with %s and many values finds what it finds with few of them',
    async (operator) => {
      const search = (values: readonly string[]) =>
        values.map((value) => `filters[name][${operator}]=${encodeURIComponent(value)}`).join('&');
      const few = ['Apple', 'ile'];
      const many = [...few, ...few, ...few];
      const found = await valuesOf(client.get(`/api/things?${search(few)}`), 'name');
      expect(await valuesOf(client.get(`/api/things?${search(many)}`), 'name')).toEqual(found);
    },
  );

  it.each([
    ['filters[count][$eq][0]', 'filters[count][$eq]=1'],
    ['filters[name][$endsWith][0]=', 'filters[name][$endsWith]=Apple'],
    ['filters[$not][flag][$lt]=true', 'filters[$not][flag][$lt]=true'],
  ])('finds with many values what it finds with few, where something is null or empty: %s', async (first, other) => {
    const few = `${first}&${other}`;
    const many = `${few}&${other}&${other}&${other}&${other}`;
    const found = await valuesOf(client.get(`/api/things?${few}`), 'name');
    expect(await valuesOf(client.get(`/api/things?${many}`), 'name')).toEqual(found);
  });
});

describe('nothing', () => {
  it('is not found without a value, not even by the negation of $endsWith', async () => {
    expect(await valuesOf(client.get('/api/things?filters[$not][name][$startsWith]='), 'name')).toEqual([]);
    expect(await valuesOf(client.get('/api/things?filters[$not][name][$endsWith]='), 'name')).toEqual([]);
  });
});

describe('sort', () => {
  it.each([
    ['sort=name', [null, '100%_\\', 'Apple', 'apple pie', 'Émile']],
    ['sort=name:desc', ['Émile', 'apple pie', 'Apple', '100%_\\', null]],
    ['sort=count', [null, 'Émile', 'Apple', 'apple pie', '100%_\\']],
    ['sort=big:desc', ['Apple', 'apple pie', '100%_\\', 'Émile', null]],
    ['sort=spilledCount:desc,name', ['Apple', 'apple pie', null, '100%_\\', 'Émile']],
    ['sort=flag,name:desc', ['Émile', '100%_\\', null, 'apple pie', 'Apple']],
    ['', ['Apple', 'apple pie', 'Émile', '100%_\\', null]],
  ])('%s puts nulls first ascending and last descending', async (search, names) => {
    expect(await valuesOf(client.get(`/api/things?${search}`), 'name')).toEqual(names);
  });
});

describe('pages', () => {
  it('do not overlap and miss nothing, whatever the order', async () => {
    for (const sort of ['', 'sort=flag', 'sort=flag:desc,price']) {
      const pages = [1, 2, 3].map((page) =>
        valuesOf(client.get(`/api/things?${sort}&pagination[pageSize]=2&pagination[page]=${page}`), 'name'),
      );
      const names = (await Promise.all(pages)).flat();
      expect([...names].sort()).toEqual(things.map(({ name }) => name).sort());
    }
  });

  it('beyond the end are empty and tell the total', async () => {
    const response = client.get('/api/things?pagination[page]=9');
    expect(await (await response).json()).toEqual({
      data: [],
      meta: { pagination: { page: 9, pageSize: 25, pageCount: 1, total: 5 } },
    });
  });

  it('that start at a number beyond every row are empty', async () => {
    expect(await valuesOf(client.get('/api/things?pagination[start]=1e300'), 'name')).toEqual([]);
  });
});
