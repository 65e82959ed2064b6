/**
 * @module `sort` in every notation.
 */
import { describe, expect, it } from 'vitest';
import { parseQueryString } from '../../../src/content/request/query-string.ts';
import { parseSort } from '../../../src/content/request/sort.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';

const { limits } = parseSettings({}).api.rest;
const sortOf = (search: string) =>
  parseSort(parseQueryString(search, limits).sort).map(
    ({ path, direction = '', ignoredBecause }) => `${path.join('.')}:${direction}${ignoredBecause ? '!' : ''}`,
  );

describe('notations', () => {
  it.each([
    ['sort=title', ['title:']],
    ['sort=title:asc', ['title:asc']],
    ['sort=title:DESC', ['title:DESC']],
    ['sort= title : desc ', ['title:desc']],
    ['sort[title]= desc ', ['title:desc']],
    ['sort=title,slug:desc', ['title:', 'slug:desc']],
    ['sort=title,%20slug', ['title:', 'slug:']],
    ['sort[0]=title:desc&sort[1]=slug', ['title:desc', 'slug:']],
    ['sort[]=title&sort[]=slug', ['title:', 'slug:']],
    ['sort=title&sort=slug', ['title:', 'slug:']],
    ['sort[title]=desc', ['title:desc']],
    ['sort[title]=desc&sort[slug]=asc', ['title:desc', 'slug:asc']],
    ['sort[0][title]=desc&sort[1][slug]=asc', ['title:desc', 'slug:asc']],
    ['sort[author][name]=asc', ['author.name:asc']],
    ['sort=author.name:desc', ['author.name:desc']],
    ['sort[0]=title,slug:desc', ['title:', 'slug:desc']],
  ])('%s is %j', (search, terms) => {
    expect(sortOf(search)).toEqual(terms);
  });

  it.each(['sort=title&sort', 'sort[title]=asc&sort=slug', 'sort[0][0]=title&sort=slug'])(
    'that are mixed are an object with numbers as keys: %s',
    (search) => {
      expect(sortOf(search)[0]).toMatch(/^0/);
    },
  );
});

describe('nothing to sort by', () => {
  it.each([
    'sort=',
    'sort',
    'sort=:asc',
    'sort=,',
    'sort[]=',
    'sort[]',
    'sort&sort',
    'sort[]&sort[1]',
    'sort[0][0]=title',
    '',
  ])('is no sort: %j', (search) => {
    expect(sortOf(search)).toEqual([]);
  });

  it.each(['sort[title]=', 'sort[title]', 'sort[title][]=asc'])('leaves a name to look at: %s', (search) => {
    expect(sortOf(search)).toEqual(['title:!']);
  });
});
