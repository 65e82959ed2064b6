/**
 * @module Reads that screens share, by path and query. `invalidateQueries({ queryKey: [path] })` reads them again.
 */
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { Query } from './query-string.ts';
import { request } from './request.ts';

/** Reads the whole body. */
export const readOf = <T>(path: string, query: Query = {}) =>
  queryOptions({
    queryKey: [path, query],
    queryFn: async ({ signal }) => (await request<T>(path, { query, signal })).body,
  });

/** While the next query is on its way, the data are those of the one before. */
export const useRead = <T>(path: string, query?: Query) =>
  useQuery({ ...readOf<T>(path, query), placeholderData: keepPreviousData });
