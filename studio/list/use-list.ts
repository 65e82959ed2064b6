/**
 * @module The documents of a page, and their states.
 */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Query } from '../api/query-string.ts';
import { type Answer, request } from '../api/request.ts';
import type { ContentType, Document } from '../model/model.ts';
import { editedStatus } from '../model/rights.ts';
import { useModel } from '../shell/model-context.ts';
import { keyOf, listRequest, otherVersions, type State, stateOf, statusOf } from './list-query.ts';

async function read(path: string, query: Query, signal: AbortSignal): Promise<Answer<readonly Document[]>> {
  return (await request<Answer<readonly Document[]>>(path, { query, signal })).body;
}

export function useList(type: ContentType, query: Query) {
  const model = useModel();
  const asked = listRequest(model, type, query);
  return useQuery({
    queryKey: [type.path, asked],
    queryFn: ({ signal }) => read(type.path, asked, signal),
    placeholderData: keepPreviousData,
  });
}

/** Returns the state of each document by its key; empty for types without drafts, and until it is known. */
export function useStates(type: ContentType, query: Query, documents: readonly Document[]): ReadonlyMap<string, State> {
  const asked = otherVersions(type, query, documents);
  const { data } = useQuery({
    queryKey: [type.path, asked],
    queryFn: ({ signal }) => read(type.path, asked, signal),
    enabled: documents.length > 0 && editedStatus(type) === 'draft',
  });
  if (!data) return new Map();
  const others = new Map(data.data.map((other) => [keyOf(other), other]));
  const shown = statusOf(type, query);
  return new Map(documents.map((one) => [keyOf(one), stateOf(shown, one, others.get(keyOf(one)))]));
}
