import { describe, expect, it } from 'vitest';
import { readQuery, writeQuery } from '../../../studio/api/query-string.ts';
import { readFilters, writeFilters } from '../../../studio/list/filters.ts';

const parse = (text: string) => readQuery(text).filters;

describe('filters as conditions', () => {
  it.each([
    ['filters[title][$containsi]=a%26b'],
    ['filters[rating][$between][0]=1&filters[rating][$between][1]=2'],
    ['filters[author][name][$eq]=x&filters[seo][metaTitle][$notNull]=true'],
    ['filters[$or][0][format][$in][0]=essay&filters[$or][1][$not][rating][$gt]=3'],
    ['filters[$and][0][tags][name][$eq]=a&filters[$and][1][tags][name][$eq]=b'],
    ['filters[constructor][$eq]=x'],
  ])('are written as they were read: %s', (text) => {
    expect(writeQuery({ filters: writeFilters(readFilters(parse(text))) })).toBe(text);
  });

  it('keep what has no form', () => {
    const text = 'filters[tags][name][$eq]=a&filters[tags][slug][$eq]=b';
    const root = readFilters(parse(text));
    expect(root.parts).toMatchObject([{ kind: 'raw' }]);
    expect(writeQuery({ filters: writeFilters(root) })).toBe(text);
  });

  it('name the operator that a short form means', () => {
    const root = readFilters(parse('filters[a]=1&filters[b][0]=2&filters[c][$null]=false'));
    expect(writeFilters(root)).toEqual({ a: { $eq: '1' }, b: { $in: ['2'] }, c: { $notNull: 'true' } });
  });

  it('leave out conditions without a value', () => {
    const empty = { kind: 'condition', path: ['a'], operator: '$eq', values: [''] } as const;
    expect(writeFilters({ kind: 'group', logic: 'and', parts: [empty] })).toBeUndefined();
  });
});
