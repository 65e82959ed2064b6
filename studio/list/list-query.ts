/**
 * @module The address of a list → requests. The address is a query of the API itself, in which `fields` names columns.
 */
import type { Query } from '../api/query-string.ts';
import type { ContentType, Document, Model } from '../model/model.ts';
import { editedStatus } from '../model/rights.ts';
import { columnsOf, selectionOf } from './columns.ts';

/** From this number of documents on one goes from page to page by cursor. */
export const MANY_DOCUMENTS = 1000;

const DEFAULT_SIZE = 25;

/** The newest first. In this order a page costs the same, however far one is. */
const DEFAULT_SORT = 'id:desc';

export interface PlaceInList {
  readonly size: number;
  readonly page: number;
  /** The cursor that the page begins after. */
  readonly after: string | undefined;
}

export function placeOf({ pagination }: Query): PlaceInList {
  const { page, pageSize, limit, after } = (pagination ?? {}) as Readonly<Record<string, string | undefined>>;
  const size = Math.trunc(Number(pageSize ?? limit)) || DEFAULT_SIZE;
  return { size: Math.max(1, Math.min(size, 100)), page: Math.max(1, Math.trunc(Number(page)) || 1), after };
}

/** The first page is counted, and names the cursor of the next; a page by cursor is not counted again. */
function paginationOf({ size, page, after }: PlaceInList): Query {
  if (after) return { after, limit: size, withCount: false };
  return page > 1 ? { page, pageSize: size } : { after: '', limit: size, withCount: true };
}

export const statusOf = (type: ContentType, { status }: Query): 'draft' | 'published' =>
  status === 'published' ? 'published' : editedStatus(type);

const versionOf = (type: ContentType, { locale }: Query, status: string): Query => ({
  ...(type.isLocalized && { locale }),
  ...(type.hasDrafts && { status }),
});

export function listRequest(model: Model, type: ContentType, query: Query): Query {
  const { sort = DEFAULT_SORT, filters, _q, publicationFilter, fields } = query;
  return {
    ...selectionOf(model, type, columnsOf(model, type, fields)),
    ...versionOf(type, query, statusOf(type, query)),
    sort,
    filters,
    _q,
    ...(type.hasDrafts && { publicationFilter }),
    pagination: paginationOf(placeOf(query)),
  };
}

/** Returns the request for the other versions of the documents of a page, from which their states follow. */
export const otherVersions = (type: ContentType, query: Query, documents: readonly Document[]): Query => ({
  fields: ['updatedAt', 'locale'].filter((name) => type.shown.has(name)),
  filters: { documentId: { $in: documents.map(({ documentId }) => documentId) } },
  ...versionOf(type, query, statusOf(type, query) === 'draft' ? 'published' : 'draft'),
  pagination: { limit: 100, withCount: false },
});

/** Choices of `publicationFilter` in plain words; the last two tell locales apart. */
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
