/**
 * @module A page of a list: the request in its address, the documents, their states, and which are selected.
 */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { type Query, readQuery, writeQuery } from '../api/query-string.ts';
import { type ResponseBody, readOf } from '../api/request.ts';
import { type ContentType, type Document, editedStatus } from '../model/model.ts';
import { type State, stateOf } from '../shell/document-link.tsx';
import { useModel } from '../shell/model.ts';
import { keepView, keptView, listAt } from './kept-view.ts';
import { firstPage, listColumns, listStatus, otherVersions } from './list-query.ts';

type Documents = ResponseBody<readonly Document[]>;

/** A document in one locale. */
export const documentKeyOf = ({ documentId, locale }: Document): string => `${documentId} ${locale ?? ''}`;

/** Returns the state of each document by its key; empty for types without drafts, and until it is known. */
export function useStates(type: ContentType, query: Query, documents: readonly Document[]): ReadonlyMap<string, State> {
  const isKnown = documents.length > 0 && editedStatus(type) === 'draft';
  const { data } = useQuery({
    ...readOf<Documents>(type.path, otherVersions(type, query, documents)),
    enabled: isKnown,
  });
  const others = new Map(data?.data.map((other) => [documentKeyOf(other), other]));
  const state = (one: Document): State => {
    const other = others.get(documentKeyOf(one)) ?? null;
    if (listStatus(type, query) === 'draft') return stateOf(one, other);
    return other ? stateOf(other, one) : 'published';
  };
  return new Map(data ? documents.map((one) => [documentKeyOf(one), state(one)]) : []);
}

const NONE: readonly Document[] = [];

export function useList(type: ContentType) {
  const model = useModel();
  const navigate = useNavigate();
  const { search: own } = useLocation();
  // A link with a query shows what it says.
  const search = own === '' ? keptView(model, type) : own;
  useEffect(() => {
    if (search !== own) navigate({ search }, { replace: true });
  }, [search, own, navigate]);
  const query = readQuery(search);
  const result = useQuery({ ...listAt(model, type, search), placeholderData: keepPreviousData });
  const documents = result.data?.data ?? NONE;
  const [chosen, select] = useState<ReadonlySet<string>>(new Set());
  return {
    type,
    query,
    result,
    documents,
    columns: listColumns(model, type, query.fields),
    states: useStates(type, query, documents),
    /** Keys of documents of this page. */
    selection: new Set(documents.map(documentKeyOf).filter((key) => chosen.has(key))) as ReadonlySet<string>,
    select,
    /** Changes the address, and goes to the first page; undefined removes a parameter. The choice is kept. */
    change: (patch: Query) => {
      keepView(type, patch);
      navigate({ search: writeQuery({ ...query, pagination: firstPage(query), ...patch }) }, { flushSync: true });
    },
  };
}

export type List = ReturnType<typeof useList>;

const BULK_ACTIONS = ['publish', 'unpublish', 'delete'] as const;

export type BulkAction = (typeof BULK_ACTIONS)[number];

/** Returns what the caller may do with selected documents. */
export const bulkActions = (type: ContentType): readonly BulkAction[] =>
  BULK_ACTIONS.filter((id) => type.actions.has(id) && (id === 'delete' || type.hasDrafts));
