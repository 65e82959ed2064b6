/**
 * @module A page of a list: the request in its address, the documents, their states, and which are selected.
 */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { type Query, readQuery, writeQuery } from '../api/query-string.ts';
import { type ResponseBody, request } from '../api/request.ts';
import { type ContentType, type Document, editedStatus, type Model } from '../model/model.ts';
import { type State, stateOf } from '../shell/document-link.tsx';
import { useModel } from '../shell/model.ts';
import { keepView, keptView, listAt } from './kept-view.ts';
import { firstPage, listColumns, listStatus, otherVersions } from './list-query.ts';

type Documents = ResponseBody<readonly Document[]>;

/** Returns documents with their locale, which a response may not show: that of the list, unless it has all of them. */
function inLocale(
  { defaultLocale }: Model,
  { isLocalized }: ContentType,
  query: Query,
  documents: readonly Document[],
): readonly Document[] {
  const locale = query.locale ?? defaultLocale;
  if (!isLocalized || typeof locale !== 'string' || locale === '*') return documents;
  return documents.map((document) => ({ ...document, locale: document.locale ?? locale }));
}

/** Versions of a request. */
const MOST_VERSIONS = 100;

/** Reads all pages: in all locales, there may be more versions than documents. */
export async function readVersions(path: string, query: Query, signal: AbortSignal): Promise<readonly Document[]> {
  const found: Document[] = [];
  for (let page = 1; found.length === (page - 1) * MOST_VERSIONS; page++) {
    const pagination = { page, pageSize: MOST_VERSIONS, withCount: false };
    const { body } = await request<Documents>(path, { query: { ...query, pagination }, signal });
    found.push(...body.data);
  }
  return found;
}

/** A document in one locale. */
export const documentKeyOf = ({ documentId, locale }: Document): string => `${documentId} ${locale ?? ''}`;

type Others = ReadonlyMap<string, Document> | null | undefined;

/**
 * Returns the other versions of documents by their keys; undefined for types without drafts, and until they
 * are known; null where they cannot be read.
 */
export function useOthers(type: ContentType, query: Query, documents: readonly Document[]): Others {
  const isKnown = documents.length > 0 && editedStatus(type) === 'draft';
  const model = useModel();
  const versions = otherVersions(type, query, documents);
  const { data, isError } = useQuery({
    queryKey: [type.path, versions],
    queryFn: ({ signal }) => readVersions(type.path, versions, signal),
    enabled: isKnown,
  });
  if (isError && !data) return null;
  return data && new Map(inLocale(model, type, query, data).map((other) => [documentKeyOf(other), other]));
}

/** Returns the state of each document by its key; empty where the other versions are not known. */
export function statesOf(
  type: ContentType,
  query: Query,
  documents: readonly Document[],
  others: Others,
): ReadonlyMap<string, State> {
  const state = (one: Document): State => {
    const other = others?.get(documentKeyOf(one)) ?? null;
    if (listStatus(type, query) === 'draft') return stateOf(one, other);
    return other ? stateOf(other, one) : 'published';
  };
  return new Map(others ? documents.map((one) => [documentKeyOf(one), state(one)]) : []);
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
  const { data = NONE } = result.data ?? {};
  const documents = useMemo(() => inLocale(model, type, readQuery(search), data), [model, type, search, data]);
  const others = useOthers(type, query, documents);
  const [chosen, select] = useState<ReadonlySet<string>>(new Set());
  return {
    type,
    query,
    result,
    documents,
    columns: listColumns(model, type, query.fields),
    others,
    states: statesOf(type, query, documents, others),
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

/** What is being done with selected documents, and what failed. */
export interface BulkState {
  /** Documents that are done; missing while nothing runs. */
  readonly done?: number;
  /** Reasons. */
  readonly failures: ReadonlyMap<Document, string>;
}

export const IDLE: BulkState = { failures: new Map() };

export type BulkAction = (typeof BULK_ACTIONS)[number];

/**
 * Returns what the caller may do with selected documents: nothing with rows of unknown locales, or where the caller cannot
 * read whether they were changed.
 */
export function bulkActions({ type, documents }: Pick<List, 'type' | 'documents'>): readonly BulkAction[] {
  const isLocaleUnknown = type.isLocalized && documents.some(({ locale }) => !locale);
  if (isLocaleUnknown || !type.actions.has('findOne') || !type.shown.has('updatedAt')) return [];
  return BULK_ACTIONS.filter((id) => type.actions.has(id) && (id === 'delete' || type.hasDrafts));
}
