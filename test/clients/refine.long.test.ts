/**
 * @module `@refinedev/strapi-v4`, the data provider of refine, with answers of Strapi 5 and of Strapi 4.
 */
import { createRequire } from 'node:module';
import type * as Refine from '@refinedev/strapi-v4';
import { describe, expect, it } from 'vitest';
import { account, PASSWORD, token, unique, url } from './requests.ts';

const require = createRequire(import.meta.url);
const { DataProvider, AuthHelper }: typeof Refine = require('@refinedev/strapi-v4');
const axios = require('axios');

/** As documents come: the data provider flattens lists, and leaves single ones in their envelope. */
type Answer = {
  readonly data: { readonly documentId?: string; readonly attributes?: { readonly documentId: string } };
};

const OPERATORS = ['eq', 'ne', 'lt', 'gt', 'lte', 'gte', 'contains', 'ncontains', 'containss', 'ncontainss'] as const;
const OTHERS = ['startswith', 'endswith', 'eqi', 'nei'] as const;

describe.each([['v5'], ['v4']])('refine with answers of %s', (format) => {
  const version = format === 'v4' ? { 'Strapi-Response-Format': 'v4' } : {};
  const http = axios.create({ headers: { Authorization: `Bearer ${token}`, ...version } });
  const provider = DataProvider(`${url}/api`, http);
  const idOf = (answer: unknown): string => {
    const { data } = answer as Answer;
    return data.documentId ?? data.attributes?.documentId ?? '';
  };
  const articles = (filters: readonly unknown[]) =>
    provider.getList({ resource: 'articles', filters: filters as never, pagination: { mode: 'off' } });

  it('lists by filters, sorters, populate and pages', async () => {
    const { data, total } = await provider.getList({
      resource: 'articles',
      pagination: { currentPage: 1, pageSize: 2 },
      sorters: [
        { field: 'title', order: 'desc' },
        { field: 'author.name', order: 'asc' },
      ],
      filters: [
        { field: 'title', operator: 'contains', value: 'a' },
        {
          operator: 'or',
          value: [
            { field: 'format', operator: 'in', value: ['essay', 'review'] },
            { field: 'rating', operator: 'gte', value: 1 },
          ],
        },
      ],
      meta: { populate: ['author', 'cover'], fields: ['title'] },
    });
    expect(data).toHaveLength(2);
    expect(total).toBeGreaterThanOrEqual(2);
    expect(data[0]).toHaveProperty('author');
  });

  it.each([...OPERATORS, ...OTHERS])('filters by %s', async (operator) => {
    await articles([{ field: 'title', operator, value: 'a' }]);
  });

  it('filters by lists, ranges and nulls', async () => {
    await articles([{ field: 'title', operator: 'in', value: ['a', 'b'] }]);
    await articles([{ field: 'title', operator: 'nin', value: ['a', 'b'] }]);
    await articles([{ field: 'title', operator: 'between', value: ['a', 'b'] }]);
    await articles([{ field: 'title', operator: 'null', value: true }]);
    expect((await articles([{ field: 'title', operator: 'nnull', value: true }])).data.length).toBeGreaterThan(3);
  });

  it('lists another locale, and several documents by id', async () => {
    const { data } = await provider.getList({ resource: 'categories', meta: { locale: 'fr' } });
    expect(data[0]?.locale).toBe('fr');
    const authors = await provider.getList({ resource: 'authors' });
    const ids = authors.data.slice(0, 2).map(({ id }) => id ?? 0);
    expect((await provider.getMany?.({ resource: 'authors', ids }))?.data).toHaveLength(2);
  });

  it('makes, reads, changes and deletes', async () => {
    const made = await provider.create({
      resource: 'articles',
      variables: { title: 'Refine', slug: unique('refine') },
    });
    const id = idOf(made.data);
    expect((await provider.getOne({ resource: 'articles', id })).data).toMatchObject({ title: 'Refine' });
    await provider.update({ resource: 'articles', id, variables: { title: 'Refined' } });
    await provider.updateMany?.({ resource: 'articles', ids: [id], variables: { rating: 2 } });
    await provider.deleteOne({ resource: 'articles', id });
    const many = await provider.createMany?.({
      resource: 'articles',
      variables: [1, 2].map(() => ({ title: 'Many', slug: unique('many') })),
    });
    await provider.deleteMany?.({ resource: 'articles', ids: (many?.data ?? []).map(idOf) });
  });

  it('tells which field is wrong', async () => {
    const wrong = provider.create({ resource: 'articles', variables: { title: 'x'.repeat(200) } });
    await expect(wrong).rejects.toMatchObject({ statusCode: 400, errors: { title: expect.anything() } });
  });

  it('reads single types, asks by hand, and lists users bare', async () => {
    const home = await provider.getOne({ resource: 'homepage', id: '', meta: { populate: '*' } });
    expect(home.data).toHaveProperty('headline');
    const query = { pagination: { pageSize: 1 } };
    const sorters = [{ field: 'title', order: 'asc' }] as const;
    await provider.custom?.({ url: `${url}/api/articles`, method: 'get', sorters: [...sorters], query });
    const { data } = await provider.getList({ resource: 'users', meta: { populate: ['role'] } });
    expect(data).toBeInstanceOf(Array);
  });

  it('signs in', async () => {
    const username = unique(`refine${format}`);
    await http.post(`${url}/api/auth/local/register`, account(username), { headers: { Authorization: '' } });
    const helper = AuthHelper(`${url}/api`);
    const { data } = await helper.login(username, PASSWORD);
    expect((await helper.me(data.jwt)).data).toMatchObject({ username });
  });
});
