import { describe, expect, it } from 'vitest';
import { readQuery, writeQuery } from '../../../studio/api/query-string.ts';
import { firstPage, listRequest } from '../../../studio/list/list-query.ts';
import type { ContentType, Model } from '../../../studio/model/model.ts';

const names = ['title', 'body', 'rating', 'cover', 'author', 'tags', 'seo', 'updatedAt', 'locale', 'constructor'];
const article = {
  uid: 'article',
  titleAttribute: 'title',
  hasDrafts: true,
  isLocalized: true,
  shown: new Set(names),
  actions: new Set(['find', 'readDrafts']),
  attributes: {
    title: { type: 'string' },
    body: { type: 'richtext' },
    rating: { type: 'decimal' },
    cover: { type: 'media' },
    author: { type: 'relation', relation: 'manyToOne', target: 'author' },
    tags: { type: 'relation', relation: 'manyToMany', target: 'tag' },
    seo: { type: 'component', component: 'seo' },
    constructor: { type: 'string' },
  },
} as unknown as ContentType;
const author = { uid: 'author', titleAttribute: 'name' };
const model = {
  types: new Map<string, unknown>(Object.entries({ article, author })),
  components: new Map(),
} as unknown as Model;

const request = (search: string) => writeQuery(listRequest(model, article, readQuery(search)));
const COLUMNS = 'fields[0]=title&fields[1]=updatedAt&fields[2]=locale';

describe('the request of a list', () => {
  it('has telling columns, the newest drafts first, and counts', () => {
    expect(request('')).toBe(
      'fields[0]=title&fields[1]=rating&fields[2]=updatedAt&fields[3]=locale' +
        '&populate[cover][fields][0]=name&populate[cover][fields][1]=alternativeText&populate[cover][fields][2]=mime' +
        '&populate[cover][fields][3]=url&populate[cover][fields][4]=formats&populate[author][fields][0]=name' +
        '&status=draft&sort=id:desc&pagination[after]=&pagination[limit]=25&pagination[withCount]=true',
    );
  });

  it('counts related documents, and takes names such as constructor', () => {
    expect(request('fields=tags,constructor,nothing&status=published')).toBe(
      'fields[0]=title&fields[1]=constructor&fields[2]=updatedAt&fields[3]=locale&populate[tags][count]=true' +
        '&status=published&sort=id:desc&pagination[after]=&pagination[limit]=25&pagination[withCount]=true',
    );
  });

  it.each([
    [
      'pagination[after]=abc&pagination[limit]=50',
      'pagination[after]=abc&pagination[limit]=50&pagination[withCount]=false',
    ],
    ['pagination[page]=3&pagination[pageSize]=1000', 'pagination[page]=3&pagination[pageSize]=100'],
  ])('goes from %s to %s', (search, pagination) => {
    expect(request(`fields=updatedAt&locale=fr&${search}`)).toBe(
      `${COLUMNS}&locale=fr&status=draft&sort=id:desc&${pagination}`,
    );
  });
});

describe('the first page', () => {
  it.each([
    ['', ''],
    ['pagination[page]=3', 'pagination[limit]=25'],
    ['pagination[page]=3&pagination[pageSize]=50', 'pagination[limit]=50'],
    ['pagination[after]=abc&pagination[limit]=10', 'pagination[limit]=10'],
  ])('has of %j the size alone: %j', (search, first) => {
    expect(writeQuery({ pagination: firstPage(readQuery(search)) })).toBe(first);
  });
});
