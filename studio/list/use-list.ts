/**
 * @module The documents of a page, and their states.
 */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Query } from '../api/query-string.ts';
import { type Answer, request } from '../api/request.ts';
import { type State, stateOf } from '../document/document-state.tsx';
import type { ContentType, Document } from '../model/model.ts';
import { editedStatus } from '../model/rights.ts';
import { useModel } from '../shell/model-context.ts';
import { listRequest, otherVersions, statusOf } from './list-query.ts';

const read = (path: string, query: Query) => ({
  queryKey: [path, query],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
    (await request<Answer<readonly Document[]>>(path, { query, signal })).body,
});

export function useList(type: ContentType, query: Query) {
  const asked = listRequest(useModel(), type, query);
  return useQuery({ ...read(type.path, asked), placeholderData: keepPreviousData });
}

/** A document in one locale. */
export const keyOf = ({ documentId, locale }: Document): string => `${documentId} ${locale ?? ''}`;

/** Returns the state of each document by its key; empty for types without drafts, and until it is known. */
export function useStates(type: ContentType, query: Query, documents: readonly Document[]): ReadonlyMap<string, State> {
  const isKnown = documents.length > 0 && editedStatus(type) === 'draft';
  const { data } = useQuery({ ...read(type.path, otherVersions(type, query, documents)), enabled: isKnown });
  const others = new Map(data?.data.map((other) => [keyOf(other), other]));
  const state = (one: Document): State => {
    const other = others.get(keyOf(one)) ?? null;
    if (statusOf(type, query) === 'draft') return stateOf(one, other);
    return other ? stateOf(other, one) : 'published';
  };
  return new Map(data ? documents.map((one) => [keyOf(one), state(one)]) : []);
}
