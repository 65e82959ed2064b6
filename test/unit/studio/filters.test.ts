import { describe, expect, it } from 'vitest';
import type { AttributeType } from '../../../src/schema/model.ts';
import { readQuery, writeQuery } from '../../../studio/api/query-string.ts';
import { filterWords } from '../../../studio/list/filter-words.ts';
import {
  offeredOperator,
  operatorLabel,
  operatorsOf,
  readFilters,
  writeFilters,
} from '../../../studio/list/filters.ts';
import { TYPES } from '../../../studio/model/attribute-types.ts';
import type { Model } from '../../../studio/model/model.ts';

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

describe('the operators of forms', () => {
  it.each(Object.keys(TYPES) as AttributeType[])('have each its own meaning for a %s', (type) => {
    const labels = operatorsOf({ type }).map((name) => operatorLabel({ type }, name));
    expect(new Set(labels).size).toBe(labels.length);
  });

  it('stand for those that mean the same, and leave others as they are', () => {
    const names = ['$contains', '$startsWith', '$eq', '$ne', '$lt', '$foo'];
    const shown = names.map((name) => offeredOperator({ type: 'string' }, name));
    expect(shown).toEqual(['$containsi', '$startsWithi', '$eq', '$ne', '$lt', '$foo']);
    expect(shown.map((name) => operatorLabel({ type: 'string' }, name))).toEqual([
      'contains',
      'starts with',
      'is exactly',
      'is not exactly',
      'is less than',
      '$foo',
    ]);
  });
});

describe('filters in words', () => {
  const shown = (...names: readonly string[]) => new Set(['documentId', ...names]);
  const author = { attributes: { name: { type: 'string' } }, shown: shown('name'), path: '/api/authors' };
  const attributes = {
    title: { type: 'string' },
    format: { type: 'enumeration', enum: ['essay', 'poem'] },
    featured: { type: 'boolean' },
    rating: { type: 'decimal' },
    author: { type: 'relation', relation: 'manyToOne', target: 'author' },
  };
  const article = { attributes, shown: shown('publishedAt', ...Object.keys(attributes)), path: '/api/articles' };
  const model = {
    types: new Map<string, unknown>(Object.entries({ article, author })),
    components: new Map(),
    may: () => true,
  } as unknown as Model;
  const midnight = new Date(2026, 4, 3).toISOString();

  it.each([
    ['filters[title][$containsi]=bread', 'Title contains bread'],
    ['filters[title][$eq]=bread', 'Title is exactly bread'],
    [`filters[publishedAt][$lt]=${midnight}`, 'Published before May 3, 2026'],
    ['filters[publishedAt][$lt]=soon', 'Published before soon'],
    ['filters[rating][$between][0]=1&filters[rating][$between][1]=2', 'Rating is between 1 and 2'],
    ['filters[format][$in][0]=essay&filters[format][$in][1]=poem', 'Format is one of essay, poem'],
    ['filters[featured]=false', 'Featured is No'],
    ['filters[featured]=perhaps', 'Featured is perhaps'],
    ['filters[author][documentId][$eq]=a1', 'Author is Ilse Marr'],
    ['filters[author][documentId][$eq]=a2', 'Author is a2'],
    ['filters[author][name][$startsWith]=I', 'Author › Name starts with I'],
    ['filters[author][$null]=true', 'Author has no value'],
    ['filters[title][$foo]=x', 'Title $foo x'],
    [
      'filters[$or][0][title]=a&filters[$or][1][$not][$or][0][rating]=1&filters[$or][1][$not][$or][1][rating]=2',
      'Title is exactly a or not (Rating is 1 or Rating is 2)',
    ],
    [
      'filters[author][name][$eq]=a&filters[author][id][$eq]=b',
      'filters[author][name][$eq]=a&filters[author][id][$eq]=b',
    ],
  ])('read %s as %s', (query, words) => {
    const titles = new Map([['a1', 'Ilse Marr']]);
    const [part, ...others] = readFilters(parse(query)).parts;
    expect(others).toEqual([]);
    expect(part && filterWords(model, 'article', part, titles)).toBe(words);
  });
});
