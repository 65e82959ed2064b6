/**
 * @module A read that screens share: by path and query. `invalidateQueries({ queryKey: [path] })` reads it again.
 */
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { Query } from './query-string.ts';
import { request } from './request.ts';

/** Reads the whole body; while the next query is on its way, the data are those of the one before. */
export const useRead = <T>(path: string, query: Query = {}): UseQueryResult<T> =>
  useQuery({
    queryKey: [path, query],
    queryFn: async ({ signal }) => (await request<T>(path, { query, signal })).body,
    placeholderData: keepPreviousData,
  });
