/**
 * @module `meta.pagination` of a list.
 */
import { describe, expect, it } from 'vitest';
import { formatList, formatOne } from '../../../src/content/document/format-v5.ts';
import type { Page } from '../../../src/content/request/pagination.ts';

const paginationMeta = (page: Page, total: number | undefined, next?: string) =>
  formatList([], page, total, next).meta.pagination;

describe('meta.pagination', () => {
  it.each([
    [0, 25, 0, { page: 1, pageSize: 25, pageCount: 0, total: 0 }],
    [0, 25, 25, { page: 1, pageSize: 25, pageCount: 1, total: 25 }],
    [0, 25, 26, { page: 1, pageSize: 25, pageCount: 2, total: 26 }],
    [20, 10, 5, { page: 3, pageSize: 10, pageCount: 1, total: 5 }],
  ])('from %i by %i of %i tells pages in page mode', (start, limit, total, meta) => {
    expect(paginationMeta({ start, limit, mode: 'page', withCount: true }, total)).toEqual(meta);
  });

  it('tells start and limit in offset mode', () => {
    const page = { start: 5, limit: 10, mode: 'offset', withCount: true } as const;
    expect(paginationMeta(page, 7)).toEqual({ start: 5, limit: 10, total: 7 });
  });

  it('has neither total nor pageCount when nothing was counted', () => {
    const page = { start: 0, limit: 10, withCount: false } as const;
    expect(paginationMeta({ ...page, mode: 'page' }, undefined)).toStrictEqual({ page: 1, pageSize: 10 });
    expect(paginationMeta({ ...page, mode: 'offset' }, undefined)).toStrictEqual({ start: 0, limit: 10 });
    expect(paginationMeta({ ...page, mode: 'cursor' }, undefined)).toStrictEqual({ limit: 10, next: null });
  });

  it('tells the next cursor in cursor mode, and no place', () => {
    const page = { start: 0, limit: 10, mode: 'cursor', withCount: true } as const;
    expect(paginationMeta(page, 11, 'cursor')).toStrictEqual({ limit: 10, total: 11, next: 'cursor' });
  });
});

describe('the envelope', () => {
  it('of one document has empty meta', () => {
    expect(formatOne({ id: 1, documentId: 'abc' })).toEqual({ data: { id: 1, documentId: 'abc' }, meta: {} });
  });

  it('of a list keeps the order of the documents', () => {
    const page = { start: 0, limit: 25, mode: 'page', withCount: true } as const;
    const { data, meta } = formatList([{ id: 2 }, { id: 1 }], page, 2);
    expect(data).toEqual([{ id: 2 }, { id: 1 }]);
    expect(meta).toHaveProperty('pagination');
    expect(formatList([], page, 0, null, { facets: {} }).meta).toMatchObject({ pagination: { total: 0 }, facets: {} });
  });
});
