/**
 * @module The parameters of the bare lists of users and files.
 */
import { describe, expect, it } from 'vitest';
import { knownParams, rejectLonger, rowNamed, windowOf } from '../../../src/content/request/plain-params.ts';
import { parseQueryString } from '../../../src/content/request/query-string.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';

const settings = parseSettings({ api: { rest: { limits: { plainList: 10 } } } });
const { limits } = settings.api.rest;
const parse = (search: string) => parseQueryString(search, limits);

describe('the parameters of a bare list', () => {
  it('are those of content, and what the list adds', () => {
    const search = 'filters[a]=b&sort=a&fields=a&populate=a&_q=a&locale=en&status=draft&pagination[page]=1&x=1';
    expect(Object.keys(knownParams(parse(search)))).toEqual(['filters', 'sort', 'fields', 'populate', '_q']);
    expect(Object.keys(knownParams(parse('x=1&y=1&_q=a'), 'x', 'z'))).toEqual(['x', '_q']);
  });

  it('have no publicationFilter that does not exist', () => {
    expect(knownParams(parse('publicationFilter=modified'))).toEqual({});
    expect(() => knownParams(parse('publicationFilter=nope'))).toThrow("Invalid value for 'publicationFilter'");
  });
});

describe('the window of a bare list', () => {
  const MISPLACED =
    'Invalid pagination attributes. The page parameters are incorrect and must be in the pagination object';

  it.each([
    ['', 0, 11],
    ['start=&limit=', 0, 11],
    ['start=0&limit=0', 0, 11],
    ['limit=-1', 0, 11],
    ['limit=1', 0, 1],
    ['limit=11', 0, 11],
    ['limit=12', 0, 11],
    ['start=5&limit=5', 5, 5],
    ['page=1&pageSize=5', 0, 11],
  ])('%j starts at %i and takes %i', (search, start, limit) => {
    expect(windowOf(parse(search), limits)).toEqual({ start, limit, mode: 'offset', withCount: false });
  });

  it.each([
    ['start=-1', 'convertStartQueryParams expected a positive integer got -1'],
    ['start=0.5', 'convertStartQueryParams expected a positive integer got 0.5'],
    ['start=a', 'convertStartQueryParams expected a positive integer got NaN'],
    ['limit=-2', 'convertLimitQueryParams expected a positive integer got -2'],
    ['limit=1.5', 'convertLimitQueryParams expected a positive integer got 1.5'],
    ['page=1&start=0', MISPLACED],
    ['pageSize=1&limit=1', MISPLACED],
    ['page=0', "Invalid 'page' parameter. Expected an integer > 0, received: 0"],
    ['page', "Invalid 'page' parameter. Expected an integer > 0, received: "],
    ['pageSize=1.5', "Invalid 'pageSize' parameter. Expected an integer > 0, received: 1.5"],
  ])('%s is rejected: %s', (search, message) => {
    expect(() => windowOf(parse(search), limits)).toThrow(expect.objectContaining({ message }));
  });

  it('is rejected instead of cut off', () => {
    const listOf = (length: number) => Array.from({ length });
    expect(() => rejectLonger(listOf(10), limits)).not.toThrow();
    expect(() => rejectLonger(listOf(11), limits)).toThrow('Expected at most 10: use start and limit');
  });
});

describe('the name of a row', () => {
  const strapi = parseSettings({ api: { rest: { extensions: false } } });

  it.each([
    ['0', 0, 0],
    ['17', 17, 17],
    ['9'.repeat(15), 999_999_999_999_999, 999_999_999_999_999],
    ['9'.repeat(16), '9'.repeat(16), -1],
    ['-5', '-5', -1],
    ['1.0', '1.0', -1],
    ['abc', 'abc', -1],
  ])('%s is %j, and %j without api.rest.extensions', (text, name, id) => {
    expect([rowNamed(text, settings), rowNamed(text, strapi)]).toEqual([name, id]);
  });
});
