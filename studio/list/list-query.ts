/**
 * @module The address of a list → requests. The address is a query of the API itself, in which `fields` names columns.
 */
import type { Query } from '../api/query-string.ts';
import type { ContentType, Document, Model } from '../model/model.ts';
import { editedStatus } from '../model/rights.ts';
import { columnsOf, selectionOf } from './columns.ts';

/** From this number of documents on one goes from page to page by cursor. */
export const MANY_DOCUMENTS = 1000;

export const PAGE_SIZES = [25, 50, 100] as const;

/** The newest first. In this order a page costs the same, however far one is. */
const DEFAULT_SORT = 'id:desc';

export interface Place {
  readonly size: number;
  /** The cursor that the page begins after. */
  readonly after?: string;
  readonly page: number;
}

export function placeOf({ pagination }: Query): Place {
  const { page, pageSize, limit, after } = (pagination ?? {}) as Readonly<Record<string, string | undefined>>;
  const size = Number(pageSize ?? limit);
  return {
    size: Number.isInteger(size) && size > 0 ? Math.min(size, 100) : PAGE_SIZES[0],
    page: Math.max(1, Math.trunc(Number(page)) || 1),
    ...(after && { after }),
  };
}

/** The first page is counted, and names the cursor of the next; a page by cursor is not counted again. */
function paginationOf({ size, page, after }: Place): Query {
  if (after !== undefined) return { after, limit: size, withCount: false };
  return page > 1 ? { page, pageSize: size } : { after: '', limit: size, withCount: true };
}

export const statusOf = (type: ContentType, { status }: Query): 'draft' | 'published' =>
  status === 'published' || editedStatus(type) === 'published' ? 'published' : 'draft';

export function listRequest(model: Model, type: ContentType, query: Query): Query {
  const { sort = DEFAULT_SORT, filters, _q, locale, publicationFilter, fields } = query;
  return {
    ...selectionOf(model, type, columnsOf(model, type, fields)),
    sort,
    filters,
    _q,
    ...(type.isLocalized && { locale }),
    ...(type.hasDrafts && { status: statusOf(type, query), publicationFilter }),
    pagination: paginationOf(placeOf(query)),
  };
}

/** Returns the request for the other versions of the documents of a page, from which their states follow. */
export const otherVersions = (type: ContentType, query: Query, documents: readonly Document[]): Query => ({
  fields: ['updatedAt', ...(type.isLocalized ? ['locale'] : [])],
  filters: { documentId: { $in: documents.map(({ documentId }) => documentId) } },
  ...(type.isLocalized && { locale: query.locale }),
  status: statusOf(type, query) === 'draft' ? 'published' : 'draft',
  pagination: { limit: 100, withCount: false },
});

export type State = 'draft' | 'published' | 'modified';

/** A document in one locale. */
export const keyOf = ({ documentId, locale }: Document): string => `${documentId} ${locale ?? ''}`;

/** Returns the state of a document, of which `other` is the version that the list does not show. */
export function stateOf(shown: 'draft' | 'published', document: Document, other: Document | undefined): State {
  if (!other) return shown;
  const [draft, published] = shown === 'draft' ? [document, other] : [other, document];
  return (draft.updatedAt ?? '') > (published.updatedAt ?? '') ? 'modified' : 'published';
}

/** Choices of `publicationFilter` in plain words; the second half tells locales apart. */
export const PUBLICATION_FILTERS: Readonly<Record<string, string>> = {
  'never-published': 'Never published',
  'has-published-version': 'Published',
  modified: 'Changed since they were published',
  unmodified: 'Not changed since they were published',
  'published-without-draft': 'Published, without a draft',
  'published-with-draft': 'Published, with a draft',
  'never-published-document': 'Published in no locale',
  'has-published-version-document': 'Published in some locale',
};
