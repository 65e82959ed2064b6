/**
 * @module `sort` in every notation.
 */
import { describe, expect, it } from 'vitest';
import { parseSettings } from '../../../src/config.ts';
import { parseQueryString } from '../../../src/request/query-string.ts';
import { parseSort } from '../../../src/request/sort.ts';

const { limits } = parseSettings({}).api.rest;
const sortOf = (search: string) =>
  parseSort(parseQueryString(search, limits).sort).map(
    ({ path, direction }) => `${path.join('.')}${direction === undefined ? '' : `:${direction}`}`,
  );

describe('a direction that is none', () => {
  it.each(['sort=title:up', 'sort=title:', 'sort[title]=up', 'sort[0]=a&sort[1]=b:nope', 'sort[author][name]=1'])(
    'is refused: %s',
    (search) => {
      expect(() => sortOf(search)).toThrow('Invalid order. order can only be one of asc|desc|ASC|DESC');
    },
  );

  it('is refused when it is a list', () => {
    expect(() => sortOf('sort[title][]=asc')).toThrow('Invalid sort type expected object or string got object');
  });
});

describe('notations', () => {
  it.each([
    ['sort=title', ['+title']],
    ['sort=title:asc', ['+title']],
    ['sort=title:DESC', ['-title']],
    ['sort=title:Desc', ['-title']],
    ['sort= title : desc ', ['-title']],
    ['sort=title,slug:desc', ['+title', '-slug']],
    ['sort=title,%20slug', ['+title', '+slug']],
    ['sort[0]=title:desc&sort[1]=slug', ['-title', '+slug']],
    ['sort[]=title&sort[]=slug', ['+title', '+slug']],
    ['sort=title&sort=slug', ['+title', '+slug']],
    ['sort[title]=desc', ['-title']],
    ['sort[title]=desc&sort[slug]=asc', ['-title', '+slug']],
    ['sort[0][title]=desc&sort[1][slug]=asc', ['-title', '+slug']],
    ['sort[author][name]=asc', ['+author.name']],
    ['sort=author.name:desc', ['-author.name']],
    ['sort[0]=title,slug:desc', ['+title', '-slug']],
  ])('%s is %j', (search, terms) => {
    expect(sortOf(search)).toEqual(terms);
  });
});

describe('nothing to sort by', () => {
  it.each(['sort=', 'sort', 'sort=:asc', 'sort=,', 'sort[]=', 'sort[title]=', 'sort[]', ''])(
    'is no sort: %j',
    (search) => {
      expect(sortOf(search)).toEqual([]);
    },
  );
});
