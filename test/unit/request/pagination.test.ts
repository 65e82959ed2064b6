/**
 * @module `pagination` and its odd values.
 */
import { describe, expect, it } from 'vitest';
import { parsePage } from '../../../src/content/request/pagination.ts';
import { parseQueryParams } from '../../../src/content/request/query-params.ts';
import { parseQueryString } from '../../../src/content/request/query-string.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';

const settings = parseSettings({});
const { rest } = settings.api;
const pageOf = (search: string, options = rest) => parsePage(parseQueryString(search, rest.limits).pagination, options);
const inBrackets = (pairs: string) =>
  pairs
    .split('&')
    .filter(Boolean)
    .map((pair) => pair.replace(/^[^=]+/, 'pagination[$&]'))
    .join('&');

describe('values that are refused', () => {
  it.each([
    ['page=abc', "Invalid parameter at 'start'. Expected integer >= 0, received: NaN"],
    ['start=abc', "Invalid parameter at 'start'. Expected integer >= 0, received: NaN"],
    ['page=1.5', "Invalid parameter at 'start'. Expected integer >= 0, received: 12.5"],
    ['start=0.5', "Invalid parameter at 'start'. Expected integer >= 0, received: 0.5"],
    ['pageSize=1.5', "Invalid parameter at 'limit'. Expected integer >= 1 or -1, received: 1.5"],
    ['limit=2.5', "Invalid parameter at 'limit'. Expected integer >= 1 or -1, received: 2.5"],
    ['page=Infinity', "Invalid parameter at 'start'. Expected integer >= 0, received: Infinity"],
    ['withCount=yes', 'Invalid withCount parameter. Expected "t","1","true","false","0","f"'],
    ['withCount=', 'Invalid withCount parameter. Expected "t","1","true","false","0","f"'],
    ['withCount=TRUE', 'Invalid withCount parameter. Expected "t","1","true","false","0","f"'],
    ['page=1&start=0', 'Cannot use both page & offset pagination in the same query'],
    ['pageSize=1&limit=1', 'Cannot use both page & offset pagination in the same query'],
    ['page=1&limit=1', 'Cannot use both page & offset pagination in the same query'],
  ])('%s: %s', (pairs, message) => {
    expect(() => pageOf(inBrackets(pairs))).toThrow(message);
  });
});

describe('page mode', () => {
  it.each([
    ['', 0, 25],
    ['page=1', 0, 25],
    ['page=3', 50, 25],
    ['page=0', 0, 25],
    ['page=-5', 0, 25],
    ['page=', 0, 25],
    ['page=2&pageSize=10', 10, 10],
    ['pageSize=0', 0, 1],
    ['pageSize=-1', 0, 1],
    ['pageSize=', 0, 1],
    ['pageSize=100', 0, 100],
    ['pageSize=101', 0, 100],
    ['pageSize=1e9', 0, 100],
    ['pageSize=abc', 0, 100],
    ['page=2&pageSize', 25, 25],
    ['page=2&pageSize=', 1, 1],
    ['page&pageSize=10', 0, 10],
    ['pageSize', 0, 25],
    ['page&limit', 0, 25],
    ['page&start=5', 5, 25],
    ['pageSize&start=5', 5, 25],
    ['page=999999999999', 24_999_999_999_950, 25],
  ])('%s starts at %i and takes %i', (pairs, start, limit) => {
    expect(pageOf(inBrackets(pairs))).toEqual({ start, limit, mode: 'page', withCount: true });
  });
});

describe('offset mode', () => {
  it.each([
    ['start=0', 0, 25],
    ['start=5', 5, 25],
    ['start=-5', 0, 25],
    ['limit=10', 0, 10],
    ['limit=0', 0, 1],
    ['limit=-1', 0, 1],
    ['limit=-7', 0, 1],
    ['limit=101', 0, 100],
    ['limit=abc', 0, 100],
    ['start=5&limit=10', 5, 10],
    ['start=5&limit', 5, 1],
  ])('%s starts at %i and takes %i', (pairs, start, limit) => {
    expect(pageOf(inBrackets(pairs))).toEqual({ start, limit, mode: 'offset', withCount: true });
  });
});

describe('withCount', () => {
  it.each([
    ['t', true],
    ['1', true],
    ['true', true],
    ['f', false],
    ['0', false],
    ['false', false],
  ])('%s is %s', (text, withCount) => {
    expect(pageOf(`pagination[withCount]=${text}`).withCount).toBe(withCount);
  });

  it('has the default of the settings', () => {
    expect(pageOf('', parseSettings({ api: { rest: { withCount: false } } }).api.rest).withCount).toBe(false);
  });
});

describe('what is not understood', () => {
  it.each(['pagination=5', 'pagination[nope]=1', 'pagination[]=1', 'pagination'])('is ignored: %s', (search) => {
    expect(pageOf(search)).toEqual({ start: 0, limit: 25, mode: 'page', withCount: true });
  });
});

