/**
 * @module Filters, the SQL they become and the rows they select, so that neither can be right alone.
 */
import type { Registry } from '../../src/schema/model.ts';
import { contentType, registryOf } from './schema-files.ts';

/** One attribute of each type; two live in the overflow column. */
export const thingRegistry: Registry = registryOf(
  [
    contentType('thing', {
      name: { type: 'string' },
      count: { type: 'integer' },
      big: { type: 'biginteger' },
      price: { type: 'decimal' },
      flag: { type: 'boolean' },
      day: { type: 'date' },
      at: { type: 'datetime' },
      clock: { type: 'time' },
      data: { type: 'json' },
      spilled: { type: 'string' },
      spilledCount: { type: 'integer' },
      spilledData: { type: 'json' },
    }),
  ],
  [],
  { 'api::thing.thing': ['spilled', 'spilledCount', 'spilledData'] },
);

export const things = [
  {
    name: 'Apple',
    count: 1,
    big: '9007199254740993',
    price: 1.5,
    flag: true,
    day: '2024-01-01',
    at: '2024-01-01T00:00:00Z',
    clock: '10:00:00',
    data: 'word',
    spilled: 'Alpha',
    spilledCount: 10,
    spilledData: 'word',
  },
  {
    name: 'apple pie',
    count: 2,
    big: '9007199254740992',
    price: 2,
    flag: false,
    day: '2024-06-01',
    at: '2024-06-01T12:00:00Z',
    clock: '10:30:00',
    data: { a: 1 },
    spilled: 'alphabet',
    spilledCount: 9,
    spilledData: { a: 1 },
  },
  { name: 'Émile', count: -3, big: '-5', price: 0, flag: null, day: '2023-12-31', data: [1], spilled: 'É' },
  { name: '100%_\\', count: 100_200_300, big: '10', price: 0.1, data: 5, spilled: '%_\\' },
  { name: null },
] as const;

export interface ConditionCase {
  readonly search: string;
  /** What the statement has in it, names of tables left out; absent where only the rows matter. */
  readonly sql?: string;
  readonly params?: readonly unknown[];
  /** Names of the things that are found, in id order. */
  readonly names: readonly (string | null)[];
}

const [apple, pie, emile, percent, nothing] = things.map(({ name }) => name) as [string, string, string, string, null];

const equality: readonly ConditionCase[] = [
  { search: 'filters[name]=Apple', sql: '"name" = ?', params: ['Apple'], names: [apple] },
  { search: 'filters[name]=apple', names: [] },
  { search: 'filters[name][$eqi]=APPLE', sql: 'lower("name") = lower(?)', params: ['APPLE'], names: [apple] },
  { search: 'filters[name][$eqi]=émile', names: [] },
  { search: 'filters[name][$ne]=Apple', sql: '"name" <> ?', params: ['Apple'], names: [pie, emile, percent] },
  { search: 'filters[name][$nei]=APPLE', sql: 'lower("name") <> lower(?)', names: [pie, emile, percent] },
  { search: 'filters[name]', sql: '"name" is null', names: [nothing] },
  { search: 'filters[name][$ne]', sql: '"name" is not null', names: [apple, pie, emile, percent] },
  { search: 'filters[name]=null', params: ['null'], names: [] },
  { search: 'filters[count]=1', params: [1], names: [apple] },
  { search: 'filters[count]=1.0', params: [1], names: [apple] },
  { search: 'filters[price]=2', names: [pie] },
  { search: 'filters[big]=9007199254740993', params: ['9007199254740993'], names: [apple] },
  { search: 'filters[flag]=true', params: [1], names: [apple] },
  { search: 'filters[flag]=false', params: [0], names: [pie] },
  { search: 'filters[day]=2024-01-01', names: [apple] },
  { search: 'filters[at]=2024-06-01T14:00:00%2B02:00', names: [pie] },
  { search: 'filters[clock]=10:30:00.000', names: [pie] },
  { search: 'filters[id]=abc', params: ['abc'], names: [] },
  { search: 'filters[id]=1', params: ['1'], names: [apple] },
  { search: 'filters[documentId]=abc', sql: '"document_id" = ?', names: [] },
  {
    search: 'filters[data]=word',
    sql: `iif(json_type("data") in ('text', 'integer', 'real'), "data" ->> '$', "data") = ?`,
    names: [apple],
  },
  { search: `filters[data]=${encodeURIComponent('{"a":1}')}`, names: [pie] },
  { search: 'filters[data]=5.0', params: [5], names: [percent] },
];

