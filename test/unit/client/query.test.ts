/**
 * @module Query strings of the client: as `qs` writes them, and as the server reads them.
 */
import fc from 'fast-check';
import qs from 'qs';
import { describe, expect, it } from 'vitest';
import { queryString } from '../../../client/query.ts';
import { parseQueryString } from '../../../src/content/request/query-string.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';

const { limits } = parseSettings({}).api.rest;
const byQs = (query: object) =>
  qs.stringify(query, { encodeValuesOnly: true, allowEmptyArrays: true, addQueryPrefix: true });
const read = (query: object) => parseQueryString(queryString(query).slice(1), limits);

const name = fc.constantFrom('title', 'author', '$or', '$eq', 'content.quote', 'api::article.article', 'odd-name');
const value = fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.boolean(), fc.date({ noInvalidDate: true }));
const { query } = fc.letrec((tie) => ({
  query: fc.dictionary(name, fc.oneof({ maxDepth: 3 }, value, fc.array(value, { maxLength: 3 }), tie('query')), {
    maxKeys: 4,
    noNullPrototype: true,
  }),
}));

describe('the query string of an object', () => {
  it.each([
    [{}, ''],
    [{ filters: { title: { $contains: "a&b=c #1 'x'" } } }, '?filters[title][$contains]=a%26b%3Dc%20%231%20%27x%27'],
    [{ populate: { sections: { on: { 'content.quote': true } } } }, '?populate[sections][on][content.quote]=true'],
    [{ fields: ['title', 'slug'], locale: undefined }, '?fields[0]=title&fields[1]=slug'],
    [{ filters: { $or: [{ a: 1 }, { b: 2 }] }, x: null }, '?filters[$or][0][a]=1&filters[$or][1][b]=2&x='],
    [{ filters: { at: { $lt: new Date(0) } } }, '?filters[at][$lt]=1970-01-01T00%3A00%3A00.000Z'],
    [{ filters: { big: 9007199254740993n } }, '?filters[big]=9007199254740993'],
  ])('%# is that of qs', (object, text) => {
    expect(queryString(object)).toBe(text);
    expect(byQs(object)).toBe(text);
  });

  it('is that of qs', () => {
    fc.assert(
      fc.property(query, (object) => {
        expect(queryString(object as object)).toBe(byQs(object as object));
      }),
    );
  });

  it('keeps an empty list, which finds nothing, where its absence would find everything', () => {
    expect(queryString({ filters: { format: { $in: [] } } })).toBe('?filters[format][$in][]');
    expect(byQs({ filters: { format: { $in: [] } } })).toBe('?filters[format][$in][]');
    expect(read({ filters: { format: { $in: [] } } })).toEqual({ filters: { format: { $in: [null] } } });
  });

  it.each([
    [{ filters: { slug: undefined } }, 'filters.slug'],
    [{ filters: { $or: [{ slug: { $eq: null } }] } }, 'filters.$or.0.slug.$eq'],
    [{ filters: { format: { $in: ['essay', undefined] } } }, 'filters.format.$in.1'],
    [{ populate: { articles: { filters: { slug: undefined } } } }, 'populate.articles.filters.slug'],
    [{ filters: { slug: {} } }, 'filters.slug'],
    [{ filters: { $and: [{ author: { slug: {} } }] } }, 'filters.$and.0.author.slug'],
  ])('is none for a filter whose value is missing, which would find everything: %j', (object, path) => {
    expect(() => queryString(object)).toThrow(`${path} has no value; for attributes without one use $null`);
  });

  it('leaves filters out as a whole', () => {
    expect(queryString({ filters: undefined, populate: { articles: { filters: undefined, fields: ['title'] } } })).toBe(
      '?populate[articles][fields][0]=title',
    );
    expect(queryString({ filters: {}, sort: 'title' })).toBe('?sort=title');
    expect(queryString({ filters: { $and: [{ slug: 'a' }, {}] } })).toBe('?filters[$and][0][slug]=a');
  });

  it('is read by the server as the object with its values as texts', () => {
    const object = { filters: { title: { $in: ['a,b', 'ü&[]%', '💡'] } }, pagination: { page: 2, withCount: false } };
    expect(read(object)).toEqual({
      filters: { title: { $in: ['a,b', 'ü&[]%', '💡'] } },
      pagination: { page: '2', withCount: 'false' },
    });
  });

  it('lets no name add a parameter', () => {
    expect(read({ filters: { 'title]=x&status': 'draft' } })).not.toHaveProperty('status');
  });
});
