/**
 * @module The latest documents of each content type, and how many there are.
 */
import { useQueries } from '@tanstack/react-query';
import pLimit from 'p-limit';
import type { Query } from '../api/query-string.ts';
import { type Answer, ApiError, request } from '../api/request.ts';
import type { ContentType, Document } from '../model/model.ts';
import { editedStatus } from '../model/rights.ts';

export interface Latest {
  readonly type: ContentType;
  readonly total?: number;
  readonly documents: readonly Document[];
  readonly error?: Error | null;
}

const inTurn = pLimit(6);

function queryOf(type: ContentType): Query {
  const fields = [type.titleAttribute, 'updatedAt'].filter((name) => type.shown.has(name));
  const sort = type.shown.has('updatedAt') ? 'updatedAt:desc' : null;
  const list = type.kind === 'collectionType' && { sort, pagination: { pageSize: 3 } };
  return { ...(type.hasDrafts && { status: editedStatus(type) }), fields, ...list };
}

async function read(type: ContentType, query: Query): Promise<Pick<Latest, 'total' | 'documents'>> {
  try {
    const { data, meta } = (await request<Answer<Document | Document[] | null>>(type.path, { query })).body;
    const documents = [data ?? []].flat();
    return { documents, total: meta.pagination?.total ?? documents.length };
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return { documents: [], total: 0 };
    throw error;
  }
}

/** Reads the types, at most six at the same time. */
export const useLatest = (types: readonly ContentType[]): readonly Latest[] =>
  useQueries({
    queries: types.map((type) => {
      const query = queryOf(type);
      return { queryKey: [type.path, 'latest', query], queryFn: () => inTurn(() => read(type, query)) };
    }),
  }).map(({ data, error }, index) => ({ documents: [], ...data, error, type: types[index] as ContentType }));

const timeOf = ({ updatedAt = '' }: Document): string => updatedAt;

/** Returns the latest changes of all content types, at most ten, and at most three of each. */
export const merged = (latest: readonly Latest[]): readonly { type: ContentType; document: Document }[] =>
  latest
    .flatMap(({ type, documents }) => documents.map((document) => ({ type, document })))
    .sort((a, b) => timeOf(b.document).localeCompare(timeOf(a.document)))
    .slice(0, 10);