const order: readonly ConditionCase[] = [
  { search: 'filters[count][$lt]=2', sql: '"count" < ?', names: [apple, emile] },
  { search: 'filters[count][$lte]=2', sql: '"count" <= ?', names: [apple, pie, emile] },
  { search: 'filters[count][$gt]=2', sql: '"count" > ?', names: [percent] },
  { search: 'filters[count][$gte]=2', sql: '"count" >= ?', names: [pie, percent] },
  { search: 'filters[big][$gt]=9007199254740992', names: [apple] },
  {
    search: 'filters[price][$between]=0.1&filters[price][$between]=1.5',
    sql: '"price" between ? and ?',
    params: [0.1, 1.5],
    names: [apple, percent],
  },
  { search: 'filters[price][$between]=2&filters[price][$between]=1', names: [] },
  { search: 'filters[day][$gte]=2024-01-01', names: [apple, pie] },
  { search: 'filters[at][$lt]=2024-02-01', names: [apple] },
  { search: 'filters[clock][$gt]=10:00:00', names: [pie] },
  { search: 'filters[name][$lt]=a', names: [apple, percent] },
  { search: 'filters[data][$gt]=12', names: [apple, pie, emile] },
  { search: 'filters[data][$lt]=%25', names: [percent] },
];

const lists: readonly ConditionCase[] = [
  {
    search: 'filters[name][$in]=Apple&filters[name][$in]=nope',
    sql: '"name" in (select value from json_each(?))',
    params: ['["Apple","nope"]'],
    names: [apple],
  },
  { search: 'filters[name][$in]=Apple,nope', names: [] },
  { search: 'filters[count][$in]=1&filters[count][$in]=100200300', params: ['[1,100200300]'], names: [apple, percent] },
  { search: 'filters[big][$in][]=9007199254740993', names: [apple] },
  { search: 'filters[count]=1&filters[count]=2', names: [apple, pie] },
  {
    search: 'filters[name][$notIn]=Apple&filters[name][$notIn]=nope',
    sql: '"name" not in (select value from json_each(?))',
    names: [pie, emile, percent],
  },
  { search: 'filters[flag][$notIn]=true', names: [pie] },
  {
    search: 'filters[name][$notIn][]',
    sql: '("name" not in (select value from json_each(?)) and null)',
    params: ['[]'],
    names: [],
  },
  { search: 'filters[name][$notIn][]=Apple&filters[name][$notIn][]', names: [] },
  { search: 'filters[name][$in][]', names: [] },
  { search: 'filters[name][$in][]=Apple&filters[name][$in][]', names: [apple] },
  { search: 'filters[$not][name][$in][]=Apple&filters[$not][name][$in][]', names: [] },
];

/** More bytes than a pattern may have. */
const LONG = 'apple'.repeat(10);