describe('without strict parameters', () => {
  const lenient = parseSettings({ api: { rest: { strictParams: false } } }).api.rest;

  it.each([
    ['page=abc', 'convertStartQueryParams expected a positive integer got NaN'],
    ['start=0.5', 'convertStartQueryParams expected a positive integer got 0.5'],
    ['limit=2.5', 'convertLimitQueryParams expected a positive integer got 2.5'],
  ])('%s: %s', (pairs, message) => {
    expect(() => pageOf(inBrackets(pairs), lenient)).toThrow(message);
  });
});

describe('a cursor', () => {
  it.each([
    ['after=', { after: '', limit: 25, withCount: false }],
    ['after=abc', { after: 'abc', limit: 25, withCount: false }],
    ['after=abc&limit=10', { after: 'abc', limit: 10, withCount: false }],
    ['after=abc&limit=1000', { after: 'abc', limit: 100, withCount: false }],
    ['after=abc&limit&page&start', { after: 'abc', limit: 25, withCount: false }],
    ['after=abc&withCount=true', { after: 'abc', limit: 25, withCount: true }],
    ['after=abc&withCount=false', { after: 'abc', limit: 25, withCount: false }],
  ])('%s is %j', (pairs, page) => {
    expect(pageOf(inBrackets(pairs))).toEqual({ ...page, start: 0, mode: 'cursor' });
  });

  it.each([
    ['after[]=abc', "Invalid parameter at 'pagination[after]'. Expected a cursor"],
    ['after=abc&page=1', 'Cannot use both after & page pagination in the same query'],
    ['after=abc&pageSize=1', 'Cannot use both after & pageSize pagination in the same query'],
    ['after=abc&start=0', 'Cannot use both after & start pagination in the same query'],
    ['after=abc&limit=2.5', "Invalid parameter at 'limit'. Expected integer >= 1 or -1, received: 2.5"],
    ['after=abc&withCount=x', 'Invalid withCount parameter'],
  ])('is not that of %s: %s', (pairs, message) => {
    expect(() => pageOf(inBrackets(pairs).replace('after[]]', 'after][]'))).toThrow(message);
  });
});

describe('settings', () => {
  it('give the default and the greatest number of documents', () => {
    const own = parseSettings({ api: { rest: { defaultLimit: 5, maxLimit: 7 } } }).api.rest;
    expect(pageOf('', own).limit).toBe(5);
    expect(pageOf('pagination[pageSize]=100', own).limit).toBe(7);
  });

  it('may leave the number open', () => {
    const open = parseSettings({ api: { rest: { maxLimit: null } } }).api.rest;
    expect(pageOf('pagination[pageSize]=5000', open).limit).toBe(5_000);
    expect(() => pageOf('pagination[pageSize]=abc', open)).toThrow(/^Invalid parameter at '(start|limit)'/);
  });
});

describe('pagination at the top level', () => {
  const read = (search: string, scope: 'list' | 'one', own = settings) =>
    parseQueryParams(parseQueryString(search, rest.limits), scope, own);

  it.each(['page=1', 'pageSize=10', 'page=1&start=0'])('is refused for a list: %s', (search) => {
    expect(() => read(search, 'list')).toThrow(/^Invalid pagination parameters\. Cannot use both page-based/);
  });

  it.each(['start=5', 'limit=1', 'start=abc', 'page=', 'pageSize='])('is ignored for a list: %s', (search) => {
    expect(read(search, 'list').page).toMatchObject({ start: 0, limit: 25 });
  });

  it.each([
    ['page=0', "Invalid parameter at 'page'. Expected integer >= 1, received: 0"],
    ['pageSize=abc', "Invalid parameter at 'pageSize'. Expected integer >= 1, received: abc"],
    ['start=-1', "Invalid parameter at 'start'. Expected integer >= 0, received: -1"],
    ['limit=0', "Invalid parameter at 'limit'. Expected integer >= 1 or -1, received: 0"],
    ['page=1&start=0', 'Invalid pagination parameters. Cannot use both page-based'],
    ['pageSize=1&limit=1', 'Invalid pagination parameters. Cannot use both page-based'],
  ])('must be well-formed for one document: %s', (search, message) => {
    expect(() => read(search, 'one')).toThrow(message);
  });

  it.each(['page=2', 'pageSize=10', 'start=5', 'limit=-1', 'start=5&limit=1'])(
    'has no effect on one document: %s',
    (search) => {
      expect(read(search, 'one').page).toMatchObject({ start: 0 });
    },
  );

  const lenient = parseSettings({ api: { rest: { strictParams: false } } });

  it.each(['page=1', 'pageSize=10'])('is refused for a list without strict parameters, too: %s', (search) => {
    expect(() => read(search, 'list', lenient)).toThrow('Invalid pagination attributes');
  });

  it.each([
    ['start=abc&limit=0', 'list'],
    ['page=0&start=abc&limit=0', 'one'],
  ] as const)('has no effect without strict parameters otherwise: %s', (search, scope) => {
    expect(read(search, scope, lenient).page).toMatchObject({ start: 0, limit: 25 });
  });
});
