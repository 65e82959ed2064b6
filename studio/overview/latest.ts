/**
 * @module The latest documents of each content type, and those that are not published as they are.
 */
import { useQueries } from '@tanstack/react-query';
import pLimit from 'p-limit';
import type { Query } from '../api/query-string.ts';
import { type ResponseBody, request } from '../api/request.ts';
import { ApiError } from '../api/send.ts';
import { documentKeyOf, readVersions } from '../list/use-list.ts';
import { type ContentType, type Document, editedStatus } from '../model/model.ts';
import { type State, stateOf } from '../shell/document-link.tsx';

const inTurn = pLimit(6);

async function read(type: ContentType, query: Query, signal: AbortSignal) {
  try {
    const options = { query, signal };
    const { data, meta } = (await request<ResponseBody<Document | Document[] | null>>(type.path, options)).body;
    const documents = [data ?? []].flat();
    return { documents, total: meta.pagination?.total ?? documents.length };
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return { documents: [], total: 0 };
    throw error;
  }
}

const fieldsOf = (type: ContentType, ...names: readonly string[]) =>
  [type.titleAttribute, ...names].filter((name) => type.shown.has(name));

function latestQuery(type: ContentType): Query {
  const sort = type.shown.has('updatedAt') ? 'updatedAt:desc' : null;
  const list = type.kind === 'collectionType' && { sort, pagination: { pageSize: 3 } };
  return { ...(type.hasDrafts && { status: editedStatus(type) }), fields: fieldsOf(type, 'updatedAt'), ...list };
}

/** Reads the newest documents of the types, at most six types at the same time. */
export const useLatest = (types: readonly ContentType[]) =>
  useQueries({
    queries: types.map((type) => {
      const query = latestQuery(type);
      return {
        queryKey: [type.path, 'latest', query],
        queryFn: ({ signal }: { signal: AbortSignal }) => inTurn(() => read(type, query, signal)),
      };
    }),
  }).map(({ data, error }, index) => ({
    type: types[index] as ContentType,
    documents: data?.documents ?? [],
    total: data?.total,
    error,
  }));

export type Latest = ReturnType<typeof useLatest>[number];

/** A draft that readers do not see as it is. */
export interface Unfinished {
  readonly type: ContentType;
  readonly document: Document;
  readonly state: State;
}

/** So many drafts of a type are compared with what is published: a comparison of all would read the whole type. */
const NEWEST = 10;

async function readUnfinished(type: ContentType, signal: AbortSignal): Promise<readonly Unfinished[]> {
  const isList = type.kind === 'collectionType';
  const query = {
    fields: fieldsOf(type, 'updatedAt', 'locale'),
    ...(isList && type.isLocalized && { locale: '*' }),
    ...(isList && { sort: 'updatedAt:desc' }),
  };
  const pagination = isList && { pagination: { pageSize: NEWEST, withCount: false } };
  const { documents } = await read(type, { ...query, ...pagination, status: 'draft' }, signal);
  const ids = [...new Set(documents.map(({ documentId }) => documentId))];
  if (ids.length === 0) return [];
  const ofPublished = { ...query, status: 'published' };
  const published = isList
    ? await readVersions(type.path, { ...ofPublished, filters: { documentId: { $in: ids } } }, signal)
    : (await read(type, ofPublished, signal)).documents;
  const byKey = new Map(published.map((document) => [documentKeyOf(document), document]));
  return documents
    .map((document) => ({ type, document, state: stateOf(document, byKey.get(documentKeyOf(document)) ?? null) }))
    .filter(({ state }) => state !== 'published');
}

/** Of the rest one sees in the lists. */
const MOST_UNFINISHED = 8;

/** Reads the newest drafts that readers do not see as they are; undefined until all are known. */
export function useUnfinished(types: readonly ContentType[]): readonly Unfinished[] | undefined {
  const found = useQueries({
    queries: types.map((type) => ({
      queryKey: [type.path, 'unfinished'],
      queryFn: ({ signal }: { signal: AbortSignal }) => inTurn(() => readUnfinished(type, signal)),
    })),
  });
  if (found.some(({ isPending }) => isPending)) return undefined;
  return found
    .flatMap(({ data = [] }) => data)
    .sort((a, b) => (b.document.updatedAt ?? '').localeCompare(a.document.updatedAt ?? ''))
    .slice(0, MOST_UNFINISHED);
}

/** Whether the caller sees which drafts are not published. */
export const mayCompare = (type: ContentType): boolean =>
  editedStatus(type) === 'draft' && type.actions.has('find') && type.shown.has('updatedAt');