const texts: readonly ConditionCase[] = [
  {
    search: 'filters[name][$contains]=APPLE',
    sql: `"name" like +? escape '\\'`,
    params: ['%APPLE%'],
    names: [apple, pie],
  },
  { search: `filters[name][$contains]=${LONG}`, sql: 'instr(lower(substr("name", 1)), lower(?)) > 0', names: [] },
  { search: 'filters[name][$containsi]=PIE', names: [pie] },
  { search: 'filters[name][$contains]=', names: [apple, pie, emile, percent] },
  { search: 'filters[name][$contains]=É', names: [emile] },
  { search: 'filters[name][$contains]=é', names: [] },
  { search: 'filters[name][$contains]=%25', names: [percent] },
  { search: 'filters[name][$contains]=_', names: [percent] },
  { search: 'filters[name][$contains]=%5C', names: [percent] },
  { search: 'filters[name][$contains]=pie&filters[name][$contains]=mil', names: [pie, emile] },
  { search: 'filters[name][$contains]=%25_%5C', params: ['%\\%\\_\\\\%'], names: [percent] },
  { search: 'filters[name][$notContains]=apple', sql: 'not "name" like +?', names: [emile, percent] },
  {
    search: `filters[name][$notContains]=${LONG}`,
    sql: 'not instr(lower(substr("name", 1)), lower(?)) > 0',
    names: [apple, pie, emile, percent],
  },
  { search: 'filters[name][$notContainsi]=PIE', names: [apple, emile, percent] },
  {
    search: 'filters[name][$startsWith]=app',
    sql: `"name" like +? escape '\\'`,
    params: ['app%'],
    names: [apple, pie],
  },
  {
    search: `filters[name][$startsWith]=${LONG}`,
    sql: 'lower(substr("name", 1, length(?))) = lower(?)',
    names: [],
  },
  { search: 'filters[name][$startsWithi]=É', names: [emile] },
  { search: 'filters[name][$startsWith]=%25', names: [] },
  {
    search: 'filters[name][$endsWith]=PIE',
    sql: `"name" like +? escape '\\'`,
    params: ['%PIE'],
    names: [pie],
  },
  {
    search: `filters[name][$endsWith]=${LONG}`,
    sql: 'lower(substr("name", -length(?))) = lower(?)',
    names: [],
  },
  { search: 'filters[name][$endsWithi]=milE', names: [emile] },
  { search: 'filters[name][$endsWith]=the whole apple pie', names: [] },
  { search: 'filters[name][$endsWith]=', names: [apple, pie, emile, percent] },
  { search: 'filters[count][$contains]=100', names: [percent] },
  { search: 'filters[name][$contains][$eq]=Apple', names: [] },
  { search: 'filters[name][$notContains][$eq]=Apple', params: [null], names: [] },
  { search: 'filters[name][$nei][a]=Apple', names: [] },
];

const groups: readonly ConditionCase[] = [
  { search: 'filters[name][$null]=true', sql: '"name" is null', names: [nothing] },
  { search: 'filters[flag][$notNull]=true', sql: '"flag" is not null', names: [apple, pie] },
  { search: 'filters[$not][name]=Apple', sql: 'not ("name" = ?)', names: [pie, emile, percent] },
  { search: 'filters[name][$not][$contains]=apple', names: [emile, percent] },
  { search: 'filters[$not][$not][name]=Apple', names: [apple] },
  {
    search: 'filters[$or][0][name]=Apple&filters[$or][1][count]=2',
    sql: '("name" = ? or "count" = ?)',
    params: ['Apple', 2],
    names: [apple, pie],
  },
  {
    search: 'filters[$and][0][name]=Apple&filters[$and][1][count]=2',
    sql: '("name" = ? and "count" = ?)',
    names: [],
  },
  { search: 'filters[count][$gt]=0&filters[count][$lt]=3', names: [apple, pie] },
  { search: '_q=APPLE', names: [apple, pie] },
  { search: '_q=alpha', names: [apple, pie] },
  { search: '_q=%25', names: [percent] },
  // A search looks at documentIds too, so that a short number would now and then be found in one of them.
  { search: '_q=100200300', names: [percent] },
];

const spilled: readonly ConditionCase[] = [
  {
    search: 'filters[spilled]=Alpha',
    sql: '("overflow_attributes" ->> ?) = ?',
    params: ['$."spilled"', 'Alpha'],
    names: [apple],
  },
  { search: 'filters[spilled][$contains]=ALPHA', names: [apple, pie] },
  { search: 'filters[spilled][$null]=true', names: [nothing] },
  { search: 'filters[spilledCount]=10', sql: 'cast(("overflow_attributes" ->> ?) as numeric) = ?', names: [apple] },
  { search: 'filters[spilledCount][$gt]=9', names: [apple] },
  { search: 'filters[spilledCount][$in]=9&filters[spilledCount][$in]=10', names: [apple, pie] },
  { search: 'filters[spilledData]=word', names: [apple] },
];

export const CONDITION_CASES = [...equality, ...order, ...lists, ...texts, ...groups, ...spilled];
