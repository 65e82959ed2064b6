/**
 * @module Parameters that the project's own code passes as objects, as a query string would have them.
 */
import { describe, expect, it } from 'vitest';
import { rawQueryOf } from '../../../src/features/own-code/input.ts';

/** A value below so many keys. */
const below = (levels: number): unknown => (levels === 0 ? 'x' : { a: below(levels - 1) });

it('are texts, null, lists and objects, without those that are undefined', () => {
  const params = {
    filters: { title: 'a', rating: { $gte: 5 }, isOpen: true, born: new Date(0), cover: null, $or: [{ id: 1 }] },
    sort: ['title', 'id:desc'],
    fields: [],
    populate: undefined,
    _q: '\uD800',
  };
  expect(rawQueryOf(params)).toStrictEqual({
    filters: {
      ...{ title: 'a', rating: { $gte: '5' }, isOpen: 'true', born: '1970-01-01T00:00:00.000Z', cover: null },
      $or: [{ id: '1' }],
    },
    sort: ['title', 'id:desc'],
    fields: [],
    _q: '\uFFFD',
  });
});

describe('a parameter', () => {
  it.each([
    [{ filters: { title: undefined } }, 'The parameter filters.title is undefined'],
    [{ filters: { $and: [{ id: 1 }, { id: undefined }] } }, 'The parameter filters.$and.1.id is undefined'],
    [{ filters: { $or: [] } }, 'The parameter filters.$or is empty'],
    [{ filters: { $and: [{ $or: [] }] } }, 'The parameter filters.$and.0.$or is empty'],
  ])('is rejected where it would match everything: %j', (params, message) => {
    expect(() => rawQueryOf(params)).toThrow(message);
  });

  it('has 20 levels at most', () => {
    expect(rawQueryOf({ filters: below(19) })).toStrictEqual({ filters: below(19) });
    expect(() => rawQueryOf({ filters: below(20) })).toThrow("Invalid parameter at 'filters'. It is nested too deeply");
  });
});
